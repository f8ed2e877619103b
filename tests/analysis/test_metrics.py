# SPDX-License-Identifier: Apache-2.0
"""The metrics of loads small enough to reckon by hand."""

from __future__ import annotations

import polars as pl
import pytest

from bancada.analysis.metrics import (
    Window,
    cpu_in_window,
    measured_window,
    operation_metrics,
    request_metrics,
    resource_metrics,
)
from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.load import ClosedLoad
from bancada.model.operation import Operation
from bancada.model.study import Study

STUDY = Study(
    study="tiny",
    question="?",
    operation=(Operation(name="get", path="/"),),
    stacks=("a:jar",),
    blocks=2,
    load=(ClosedLoad(name="1 user", users=1, iterations=5),),
    apdex_satisfied=100 * NS_PER_MS,
    apdex_tolerated=300 * NS_PER_MS,
)
SAMPLES = pl.DataFrame(
    {
        # five requests from 1 s to 3 s: four passed in 100, 100, 200 and 400 ms, one failed in 10 ms
        "intended_ns": [each * NS_PER_MS for each in (1000, 1200, 1500, 2000, 2600)],
        "done_ns": [each * NS_PER_MS for each in (1100, 1300, 1700, 2010, 3000)],
        "operation": ["get", "get", "put", "put", "put"],
        "failure": [None, None, None, "status", None],
        "bytes_in": [500, 500, 500, 500, 1000],
        "bytes_out": [100, 100, 100, 100, 100],
        "body_bytes": [400, 400, 400, 0, 900],
    },
    schema_overrides={"failure": pl.String},
)
WINDOW = Window(NS_PER_S, 3 * NS_PER_S)


def test_the_window_reaches_from_the_first_intended_to_the_last_done() -> None:
    """Failed requests bound it too, and a load without requests has none."""
    assert measured_window(SAMPLES) == WINDOW
    assert measured_window(SAMPLES.clear()) is None


def test_request_metrics_are_those_reckoned_by_hand() -> None:
    """Latency over the passed, throughput of the passed, bytes of all, errors as a share."""
    found = request_metrics(SAMPLES, WINDOW, STUDY)

    assert found["latency_mean_ns"] == 200 * NS_PER_MS
    assert found["latency_p50_ns"] == 150 * NS_PER_MS
    assert found["latency_p90_ns"] == pytest.approx(340 * NS_PER_MS)  # type 7: 200 + 0.7 x (400 - 200)
    assert found["latency_max_ns"] == 400 * NS_PER_MS
    assert found["apdex"] == pytest.approx((2 + 1 / 2) / 5)
    assert found["throughput_per_s"] == 2.0
    assert found["throughput_per_min"] == 120.0
    assert found["received_bytes_per_s"] == 1500
    assert found["sent_bytes_per_s"] == 250
    assert found["error_share"] == 0.2


def test_without_a_passed_request_response_times_are_absent_and_throughput_is_zero() -> None:
    """What did not happen is absent; that nothing passed in the window is a measurement."""
    found = request_metrics(SAMPLES.filter(pl.col("failure").is_not_null()), WINDOW, STUDY)

    assert "latency_mean_ns" not in found
    assert "latency_max_ns" not in found
    assert found["throughput_per_s"] == 0
    assert found["apdex"] == 0
    assert found["error_share"] == 1


def test_operations_are_measured_alone_over_the_whole_window() -> None:
    """`put` passed twice in the 2 s window and failed once."""
    found = operation_metrics(SAMPLES, WINDOW, STUDY)

    assert found["get"]["latency_mean_ns"] == 100 * NS_PER_MS
    assert found["put"]["latency_mean_ns"] == 300 * NS_PER_MS
    assert found["put"]["throughput_per_s"] == 1.0
    assert found["put"]["error_share"] == pytest.approx(1 / 3)
    assert "received_bytes_per_s" not in found["put"]


def probes(at_ms: list[int], **columns: list[int | None]) -> pl.DataFrame:
    """A probes' series with looks at these milliseconds."""
    return pl.DataFrame({"at_ns": [each * NS_PER_MS for each in at_ms], **columns})


def test_resources_are_those_of_the_window_alone() -> None:
    """CPU time is interpolated at both ends; memory is averaged over time, not over looks; peaks begin before it."""
    series = probes(
        [0, 2000, 3000, 4000],
        cpu_ns=[5 * NS_PER_S, 7 * NS_PER_S, 8 * NS_PER_S, 20 * NS_PER_S],
        rss_bytes=[100, 300, 500, 9000],
        threads=[12, 10, 11, 99],
    )
    found = resource_metrics(series, WINDOW, passed=4)

    assert found["cpu_s"] == pytest.approx(2.0)  # 6 s at 1 s, 8 s at 3 s
    assert found["cpu_share"] == pytest.approx(1.0)
    assert found["cpu_per_request_ns"] == pytest.approx(NS_PER_S / 2)
    assert found["rss_mean_bytes"] == pytest.approx(((200 + 300) / 2 + (300 + 500) / 2) / 2)
    assert found["rss_peak_bytes"] == 500
    assert found["threads_peak"] == 12


def test_looks_that_end_just_before_the_window_are_stretched() -> None:
    """Spanning 97.5 % of the window they stand for all of it at the same rate."""
    series = probes([1000, 2950], cpu_ns=[0, 1_950_000_000])
    assert cpu_in_window(series, WINDOW) == pytest.approx(2.0 * NS_PER_S)


@pytest.mark.parametrize(
    "series",
    [
        None,  # no probe at all
        probes([1000, 2000], cpu_ns=[0, NS_PER_S], rss_bytes=[1, 1]),  # half of the window
        probes([1000], cpu_ns=[0], rss_bytes=[1]),  # one look
        probes([0, 2000, 4000], cpu_ns=[None, None, None], rss_bytes=[None, None, None]),  # a probe not available
        probes([0, 4000]),  # no such columns
    ],
)
def test_what_the_probes_do_not_span_is_absent(series: pl.DataFrame | None) -> None:
    """Never 0, never half."""
    assert resource_metrics(series, WINDOW, passed=4) == {}


def test_cpu_time_that_fell_is_unknown() -> None:
    """A process that left the tree took its CPU time along; memory is known nevertheless."""
    series = probes([0, 2000, 4000], cpu_ns=[9, 5, 12], rss_bytes=[1, 1, 1])
    found = resource_metrics(series, WINDOW, passed=4)

    assert "cpu_s" not in found
    assert found["rss_mean_bytes"] == 1


def test_cpu_time_a_request_is_absent_without_a_passed_request() -> None:
    """The CPU time itself is known."""
    found = resource_metrics(probes([0, 4000], cpu_ns=[0, 4]), WINDOW, passed=0)
    assert "cpu_s" in found
    assert "cpu_per_request_ns" not in found
