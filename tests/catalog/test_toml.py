# SPDX-License-Identifier: Apache-2.0
"""Reading TOML strictly: the line of every key is found."""

from __future__ import annotations

import pytest

from bancada.catalog.toml import line_of, nearest

TEXT = """study = "x"
blocks = 3

[[load]]
name = "a"
users = 1

[[load]]
name = "b"
users = "many"

[timeouts]
ready = "1s"

[variant.jar]
start = ["java"]
"""


@pytest.mark.parametrize(
    ("location", "line"),
    [
        (("blocks",), 2),
        (("load", 0, "users"), 6),
        (("load", 1, "users"), 10),
        (("load", 1, "iterations"), 8),
        (("timeouts", "ready"), 13),
        (("variant", "jar", "start"), 16),
        (("variant", "jar", "start", 0), 16),
        (("nowhere",), None),
    ],
)
def test_the_line_of_a_key_is_found(location: tuple[str | int, ...], line: int | None) -> None:
    """A key's own line; the table's for a key that is missing; None for what is nowhere."""
    assert line_of(location, TEXT) == line


def test_the_nearest_name_is_offered_only_if_it_is_near() -> None:
    """A typo is mended, a different word is not."""
    assert nearest("blokcs", ["blocks", "seed"]) == '; did you mean "blocks"?'
    assert nearest("zebra", ["blocks", "seed"]) == ""
