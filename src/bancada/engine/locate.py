# SPDX-License-Identifier: Apache-2.0
"""Find the `bancada-engine` program."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

from bancada.errors import EngineError

NAME = "bancada-engine"


def locate() -> Path:
    """The engine's path: `BANCADA_ENGINE`, then this environment's programs, then the PATH.

    Raises EngineError that lists every place searched.
    """
    named = os.environ.get("BANCADA_ENGINE")
    places = [Path(named)] if named else [Path(sysconfig.get_path("scripts")) / NAME]
    on_path = None if named else shutil.which(NAME)
    if on_path:
        places.append(Path(on_path))
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return place
    raise EngineError(
        "the load engine is missing",
        where="searched " + ", ".join(map(str, places)) + ("" if named else ", the PATH"),
        advice="start through ./bancada, which builds it; or set BANCADA_ENGINE to its path",
    )
