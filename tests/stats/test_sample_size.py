# SPDX-License-Identifier: Apache-2.0
"""How many trials an answer needs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bancada.stats import blocks_for_test, trials_for_half_width


@pytest.mark.parametrize(
    ("cv", "half_width", "trials"),
    [
        (0.25, 0.01, 2404),  # Jain (1991), section 13.9.1: sd 5 of mean 20 within 1 % needs 2401 by z = 1.96
        (0.03, 0.03, 7),  # t(6) / √7 = 0.925, t(5) / √6 = 1.049
        (0.01, 0.03, 3),  # t(2) / √3 = 2.484, t(1) / √2 = 8.985
        (0.0, 0.01, 2),  # an interval needs two trials even when nothing varies
    ],
)
def test_trials_are_as_computed_by_hand(cv: float, half_width: float, trials: int) -> None:
    """t(n - 1) · cv / √n has fallen to the half-width at this n and not before."""
    assert trials_for_half_width(cv, half_width, 0.95) == trials


@given(st.floats(0.001, 0.5), st.floats(0.005, 0.5), st.sampled_from([0.9, 0.95, 0.99]))
def test_trials_are_the_fewest_that_suffice(cv: float, half_width: float, level: float) -> None:
    """The interval is narrow enough with n trials and too wide with n - 1."""
    n = trials_for_half_width(cv, half_width, level)

    def reached(trials: int) -> float:
        return float(stats.t.ppf((1 + level) / 2, trials - 1)) * cv / math.sqrt(trials)

    assert reached(n) <= half_width
    assert n == 2 or reached(n - 1) > half_width


@pytest.mark.parametrize(
    ("family_size", "rank_sum", "signed_rank"),
    [
        (1, 4, 6),  # 2 / C(8, 4) = 0.029; 2 / 2^6 = 0.031
        (66, 7, 12),  # 66 · 2 / C(14, 7) = 0.038; 66 · 2 / 2^12 = 0.032
        (105, 8, 13),  # 105 · 2 / C(16, 8) = 0.016; 105 · 2 / 2^13 = 0.026
    ],
)
def test_blocks_are_as_computed_by_hand(family_size: int, rank_sum: int, signed_rank: int) -> None:
    """At 0.05 with Holm over one pair, all pairs of 12 stacks, and all pairs of 15."""
    found = blocks_for_test(family_size, 0.05)
    assert (found.rank_sum, found.signed_rank) == (rank_sum, signed_rank)


@pytest.mark.parametrize(
    ("cv", "half_width", "level"),
    [(-0.1, 0.1, 0.95), (math.nan, 0.1, 0.95), (0.1, 0.0, 0.95), (0.1, math.inf, 0.95), (0.1, 0.1, 1.0)],
)
def test_impossible_wishes_are_refused(cv: float, half_width: float, level: float) -> None:
    """A spread below 0, no width and certainty cannot be planned for."""
    with pytest.raises(ValueError, match="must"):
        trials_for_half_width(cv, half_width, level)
