# SPDX-License-Identifier: Apache-2.0
"""Every printed figure and sentence of a paper that cannot be right, given the others."""

from __future__ import annotations

from collections.abc import Iterator

from bancada.analysis.replication.audit_errors import miscounted
from bancada.analysis.replication.audit_lines import out_of_line
from bancada.analysis.replication.audit_percentiles import outside_percentiles
from bancada.analysis.replication.audit_rows import impossible
from bancada.analysis.replication.audit_work import unequal_work
from bancada.analysis.replication.names import table_named
from bancada.analysis.replication.reanalysis import recomputed_of
from bancada.model.judgement import Slip
from bancada.model.paper import Column, Paper, PrintedCell, Said, Statement
from bancada.model.quantities import number

NOUNS: dict[Column, tuple[str, str]] = {
    "mean_ms": ("mean response time", " ms"),
    "min_ms": ("shortest response time", " ms"),
    "median_ms": ("median response time", " ms"),
    "p90_ms": ("90th percentile", " ms"),
    "p95_ms": ("95th percentile", " ms"),
    "p99_ms": ("99th percentile", " ms"),
    "max_ms": ("longest response time", " ms"),
    "throughput_per_s": ("throughput", "/s"),
    "received_kb_per_s": ("rate of received data", " KB/s"),
    "sent_kb_per_s": ("rate of sent data", " KB/s"),
    "failed": ("number of failed requests", ""),
    "error_percent": ("share of failed requests", " %"),
    "apdex": ("Apdex", ""),
}
"""What each column holds, and its unit."""


def slips_of(paper: Paper) -> tuple[Slip, ...]:
    """All slips: of single rows and tables, of rows against those of other tables, of derived figures, of sentences.

    A row is in no way repaired by this: every judgement and re-analysis uses the figures as they are printed.
    """
    return (
        *impossible(paper),
        *outside_percentiles(paper),
        *miscounted(paper),
        *out_of_line(paper),
        *unequal_work(paper),
        *_not_reproduced(paper),
        *_contradicted(paper),
    )


def _not_reproduced(paper: Paper) -> Iterator[Slip]:
    for figure in recomputed_of(paper):
        if not figure.reproduced:
            yield Slip(
                table=figure.source,
                row=figure.what,
                check="recomputed",
                printed=figure.printed,
                expected=figure.computed,
                sentence=f"{figure.what} is printed as {figure.printed}; the paper's own figures give "
                f"{figure.computed}.",
            )


def _contradicted(paper: Paper) -> Iterator[Slip]:
    for statement in paper.statement:
        for said in statement.says:
            against = 1.0 if said.against is None else paper.value_of(said.against)
            found = paper.value_of(said.of) / against
            if not said.expect.holds(found):
                yield _contradiction(statement, said, found, paper)


def _contradiction(statement: Statement, said: Said, found: float, paper: Paper) -> Slip:
    what = "a figure" if said.against is None else "a ratio"
    thing, _ = _noun(said.of, paper)
    but = f"the {thing} of {_value(said.of, paper)}"
    if said.against is not None:
        but += f", that of {_value(said.against, paper)}"
    return Slip(
        table=statement.source,
        row=statement.statement,
        check="statement",
        printed=statement.text,
        expected=f"{what} {said.expect.label}, found {number(found, 3)}",
        sentence=f"The text says: {statement.text} But {but}.",
    )


def _value(cell: PrintedCell, paper: Paper) -> str:
    _, unit = _noun(cell, paper)
    return f"{paper.sut_of(cell)} in {table_named(cell.table)} is {paper.value_of(cell):.10g}{unit}"


def _noun(cell: PrintedCell, paper: Paper) -> tuple[str, str]:
    return ("start-up time", " s") if paper.startup_of(cell) else NOUNS[cell.column]
