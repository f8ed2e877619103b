# SPDX-License-Identifier: Apache-2.0
"""The study's own tables, measured and as printed."""

from __future__ import annotations

import numpy as np
import pytest

from bancada.analysis.replication.tables import tables_of
from bancada.analysis.trials import measured_trials, read_samples
from bancada.model.base import NS_PER_MS
from bancada.model.metric import METRICS
from bancada.model.paper import Paper
from bancada.model.tables import MEASURED, Figure, ReplicaTable, TableRow
from bancada.stats import describe
from bancada.store.read import Run
from tests.analysis.replication.conftest import (
    FEW,
    JAR,
    MANY,
    NATIVE,
    ONCE,
    OPERATIONS,
    MakeRun,
    cell,
    claim,
    dashboard_row,
    pair,
    paper_of,
    replication_of,
    row,
    table,
)
from tests.fakes.run_folder import FakeBench, FakeSut

STARTUP = {
    "table": "21",
    "part": "start-up",
    "load": ONCE.name,
    "row": [{"row": JAR, "machine": "Mac", "mean_s": "13.594", "half_width_s": "0.250", "n": 10}],
}


def tables(run: Run, paper: Paper, part: str = "sort") -> dict[str, ReplicaTable]:
    """The tables of a part by title."""
    return {each.title: each for each in tables_of(replication_of(claim()), paper, {part: run})}


def figure(of: ReplicaTable, row: TableRow, name: str) -> Figure:
    """A row's figure in a column."""
    return row.figures[[column.name for column in of.columns].index(name)]


def point(of: ReplicaTable, row: TableRow, name: str) -> float:
    """The mean of a figure that must be known."""
    bounds = figure(of, row, name).bounds
    assert bounds is not None
    return bounds.point


def test_each_measured_row_stands_above_the_printed_ones(made: MakeRun) -> None:
    """One table for each load; of systems under test with every table that prints them, its machine named."""
    acer = table("10", row(JAR, 200.0), machine="Acer")
    found = tables(made(), paper_of(table("3", row(JAR, 100.0), row(NATIVE, 80.0)), acer))

    assert list(found) == [FEW.name, MANY.name]
    rows = [(each.label, each.source) for each in found[FEW.name].rows]
    assert rows == [
        (JAR, MEASURED),
        (JAR, "Mac, Table 3"),
        (JAR, "Acer, Table 10"),
        (NATIVE, MEASURED),
        (NATIVE, "Mac, Table 3"),
    ]
    assert [each.source for each in found[MANY.name].rows] == [MEASURED, MEASURED]
    printed = found[FEW.name].rows[1]
    assert point(found[FEW.name], printed, "mean_ms") == 100.0
    assert figure(found[FEW.name], printed, "failed").unknown == "not printed"


@pytest.mark.parametrize(
    ("column", "metric"),
    [
        ("mean_ms", "latency_mean_ns"),
        ("median_ms", "latency_p50_ns"),
        ("p90_ms", "latency_p90_ns"),
        ("p95_ms", "latency_p95_ns"),
        ("p99_ms", "latency_p99_ns"),
        ("max_ms", "latency_max_ns"),
        ("error_percent", "error_share"),
        ("apdex", "apdex"),
        ("throughput_per_s", "throughput_per_s"),
        ("received_kb_per_s", "received_bytes_per_s"),
        ("sent_kb_per_s", "sent_bytes_per_s"),
    ],
)
def test_measured_figures_are_the_metrics_of_the_trials(made: MakeRun, column: str, metric: str) -> None:
    """Mean over trials with Student's interval, in the unit of the column."""
    run = made(suts=(FakeSut(JAR, latency_ms=700.0, errors=0.1), FakeSut(NATIVE)))
    found = tables(run, paper_of(table("Figure 1", dashboard_row(JAR, 100.0))))[FEW.name]
    trials = [each for each in measured_trials(run) if (each.cell.sut, each.cell.load) == (JAR, FEW.name)]
    told = describe([each.metrics[metric] * METRICS[metric].scale for each in trials])
    measured = figure(found, found.rows[0], column)
    assert measured.n == 8
    assert measured.bounds is not None
    assert (measured.bounds.point, measured.bounds.low, measured.bounds.high) == pytest.approx(
        (told.mean, told.low, told.high)
    )


