# SPDX-License-Identifier: Apache-2.0
"""The tables and curves that plots are made of."""

from __future__ import annotations

import polars as pl
import pytest

from bancada.analysis.frames import latency_by_percentile, over_time, resources_over_time
from bancada.analysis.trials import measured_trials
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
