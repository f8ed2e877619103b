# SPDX-License-Identifier: Apache-2.0
"""The wording of options that several commands have."""

from __future__ import annotations

SERVICE_HELP = (
    "Take this database instead of the study's: mariadb, mysql or postgresql, one from a given place (mysql@container, "
    "@path, @cache), or the URL of an empty one (mysql://user:password@host:port/database). Repeat it to vary it."
)
ENGINE_HELP = "Load engine, instead of the study's; repeat it to hold one instrument against the other."
BASE_IMAGE_HELP = "Image that variants in a container are built upon, instead of the one that their stack names."
