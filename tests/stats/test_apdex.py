# SPDX-License-Identifier: Apache-2.0
"""Apdex."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import apdex

latencies = st.lists(st.floats(0, 10), max_size=30)


def test_textbook_example_is_three_quarters() -> None:
    """100 samples with T = 3 s: 60 satisfied, 30 tolerating, 10 frustrated give (60 + 30 / 2) / 100 = 0.75."""
    assert apdex([1.0] * 60 + [7.0] * 30 + [20.0] * 10, satisfied=3, tolerated=12) == 0.75


@pytest.mark.parametrize(("latency", "score"), [(0.0, 1), (0.5, 1), (0.501, 0.5), (1.5, 0.5), (1.501, 0)])
def test_thresholds_belong_to_the_better_side(latency: float, score: float) -> None:
    """JMeter's 500 and 1500 ms: at most so long is satisfied, tolerated."""
    assert apdex([latency]) == score


def test_failed_requests_are_frustrated_however_fast() -> None:
    """Two satisfied of four requests."""
    assert apdex([0.1, 0.1], failures=2) == 0.5
    assert apdex([], failures=3) == 0


@pytest.mark.parametrize(
    ("times", "failures", "satisfied", "tolerated"),
    [
        ([], 0, 0.5, 1.5),  # no request: unknown, not 0
        ([-0.1], 0, 0.5, 1.5),
        ([math.nan], 0, 0.5, 1.5),
        ([1.0], -1, 0.5, 1.5),
        ([1.0], 0, 1.5, 0.5),
        ([1.0], 0, 0.0, 1.5),
    ],
)
def test_nonsense_is_refused(times: list[float], failures: int, satisfied: float, tolerated: float) -> None:
    """No request at all, negative times or counts, and thresholds out of order raise ValueError."""
    with pytest.raises(ValueError, match=r"apdex|latencies|failures|thresholds"):
        apdex(times, failures, satisfied, tolerated)


@given(latencies, st.integers(0, 5), st.floats(0.001, 1000))
def test_unit_does_not_matter_and_score_stays_within_0_and_1(times: list[float], failures: int, scale: float) -> None:
    """Seconds or milliseconds, with the thresholds in the same unit."""
    if not times and not failures:
        return
    clear = [t for t in times if min(abs(t - 0.5), abs(t - 1.5)) > 1e-9] or [0.1]
    found = apdex(clear, failures)
    assert 0 <= found <= 1
    assert apdex([scale * t for t in clear], failures, scale * 0.5, scale * 1.5) == found


@given(latencies.filter(bool), st.integers(0, 5))
def test_a_failure_more_never_helps(times: list[float], failures: int) -> None:
    """Apdex falls, or stays at 0."""
    assert apdex(times, failures + 1) <= apdex(times, failures)
