# SPDX-License-Identifier: Apache-2.0
"""A part's run in the shape of the published study's tables, each measured row above the printed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bancada.analysis.replication.requests import TOTAL, Figures, figures_of
from bancada.analysis.trials import MeasuredTrial, cells_of
from bancada.analysis.unknown import why_unknown
from bancada.model.base import NS_PER_S
from bancada.model.findings import Bounds
from bancada.model.paper import Paper, PrintedRow, PrintedTable
from bancada.model.replication import Part, Replication
from bancada.model.tables import MEASURED, Figure, ReplicaTable, TableColumn, TableRow
from bancada.model.trial import Cell
from bancada.stats import describe
from bancada.store.read import Run, StoredTrial

RESPONSES = (
    TableColumn(name="requests", label="Requests", unit=""),
    TableColumn(name="mean_ms", label="Mean", unit="ms"),
    TableColumn(name="median_ms", label="Median", unit="ms"),
    TableColumn(name="max_ms", label="Max", unit="ms"),
    TableColumn(name="throughput_per_s", label="Transactions", unit="1/s"),
    TableColumn(name="received_kb_per_s", label="Received", unit="KB/s"),
    TableColumn(name="sent_kb_per_s", label="Sent", unit="KB/s"),
    TableColumn(name="failed", label="Failed requests", unit=""),
)
STARTS = (
    TableColumn(name="startup_s", label="Start to first answer", unit="s"),
    TableColumn(name="rss_ready_mib", label="RSS after the first answer", unit="MiB"),
    TableColumn(name="build_s", label="Build", unit="s"),
    TableColumn(name="artefact_mib", label="Artefact", unit="MiB"),
)
"""Only the first is printed in the study."""

NOT_PRINTED = "not printed"


Seen = Sequence[tuple[StoredTrial, Mapping[str, Figures]]]
"""Finished trials with their figures for all operations together and for each."""


def tables_of(replication: Replication, paper: Paper, runs: Mapping[str, Run]) -> tuple[ReplicaTable, ...]:
    """The tables of every part that was run, part by part; `runs` by the part's name.

    A part whose metric is `startup_ns` has a table of start-up times. Any other has one table of systems under test for
    each load and, for loads of which the study prints operations, one table of operations for each system under test.
    Figures are means over trials with Student's interval of level 1 - alpha; trials that failed are no values.
    Raises RunError if a file of a run is damaged.
    """
    run_parts = [part for part in replication.part if part.part in runs]
    return tuple(table for part in run_parts for table in _of_part(part, runs[part.part], paper))


def _of_part(part: Part, run: Run, paper: Paper) -> Iterator[ReplicaTable]:
    if part.metric == "startup_ns":
        yield _starts(run, part.part, paper)
        return
    seen = [(trial, figures_of(trial)) for trial in run.trials]
    for load in run.manifest.study.load:
        yield _by_system(run, part.part, load.name, seen, paper)
    with_operations = {table.load for table in paper.table if table.part == part.part and table.sut is not None}
    for cell in cells_of(run.manifest):
        if cell.load in with_operations:
            yield _by_operation(run, part.part, cell, seen, paper)


def _by_system(run: Run, part: str, load: str, seen: Seen, paper: Paper) -> ReplicaTable:
    printed = [table for table in paper.table if (table.part, table.load) == (part, load)]
    rows: list[TableRow] = []
    for cell in cells_of(run.manifest):
        if cell.load == load:
            rows.append(_measured(_label(cell), TOTAL, _of_cell(cell, seen), run))
            rows += [
                _printed(_label(cell), table, row)
                for table in printed
                for row in table.row
                if table.sut_of(row) == cell.sut and row.row in (cell.sut, TOTAL)
            ]
    return ReplicaTable(part=part, title=load, columns=RESPONSES, rows=tuple(rows))


def _by_operation(run: Run, part: str, cell: Cell, seen: Seen, paper: Paper) -> ReplicaTable:
    printed = [table for table in paper.table if (table.part, table.load, table.sut) == (part, cell.load, cell.sut)]
    rows: list[TableRow] = []
    for name in (*(operation.name for operation in run.manifest.scenario.operation), TOTAL):
        rows.append(_measured(name, name, _of_cell(cell, seen), run))
        rows += [_printed(name, table, row) for table in printed for row in table.row if row.row == name]
    return ReplicaTable(part=part, title=cell.label, by_operation=True, columns=RESPONSES, rows=tuple(rows))


def _of_cell(cell: Cell, seen: Seen) -> Seen:
    return [each for each in seen if each[0].record.plan.cell.label == cell.label]


def _label(cell: Cell) -> str:
    """The system under test, with its factors where the study has any."""
    return " · ".join([cell.sut, *(f"{name}={value}" for name, value in cell.factors.items())])


def _measured(label: str, operation: str, seen: Seen, run: Run) -> TableRow:
    parts = [figures[operation] for _, figures in seen if operation in figures]
    unknown = why_unknown("latency_mean_ns", [MeasuredTrial(trial.record) for trial, _ in seen])
    failures: Counter[str] = Counter()
    for part in parts:
        failures.update(part.failures)
    values = ([part.values[column.name] for part in parts if column.name in part.values] for column in RESPONSES)
    figures = tuple(_figure(each, run, unknown) for each in values)
    return TableRow(label=label, source=MEASURED, figures=figures, failures=dict(failures))


def _printed(label: str, table: PrintedTable, row: PrintedRow) -> TableRow:
    printed = [getattr(row, column.name) for column in RESPONSES]
    figures = tuple(_exactly(value, 1, NOT_PRINTED) for value in printed)
    return TableRow(label=label, source=f"{table.machine}, Table {table.table}", figures=figures)


def _starts(run: Run, part: str, paper: Paper) -> ReplicaTable:
    rows: list[TableRow] = []
    for cell in cells_of(run.manifest):
        rows.append(_started(run, cell))
        rows += _printed_starts(_label(cell), cell.sut, paper)
    return ReplicaTable(part=part, title="Start-up", columns=STARTS, rows=tuple(rows))


def _started(run: Run, cell: Cell) -> TableRow:
    trials = [MeasuredTrial(trial.record) for trial in run.trials if trial.record.plan.cell.label == cell.label]
    completed = [trial.record for trial in trials if trial.completed]
    times = [record.startup_ns / NS_PER_S for record in completed if record.startup_ns is not None]
    memory = [record.ready_rss_bytes / 2**20 for record in completed if record.ready_rss_bytes is not None]
    build = run.manifest.builds.get(cell.sut)
    figures = (
        _figure(times, run, why_unknown("startup_ns", trials)),
        _figure(memory, run, why_unknown("rss_ready_bytes", trials)),
        _exactly(build.duration_ns if build else None, NS_PER_S, "it is not known how long the build took"),
        _exactly(build.artefact_bytes if build else None, 2**20, "the size of the artefact is not known"),
    )
    return TableRow(label=_label(cell), source=MEASURED, figures=figures)


def _printed_starts(label: str, sut: str, paper: Paper) -> Iterator[TableRow]:
    if paper.startup is None:
        return
    others = (Figure(bounds=None, n=0, unknown=NOT_PRINTED),) * (len(STARTS) - 1)
    for row in paper.startup.row:
        if row.row == sut:
            low, high = row.mean_s - row.half_width_s, row.mean_s + row.half_width_s
            time = Figure(bounds=Bounds(point=float(row.mean_s), low=float(low), high=float(high)), n=row.n)
            source = f"{row.machine}, Table {paper.startup.table}"
            yield TableRow(label=label, source=source, figures=(time, *others))


def _figure(values: Sequence[float], run: Run, unknown: str) -> Figure:
    if not values:
        return Figure(bounds=None, n=0, unknown=unknown)
    told = describe(values, 1 - run.manifest.study.alpha)
    return Figure(bounds=Bounds(point=told.mean, low=told.low, high=told.high), n=told.n)


def _exactly(value: float | None, unit: float, unknown: str) -> Figure:
    """A single number in a greater unit."""
    if value is None:
        return Figure(bounds=None, n=0, unknown=unknown)
    return Figure(bounds=Bounds(point=value / unit, low=None, high=None), n=1)
