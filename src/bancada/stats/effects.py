# SPDX-License-Identifier: Apache-2.0
"""Sizes of a difference that stand beside its p-value: by how much, and how often."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from bancada.stats.checks import Values, as_pairs, as_sample, check_between_0_and_1
from bancada.stats.interval import Interval
from bancada.stats.null_distributions import rank_sum_probabilities, signed_rank_probabilities
from bancada.stats.ranks import EXACT_UP_TO

Magnitude = Literal["negligible", "small", "medium", "large"]

MAGNITUDES: tuple[tuple[float, Magnitude], ...] = ((0.147, "negligible"), (0.33, "small"), (0.474, "medium"))
"""Upper bounds (exclusive) of |delta|, by Romano et al. (2006); beyond the last it is large."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Cliff's delta and the usual word for its size."""

    delta: float
    """P(b > a) - P(b < a), from -1 (every b is below every a) to 1 (every b is above every a)."""
    magnitude: Magnitude
    """Word for |delta|."""


def hodges_lehmann(a: Values, b: Values, level: float = 0.95) -> Interval:
    """By how much b is shifted against a (b - a), in their unit: the median of all differences, with its interval.

    `a`, `b`: independent samples of at least one finite number each; `level`: confidence level, between 0 and 1. The
    interval is the exact one that inverts the rank-sum test, for two distributions of equal shape: it holds the shift
    with at least the level asked for, with ties too. Its ends are None where the samples are too small for the level
    (R then gives an interval of another level). Hodges & Lehmann (1963); Hollander & Wolfe (1999), sections 4.2-4.3.
    Beyond EXACT_UP_TO values the order statistics are chosen by the normal approximation. Memory grows with the
    product of the sizes: this is for trials, not for requests.
    Raises ValueError for an empty sample, NaN or infinity, or a level outside (0, 1).
    """
    first, second = as_sample(a, "a"), as_sample(b, "b")
    check_between_0_and_1(level, "level")
    n_a, n_b = first.size, second.size
    n, small = n_a + n_b, min(n_a, n_b)
    differences = np.sort(np.subtract.outer(second, first).ravel())
    if n > EXACT_UP_TO:
        return _between_order_statistics(differences, _normal_rank(n_a * n_b, n_a * n_b * (n + 1) / 12, level), level)
    probabilities = rank_sum_probabilities(np.arange(1, n + 1), small)[small * (small + 1) // 2 :]
    return _between_order_statistics(differences, _exact_rank(probabilities, level), level)


def hodges_lehmann_paired(a: Values, b: Values, level: float = 0.95) -> Interval:
    """By how much b is shifted against a within blocks (b - a), in their unit: the median of all Walsh averages.

    `a`, `b`: equally many (at least one) finite numbers, the i-th of both from one block; `level`: confidence level,
    between 0 and 1. Walsh averages are the means of every two differences, each with itself too; differences of 0
    count. The interval is the exact one that inverts the signed-rank test, for symmetric differences; its ends are
    None where the pairs are too few for the level. Hollander & Wolfe (1999), sections 3.2-3.3. Beyond EXACT_UP_TO pairs
    the order statistics are chosen by the normal approximation.
    Raises ValueError for empty or unequal samples, NaN or infinity, or a level outside (0, 1).
    """
    first, second = as_pairs(a, b)
    check_between_0_and_1(level, "level")
    n = first.size
    differences = second - first
    i, j = np.triu_indices(n)
    walsh = np.sort((differences[i] + differences[j]) / 2)
    if n > EXACT_UP_TO:
        return _between_order_statistics(walsh, _normal_rank(walsh.size, n * (n + 1) * (2 * n + 1) / 24, level), level)
    return _between_order_statistics(walsh, _exact_rank(signed_rank_probabilities(np.arange(1, n + 1)), level), level)


def cliffs_delta(a: Values, b: Values) -> Effect:
    """How much more often b is above a than below it: positive when b tends to be greater.

    `a`, `b`: at least one finite number each, of one unit. Cliff (1993), "Dominance statistics: ordinal analyses to
    answer ordinal questions", Psychological Bulletin 114(3); words by Romano, Kromrey, Coraggio & Skowronek (2006).
    Raises ValueError for an empty sample, NaN or infinity.
    """
    first, second = np.sort(as_sample(a, "a")), as_sample(b, "b")
    below = int(np.searchsorted(first, second, side="left").sum())
    above = int(first.size * second.size - np.searchsorted(first, second, side="right").sum())
    delta = (below - above) / (first.size * second.size)
    magnitude: Magnitude = next((word for bound, word in MAGNITUDES if abs(delta) < bound), "large")
    return Effect(delta, magnitude)


def _exact_rank(probabilities: NDArray[np.float64], level: float) -> int:
    """The greatest k for which the k-th smallest and k-th largest are ends of at least the level; 0 if none."""
    tail = 2 * np.cumsum(probabilities)
    return int(np.count_nonzero(tail <= (1 - level) * (1 + 1e-12)))  # a level that is reached exactly is reached


def _normal_rank(count: int, variance: float, level: float) -> int:
    """The same by the normal approximation (Hollander & Wolfe 1999, sections 3.3 and 4.3), rounded outwards."""
    return max(0, math.floor(count / 2 - float(ndtri((1 + level) / 2)) * math.sqrt(variance)))


def _between_order_statistics(ordered: NDArray[np.float64], k: int, level: float) -> Interval:
    """The median of sorted values, between the k-th smallest and the k-th largest; no ends when k is 0."""
    point = float(np.median(ordered))
    if k == 0:
        return Interval(point, None, None, level)
    return Interval(point, float(ordered[k - 1]), float(ordered[-k]), level)
