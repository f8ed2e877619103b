# SPDX-License-Identifier: Apache-2.0
"""A run as JMeter would print it: its figures beside ours, each from where it should come."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from bancada.analysis.findings import find
from bancada.analysis.jmeter_view import jmeter_view, trial_statistics
from bancada.model.jmeter_view import JMETER_FIGURES, JMeterRow
from bancada.store import layout
from bancada.store.read import Run, read_run
from tests.fakes.run_folder import FakeSut, make_run

SUTS = (FakeSut("good:jar", latency_ms=4.0), FakeSut("bad:jar", latency_ms=4.0, errors=0.2))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Two systems, one of which fails a fifth of its requests, under a closed and an open load."""
    return read_run(make_run(tmp_path / "run", suts=SUTS, blocks=3))


def rows_of(run: Run) -> dict[tuple[str, str, str], JMeterRow]:
    """The view's rows by system, load and label."""
    return {(row.cell.sut, row.cell.load, row.label): row for row in jmeter_view(run, find(run))}


def test_each_cell_has_a_total_and_its_operations(run: Run) -> None:
    """Two systems × two loads × (Total and two operations), each over the three trials."""
    rows = rows_of(run)
    assert len(rows) == 2 * 2 * 3
    assert {label for *_, label in rows} == {"Total", "sort 3", "sort 300"}
    assert {row.n for row in rows.values()} == {3}


def test_a_figure_is_the_mean_of_the_trials_dashboards(run: Run) -> None:
    """Of three dashboards, one a trial, a reader would take the mean."""
    row = rows_of(run)["good:jar", "20 users", "Total"]
    own = [trial for trial in run.trials if trial.record.plan.cell.label == row.cell.label]
    means = [figures.mean_ms for trial in own if (figures := trial_statistics(trial).get(None))]
    assert len(means) == 3
    assert row.jmeter["mean_ms"] == pytest.approx(sum(means) / 3)
    assert row.jmeter["samples"] == 20 * 50 * 2


def test_ours_are_the_estimates_in_jmeters_units(run: Run) -> None:
    """Milliseconds, percent and KB, from the run's own findings; we have no figure for what JMeter calls Min."""
    findings = find(run)
    row = rows_of(run)["bad:jar", "20 users", "Total"]
    for name, figure in JMETER_FIGURES.items():
        own = [each for each in findings.estimates if each.metric == figure.ours and each.operation is None]
        means = [each.mean for each in own if each.cell.label == row.cell.label]
        if figure.ours is None:
            assert name not in row.ours
        else:
            assert means[0] is not None
            assert row.ours[name] == pytest.approx(means[0] * figure.scale)


def test_jmeter_counts_failed_requests_in_its_rates_and_we_do_not(run: Run) -> None:
    """Where a fifth fails, JMeter's throughput is a quarter above ours."""
    row = rows_of(run)["bad:jar", "20 users", "Total"]
    theirs, ours = row.jmeter["throughput_per_s"], row.ours["throughput_per_s"]
    assert theirs is not None
    assert ours is not None
    assert theirs / ours == pytest.approx(1.25, rel=0.05)


def test_bytes_that_a_trial_does_not_tell_are_unknown(run: Run) -> None:
    """One trial without bytes makes JMeter's KB/s unknown, in the table and for readers."""
    trial = next(each for each in run.trials if each.record.plan.cell.label == "good:jar · 20 users")
    path = trial.folder / layout.SAMPLES
    pl.read_parquet(path).with_columns(bytes_in=pl.lit(None, pl.Int64)).write_parquet(path)
    row = rows_of(run)["good:jar", "20 users", "Total"]
    assert row.jmeter["received_kib_per_s"] is None
    assert row.texts("received_kib_per_s")[0] == "unknown"
    assert row.jmeter["sent_kib_per_s"] is not None


def test_a_cell_whose_trials_all_failed_is_unknown(tmp_path: Path) -> None:
    """No trial, no figure: n is 0 and nothing is printed as 0."""
    suts = (FakeSut("dead:jar", failed_blocks=(1, 2)),)
    row = rows_of(read_run(make_run(tmp_path / "dead", suts=suts, blocks=2)))["dead:jar", "20 users", "Total"]
    assert row.n == 0
    assert set(row.jmeter.values()) == {None}
