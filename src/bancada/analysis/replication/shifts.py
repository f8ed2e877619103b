# SPDX-License-Identifier: Apache-2.0
"""Whether a column that does not fit its rows would fit if its figures were moved by some rows: a copying slip."""

from __future__ import annotations

from collections.abc import Callable

from bancada.model.paper import Column, PrintedRow, PrintedTable

Fits = Callable[[PrintedRow, float], bool]


def advice_to_shift(table: PrintedTable, column: Column, fits: Fits) -> str:
    """A sentence (after a space) if moving the column's figures by one and only one step makes all of them fit.

    Moved are either all rows in a circle, or all but the last, which is the total's. Empty if no step helps or several
    do.
    """
    found = _steps(table, column, fits)
    if len(found) != 1:
        return ""
    size, step = next(iter(found.values()))
    rows = "one row" if step == 1 else f"{step} rows"
    which = "all figures" if size == len(table.row) else "all figures but the total's"
    return f" The column fits when {which} are moved up by {rows}, the first to the end: a slip in copying, it seems."


def _steps(table: PrintedTable, column: Column, fits: Fits) -> dict[tuple[float, ...], tuple[int, int]]:
    """The columns that fit; of each, how many rows take part and by how many they are moved up."""
    if table.sut is None:
        return {}
    found: dict[tuple[float, ...], tuple[int, int]] = {}
    printed = tuple(float(getattr(row, column)) for row in table.row)
    for size in (len(printed) - 1, len(printed)):
        for step in range(1, size):
            moved = (*printed[step:size], *printed[:step], *printed[size:])
            if all(fits(row, value) for row, value in zip(table.row, moved, strict=True)):
                found.setdefault(moved, (size, step))
    return found
