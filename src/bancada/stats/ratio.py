# SPDX-License-Identifier: Apache-2.0
"""How many times as much is B as A, and how sure is that?"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from bancada.stats.checks import Values, as_pairs, as_sample, check_between_0_and_1
from bancada.stats.describe import mean_of
from bancada.stats.interval import Interval

# A half-width beyond this on the log scale has no finite ends in float64 (e^709 overflows).
LARGEST_LOG = 700.0


def ratio_interval(a: Values, b: Values, *, paired: bool, level: float = 0.95) -> Interval:
    """The ratio mean(b) / mean(a) with its confidence interval: above 1, B is more than A.

    `a`, `b`: one positive number per trial, of one unit; `paired`: the i-th values come from the same block (equally
    many); `level`: confidence level, between 0 and 1. The ends are None when a sample has fewer than two trials, and
    equal to the ratio when nothing varies.

    Student's t interval of the log ratio with a standard error by the delta method (Casella & Berger 2002, section
    5.5.4); the interval of a ratio as effect size is Kalibera & Jones's (2013, "Rigorous benchmarking in reasonable
    time"). Degrees of freedom: n - 1 for pairs, Welch-Satterthwaite's for two samples (Welch
    1947). Symmetric on the log scale: exchanging a and b gives the reciprocal interval. Why not a bootstrap:
    docs/decisions/0003-interval-of-a-ratio.md.

    Raises ValueError for NaN or infinity, values that are not positive, empty or (paired) unequal samples,
    or a level outside (0, 1).
    """
    first, second = as_pairs(a, b) if paired else (as_sample(a, "a"), as_sample(b, "b"))
    check_between_0_and_1(level, "level")
    if first.min() <= 0 or second.min() <= 0:
        raise ValueError("a ratio needs positive values in a and b")
    point = mean_of(second) / mean_of(first)
    if min(first.size, second.size) < 2:
        return Interval(point, None, None, level)
    error, degrees = (_paired_error if paired else _two_sample_error)(_deviations(first), _deviations(second))
    half_width = 0.0 if error == 0 else float(stdtrit(degrees, (1 + level) / 2)) * error
    if half_width > LARGEST_LOG:
        return Interval(point, None, None, level)
    return Interval(point, point * math.exp(-half_width), point * math.exp(half_width), level)


def _deviations(sample: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each value's deviation from the mean, relative to the mean: its share in the error of the log of the mean."""
    mean = mean_of(sample)
    return (sample - mean) / mean


def _paired_error(u: NDArray[np.float64], v: NDArray[np.float64]) -> tuple[float, float]:
    """Standard error of log mean(b) - log mean(a) and its degrees of freedom, for blocks."""
    return float(np.std(v - u, ddof=1)) / math.sqrt(u.size), u.size - 1


def _two_sample_error(u: NDArray[np.float64], v: NDArray[np.float64]) -> tuple[float, float]:
    """Standard error of log mean(b) - log mean(a) and its degrees of freedom, for independent samples."""
    of_a, of_b = float(np.var(u, ddof=1)) / u.size, float(np.var(v, ddof=1)) / v.size
    if of_a + of_b == 0:
        return 0.0, 1.0
    share = of_a / (of_a + of_b)  # a share, not squares of squares, so that small variances do not underflow
    return math.sqrt(of_a + of_b), 1 / (share**2 / (u.size - 1) + (1 - share) ** 2 / (v.size - 1))
