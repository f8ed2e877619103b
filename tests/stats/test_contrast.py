# SPDX-License-Identifier: Apache-2.0
"""Ratios of one or several pairs of samples, their intervals and their tests."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bancada.stats import describe, ratio_interval
from bancada.stats.contrast import Contrast, Summary, contrast_of_summaries, log_contrast, p_at, p_within

OF = (121.0, 130, 118, 119, 127, 122)
AGAINST = (100.0, 104, 98, 101)
OTHER_OF = (51.0, 49, 53)
OTHER_AGAINST = (20.0, 21, 19, 22, 20)

samples = st.lists(st.floats(0.5, 200), min_size=2, max_size=12)


def known(contrast: Contrast) -> tuple[float, float, float, float]:
    """Ends, degrees of freedom and error, which must all be known."""
    assert contrast.low is not None
    assert contrast.high is not None
    assert contrast.df is not None
    assert contrast.error is not None
    return contrast.low, contrast.high, contrast.df, contrast.error


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_one_pair_is_welchs_t_test_of_the_logs(level: float) -> None:
    """Point, degrees of freedom and interval are those of scipy.stats.ttest_ind(equal_var=False)."""
    found = log_contrast([(OF, AGAINST)], level)
    welch = stats.ttest_ind(np.log(OF), np.log(AGAINST), equal_var=False)
    ends = welch.confidence_interval(level)

    assert found.point == pytest.approx(stats.gmean(OF) / stats.gmean(AGAINST))
    low, high, df, _ = known(found)
    assert df == pytest.approx(welch.df)
    assert (math.log(low), math.log(high)) == pytest.approx((ends.low, ends.high))


@pytest.mark.parametrize("boundary", [0.9, 1.0, 1.2, 1.21, 1.5])
def test_p_at_a_boundary_is_that_of_welchs_t_test(boundary: float) -> None:
    """Of log(of) against log(boundary · against), on either side of the point."""
    p = p_at(log_contrast([(OF, AGAINST)]), boundary)
    scaled = [boundary * value for value in AGAINST]
    assert p == pytest.approx(stats.ttest_ind(np.log(OF), np.log(scaled), equal_var=False).pvalue)


def test_one_pair_of_blocks_is_the_paired_t_test_of_the_logs() -> None:
    """As scipy.stats.ttest_rel has it."""
    of = OF[:4]
    found = log_contrast([(of, AGAINST)], paired=True)
    rel = stats.ttest_rel(np.log(of), np.log(AGAINST))

    assert found.df == pytest.approx(3)
    assert p_at(found, 1.0) == pytest.approx(rel.pvalue)
    ends = rel.confidence_interval(0.95)
    low, high, _, _ = known(found)
    assert (math.log(low), math.log(high)) == pytest.approx((ends.low, ends.high))


def test_several_pairs_have_satterthwaites_error() -> None:
    """Written out: a quarter of the four variances of means, and their squares over their degrees of freedom."""
    found = log_contrast([(OF, AGAINST), (OTHER_OF, OTHER_AGAINST)])
    logs = [[math.log(value) for value in sample] for sample in (OF, AGAINST, OTHER_OF, OTHER_AGAINST)]
    means = [statistics.fmean(sample) for sample in logs]
    shares = [statistics.variance(sample) / len(sample) / 4 for sample in logs]
    df = sum(shares) ** 2 / sum(share**2 / (len(sample) - 1) for share, sample in zip(shares, logs, strict=True))

    assert math.log(found.point) == pytest.approx((means[0] - means[1] + means[2] - means[3]) / 2)
    _, _, found_df, error = known(found)
    assert (found_df, error) == pytest.approx((df, math.sqrt(sum(shares))))


def test_equal_pairs_give_the_degrees_of_freedom_of_a_pooled_contrast() -> None:
    """Where all four variances are alike, Satterthwaite's df is the sum of the samples' own: 4 · (n - 1)."""
    sample = [1.0, 1.1, 0.9, 1.05, 0.95]
    assert log_contrast([(sample, sample), (sample, sample)]).df == pytest.approx(16)


def test_intervals_over_four_pairs_hold_the_truth_as_often_as_they_say() -> None:
    """3000 experiments of 4 pairs × 4 trials with unequal spreads: 95 % of intervals, give or take the simulation."""
    rng = np.random.default_rng(11)
    spreads = np.array([0.01, 0.02, 0.05, 0.1])
    logs = rng.normal(0, spreads[None, :, None, None], (3000, 4, 2, 4))
    logs[:, :, 0] += math.log(1.3)
    held = sum(
        low <= 1.3 <= high
        for experiment in np.exp(logs)
        for low, high, _, _ in [known(log_contrast([(pair[0], pair[1]) for pair in experiment]))]
    )
    assert held / 3000 == pytest.approx(0.95, abs=0.015)


@given(samples, samples)
def test_exchanging_the_sides_gives_the_reciprocal(of: list[float], against: list[float]) -> None:
    """Point and interval are turned over, and every p stays."""
    there, back = log_contrast([(of, against)]), log_contrast([(against, of)])
    assert there.point * back.point == pytest.approx(1)
    assert p_at(there, 1.25) == pytest.approx(p_at(back, 1 / 1.25), abs=1e-9)
    if there.low is not None and back.high is not None:
        assert there.low * back.high == pytest.approx(1)


@given(samples, samples)
def test_the_interval_holds_exactly_the_boundaries_that_are_not_rejected(of: list[float], against: list[float]) -> None:
    """At its own ends p is one minus the level."""
    found = log_contrast([(of, against)], 0.9)
    if found.low and found.high and found.error and found.error > 1e-6:  # else the ends are the point, but for rounding
        assert p_at(found, found.low) == pytest.approx(0.1, abs=1e-6)
        assert p_at(found, found.high) == pytest.approx(0.1, abs=1e-6)


def test_inside_the_ends_p_is_the_larger_of_two_one_sided_tests() -> None:
    """As two calls of scipy.stats.ttest_ind with one-sided alternatives."""
    found = log_contrast([(OF, AGAINST)])
    logs, low, high = np.log(OF), np.log(np.multiply(1.1, AGAINST)), np.log(np.multiply(1.4, AGAINST))
    above = stats.ttest_ind(logs, low, equal_var=False, alternative="greater").pvalue
    below = stats.ttest_ind(logs, high, equal_var=False, alternative="less").pvalue
    assert p_within(found, 1.1, 1.4) == pytest.approx(max(above, below))


def test_outside_the_ends_p_is_that_of_the_nearer_one() -> None:
    """Two-sided, as for a single boundary."""
    found = log_contrast([(OF, AGAINST)])
    assert p_within(found, 0.97, 1.03) == p_at(found, 1.03)
    assert p_within(found, 1.5, 2.0) == p_at(found, 1.5)


def test_one_trial_on_a_side_gives_a_point_and_nothing_else() -> None:
    """No spread, no interval, no p."""
    found = log_contrast([((2.0,), (1.0, 1.0))])
    assert (found.point, found.low, found.high, found.error) == (2.0, None, None, None)
    assert p_at(found, 1) is None
    assert p_within(found, 1, 3) is None


def test_without_any_spread_every_other_ratio_is_excluded() -> None:
    """The limit of ever smaller errors: p is 1 at the point and 0 elsewhere."""
    found = log_contrast([((2.0, 2.0), (1.0, 1.0))])
    assert (found.low, found.high) == (2.0, 2.0)
    assert (p_at(found, 2), p_at(found, 1), p_within(found, 1, 3)) == (1, 0, 0)


def test_published_intervals_give_the_interval_of_the_ratio() -> None:
    """The delta method from mean ± half-width is that of ratio_interval from the values themselves."""
    of, against = describe(OF), describe(AGAINST)
    assert of.high is not None
    assert against.high is not None
    found = contrast_of_summaries(
        Summary(of.mean, of.high - of.mean, of.n), Summary(against.mean, against.high - against.mean, against.n)
    )
    whole = ratio_interval(AGAINST, OF, paired=False)
    assert (found.point, found.low, found.high) == pytest.approx((whole.point, whole.low, whole.high))


def test_published_start_up_times_give_the_interval_worked_out_by_hand() -> None:
    """0.301 ± 0.02 s against 7.39 ± 0.16 s, ten starts each, t(9) = 2.2622.

    Relative errors 0.0293725 and 0.0095709, together 0.0308925;
    df = 9 · 0.0308925⁴ / (0.0293725⁴ + 0.0095709⁴) = 10.890; t = 2.2036;
    ratio 0.0407307 with the factor exp(0.068075) either way.
    """
    found = contrast_of_summaries(Summary(0.301, 0.02, 10), Summary(7.39, 0.16, 10))
    low, high, df, error = known(found)
    assert (found.point, error, df) == pytest.approx((0.0407307, 0.0308925, 10.890), rel=1e-4)
    assert (low, high) == pytest.approx((0.038050, 0.043600), rel=1e-3)


@pytest.mark.parametrize(
    ("pairs", "paired"),
    [
        ([], False),
        ([((), (1.0,))], False),
        ([((1.0, 0.0), (1.0, 1.0))], False),
        ([((1.0, math.nan), (1.0, 1.0))], False),
        ([((1.0, 2.0), (1.0,))], True),
    ],
)
def test_what_is_no_ratio_is_refused(pairs: list[tuple[tuple[float, ...], tuple[float, ...]]], paired: bool) -> None:
    """No pair, an empty sample, a zero, NaN, pairs of unequal length."""
    with pytest.raises(ValueError, match=r"needs|NaN|equally|at least"):
        log_contrast(pairs, paired=paired)


def test_boundaries_must_be_ratios() -> None:
    """A boundary of 0, or ends out of order, are refused."""
    found = log_contrast([(OF, AGAINST)])
    with pytest.raises(ValueError, match="above 0"):
        p_at(found, 0)
    with pytest.raises(ValueError, match="in order"):
        p_within(found, 1.03, 0.97)
    with pytest.raises(ValueError, match="half-width"):
        contrast_of_summaries(Summary(0, 1, 10), Summary(1, 1, 10))
