# SPDX-License-Identifier: Apache-2.0
"""Figures and names in sentences."""

from __future__ import annotations

import pytest

from bancada.analysis.words import condition, listed, noun, per_cent, shown
from bancada.model.metric import METRICS
from bancada.model.trial import Cell


def test_values_are_shown_in_the_readers_unit() -> None:
    """5.4 million nanoseconds are 5.40 ms; Apdex has no unit."""
    assert shown(5.4e6, METRICS["latency_mean_ns"]) == "5.40 ms"
    assert shown(0.85, METRICS["apdex"]) == "0.850"
    assert per_cent(0.0425) == "4.25 %"


@pytest.mark.parametrize(
    ("metric", "text"),
    [
        ("latency_mean_ns", "mean response time"),
        ("latency_p999_ns", "p99.9 response time"),
        ("rss_peak_bytes", "peak RSS"),
        ("cpu_s", "CPU time"),
        ("throughput_per_s", "throughput"),
        ("error_share", "share of failed requests"),
    ],
)
def test_metrics_have_a_name_within_a_sentence(metric: str, text: str) -> None:
    """Abbreviations keep their capitals."""
    assert noun(METRICS[metric]) == text


def test_names_are_listed_as_one_would_say_them() -> None:
    """With one `and`."""
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a and b", "a, b and c"]


def test_a_condition_is_load_and_factors() -> None:
    """Without the system."""
    assert condition(Cell(sut="a:jar", load="20 users", factors={"POOL": "10"})) == "20 users, POOL=10"
