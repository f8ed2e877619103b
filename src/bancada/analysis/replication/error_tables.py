# SPDX-License-Identifier: Apache-2.0
"""Failed requests by kind in the shape of the published study's tables, each measured row above the printed one."""

from __future__ import annotations

from collections.abc import Iterator

from bancada.analysis.replication.names import table_named
from bancada.analysis.replication.requests import TOTAL, Figures
from bancada.analysis.replication.table_parts import Seen, label_of, mean_figure, of_cell, single_figure
from bancada.analysis.trials import MeasuredTrial, cells_of
from bancada.analysis.unknown import why_unknown
from bancada.model.paper import ErrorTable, Paper, PrintedError
from bancada.model.tables import MEASURED, ReplicaTable, TableColumn, TableRow
from bancada.model.trial import Cell
from bancada.store.read import Run

ERRORS = (
    TableColumn(name="errors", label="Failed requests", unit=""),
    TableColumn(name="of_errors_percent", label="Of the failed", unit="%"),
    TableColumn(name="of_requests_percent", label="Of all requests", unit="%"),
)
NOTHING_FAILED = "no request failed"


def errors_of(run: Run, part: str, load: str, seen: Seen, paper: Paper) -> Iterator[ReplicaTable]:
    """One table of a load for which the study prints kinds of failure; nothing for another load.

    A kind has rows for each system under test where it was measured or printed. Numbers are means over trials, those
    without such a failure included; shares of the failed are over trials that had any.
    """
    tables = [each for each in paper.errors if _belongs(each, part, load, paper)]
    if tables:
        rows = [row for cell in cells_of(run.manifest) if cell.load == load for row in _rows(cell, run, seen, tables)]
        yield ReplicaTable(part=part, title=f"{load}: failed requests by kind", columns=ERRORS, rows=tuple(rows))


def _belongs(errors: ErrorTable, part: str, load: str, paper: Paper) -> bool:
    table, _ = paper.row_of(errors.requests)
    return (table.part, table.load) == (part, load)


def _rows(cell: Cell, run: Run, seen: Seen, tables: list[ErrorTable]) -> Iterator[TableRow]:
    trials = of_cell(cell, seen)
    figures = [each[TOTAL] for _, each in trials if TOTAL in each]
    printed = [(table.table, error) for table in tables if table.of_row == cell.sut for error in table.error]
    measured_kinds = sorted({kind for each in figures for kind in each.failures})
    unknown = why_unknown("error_share", [MeasuredTrial(trial.record) for trial, _ in trials])
    for kind in dict.fromkeys([*(error.kind for _, error in printed), *measured_kinds]):
        label = f"{label_of(cell)} · {kind}"
        yield _measured(label, kind, figures, run, unknown)
        yield from (_printed(label, table, error) for table, error in printed if error.kind == kind)


def _measured(label: str, kind: str, trials: list[Figures], run: Run, unknown: str) -> TableRow:
    counts = [float(each.failures.get(kind, 0)) for each in trials]
    of_errors = [100 * n / each.values["failed"] for n, each in zip(counts, trials, strict=True) if each.failures]
    of_requests = [100 * n / each.values["requests"] for n, each in zip(counts, trials, strict=True)]
    study, why_no_share = run.manifest.study, NOTHING_FAILED if trials else unknown
    figures = (
        mean_figure(counts, study, unknown),
        mean_figure(of_errors, study, why_no_share),
        mean_figure(of_requests, study, unknown),
    )
    return TableRow(label=label, source=MEASURED, figures=figures)


def _printed(label: str, table: str, error: PrintedError) -> TableRow:
    printed = (error.count, error.of_errors_percent, error.of_requests_percent)
    figures = tuple(single_figure(float(value), "") for value in printed)
    return TableRow(label=label, source=f"{table_named(table)}, {error.printed}", figures=figures)
