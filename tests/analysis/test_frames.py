# SPDX-License-Identifier: Apache-2.0
"""The tables and curves that plots are made of."""

from __future__ import annotations

import polars as pl
import pytest

from bancada.analysis.frames import latency_by_percentile, over_time, resources_over_time
from bancada.analysis.trials import measured_trials
from bancada.model.load import ClosedLoad, OpenLoad
from bancada.store import layout
from bancada.store.read import Run
from tests.analysis.conftest import MakeRun
from tests.fakes.run_folder import FakeBench, FakeSut

A, B = FakeSut("a:jar"), FakeSut("b:jar", latency_ms=7.0, failed_blocks=(2,))


def test_percentiles_agree_with_the_metrics_and_rise(made: MakeRun) -> None:
    """p99 of the curve is the metric's; failed trials have no curve; the tail ends where no request is left."""
    run = made(suts=(A, B), blocks=3)
    curves = latency_by_percentile(run)
    metrics = {trial.record.plan.number: trial.metrics for trial in measured_trials(run) if trial.completed}

    assert set(curves["trial"]) == set(metrics)
    for number, known in metrics.items():
        curve = curves.filter(trial=number)
        assert curve["latency_ns"].is_sorted()
        assert curve.filter(percentile=99.0)["latency_ns"].item() == pytest.approx(known["latency_p99_ns"])
        assert curve.filter(percentile=100.0)["latency_ns"].item() == known["latency_max_ns"]
        assert curve.filter(percentile=99.9).is_empty()  # of 480 requests half a one lies beyond


def test_throughput_over_time_adds_up_to_all_passed_requests(made: MakeRun) -> None:
    """Each of the bins holds what was done in it."""
    run = made(suts=(A, FakeSut("b:jar", errors=0.2)), blocks=2)
    curves = over_time(run, bins=10)
    for trial in measured_trials(run):
        curve = curves.filter(trial=trial.record.plan.number)
        assert len(curve) == 10
        assert curve["throughput_per_s"].mean() == pytest.approx(trial.metrics["throughput_per_s"])


def test_trials_of_a_cell_share_their_axis(made: MakeRun) -> None:
    """So that a median over trials can be taken bin by bin."""
    curves = over_time(made(suts=(A,), blocks=3), bins=7)
    assert curves["at_s"].n_unique() == 7
    assert curves["trial"].n_unique() == 3


def test_a_bin_without_a_passed_request_has_no_response_time(made: MakeRun) -> None:
    """Its throughput is 0, its response time null."""
    curves = over_time(made(suts=(FakeSut("a:jar", errors=0.99),), blocks=1), bins=50)
    empty = curves.filter(throughput_per_s=0.0)
    assert not empty.is_empty()
    assert empty["latency_ns"].null_count() == len(empty)
    assert curves.filter(pl.col("throughput_per_s") > 0)["latency_ns"].null_count() == 0


def test_cpu_over_time_adds_up_to_the_cpu_time(made: MakeRun) -> None:
    """Mean share x window = CPU time of the window."""
    run = made(suts=(A,), blocks=1)
    (trial,) = measured_trials(run)
    assert resources_over_time(run)["cpu_share"].mean() == pytest.approx(trial.metrics["cpu_share"], rel=1e-6)


def test_trials_without_probes_have_no_resources(made: MakeRun) -> None:
    """An empty table with all of its columns."""
    table = resources_over_time(made(suts=(A,), blocks=1, bench=FakeBench(probes=False)))
    assert table.is_empty()
    assert {"cell", "trial", "at_s", "cpu_share", "rss_bytes"} <= set(table.columns)


def rewritten(run: Run, rows: dict[str, list[int]]) -> Run:
    """The run with these as the only requests of its first trial, given in milliseconds."""
    path = run.trials[0].folder / layout.SAMPLES
    kept = pl.read_parquet(path).head(len(rows["user"]))
    instants = {name: pl.Series(values) * 1_000_000 for name, values in rows.items() if name != "user"}
    kept.with_columns(**instants, user=pl.Series(rows["user"], dtype=pl.Int32)).write_parquet(path)
    return run


REQUESTS = {
    # window: 0 to 100 ms; user 0 from 0 to 60 ms with a pause of 20 ms between its requests, user 1 from 50 to 100 ms
    "intended_ns": [0, 40, 50],
    "done_ns": [20, 60, 100],
    "user": [0, 0, 1],
}


def test_a_user_is_active_from_its_first_request_to_its_last_answer(made: MakeRun) -> None:
    """Pauses between count, ramp-up and end do not; failed requests keep a user alive too."""
    load = ClosedLoad(name="2 users", users=2, iterations=2)
    run = rewritten(made(suts=(FakeSut("a:jar", errors=1.0),), blocks=1, loads=(load,)), REQUESTS)
    active = over_time(run, bins=5)["active_users"].to_list()
    # bins of 20 ms; in the third, user 0 is alive for all of it and user 1 for its second half
    assert active == pytest.approx([1.0, 1.0, 1.5, 1.0, 1.0])


def test_in_open_load_the_requests_under_way_are_active(made: MakeRun) -> None:
    """From their intended instants, whichever connection carried them; nobody waits between them."""
    load = OpenLoad(name="20/s", rate=20, duration=1_000_000_000, arrivals="constant")
    run = rewritten(made(suts=(A,), blocks=1, loads=(load,)), REQUESTS)
    assert over_time(run, bins=5)["active_users"].to_list() == pytest.approx([1.0, 0.0, 1.5, 1.0, 1.0])


def test_active_users_agree_with_littles_law(made: MakeRun) -> None:
    """In open load their mean over the window is arrivals a second times the time that each is in the system."""
    load = OpenLoad(name="500/s", rate=500, duration=1_000_000_000, arrivals="poisson")
    run = made(suts=(A,), blocks=1, loads=(load,))
    (trial,) = measured_trials(run)
    expected = trial.metrics["throughput_per_s"] * trial.metrics["latency_mean_ns"] / 1e9
    assert over_time(run)["active_users"].mean() == pytest.approx(expected)
