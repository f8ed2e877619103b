# SPDX-License-Identifier: Apache-2.0
"""Wilcoxon's two tests, exact where trials are few, and the smallest p that a number of trials can give.

Statistics are R's and SciPy's (W and V, large when `a` is large), so that a reader can check them there.
The samples are trials (restarts of the server), never requests of one trial.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from bancada.stats.checks import Values, as_pairs, as_sample, check_count
from bancada.stats.null_distributions import rank_sum_probabilities, signed_rank_probabilities

EXACT_UP_TO = 100
"""Observations (rank-sum: of both samples; signed-rank: differences that are not 0) up to which p is exact."""

SIGNIFICANT_DIGITS = 12
"""Differences closer than this, relative to the largest value, are tied: 1.3 - 0.2 and 1.2 - 0.1 differ by rounding."""

Method = Literal["exact", "normal"]


@dataclass(frozen=True, slots=True)
class RankTest:
    """Wilcoxon's rank-sum test (Mann and Whitney's U) of two independent samples."""

    statistic: float
    """W: pairs (one of a, one of b) in which a is greater, ties counting one half; from 0 to n_a · n_b."""
    p: float
    """Two-sided p-value, from 0 to 1."""
    n_a: int
    """Trials in a."""
    n_b: int
    """Trials in b."""
    ties: int
    """How many of all values are equal to another one."""
    method: Method
    """"exact", or "normal" for the approximation used beyond EXACT_UP_TO values."""


@dataclass(frozen=True, slots=True)
class SignedRankTest:
    """Wilcoxon's signed-rank test of pairs."""

    statistic: float
    """V: sum of the ranks of those differences a - b that are positive; from 0 to n (n + 1) / 2."""
    p: float
    """Two-sided p-value, from 0 to 1; 1 when every difference is 0."""
    n: int
    """Pairs tested: those whose difference is not 0."""
    zeros: int
    """Pairs dropped because their difference is 0."""
    ties: int
    """How many of the tested absolute differences are equal to another one."""
    method: Method
    """"exact", or "normal" for the approximation used beyond EXACT_UP_TO pairs."""


def rank_sum(a: Values, b: Values) -> RankTest:
    """Two-sided rank-sum test that a and b come from one distribution.

    `a`, `b`: at least one finite number each, of one unit. Up to EXACT_UP_TO values the p-value is exact, conditional
    on the ties: the probability, over all ways to deal the observed mid-ranks to the two samples, of a rank sum at
    least as far from its mean (Streitberg & Röhmel 1986). Beyond, the normal approximation with tie correction and
    continuity correction (Hollander & Wolfe 1999, section 4.1). Without ties equal to R's wilcox.test.
    Raises ValueError for an empty sample, NaN or infinity.
    """
    first, second = as_sample(a, "a"), as_sample(b, "b")
    n_a, n_b = first.size, second.size
    doubled = _doubled_ranks(np.concatenate([first, second]))
    repeats = _repeats(doubled)
    excess = int(doubled[:n_a].sum()) - n_a * (n_a + n_b + 1)  # twice the rank sum of a, minus twice its mean
    exact = n_a + n_b <= EXACT_UP_TO
    p = _exact_rank_sum_p(doubled, min(n_a, n_b), excess) if exact else _normal_rank_sum_p(n_a, n_b, repeats, excess)
    statistic = (excess + n_a * n_b) / 2
    return RankTest(statistic, p, n_a, n_b, _tied(repeats), "exact" if exact else "normal")


def signed_rank(a: Values, b: Values) -> SignedRankTest:
    """Two-sided signed-rank test that the differences of pairs are symmetric about 0.

    `a`, `b`: equally many (at least one) finite numbers of one unit; the i-th of both belong to one block. Differences
    of 0 are dropped and counted, as Wilcoxon (1945) did and R does. Up to EXACT_UP_TO remaining pairs the p-value is
    exact, conditional on the ties (Streitberg & Röhmel 1986); beyond, the normal approximation with tie correction and
    continuity correction (Hollander & Wolfe 1999, section 3.1).
    Raises ValueError for empty or unequal samples, NaN or infinity.
    """
    first, second = as_pairs(a, b)
    differences = rounded_differences(first, second)
    kept = differences[differences != 0]
    zeros = differences.size - kept.size
    if kept.size == 0:
        return SignedRankTest(0.0, 1.0, 0, zeros, 0, "exact")
    doubled = _doubled_ranks(np.abs(kept))
    repeats = _repeats(doubled)
    positive = int(doubled[kept > 0].sum())
    exact = kept.size <= EXACT_UP_TO
    p = _exact_signed_rank_p(doubled, positive) if exact else _normal_signed_rank_p(kept.size, repeats, positive)
    return SignedRankTest(positive / 2, p, kept.size, zeros, _tied(repeats), "exact" if exact else "normal")


