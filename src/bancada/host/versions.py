# SPDX-License-Identifier: Apache-2.0
"""Read and compare version numbers of tools."""

from __future__ import annotations

import re

_VERSION = re.compile(r"\d+(?:\.\d+)*")


def parse_version(text: str) -> tuple[int, ...] | None:
    """The first version number in a text, as in `(25, 0, 3)` for `openjdk 25.0.3 2026-04-21`, or None."""
    found = _VERSION.search(text)
    return tuple(int(part) for part in found[0].split(".")) if found else None


def format_version(version: tuple[int, ...]) -> str:
    """A version as it is written."""
    return ".".join(str(part) for part in version)


def is_at_least(version: tuple[int, ...], least: tuple[int, ...]) -> bool:
    """Whether a version is not older than another; missing parts count as 0, so that 25 is 25.0.0."""
    length = max(len(version), len(least))
    padded, padded_least = (number + (0,) * (length - len(number)) for number in (version, least))
    return padded >= padded_least
