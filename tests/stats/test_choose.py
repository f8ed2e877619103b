# SPDX-License-Identifier: Apache-2.0
"""Which test a study will use."""

from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import (
    ChosenTest,
    blocks_for_test,
    choose_test,
    rank_sum,
    smallest_p_rank_sum,
    smallest_p_signed_rank,
)


@pytest.mark.parametrize(
    ("n_pairs", "family_size", "expected"),
    [
        (3, 1, ChosenTest("rank-sum", 0.1, can_reach=False, needed_n=4)),  # no test can: say so before it runs
        (5, 1, ChosenTest("rank-sum", 1 / 126, can_reach=True, needed_n=4)),  # signed-rank stops at 0.0625
        (6, 1, ChosenTest("signed-rank", 0.03125, can_reach=True, needed_n=4)),
        (6, 2, ChosenTest("rank-sum", 1 / 462, can_reach=True, needed_n=5)),  # 2 · 0.03125 is above 0.05
        (7, 66, ChosenTest("rank-sum", 1 / 1716, can_reach=True, needed_n=7)),  # 12 stacks, all pairs
        (7, 105, ChosenTest("rank-sum", 1 / 1716, can_reach=False, needed_n=8)),  # 15 stacks, all pairs
        (10, 15, ChosenTest("signed-rank", 2**-9, can_reach=True, needed_n=6)),  # 15 · 0.00195 = 0.029
    ],
)
def test_choice_follows_from_the_plan(n_pairs: int, family_size: int, expected: ChosenTest) -> None:
    """At alpha 0.05: the signed-rank test where it can reach alpha, else the rank-sum test, with what it can reach."""
    found = choose_test(n_pairs, family_size, 0.05)
    assert found.smallest_p == pytest.approx(expected.smallest_p)
    assert dataclasses.replace(found, smallest_p=expected.smallest_p) == expected


def test_choice_cannot_see_the_data() -> None:
    """Its arguments are the plan's numbers, and nothing else."""
    assert list(inspect.signature(choose_test).parameters) == ["n_pairs", "family_size", "alpha"]


@given(st.integers(1, 30), st.integers(1, 300), st.floats(0.001, 0.2))
def test_needed_blocks_are_the_fewest_that_suffice(n_pairs: int, family_size: int, alpha: float) -> None:
    """With needed_n blocks alpha can be reached, with one less it cannot; can_reach says on which side the plan is."""
    needed = choose_test(n_pairs, family_size, alpha).needed_n
    assert choose_test(needed, family_size, alpha).can_reach
    assert needed == 1 or not choose_test(needed - 1, family_size, alpha).can_reach
    assert choose_test(n_pairs, family_size, alpha).can_reach == (n_pairs >= needed)


@given(st.integers(1, 300), st.floats(0.001, 0.2))
def test_blocks_for_a_test_are_the_fewest_that_suffice(family_size: int, alpha: float) -> None:
    """Each test's smallest p times the family falls to alpha exactly there."""
    found = blocks_for_test(family_size, alpha)
    assert smallest_p_rank_sum(found.rank_sum, found.rank_sum) * family_size <= alpha
    assert smallest_p_rank_sum(found.rank_sum - 1, found.rank_sum - 1) * family_size > alpha
    assert smallest_p_signed_rank(found.signed_rank) * family_size <= alpha
    assert smallest_p_signed_rank(found.signed_rank - 1) * family_size > alpha


@pytest.mark.parametrize(("correlation", "most"), [(0.0, 0.05), (0.5, 0.02), (0.9, 0.005)])
def test_ignoring_positive_block_effects_is_conservative(correlation: float, most: float) -> None:
    """Six blocks without any difference, 3000 times: false alarms at 0.05 fall as block effects grow."""
    rng = np.random.default_rng(7)
    alarms = 0
    for _ in range(3000):
        block = np.sqrt(correlation) * rng.standard_normal(6)
        a, b = block + np.sqrt(1 - correlation) * rng.standard_normal((2, 6))
        alarms += rank_sum(a, b).p <= 0.05
    assert alarms / 3000 <= most + 0.005


@pytest.mark.parametrize(("n_pairs", "family_size", "alpha"), [(0, 1, 0.05), (5, 0, 0.05), (5, 1, 0.0), (5, 1, 1.0)])
def test_impossible_plans_are_refused(n_pairs: int, family_size: int, alpha: float) -> None:
    """No blocks, no comparisons or no significance level make no plan."""
    with pytest.raises(ValueError, match="must"):
        choose_test(n_pairs, family_size, alpha)
