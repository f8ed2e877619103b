# SPDX-License-Identifier: Apache-2.0
"""Every printed figure and sentence of a paper that cannot be right, given the others."""

from __future__ import annotations

from collections.abc import Iterator

from bancada.analysis.replication.audit_lines import out_of_line
from bancada.analysis.replication.audit_rows import impossible
from bancada.analysis.replication.reanalysis import recomputed_of
from bancada.model.judgement import Slip
from bancada.model.paper import Column, Paper, PrintedCell, Said, Statement
from bancada.model.quantities import number

NOUNS: dict[Column, str] = {
    "mean_ms": "mean response time",
    "median_ms": "median response time",
    "max_ms": "longest response time",
    "throughput_per_s": "throughput",
    "received_kb_per_s": "rate of received data",
    "sent_kb_per_s": "rate of sent data",
}


def slips_of(paper: Paper) -> tuple[Slip, ...]:
    """All slips: of single rows and tables, of rows against those of other tables, of derived figures, of sentences.

    A row is in no way repaired by this: every judgement and re-analysis uses the figures as they are printed.
    """
    return (*impossible(paper), *out_of_line(paper), *_not_reproduced(paper), *_contradicted(paper))


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
            ratio = paper.value_of(said.of) / paper.value_of(said.against)
            if not said.expect.holds(ratio):
                yield _contradiction(statement, said, ratio, paper)


def _contradiction(statement: Statement, said: Said, ratio: float, paper: Paper) -> Slip:
    of, against = paper.value_of(said.of), paper.value_of(said.against)
    thing = "start-up time" if paper.startup_of(said.of) else NOUNS[said.of.column]
    return Slip(
        table=statement.source,
        row=statement.statement,
        check="statement",
        printed=statement.text,
        expected=f"a ratio {said.expect.label}, found {number(ratio, 3)}",
        sentence=f"The text says: {statement.text} But the {thing} of "
        f"{_place(said.of, paper)} is {of:.10g}, that of {_place(said.against, paper)} is {against:.10g}.",
    )


def _place(cell: PrintedCell, paper: Paper) -> str:
    return f"{paper.sut_of(cell)} in Table {cell.table}"
