# SPDX-License-Identifier: Apache-2.0
"""Read the small text files in which Linux tells about itself; elsewhere they are not there."""

from __future__ import annotations

from pathlib import Path


def read_text(path: str | Path) -> str | None:
    """A file's text without white space around it, or None if it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def read_int(path: str | Path) -> int | None:
    """A file's whole number, or None if there is none."""
    text = read_text(path)
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def parse_cpu_list(text: str) -> tuple[int, ...]:
    """The CPUs of a list such as `0-2,5`, in ascending order (format: cpuset(7), "List format").

    Raises ValueError for anything else.
    """
    cpus: set[int] = set()
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return tuple(sorted(cpus))
