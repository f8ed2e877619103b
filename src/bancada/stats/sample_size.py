# SPDX-License-Identifier: Apache-2.0
"""How many trials does an answer need? Asked before they are run."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from scipy.special import ndtri, stdtrit

from bancada.stats.checks import check_between_0_and_1, check_count
from bancada.stats.ranks import smallest_p_rank_sum, smallest_p_signed_rank


@dataclass(frozen=True, slots=True)
class BlocksForTest:
    """Fewest blocks with which each test can, at its clearest, fall below alpha after Holm's correction."""

    rank_sum: int
    """Blocks for the rank-sum test, that is trials of each of the two sides."""
    signed_rank: int
    """Blocks for the signed-rank test."""


def trials_for_half_width(cv: float, relative_half_width: float, level: float = 0.95) -> int:
    """Fewest trials for which Student's interval of the mean is expected to be within ± relative_half_width of it.

    `cv`: standard deviation over mean, from a pilot or an earlier run, as a fraction (0.03 is 3 %);
    `relative_half_width`: wanted half-width over mean, as a fraction; `level`: confidence level, between 0 and 1.
    The smallest n >= 2 with t(n - 1) · cv / √n <= relative_half_width: Jain (1991), section 13.9.1, with t for z,
    which matters below 30 trials. It plans for the cv given: the spread that is then observed differs, so about half
    of such studies end a little wider.
    Raises ValueError for a negative or infinite cv, a half-width that is not above 0, or a level outside (0, 1).
    """
    check_between_0_and_1(level, "level")
    if not 0 <= cv < math.inf:
        raise ValueError(f"cv must be a finite number from 0 up, got {cv}")
    if not 0 < relative_half_width < math.inf:
        raise ValueError(f"relative_half_width must be a finite number above 0, got {relative_half_width}")
    z_based = math.ceil((float(ndtri((1 + level) / 2)) * cv / relative_half_width) ** 2)  # t needs no fewer
    return next(n for n in itertools.count(max(2, z_based)) if _half_width(cv, n, level) <= relative_half_width)


def blocks_for_test(family_size: int, alpha: float = 0.05) -> BlocksForTest:
    """Fewest blocks with which the rank-sum and the signed-rank test can reach alpha in a family of tests.

    `family_size`: number of tests that Holm's correction covers, at least 1; `alpha`: significance level, between 0
    and 1. It asks for the smallest exact two-sided p of either test (complete separation, no ties) to be at most
    alpha / family_size, Holm's first step. Fewer blocks make a significant result impossible; these many make it only
    possible. Raises ValueError for a family below 1 or an alpha outside (0, 1).
    """
    check_count(family_size, "family_size", at_least=1)
    check_between_0_and_1(alpha, "alpha")
    return BlocksForTest(
        rank_sum=next(n for n in itertools.count(1) if smallest_p_rank_sum(n, n) * family_size <= alpha),
        signed_rank=next(n for n in itertools.count(1) if smallest_p_signed_rank(n) * family_size <= alpha),
    )


def _half_width(cv: float, n: int, level: float) -> float:
    """Half-width of Student's interval relative to the mean."""
    return float(stdtrit(n - 1, (1 + level) / 2)) * cv / math.sqrt(n)
