# SPDX-License-Identifier: Apache-2.0
"""Printed figures that no measurement can give, seen from their own table alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bancada.analysis.replication.names import table_named
from bancada.analysis.replication.requests import TOTAL
from bancada.analysis.replication.shifts import advice_to_shift
from bancada.analysis.words import counted
from bancada.model.judgement import Slip, SlipCheck
from bancada.model.paper import Paper, PrintedRow, PrintedTable

ROUNDING_MS = 0.0101
"""How far a total's mean may be from that of its rows, all printed with two digits."""
ROUNDING = 1.005
"""How far a total's throughput may be above the sum of its rows. JMeter takes each row's own window, which is shorter,
so that the total may well fall short of the sum; above it by more than rounding it cannot be."""


def impossible(paper: Paper) -> Iterator[Slip]:
    """Slips of single rows, and of totals against the rows that they are made of."""
    for table in paper.table:
        for row in table.row:
            yield from _of_row(table, row)
        yield from _of_total(table)


def _of_row(table: PrintedTable, row: PrintedRow) -> Iterator[Slip]:
    if row.mean_ms > row.max_ms:
        shift = advice_to_shift(table, "max_ms", partial(_can_be_maximum, table))
        yield row_slip(
            (table, row, "mean-above-max"),
            f"{row.max_ms:g}",
            f"at least {row.mean_ms:g}",
            f"the mean response time, {row.mean_ms:g} ms, is above the maximum, {row.max_ms:g} ms.{shift}",
        )
    if row.median_ms > row.max_ms:
        yield row_slip(
            (table, row, "median-above-max"),
            f"{row.median_ms:g}",
            f"at most {row.max_ms:g}",
            f"the median response time, {row.median_ms:g} ms, is above the maximum, {row.max_ms:g} ms.",
        )
    yield from _of_requests(table, row)
    in_progress = row.throughput_per_s * row.mean_ms / 1000
    if in_progress > table.users:
        yield row_slip(
            (table, row, "more-than-users"),
            f"{row.throughput_per_s:g}",
            f"at most {table.users / row.mean_ms * 1000:.2f}",
            f"throughput times mean response time is {in_progress:.0f} requests in progress, "
            f"more than the {table.users} users can have (Little's law).",
        )


def _can_be_maximum(table: PrintedTable, row: PrintedRow, value: float) -> bool:
    """Whether a response time can be a row's maximum; the total's is the greatest of all."""
    if row.row == TOTAL and value < max(each.max_ms for each in table.row):
        return False
    return max(row.mean_ms, row.median_ms) <= value


def _of_requests(table: PrintedTable, row: PrintedRow) -> Iterator[Slip]:
    one_operation = table.sut is not None and row.row != TOTAL
    each = 1 if one_operation else table.requests_per_iteration
    expected = table.users * table.iterations * each
    if row.requests != expected:
        yield row_slip(
            (table, row, "requests"),
            f"{row.requests}",
            f"{expected}",
            f"{row.requests} requests are printed, but {table.users} users × {table.iterations} iterations × "
            f"{counted(each, 'request')}, as the text has it, are {expected}.",
        )


def _of_total(table: PrintedTable) -> Iterator[Slip]:
    parts = [row for row in table.row if row.row != TOTAL]
    for total in (row for row in table.row if row.row == TOTAL):
        requests = sum(row.requests for row in parts)
        mean = sum(row.requests * row.mean_ms for row in parts) / requests
        medians = [row.median_ms for row in parts]
        checks = (
            ("requests", total.requests, requests, total.requests == requests),
            ("mean response time", total.mean_ms, mean, abs(total.mean_ms - mean) <= ROUNDING_MS),
            ("maximum", total.max_ms, max(row.max_ms for row in parts), total.max_ms == max(r.max_ms for r in parts)),
            ("median", total.median_ms, max(medians), min(medians) <= total.median_ms <= max(medians)),
            ("throughput", total.throughput_per_s, _sum(parts), total.throughput_per_s <= ROUNDING * _sum(parts)),
        )
        for what, printed, expected, right in checks:
            if not right:
                text = f"the total's {what}, {printed:g}, does not fit its rows, which give {expected:.6g}."
                yield row_slip((table, total, "total-outside-parts"), f"{printed:g}", f"{expected:.6g}", text)


def _sum(parts: list[PrintedRow]) -> float:
    return sum(row.throughput_per_s for row in parts)


def row_slip(place: tuple[PrintedTable, PrintedRow, SlipCheck], printed: str, expected: str, text: str) -> Slip:
    """A slip of one row; `text` says what is wrong."""
    table, row, check = place
    sentence = f"{table_named(table.table)}, {row.row}: {text}"
    return Slip(table=table.table, row=row.row, check=check, printed=printed, expected=expected, sentence=sentence)
