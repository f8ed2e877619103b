# SPDX-License-Identifier: Apache-2.0
"""How many times as much, over one pair of samples or as the mean over several: with its interval and its tests.

On the log scale a ratio is a difference and a mean of ratios is a linear contrast of means. Its error adds up from the
samples' own variances, and its degrees of freedom are those of Welch (1947) and Satterthwaite (1946, "An approximate
distribution of estimates of variance components", Biometrics Bulletin 2). With one pair it is Welch's t test of the
logs. The point is a ratio of geometric means, and a mean over pairs is a geometric mean of ratios.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from bancada.stats.checks import Values, as_pairs, as_sample, check_between_0_and_1, check_count
from bancada.stats.describe import mean_of

LARGEST_LOG = 700.0
"""A half-width beyond this on the log scale has no finite ends in float64 (e^709 overflows)."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A ratio, or the geometric mean of several, with what is needed to test it against any boundary."""

    point: float
    """The ratio, above 0."""
    low: float | None
    """Lower end of its interval; None when a sample has fewer than two values."""
    high: float | None
    """Upper end of its interval; None when a sample has fewer than two values."""
    df: float | None
    """Degrees of freedom of the error; None when the error is unknown or 0."""
    error: float | None
    """Standard error of the ratio's natural logarithm; None when a sample has fewer than two values."""
    level: float
    """Confidence level of the interval, between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A published mean with its interval, and how many values it comes from."""

    mean: float
    """Above 0."""
    half_width: float
    """Half the width of Student's t interval of the mean, in its unit; 0 or more."""
    n: int
    """Values behind it, at least 2."""


def log_contrast(pairs: Sequence[tuple[Values, Values]], level: float = 0.95, *, paired: bool = False) -> Contrast:
    """The ratio of ÷ against, as the geometric mean over `pairs` of (of, against), with its t interval.

    `pairs`: at least one; samples of positive numbers of one unit, one number per trial, each sample standing in one
    place only; `paired`: the i-th values of `of` and `against` come from one trial or block (equally many), so that
    their ratios are the sample; `level`: confidence level of the interval, between 0 and 1.
    exp of the mean over pairs of (mean log of - mean log against). A sample of one value leaves the error unknown.
    Raises ValueError for no pair, an empty sample, NaN, values not above 0, or (paired) unequal lengths.
    """
    check_count(len(pairs), "pairs", at_least=1)
    check_between_0_and_1(level, "level")
    terms = [term for of, against in pairs for term in _terms(of, against, paired)]
    share = 1 / len(pairs)
    log_point = share * math.fsum(sign * mean_of(sample) for sign, sample in terms)
    if min(sample.size for _, sample in terms) < 2:
        return Contrast(math.exp(log_point), None, None, None, None, level)
    variances = [(share**2 * float(np.var(sample, ddof=1)) / sample.size, sample.size - 1) for _, sample in terms]
    return _with_interval(log_point, variances, level)


def contrast_of_summaries(of: Summary, against: Summary, level: float = 0.95) -> Contrast:
    """The ratio of two published means, from their published 95 % intervals, by the delta method.

    The relative error of a mean is half_width / t(n - 1) / mean, which is the standard error of its logarithm to first
    order (Casella & Berger 2002, section 5.5.4). `level`: of the published intervals and of the one returned.
    Raises ValueError for a mean not above 0, a negative half-width, or n below 2.
    """
    check_between_0_and_1(level, "level")
    variances = []
    for summary, name in ((of, "of"), (against, "against")):
        check_count(summary.n, f"{name}.n", at_least=2)
        if not 0 < summary.mean < math.inf or not 0 <= summary.half_width < math.inf:
            raise ValueError(f"{name} needs a mean above 0 and a half-width of 0 or more")
        t = float(stdtrit(summary.n - 1, (1 + level) / 2))
        variances.append(((summary.half_width / t / summary.mean) ** 2, summary.n - 1))
    return _with_interval(math.log(of.mean / against.mean), variances, level)


def p_at(contrast: Contrast, boundary: float) -> float | None:
    """Two-sided p-value of the ratio being exactly `boundary`; None when the error is unknown.

    With one pair it equals Welch's t test of log(of) against log(boundary · against). When nothing varies it is 1 at
    the point and 0 elsewhere. Raises ValueError for a boundary that is not finite and above 0.
    """
    if contrast.error is None:
        return None
    return min(1.0, 2 * min(_p_above(contrast, boundary), _p_below(contrast, boundary)))


def p_within(contrast: Contrast, low: float, high: float) -> float | None:
    """The p-value of a ratio that is expected to lie between `low` and `high`; None when the error is unknown.

    Inside: the larger of the two one-sided p, the two one-sided tests of equivalence (Schuirmann 1987, Journal of
    Pharmacokinetics and Biopharmaceutics 15(6)). Outside: the two-sided p at the nearer end. Raises ValueError unless
    0 < low < high.
    """
    if not 0 < low < high < math.inf:
        raise ValueError(f"the ends must be above 0 and in order, got {low} and {high}")
    if contrast.point <= low:
        return p_at(contrast, low)
    if contrast.point >= high:
        return p_at(contrast, high)
    if contrast.error is None:
        return None
    return max(_p_above(contrast, low), _p_below(contrast, high))


def _p_above(contrast: Contrast, boundary: float) -> float:
    """One-sided p of the ratio being at most `boundary`: small when it is clearly above."""
    distance, df = _distance(contrast, boundary)
    return float(stdtr(df, -distance))


def _p_below(contrast: Contrast, boundary: float) -> float:
    """One-sided p of the ratio being at least `boundary`: small when it is clearly below."""
    distance, df = _distance(contrast, boundary)
    return float(stdtr(df, distance))


def _distance(contrast: Contrast, boundary: float) -> tuple[float, float]:
    """How far the ratio lies above a boundary, in standard errors of its logarithm, and the degrees of freedom."""
    if not 0 < boundary < math.inf:
        raise ValueError(f"a boundary of a ratio must be finite and above 0, got {boundary}")
    assert contrast.error is not None
    distance = math.log(contrast.point / boundary)
    if contrast.df is None:  # no error at all: the limit of ever smaller errors
        return (math.copysign(math.inf, distance) if distance else 0.0), 1.0
    return distance / contrast.error, contrast.df


def _terms(of: Values, against: Values, paired: bool) -> list[tuple[int, NDArray[np.float64]]]:
    """The samples of logs whose means make up the contrast, each with its sign."""
    first, second = as_pairs(of, against) if paired else (as_sample(of, "of"), as_sample(against, "against"))
    if first.min() <= 0 or second.min() <= 0:
        raise ValueError("a ratio needs positive values in of and against")
    if paired:
        return [(1, np.log(first) - np.log(second))]
    return [(1, np.log(first)), (-1, np.log(second))]


def _with_interval(log_point: float, variances: Sequence[tuple[float, int]], level: float) -> Contrast:
    """The contrast, from the variance that each mean contributes and that variance's degrees of freedom."""
    point, total = math.exp(log_point), math.fsum(variance for variance, _ in variances)
    if total == 0:
        return Contrast(point, point, point, None, 0.0, level)
    df = 1 / math.fsum((variance / total) ** 2 / degrees for variance, degrees in variances)
    error = math.sqrt(total)
    half_width = float(stdtrit(df, (1 + level) / 2)) * error
    if abs(log_point) + half_width > LARGEST_LOG:
        return Contrast(point, None, None, df, error, level)
    return Contrast(point, point * math.exp(-half_width), point * math.exp(half_width), df, error, level)