def test_only_columns_that_the_study_prints_are_shown(made: MakeRun) -> None:
    """And those of requests and failures; the shortest response time is that of each trial."""
    run = made()
    plain, dashboard = (
        tables(run, paper_of(table("1", each)))[FEW.name] for each in (row(JAR, 100.0), dashboard_row(JAR, 100.0))
    )
    rates = ["throughput_per_s", "received_kb_per_s", "sent_kb_per_s", "failed"]
    assert [each.name for each in plain.columns] == ["requests", "mean_ms", "median_ms", "max_ms", *rates]
    assert {each.name for each in dashboard.columns} - {each.name for each in plain.columns} == {
        *("min_ms", "p90_ms", "p95_ms", "p99_ms", "error_percent", "apdex")
    }
    assert point(dashboard, dashboard.rows[1], "min_ms") == 90.0
    fastest = [
        read_samples(trial, ("intended_ns", "done_ns"))
        for trial in run.trials
        if (trial.record.plan.cell.sut, trial.record.plan.cell.load) == (JAR, FEW.name)
    ]
    shortest_ms = [
        (each["done_ns"] - each["intended_ns"]).to_numpy().min() / NS_PER_MS for each in fastest if each is not None
    ]
    assert point(dashboard, dashboard.rows[0], "min_ms") == pytest.approx(np.mean(shortest_ms))


def test_operations_that_a_claim_compares_have_a_table_too(made: MakeRun) -> None:
    """Where the study prints none of them."""
    small, large = (cell(JAR, operation=name) for name in OPERATIONS)
    asked = replication_of(claim(pairs=[pair(large, small)], expect={"above": 1}))
    found = {each.title: each for each in tables_of(asked, paper_of(), {"sort": made()})}
    assert {row.label for row in found[f"{JAR} · {FEW.name}"].rows} == {"sort-3", "sort-300", "total"}
    assert f"{JAR} · {MANY.name}" not in found


def test_operations_have_a_table_where_the_study_prints_them(made: MakeRun) -> None:
    """Rows of both operations and the total; bytes and requests of the operations add up to the total's."""
    printed = table("5", row("sort-3", 10.0), row("total", 10.0), sut=JAR)
    found = tables(made(), paper_of(printed))
    assert list(found) == [FEW.name, MANY.name, f"{JAR} · {FEW.name}", f"{NATIVE} · {FEW.name}"]
    of_jar = found[f"{JAR} · {FEW.name}"]
    rows = {(each.label, each.source): each for each in of_jar.rows}
    assert list(rows) == [
        ("sort-3", MEASURED),
        ("sort-3", "Mac, Table 5"),
        ("sort-300", MEASURED),
        ("total", MEASURED),
        ("total", "Mac, Table 5"),
    ]
    for column in ("requests", "throughput_per_s", "received_kb_per_s", "sent_kb_per_s"):
        parts = [point(of_jar, rows[name, MEASURED], column) for name in OPERATIONS]
        assert sum(parts) == pytest.approx(point(of_jar, rows["total", MEASURED], column))
    ratio = point(of_jar, rows["sort-300", MEASURED], "mean_ms") / point(of_jar, rows["sort-3", MEASURED], "mean_ms")
    assert ratio == pytest.approx(1.5, rel=0.05)
    assert ("total", "Mac, Table 5") in {(each.label, each.source) for each in of_jar.rows}
    assert [each.source for each in found[FEW.name].rows if each.label == JAR] == [MEASURED, "Mac, Table 5"]


