# SPDX-License-Identifier: Apache-2.0
"""Better, worse, equivalent or undecided."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import Interval, describe, ratio_interval, verdict

ends = st.tuples(st.floats(0.1, 10), st.floats(0.1, 10)).map(sorted)
probabilities = st.floats(0, 1)


def judge(low: float, high: float, p: float, *, lower_is_better: bool = True) -> str:
    """The verdict on a 95 % interval at alpha 0.05 with a margin of 5 %."""
    ratio = Interval(math.sqrt(low * high), low, high, 0.95)
    return verdict(ratio, p, alpha=0.05, margin=0.05, lower_is_better=lower_is_better)


@pytest.mark.parametrize(
    ("low", "high", "p", "of_times", "of_throughput"),
    [
        (0.70, 0.90, 0.01, "better", "worse"),  # sure and beyond the margin
        (1.10, 1.30, 0.01, "worse", "better"),  # the same on the other side
        (0.70, 0.90, 0.05, "better", "worse"),  # alpha itself counts
        (0.70, 0.90, 0.06, "undecided", "undecided"),  # the interval alone does not decide
        (0.90, 1.10, 0.01, "undecided", "undecided"),  # nor does the test alone
        (0.90, 1.00, 0.01, "undecided", "undecided"),  # 1 is within the interval
        (0.97, 1.04, 0.60, "equivalent", "equivalent"),  # no difference worth acting upon
        (1.01, 1.03, 0.01, "equivalent", "equivalent"),  # sure but too small to matter
        (1.02, 1.06, 0.01, "worse", "better"),  # leaves the margin
        (1 / 1.05, 1.05, 0.60, "equivalent", "equivalent"),  # the margin's own ends are inside
        (0.951, 1.04, 0.60, "undecided", "undecided"),  # 1 / 1.05 is 0.952: the margin is even on the log scale
    ],
)
def test_verdict_follows_the_table(low: float, high: float, p: float, of_times: str, of_throughput: str) -> None:
    """One row per case, for a metric where less is better and for one where more is."""
    assert judge(low, high, p) == of_times
    assert judge(low, high, p, lower_is_better=False) == of_throughput


@pytest.mark.parametrize(
    ("ratio", "p"), [(Interval(0.5, None, None, 0.95), 0.001), (Interval(1.0, 0.99, 1.01, 0.95), None)]
)
def test_what_is_unknown_stays_undecided(ratio: Interval, p: float | None) -> None:
    """Without ends, or without a p-value, nothing is claimed: neither a difference nor equivalence."""
    assert verdict(ratio, p, alpha=0.05, margin=0.05, lower_is_better=True) == "undecided"


@pytest.mark.parametrize(
    ("alpha", "margin", "p"), [(0.0, 0.05, 0.5), (0.05, -0.1, 0.5), (0.05, math.inf, 0.5), (0.05, 0.05, math.nan)]
)
def test_settings_out_of_range_are_refused(alpha: float, margin: float, p: float) -> None:
    """A wrong setting is an error even where the verdict would be the same."""
    with pytest.raises(ValueError, match="must"):
        verdict(Interval(1.0, 0.9, 1.1, 0.95), p, alpha=alpha, margin=margin, lower_is_better=True)


def test_ratio_below_zero_is_refused() -> None:
    """A ratio of positive numbers cannot have such an end."""
    with pytest.raises(ValueError, match="above 0"):
        verdict(Interval(0.1, -0.5, 0.5, 0.95), 0.01, alpha=0.05, margin=0.05, lower_is_better=True)


@pytest.mark.parametrize("ends_of", [(1.0, None), (2.0, 1.0)])
def test_interval_with_one_end_or_ends_out_of_order_cannot_be_made(ends_of: tuple[float, float | None]) -> None:
    """Half an interval and a reversed one are mistakes of the caller."""
    with pytest.raises(ValueError, match="interval"):
        Interval(1.5, *ends_of, 0.95)


@given(ends, probabilities)
def test_turning_the_comparison_around_turns_the_verdict(bounds: list[float], p: float) -> None:
    """If b is better than a, then a is worse than b; equivalent and undecided stay."""
    low, high = bounds
    turned = {"better": "worse", "worse": "better"}
    forth, back = judge(low, high, p), judge(1 / high, 1 / low, p)
    near_an_edge = any(math.isclose(end, edge, rel_tol=1e-9) for end in bounds for edge in (1 / 1.05, 1, 1.05))
    assert near_an_edge or back == turned.get(forth, forth)


@given(ends, probabilities, probabilities)
def test_less_evidence_never_makes_a_difference(bounds: list[float], p: float, q: float) -> None:
    """A greater p can only turn better or worse into undecided."""
    low, high = bounds
    surer, less_sure = judge(low, high, min(p, q)), judge(low, high, max(p, q))
    assert less_sure in {surer, "undecided"}


def test_inclusion_is_the_two_one_sided_tests() -> None:
    """A 90 % interval of log ratios lies within the margin exactly when both one-sided t tests reject at 5 %."""
    from scipy import stats

    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(200):
        logs = 0.02 * rng.standard_normal(6) + rng.normal(0, 0.02)
        found = describe(logs, level=0.9)
        assert found.low is not None
        assert found.high is not None
        ratio = Interval(math.exp(found.mean), math.exp(found.low), math.exp(found.high), 0.9)
        above = stats.ttest_1samp(logs, -math.log(1.05), alternative="greater").pvalue
        below = stats.ttest_1samp(logs, math.log(1.05), alternative="less").pvalue
        equivalent = verdict(ratio, 1.0, alpha=0.05, margin=0.05, lower_is_better=True) == "equivalent"
        assert equivalent == (max(above, below) <= 0.05)
        seen.add(equivalent)
    assert seen == {True, False}


def test_stacks_at_the_margin_are_seldom_called_equivalent() -> None:
    """True ratio 1.05, margin 5 %: a 95 % interval errs in 2.5 % of 2000 experiments, at most 3.5 by chance."""
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(2000):
        a, b = rng.lognormal(0, 0.02, 6), 1.05 * rng.lognormal(0, 0.02, 6)
        ratio = ratio_interval(a, b, paired=False)
        wrong += verdict(ratio, 1.0, alpha=0.05, margin=0.05, lower_is_better=True) == "equivalent"
    assert 0.01 < wrong / 2000 < 0.035