def smallest_p_rank_sum(n_a: int, n_b: int) -> float:
    """The smallest two-sided exact p that a rank-sum test of n_a against n_b trials can give: 2 / C(n_a + n_b, n_a).

    Reached when one sample lies wholly above the other, without ties. Raises ValueError for a size below 1.
    """
    check_count(n_a, "n_a", at_least=1)
    check_count(n_b, "n_b", at_least=1)
    return min(1.0, 2 / math.comb(n_a + n_b, n_a))


def smallest_p_signed_rank(n: int) -> float:
    """The smallest two-sided exact p that a signed-rank test of n pairs can give: 2 / 2^n.

    Reached when all differences have one sign. Raises ValueError for n below 1.
    """
    check_count(n, "n", at_least=1)
    return 2.0 ** (1 - n)


def rounded_differences(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """The differences a - b over the largest absolute value of both, without the digits that only rounding made."""
    scale = max(np.abs(a).max(), np.abs(b).max())
    return np.round((a - b) / scale, SIGNIFICANT_DIGITS) if scale > 0 else a - b


def _doubled_ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Twice the mid-ranks, which are whole numbers."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    doubled: NDArray[np.int64] = (2 * np.cumsum(counts) - counts + 1)[place].astype(np.int64)
    return doubled


def _repeats(doubled: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each distinct rank occurs."""
    return np.unique(doubled, return_counts=True)[1]


def _tied(repeats: NDArray[np.int64]) -> int:
    """How many values share their rank with another."""
    return int(repeats[repeats > 1].sum())


def _exact_rank_sum_p(doubled: NDArray[np.int64], size: int, excess: int) -> float:
    """Two-sided p; the excesses of the two samples are opposite, so the smaller sample may stand for either."""
    probabilities = rank_sum_probabilities(doubled, size)
    distance = np.abs(np.arange(probabilities.size) - size * (doubled.size + 1))
    return min(1.0, float(probabilities[distance >= abs(excess)].sum()))


def _exact_signed_rank_p(doubled: NDArray[np.int64], positive: int) -> float:
    """Two-sided p of a doubled sum of positive ranks; its null distribution is symmetric."""
    probabilities = signed_rank_probabilities(doubled)
    distance = np.abs(2 * np.arange(probabilities.size) - doubled.sum())
    return min(1.0, float(probabilities[distance >= abs(2 * positive - doubled.sum())].sum()))


def _normal_rank_sum_p(n_a: int, n_b: int, repeats: NDArray[np.int64], excess: int) -> float:
    """Normal approximation to the p of a doubled excess of the rank sum."""
    n = n_a + n_b
    cubes = float((repeats.astype(np.float64) ** 3 - repeats).sum())
    variance = n_a * n_b / 12 * (n + 1 - cubes / (n * (n - 1)))
    return _normal_p(abs(excess) / 2, variance)


def _normal_signed_rank_p(n: int, repeats: NDArray[np.int64], positive: int) -> float:
    """Normal approximation to the p of a doubled sum of positive ranks."""
    cubes = float((repeats.astype(np.float64) ** 3 - repeats).sum())
    variance = n * (n + 1) * (2 * n + 1) / 24 - cubes / 48
    return _normal_p(abs(positive / 2 - n * (n + 1) / 4), variance)


def _normal_p(distance: float, variance: float) -> float:
    """Two-sided p of a distance from the mean, with a continuity correction of one half."""
    if variance <= 0 or distance <= 0.5:
        return 1.0
    return float(2 * ndtr(-(distance - 0.5) / math.sqrt(variance)))
