# SPDX-License-Identifier: Apache-2.0
"""A part's run in the shape of the published study's tables, each measured row above the printed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from bancada.analysis.replication.error_tables import errors_of
from bancada.analysis.replication.names import table_named
from bancada.analysis.replication.requests import TOTAL, figures_of
from bancada.analysis.replication.table_parts import NOT_PRINTED, Seen, label_of, mean_figure, of_cell, single_figure
from bancada.analysis.trials import MeasuredTrial, cells_of
from bancada.analysis.unknown import why_unknown
from bancada.model.base import NS_PER_S
from bancada.model.findings import Bounds
from bancada.model.paper import Paper, PrintedRow, PrintedTable
from bancada.model.replication import Part, Replication
from bancada.model.tables import MEASURED, Figure, ReplicaTable, TableColumn, TableRow
from bancada.model.trial import Cell
from bancada.store.read import Run

Columns = tuple[TableColumn, ...]

RESPONSES = (
    TableColumn(name="requests", label="Requests", unit=""),
    TableColumn(name="mean_ms", label="Mean", unit="ms"),
    TableColumn(name="min_ms", label="Min", unit="ms"),
    TableColumn(name="median_ms", label="Median", unit="ms"),
    TableColumn(name="p90_ms", label="p90", unit="ms"),
    TableColumn(name="p95_ms", label="p95", unit="ms"),
    TableColumn(name="p99_ms", label="p99", unit="ms"),
    TableColumn(name="max_ms", label="Max", unit="ms"),
    TableColumn(name="throughput_per_s", label="Transactions", unit="1/s"),
    TableColumn(name="received_kb_per_s", label="Received", unit="KB/s"),
    TableColumn(name="sent_kb_per_s", label="Sent", unit="KB/s"),
    TableColumn(name="failed", label="Failed requests", unit=""),
    TableColumn(name="error_percent", label="Failed requests", unit="%"),
    TableColumn(name="apdex", label="Apdex", unit=""),
)
ALWAYS = ("requests", "failed")
"""Shown even where a study prints none of it; other columns only where it does."""
STARTS = (
    TableColumn(name="startup_s", label="Start to first answer", unit="s"),
    TableColumn(name="rss_ready_mib", label="RSS after the first answer", unit="MiB"),
    TableColumn(name="build_s", label="Build", unit="s"),
    TableColumn(name="artefact_mib", label="Artefact", unit="MiB"),
)
"""Only the first is printed in the study."""


def tables_of(replication: Replication, paper: Paper, runs: Mapping[str, Run]) -> tuple[ReplicaTable, ...]:
    """The tables of every part that was run, part by part; `runs` by the part's name.

    A part whose metric is `startup_ns` has a table of start-up times. Any other has one table of systems under test for
    each load, one of failed requests where the study prints it, and, for loads of which the study prints operations or
    a claim compares them, one table of operations for each system under test. Figures are means over trials with
    Student's interval of level 1 - alpha; trials that failed are no values.
    Raises RunError if a file of a run is damaged.
    """
    run_parts = [part for part in replication.part if part.part in runs]
    return tuple(
        table
        for part in run_parts
        for table in _of_part(part, runs[part.part], paper, _loads_with_operations(part, replication, paper))
    )


def _loads_with_operations(part: Part, replication: Replication, paper: Paper) -> set[str]:
    printed = {table.load for table in paper.table if table.part == part.part and table.sut is not None}
    claimed = [pair for claim in replication.claim if claim.part == part.part for pair in claim.pairs]
    return printed | {cell.load for pair in claimed for cell in (pair.of, pair.against) if cell.operation is not None}


def _of_part(part: Part, run: Run, paper: Paper, with_operations: set[str]) -> Iterator[ReplicaTable]:
    if part.metric == "startup_ns":
        yield _starts(run, part.part, paper)
        return
    seen = [(trial, figures_of(trial, run.manifest.study)) for trial in run.trials]
    for load in run.manifest.study.load:
        yield _by_system(run, part.part, load.name, seen, paper)
        yield from errors_of(run, part.part, load.name, seen, paper)
    for cell in cells_of(run.manifest):
        if cell.load in with_operations:
            yield _by_operation(run, part.part, cell, seen, paper)


def _by_system(run: Run, part: str, load: str, seen: Seen, paper: Paper) -> ReplicaTable:
    printed = [table for table in paper.table if (table.part, table.load) == (part, load)]
    columns = _columns(paper)
    rows: list[TableRow] = []
    for cell in cells_of(run.manifest):
        if cell.load == load:
            rows.append(_measured(label_of(cell), TOTAL, of_cell(cell, seen), run, columns))
            rows += [
                _printed(label_of(cell), table, row, columns)
                for table in printed
                for row in table.row
                if table.sut_of(row) == cell.sut and row.row in (cell.sut, TOTAL)
            ]
    return ReplicaTable(part=part, title=load, columns=columns, rows=tuple(rows))


def _by_operation(run: Run, part: str, cell: Cell, seen: Seen, paper: Paper) -> ReplicaTable:
    printed = [table for table in paper.table if (table.part, table.load, table.sut) == (part, cell.load, cell.sut)]
    columns = _columns(paper)
    rows: list[TableRow] = []
    for name in (*(operation.name for operation in run.manifest.scenario.operation), TOTAL):
        rows.append(_measured(name, name, of_cell(cell, seen), run, columns))
        rows += [_printed(name, table, row, columns) for table in printed for row in table.row if row.row == name]
    return ReplicaTable(part=part, title=cell.label, by_operation=True, columns=columns, rows=tuple(rows))


def _columns(paper: Paper) -> tuple[TableColumn, ...]:
    """Those that any of the paper's tables has."""
    printed = {name for _, row in paper.lines for name, value in row if value is not None}
    return tuple(column for column in RESPONSES if column.name in ALWAYS or column.name in printed)


