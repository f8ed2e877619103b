# SPDX-License-Identifier: Apache-2.0
"""Printed figures that are far from those of the same thing in the paper's other tables.

The same request is equally long everywhere, and the same answer too, unless answers grow with what a load inserts; so
KB/s ÷ throughput is a size that must come back. And a median is about the same share of its mean in every table of the
same load. What is far from the median of its group is a slip, or needs an explanation that the paper does not give.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from bancada.analysis.replication.audit_rows import row_slip
from bancada.analysis.replication.requests import TOTAL
from bancada.analysis.replication.shifts import advice_to_shift
from bancada.model.judgement import Slip, SlipCheck
from bancada.model.paper import Column, Paper, PrintedRow, PrintedTable

FEWEST = 3
"""Rows that a group needs to tell which of them is the odd one."""

Line = tuple[PrintedTable, PrintedRow]


@dataclass(frozen=True)
class Look:
    """A quotient that should be the same in all rows of a group."""

    column: Column
    per: Column
    group: Callable[[PrintedTable, PrintedRow], tuple[str, ...] | None]
    """Which rows belong together; None leaves a row out."""
    tolerance: float
    """Factor up to which rows may differ from their group's median."""
    check: SlipCheck
    told: str
    """What a row says, with places for `printed`, `per`, their `quotient`, and the `usual` one."""


def _sent(table: PrintedTable, row: PrintedRow) -> tuple[str, ...]:
    return table.asks or table.part, _operation(table, row), _framework(table, row)


def _received(table: PrintedTable, row: PrintedRow) -> tuple[str, ...] | None:
    return None if table.answers_grow else _sent(table, row)


def _received_while_growing(table: PrintedTable, _row: PrintedRow) -> tuple[str, ...] | None:
    return (table.table,) if table.answers_grow else None


def _medians(table: PrintedTable, row: PrintedRow) -> tuple[str, ...] | None:
    return None if table.sut is None else (table.part, table.load, row.row)


def _operation(table: PrintedTable, row: PrintedRow) -> str:
    return TOTAL if table.sut is None else row.row


def _framework(table: PrintedTable, row: PrintedRow) -> str:
    return table.sut_of(row).partition(":")[0]


SIZE = "{printed:g} KB/s at {per:g} transactions/s are {quotient:.3g} KB %s; elsewhere it is {usual:.3g}"
MEDIAN = "the median, {printed:g} ms, is {quotient:.3g} times the mean; elsewhere it is {usual:.3g} times"
SENT, ANSWER = SIZE % "sent for each", SIZE % "received for each"
LOOKS = (
    Look("sent_kb_per_s", "throughput_per_s", _sent, 1.05, "size-out-of-line", SENT),
    Look("received_kb_per_s", "throughput_per_s", _received, 1.05, "size-out-of-line", ANSWER),
    Look("received_kb_per_s", "throughput_per_s", _received_while_growing, 1.25, "size-out-of-line", ANSWER),
    Look("median_ms", "mean_ms", _medians, 1.5, "median-out-of-line", MEDIAN),
)


def out_of_line(paper: Paper) -> Iterator[Slip]:
    """Rows whose quotient is beyond the tolerance from the median of the rows that they belong with."""
    for look in LOOKS:
        usual = _usual(look, paper)
        for table in paper.table:
            odd = [row for row in table.row if not _fits(look, usual, table, row, _value(row, look.column))]
            if odd:
                shift = advice_to_shift(table, look.column, partial(_fits, look, usual, table))
                yield from (_slip(look, usual[look.group(table, row) or ()], table, row, shift) for row in odd)


def _usual(look: Look, paper: Paper) -> dict[tuple[str, ...], float]:
    """The median quotient of each group that is large enough."""
    quotients: dict[tuple[str, ...], list[float]] = {}
    for table, row in paper.lines:
        group = look.group(table, row)
        if group is not None:
            quotients.setdefault(group, []).append(_value(row, look.column) / _value(row, look.per))
    return {group: statistics.median(values) for group, values in quotients.items() if len(values) >= FEWEST}


def _fits(look: Look, usual: dict[tuple[str, ...], float], table: PrintedTable, row: PrintedRow, value: float) -> bool:
    group = look.group(table, row)
    if group is None or group not in usual:
        return True
    ratio = value / _value(row, look.per) / usual[group]
    return 1 / look.tolerance <= ratio <= look.tolerance


def _slip(look: Look, usual: float, table: PrintedTable, row: PrintedRow, shift: str) -> Slip:
    printed, per = _value(row, look.column), _value(row, look.per)
    told = look.told.format(printed=printed, per=per, quotient=printed / per, usual=usual)
    return row_slip((table, row, look.check), f"{printed:g}", f"about {usual * per:.4g}", f"{told}.{shift}")


def _value(row: PrintedRow, column: Column) -> float:
    return float(getattr(row, column))
