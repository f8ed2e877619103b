# SPDX-License-Identifier: Apache-2.0
"""The figures that a paper derives from its own tables, computed again from what it prints."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from bancada.analysis.replication.names import table_named
from bancada.model.judgement import Recomputed
from bancada.model.paper import Paper, PrintedGrowth
from bancada.stats import describe


def recomputed_of(paper: Paper) -> tuple[Recomputed, ...]:
    """Every derived figure, as printed and as its own data give it, rounded half up to the digits printed.

    Means of ratios with the half-widths of their Student intervals, the single ratios where they are printed, the
    two tables on the work of sorting (N log₂ N and N², and their growth), and percentages of failed requests.
    """
    found = [figure for growth in paper.growth for figure in _of_growth(growth, paper)]
    return (*found, *_of_orders(paper), *_of_jumps(paper), *_of_failures(paper), *_of_kinds(paper))


def _of_growth(growth: PrintedGrowth, paper: Paper) -> Iterator[Recomputed]:
    ratios = [paper.value_of(pair.of) / paper.value_of(pair.against) for pair in growth.pairs]
    for pair, printed, ratio in zip(growth.pairs, growth.ratios, ratios, strict=False):
        yield _figure(growth.source, f"{growth.growth}: {pair.of.row}", printed, ratio)
    told = describe(ratios, paper.level)
    yield _figure(growth.source, f"{growth.growth}: mean", growth.mean, told.mean)
    if told.high is not None:
        yield _figure(growth.source, f"{growth.growth}: half-width", growth.half_width, told.high - told.mean)


def _of_orders(paper: Paper) -> Iterator[Recomputed]:
    for row in paper.order:
        where = f"Table {paper.order_table}"
        yield _figure(where, f"N log₂ N for {row.n}", row.n_log_n, _n_log_n(row.n))
        yield _figure(where, f"N² for {row.n}", row.n_squared, row.n**2)


def _of_jumps(paper: Paper) -> Iterator[Recomputed]:
    for row in paper.jump:
        where, jump = f"Table {paper.jump_table}", f"from {row.from_n} to {row.to_n}"
        yield _figure(where, f"N log₂ N {jump}", row.n_log_n, _n_log_n(row.to_n) / _n_log_n(row.from_n))
        yield _figure(where, f"N² {jump}", row.n_squared, (row.to_n / row.from_n) ** 2)


def _of_failures(paper: Paper) -> Iterator[Recomputed]:
    for table, row in paper.lines:
        if row.error_percent is not None and row.failed is not None:
            what = f"{table.sut_of(row)}: failed requests, %"
            yield _figure(table_named(table.table), what, row.error_percent, 100 * row.failed / row.requests)


def _of_kinds(paper: Paper) -> Iterator[Recomputed]:
    for table in paper.errors:
        _, row = paper.row_of(table.requests)
        where, errors = table_named(table.table), sum(error.count for error in table.error)
        for each in table.error:
            of_errors, of_requests = (100 * each.count / all_of_them for all_of_them in (errors, row.requests))
            yield _figure(where, f"{each.kind}: share of errors, %", each.of_errors_percent, of_errors)
            yield _figure(where, f"{each.kind}: share of requests, %", each.of_requests_percent, of_requests)


def _n_log_n(n: int) -> float:
    return n * math.log2(n)


def _figure(source: str, what: str, printed: Decimal, value: float) -> Recomputed:
    computed = Decimal(repr(value)).quantize(printed, ROUND_HALF_UP)
    return Recomputed(source=source, what=what, printed=str(printed), computed=str(computed))
