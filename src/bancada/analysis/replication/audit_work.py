# SPDX-License-Identifier: Apache-2.0
"""Systems under test that were asked the same but did not answer the same: they cannot be compared.

KB/s ÷ throughput is the size of an answer. Frameworks add headers of their own, which are a large share of a small
answer but never many bytes; another body is both.
"""

from __future__ import annotations

from collections.abc import Iterator

from bancada.analysis.replication.names import tables_named
from bancada.analysis.replication.requests import TOTAL
from bancada.model.judgement import Slip
from bancada.model.paper import Paper, PrintedRow, PrintedTable

FACTOR = 1.5
"""Answers may differ by less than this."""
HEADERS_KB = 0.5
"""Answers may differ by less than what headers can explain."""

Line = tuple[PrintedTable, PrintedRow]


def unequal_work(paper: Paper) -> Iterator[Slip]:
    """For each machine, part, load and operation whose answers differ in size: the smallest against the largest."""
    groups: dict[tuple[str, ...], list[Line]] = {}
    for table, row in paper.lines:
        if not table.answers_grow:
            operation = TOTAL if table.sut is None else row.row
            groups.setdefault((table.machine, table.part, table.load, operation), []).append((table, row))
    for lines in groups.values():
        small, large = min(lines, key=_answer_kb), max(lines, key=_answer_kb)
        if _answer_kb(large) > max(FACTOR * _answer_kb(small), HEADERS_KB + _answer_kb(small)):
            yield _slip(small, large)


def _answer_kb(line: Line) -> float:
    return line[1].received_kb_per_s / line[1].throughput_per_s


def _slip(small: Line, large: Line) -> Slip:
    tables = tables_named(table.table for table, _ in (small, large))
    few, many = (f"{_answer_kb(line):.3g} KB" for line in (small, large))
    names = [table.sut_of(row) for table, row in (small, large)]
    return Slip(
        table=tables,
        row=" and ".join(names),
        check="unequal-work",
        printed=f"{few} and {many}",
        expected="the same size",
        sentence=f"{tables}: under the load of {large[0].load}, {names[1]} answered with {many} and {names[0]} "
        f"with {few}: they did not do the same work.",
    )
