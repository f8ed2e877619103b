# SPDX-License-Identifier: Apache-2.0
"""How sentences name a paper's tables, which have numbers (`3`) or are figures (`Figure 18`)."""

from __future__ import annotations

from collections.abc import Iterable

from bancada.analysis.words import listed


def table_named(table: str) -> str:
    """`Table 3` for a number; what has another name (`Figure 18`, `section 3.2`) by that."""
    return f"Table {table}" if table.isdigit() else table


def tables_named(tables: Iterable[str]) -> str:
    """`Table 3`, `Tables 3 and 4`, `Figures 18, 20 and 22`: each once, by number."""
    numbers: dict[str, set[int]] = {}
    for table in tables:
        word, _, number = table_named(table).rpartition(" ")
        numbers.setdefault(word, set()).add(int(number))
    return listed([_of_one_kind(word, sorted(found)) for word, found in sorted(numbers.items())])


def _of_one_kind(word: str, numbers: list[int]) -> str:
    return f"{word}{'' if len(numbers) == 1 else 's'} {listed([str(number) for number in numbers])}"
