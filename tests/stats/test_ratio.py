# SPDX-License-Identifier: Apache-2.0
"""Ratio of two means with its interval."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import Interval, describe, ratio_interval

A = (100, 104, 98, 101, 103, 99)
B = (121, 130, 118, 119, 127, 122)

trials = st.lists(st.floats(0.5, 200), min_size=2, max_size=12)
blocks = st.lists(st.tuples(st.floats(0.5, 200), st.floats(0.5, 200)), min_size=2, max_size=12)


def ends(found: Interval) -> tuple[float, float]:
    """Both ends, which must be known."""
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def test_two_samples_have_the_interval_of_rs_welch_test_of_relative_deviations() -> None:
    """R: t.test(b / mean(b), a / mean(a)) gives the standard error and degrees of freedom; ends by exp."""
    found = ratio_interval(A, B, paired=False)
    assert found.point == pytest.approx(737 / 605)
    assert ends(found) == pytest.approx((1.16818564607, 1.27031773344))


def test_blocks_have_the_interval_of_rs_paired_test_of_relative_deviations() -> None:
    """R: t.test(b / mean(b) - a / mean(a)) gives the standard error with n - 1 degrees of freedom; ends by exp."""
    found = ratio_interval(A, B, paired=True)
    assert found.point == pytest.approx(737 / 605)
    assert ends(found) == pytest.approx((1.19129779013, 1.24567253834))


def test_small_spread_gives_the_interval_of_the_mean_log_ratio() -> None:
    """Where deviations are small, the ratio of means in blocks is the mean of log ratios with its t interval."""
    rng = np.random.default_rng(5)
    a, b = 1 + 1e-5 * rng.standard_normal(6), 3 + 1e-5 * rng.standard_normal(6)
    logs = describe(np.log(b / a))
    assert logs.low is not None
    assert logs.high is not None
    low, high = ends(ratio_interval(a, b, paired=True))
    assert (math.log(low), math.log(high)) == pytest.approx((logs.low, logs.high), abs=1e-9)


def test_ratio_is_of_b_to_a() -> None:
    """Twice as much of b is a ratio of 2."""
    assert ratio_interval([1, 1], [2, 2], paired=False) == Interval(2.0, 2.0, 2.0, 0.95)


@pytest.mark.parametrize("paired", [True, False])
def test_no_variation_gives_no_width(*, paired: bool) -> None:
    """Equal trials leave nothing to be unsure of, as far as they tell."""
    found = ratio_interval([0.1] * 5, [0.3] * 5, paired=paired)
    assert ends(found) == (found.point, found.point)


@pytest.mark.parametrize(("a", "b"), [([1.0], [2.0]), ([1.0], [2.0, 3.0]), ([1.0, 2.0], [3.0])])
def test_fewer_than_two_trials_have_no_interval(a: list[float], b: list[float]) -> None:
    """A ratio of single trials is a ratio, its interval unknown."""
    found = ratio_interval(a, b, paired=False)
    assert found.point > 0
    assert (found.low, found.high) == (None, None)


@pytest.mark.parametrize(("a", "b"), [([1, 0], [1, 1]), ([1, 1], [1, -2])])
def test_values_that_are_not_positive_are_refused(a: list[float], b: list[float]) -> None:
    """A ratio needs a positive unit on both sides."""
    with pytest.raises(ValueError, match="positive"):
        ratio_interval(a, b, paired=False)


def test_unequal_blocks_are_refused() -> None:
    """A block has one trial of each side."""
    with pytest.raises(ValueError, match="equally long"):
        ratio_interval([1, 2, 3], [1, 2], paired=True)


def test_ends_that_no_float_can_hold_are_unknown() -> None:
    """Two wild trials at a level of 99.99 % give no end rather than infinity."""
    found = ratio_interval([1, 1000], [1000, 1], paired=True, level=0.9999)
    assert (found.low, found.high) == (None, None)


def test_one_interval_costs_less_than_50_ms() -> None:
    """Reports compute thousands of them."""
    started = time.perf_counter()
    for _ in range(10):
        ratio_interval(A, B, paired=False)
    assert (time.perf_counter() - started) / 10 < 0.05


@pytest.mark.parametrize("paired", [True, False])
def test_five_trials_hold_the_truth_about_95_times_in_100(*, paired: bool) -> None:
    """Coverage of 2000 simulated experiments with lognormal noise of 5 % and block effects lies within 93 to 97 %."""
    rng = np.random.default_rng(20260101)
    held = 0
    for _ in range(2000):
        block = rng.lognormal(0, 0.05, 5) if paired else np.ones(5)
        a, b = block * rng.lognormal(0, 0.05, 5), 1.3 * block * rng.lognormal(0, 0.05, 5)
        low, high = ends(ratio_interval(a, b, paired=paired))
        held += low <= 1.3 <= high
    assert 0.93 <= held / 2000 <= 0.97


@given(trials, trials)
def test_exchanging_the_samples_gives_the_reciprocal_interval(a: list[float], b: list[float]) -> None:
    """Nothing depends on which side is called a."""
    forth, back = ratio_interval(a, b, paired=False), ratio_interval(b, a, paired=False)
    if forth.low is not None:
        low, high = ends(back)
        assert ends(forth) == pytest.approx((1 / high, 1 / low))


@given(blocks, st.floats(0.001, 1000), st.booleans())
def test_unit_does_not_matter(pairs: list[tuple[float, float]], scale: float, paired: bool) -> None:
    """Milliseconds or seconds, the ratio and its interval are the same."""
    a, b = [first for first, _ in pairs], [second for _, second in pairs]
    found = ratio_interval(a, b, paired=paired)
    scaled = ratio_interval([scale * x for x in a], [scale * x for x in b], paired=paired)
    assert scaled.point == pytest.approx(found.point)
    if found.low is not None and scaled.low is not None:
        assert ends(scaled) == pytest.approx(ends(found), rel=1e-6)


@given(blocks)
def test_pairing_forgives_effects_that_a_block_shares(pairs: list[tuple[float, float]]) -> None:
    """Blocks whose two trials move together leave no width; taken as two samples they do."""
    a = [first for first, _ in pairs]
    b = [3 * first for first in a]
    low, high = ends(ratio_interval(a, b, paired=True))
    assert (low, high) == pytest.approx((3, 3))
