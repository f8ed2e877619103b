# SPDX-License-Identifier: Apache-2.0
"""Means and Apdex that the percentiles printed beside them do not allow.

Of n sorted values at least floor(q n) are at most the quantile q, and at least n - ceil(q n) are no less than it: that
holds for each of the nine definitions of a quantile that are in use (Hyndman & Fan 1996, "Sample quantiles in
statistical packages", The American Statistician 50). With minimum and maximum the bounds of the mean follow, and those
of a count of values up to a limit, of which Apdex is made. No sample with these percentiles is outside of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bancada.analysis.replication.audit_rows import row_slip
from bancada.model.judgement import Slip
from bancada.model.paper import Column, Paper, PrintedRow, PrintedTable

PERCENTILES: dict[Column, int] = {"median_ms": 50, "p90_ms": 90, "p95_ms": 95, "p99_ms": 99}
ROUNDING_MS = 0.0051
"""Means are printed with two digits."""
APDEX_ROUNDING = 0.00051
"""Apdex is printed with three."""

Range = tuple[float, float]


def outside_percentiles(paper: Paper) -> Iterator[Slip]:
    """Slips of rows that have a minimum and percentiles beyond the median."""
    for table, row in paper.lines:
        if row.min_ms is not None and len(_percentiles(row)) > 1:
            yield from _of_row(table, row, paper)


def mean_range(row: PrintedRow) -> Range:
    """Least and greatest mean in ms of so many requests with this minimum, maximum and these percentiles."""
    n = row.requests
    greatest, counted = row.min_ms or 0.0, 1
    for percent, value in (*_percentiles(row), (100, row.max_ms)):
        at_most = max(counted, _floor(n, percent))
        greatest, counted = greatest + (at_most - counted) * value, at_most
    least, counted = row.max_ms, 1
    for percent, value in reversed([(0, row.min_ms or 0.0), *_percentiles(row)]):
        at_least = max(counted, n - _ceil(n, percent))
        least, counted = least + (at_least - counted) * value, at_least
    return least / n, greatest / n


def apdex_range(row: PrintedRow, satisfied_ms: float, tolerated_ms: float) -> Range:
    """Least and greatest Apdex of such a row; a failed request is frustrated, however fast it was."""
    failed = row.failed or 0
    counts = [_up_to(row, limit) for limit in (satisfied_ms, tolerated_ms)]
    fewest = sum(max(0, low - failed) for low, _ in counts)
    most = sum(min(high, row.requests - failed) for _, high in counts)
    return fewest / 2 / row.requests, most / 2 / row.requests


def _up_to(row: PrintedRow, limit_ms: float) -> tuple[int, int]:
    """Fewest and most requests that took no longer than a limit."""
    n, least = row.requests, row.min_ms or 0.0
    inside = [_floor(n, percent) for percent, value in _percentiles(row) if value <= limit_ms]
    beyond = [_ceil(n, percent) for percent, value in _percentiles(row) if value > limit_ms]
    fewest = n if row.max_ms <= limit_ms else max(inside, default=0)
    most = n if row.max_ms <= limit_ms else min(beyond, default=n - 1)
    return (0, 0) if least > limit_ms else (max(1, fewest), most)


def _percentiles(row: PrintedRow) -> list[tuple[int, float]]:
    """Those that are printed, with their values in ms."""
    printed = [(percent, row.value(column)) for column, percent in PERCENTILES.items()]
    return [(percent, value) for percent, value in printed if value is not None]


def _floor(n: int, percent: int) -> int:
    return n * percent // 100


def _ceil(n: int, percent: int) -> int:
    return -(-n * percent // 100)


def _of_row(table: PrintedTable, row: PrintedRow, paper: Paper) -> Iterator[Slip]:
    ordered = [row.min_ms or 0.0, *(value for _, value in _percentiles(row)), row.max_ms]
    if any(earlier > later for earlier, later in pairwise(ordered)):
        yield row_slip(
            (table, row, "percentiles-out-of-order"),
            " > ".join(f"{value:g}" for value in ordered),
            "in order",
            "minimum, percentiles and maximum are not in order.",
        )
        return
    window = _window(row, paper)
    low, high = mean_range(row)
    if not low - ROUNDING_MS <= row.mean_ms <= high + ROUNDING_MS:
        yield row_slip(
            (table, row, "mean-outside-percentiles"),
            f"{row.mean_ms:.10g}",
            f"between {low:.2f} and {high:.2f}",
            f"minimum, percentiles and maximum allow a mean response time between {low:.2f} and {high:.2f} ms; "
            f"{row.mean_ms:.10g} ms is printed.{window}",
        )
    yield from _of_apdex(table, row, paper, window)


def _of_apdex(table: PrintedTable, row: PrintedRow, paper: Paper, window: str) -> Iterator[Slip]:
    if row.apdex is None:
        return
    low, high = apdex_range(row, paper.apdex_satisfied_ms, paper.apdex_tolerated_ms)
    if not low - APDEX_ROUNDING <= row.apdex <= high + APDEX_ROUNDING:
        yield row_slip(
            (table, row, "apdex-outside-percentiles"),
            f"{row.apdex:g}",
            f"between {low:.3f} and {high:.3f}",
            f"with {paper.apdex_satisfied_ms:g} and {paper.apdex_tolerated_ms:g} ms the percentiles allow an Apdex "
            f"between {low:.3f} and {high:.3f}; {row.apdex:g} is printed.{window}",
        )


def _window(row: PrintedRow, paper: Paper) -> str:
    """A sentence (after a space) on what the percentiles are of, where that is not all requests of the row."""
    if paper.percentiles_of_last is None or row.requests <= paper.percentiles_of_last:
        return ""
    return (
        f" The percentiles, it seems, are those of the last {paper.percentiles_of_last} of {row.requests} requests, "
        "the other figures those of all."
    )