def test_failed_requests_are_told_by_kind_over_all_trials(made: MakeRun) -> None:
    """Their mean a trial in the column, their kinds beside it."""
    run = made(suts=(FakeSut(JAR, errors=0.2, error_kind="status"), FakeSut(NATIVE)))
    found = tables(run, paper_of())[FEW.name]
    counts = [
        sum(trial.record.load.failures.values())
        for trial in run.trials
        if trial.record.load and (trial.record.plan.cell.sut, trial.record.plan.cell.load) == (JAR, FEW.name)
    ]
    assert found.rows[0].failures == {"status": sum(counts)}
    assert sum(counts) > 0
    assert point(found, found.rows[0], "failed") == pytest.approx(np.mean(counts))
    clean = next(each for each in found.rows if each.label == NATIVE and each.source == MEASURED)
    assert (clean.failures, point(found, clean, "failed")) == ({}, 0.0)


def test_what_was_not_measured_is_unknown_with_its_reason(made: MakeRun) -> None:
    """A system whose trials all failed has no figure, and none of them is 0."""
    broken = FakeSut(NATIVE, failed_blocks=tuple(range(1, 9)))
    found = tables(made(suts=(FakeSut(JAR), broken)), paper_of())[FEW.name]
    measured = next(each for each in found.rows if each.label == NATIVE and each.source == MEASURED)
    assert all(each.bounds is None and each.n == 0 for each in measured.figures)
    assert measured.figures[0].unknown == "every trial failed (crashed)"


def test_start_up_has_a_table_of_its_own(made: MakeRun) -> None:
    """Time with its interval, build time and artefact from the manifest, and the printed time with its interval."""
    suts = (FakeSut(JAR, startup_ms=2000.0), FakeSut(NATIVE, startup_ms=100.0))
    run = made(suts=suts, loads=(ONCE,), operations={"sort-3": 1.0}, metric="startup_ns")
    found = tables(run, paper_of(startup=STARTUP), "start-up")["Start-up"]

    jar, printed, native = found.rows
    assert (jar.label, printed.source, native.label) == (JAR, "Mac, Table 21", NATIVE)
    assert point(found, jar, "startup_s") == pytest.approx(2.0, rel=0.05)
    assert point(found, native, "startup_s") == pytest.approx(0.1, rel=0.05)
    assert figure(found, jar, "startup_s").n == 8
    assert (point(found, jar, "build_s"), point(found, jar, "artefact_mib")) == (8.0, 20_000_000 / 2**20)
    bounds, n = figure(found, printed, "startup_s").bounds, figure(found, printed, "startup_s").n
    assert bounds is not None
    assert (bounds.point, bounds.low, bounds.high, n) == (13.594, 13.344, 13.844, 10)
    assert figure(found, printed, "build_s").unknown == "not printed"


def test_memory_after_the_first_answer_is_unknown_where_there_are_no_probes(made: MakeRun) -> None:
    """With the probe's own reason."""
    run = made(loads=(ONCE,), operations={"sort-3": 1.0}, metric="startup_ns", bench=FakeBench(probes=False))
    found = tables(run, paper_of(), "start-up")["Start-up"]
    memory = figure(found, found.rows[0], "rss_ready_mib")
    assert (memory.bounds, memory.unknown) == (None, "this host has no /proc")


def test_every_setting_of_what_a_study_varies_has_a_row(made: MakeRun) -> None:
    """Two databases, say, are not averaged."""
    found = tables(made(factors={"GC": ("g1", "serial")}), paper_of())[FEW.name]
    measured = [each.label for each in found.rows if each.source == MEASURED]
    assert measured == [f"{sut} · GC={value}" for sut in (JAR, NATIVE) for value in ("g1", "serial")]


def test_parts_that_were_not_run_have_no_table(made: MakeRun) -> None:
    """Only what was run is shown, in the replication's order."""
    assert tables_of(replication_of(claim()), paper_of(), {}) == ()
    parts = {each.part for each in tables_of(replication_of(claim()), paper_of(), {"sort": made()})}
    assert parts == {"sort"}