def _measured(label: str, operation: str, seen: Seen, run: Run, columns: Columns) -> TableRow:
    parts = [figures[operation] for _, figures in seen if operation in figures]
    unknown = why_unknown("latency_mean_ns", [MeasuredTrial(trial.record) for trial, _ in seen])
    failures: Counter[str] = Counter()
    for part in parts:
        failures.update(part.failures)
    values = ([part.values[column.name] for part in parts if column.name in part.values] for column in columns)
    figures = tuple(mean_figure(each, run.manifest.study, unknown) for each in values)
    return TableRow(label=label, source=MEASURED, figures=figures, failures=dict(failures))


def _printed(label: str, table: PrintedTable, row: PrintedRow, columns: Columns) -> TableRow:
    printed = [getattr(row, column.name) for column in columns]
    figures = tuple(single_figure(None if value is None else float(value), NOT_PRINTED) for value in printed)
    return TableRow(label=label, source=f"{table.machine}, {table_named(table.table)}", figures=figures)


def _starts(run: Run, part: str, paper: Paper) -> ReplicaTable:
    rows: list[TableRow] = []
    for cell in cells_of(run.manifest):
        rows.append(_started(run, cell))
        rows += _printed_starts(label_of(cell), cell.sut, paper)
    return ReplicaTable(part=part, title="Start-up", columns=STARTS, rows=tuple(rows))


def _started(run: Run, cell: Cell) -> TableRow:
    trials = [MeasuredTrial(trial.record) for trial in run.trials if trial.record.plan.cell.label == cell.label]
    completed = [trial.record for trial in trials if trial.completed]
    times = [record.startup_ns / NS_PER_S for record in completed if record.startup_ns is not None]
    memory = [record.ready_rss_bytes / 2**20 for record in completed if record.ready_rss_bytes is not None]
    build = run.manifest.builds.get(cell.sut)
    figures = (
        mean_figure(times, run.manifest.study, why_unknown("startup_ns", trials)),
        mean_figure(memory, run.manifest.study, why_unknown("rss_ready_bytes", trials)),
        single_figure(build.duration_ns if build else None, "it is not known how long the build took", NS_PER_S),
        single_figure(build.artefact_bytes if build else None, "the size of the artefact is not known", 2**20),
    )
    return TableRow(label=label_of(cell), source=MEASURED, figures=figures)


def _printed_starts(label: str, sut: str, paper: Paper) -> Iterator[TableRow]:
    if paper.startup is None:
        return
    others = (Figure(bounds=None, n=0, unknown=NOT_PRINTED),) * (len(STARTS) - 1)
    for row in paper.startup.row:
        if row.row == sut:
            low, high = row.mean_s - row.half_width_s, row.mean_s + row.half_width_s
            time = Figure(bounds=Bounds(point=float(row.mean_s), low=float(low), high=float(high)), n=row.n)
            source = f"{row.machine}, {table_named(paper.startup.table)}"
            yield TableRow(label=label, source=source, figures=(time, *others))
