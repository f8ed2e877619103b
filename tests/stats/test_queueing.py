# SPDX-License-Identifier: Apache-2.0
"""Little's law and the area under the number of requests in flight."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import littles_law, mean_concurrency

requests = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 300)), min_size=1, max_size=50)


def arrays(rows: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Begin and end of requests given as begin and duration."""
    begin = np.array([start for start, _ in rows], dtype=np.int64)
    return begin, begin + np.array([duration for _, duration in rows], dtype=np.int64)


def test_textbook_disk_fulfils_the_law() -> None:
    """Lazowska et al. (1984), chapter 3: 40 requests/s and 4 in the system mean 0.1 s of residence."""
    assert littles_law(40, 0.1, 4) == pytest.approx(0)


def test_gap_is_relative_to_the_concurrency_observed() -> None:
    """110 requests per second of 1 s each among 100 users are 10 % too many."""
    assert littles_law(110, 1, 100) == pytest.approx(0.1)
    assert littles_law(0, 0, 5) == -1


@pytest.mark.parametrize(
    ("intended", "done", "window", "expected"),
    [
        ([0, 0], [10, 10], (0, 10), 2.0),  # two all the time
        ([0, 5], [5, 10], (0, 10), 1.0),  # one after the other
        ([2], [4], (0, 10), 0.2),  # one for a fifth of the time
        ([-5, 8], [5, 20], (0, 10), 0.7),  # cut off by both edges: 5 + 2 of 10
        ([-9, 11], [-1, 15], (0, 10), 0.0),  # wholly before and after
        ([0, 2, 4], [6, 8, 10], (0, 10), 1.8),  # a staircase: 1 2 3 2 1 for 2 each
    ],
)
def test_area_is_as_drawn_by_hand(
    intended: list[int], done: list[int], window: tuple[int, int], expected: float
) -> None:
    """Requests in flight, averaged over the window."""
    assert mean_concurrency(np.array(intended), np.array(done), window) == pytest.approx(expected)


def test_mm1_queue_has_the_concurrency_of_theory() -> None:
    """A simulated queue with a load of 0.5 has 0.5 / (1 - 0.5) = 1 request in it, and obeys Little's law within 2 %."""
    rng = np.random.default_rng(8)
    begin = np.cumsum(rng.exponential(1.0, 200_000))
    service = rng.exponential(0.5, 200_000)
    done = np.empty(200_000)
    free = 0.0
    for i in range(200_000):
        free = max(free, begin[i]) + service[i]
        done[i] = free
    window = (float(begin[1000]), float(begin[-1000]))
    observed = mean_concurrency(begin, done, window)
    assert observed == pytest.approx(1, rel=0.05)
    inside = (done >= window[0]) & (done < window[1])
    throughput = inside.sum() / (window[1] - window[0])
    assert littles_law(float(throughput), float((done - begin)[inside].mean()), observed) == pytest.approx(0, abs=0.02)


def test_millions_of_unsigned_nanoseconds_do_not_wrap() -> None:
    """Epoch nanoseconds as the engine writes them: a million requests of 1 ms within 1 s are 1000 at once."""
    start = 1_760_000_000_000_000_000
    begin = np.linspace(0, 999_000_000, 1_000_000).astype(np.uint64) + np.uint64(start)
    found = mean_concurrency(begin, begin + np.uint64(1_000_000), (start, start + 1_000_000_000))
    assert found == pytest.approx(1000, rel=1e-6)


@given(requests)
def test_law_holds_exactly_where_no_request_crosses_an_edge(rows: list[tuple[int, int]]) -> None:
    """With all requests inside the window, the sum of latencies is the area: throughput times latency, no gap."""
    begin, done = arrays(rows)
    observed = mean_concurrency(begin, done, (0, 2000))
    if observed > 0:
        assert littles_law(len(rows) / 2000, float((done - begin).mean()), observed) == pytest.approx(0, abs=1e-12)


@given(requests, st.integers(1, 1299))
def test_area_of_two_parts_is_that_of_the_whole(rows: list[tuple[int, int]], cut: int) -> None:
    """Cutting the window anywhere loses nothing."""
    begin, done = arrays(rows)
    parts = mean_concurrency(begin, done, (0, cut)) * cut + mean_concurrency(begin, done, (cut, 1300)) * (1300 - cut)
    assert parts == pytest.approx(float((done - begin).sum()))


@pytest.mark.parametrize(
    ("throughput", "latency", "concurrency"), [(-1, 1, 1), (1, math.nan, 1), (1, 1, 0), (math.inf, 1, 1)]
)
def test_figures_out_of_range_are_refused(throughput: float, latency: float, concurrency: float) -> None:
    """Nothing in flight cannot be compared with, and NaN is no figure."""
    with pytest.raises(ValueError, match="must be a finite number"):
        littles_law(throughput, latency, concurrency)


@pytest.mark.parametrize(
    ("intended", "done", "window"),
    [
        ([5.0], [4.0], (0, 10)),  # ends before it begins
        ([math.nan], [4.0], (0, 10)),
        ([1.0, 2.0], [4.0], (0, 10)),  # one end is missing
        ([1.0], [4.0], (10, 10)),  # no window
        ([1.0], [4.0], (0, math.nan)),
    ],
)
def test_impossible_records_are_refused(intended: list[float], done: list[float], window: tuple[float, float]) -> None:
    """What cannot have happened is not averaged."""
    with pytest.raises(ValueError, match=r"request|equal length|window"):
        mean_concurrency(np.array(intended), np.array(done), window)
