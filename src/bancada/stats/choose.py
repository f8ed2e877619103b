# SPDX-License-Identifier: Apache-2.0
"""Which test a study will use, decided by its plan alone, before there are data to be tempted by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bancada.stats.checks import check_between_0_and_1, check_count
from bancada.stats.ranks import smallest_p_rank_sum, smallest_p_signed_rank
from bancada.stats.sample_size import blocks_for_test


@dataclass(frozen=True, slots=True)
class ChosenTest:
    """The test chosen for every comparison of a study, and whether it can succeed at all."""

    name: Literal["signed-rank", "rank-sum"]
    """The test to use."""
    smallest_p: float
    """Its smallest exact two-sided p with these blocks, before Holm's correction."""
    can_reach: bool
    """Whether that p times the size of the family is at most alpha; if not, every comparison must stay undecided."""
    needed_n: int
    """Fewest blocks with which a test (the rank-sum test, which needs fewer) could reach alpha after Holm."""


def choose_test(n_pairs: int, family_size: int, alpha: float = 0.05) -> ChosenTest:
    """Signed-rank where n_pairs blocks let it reach alpha after Holm's correction, rank-sum otherwise.

    `n_pairs`: blocks planned, at least 1; `family_size`: comparisons that Holm's correction covers, at least 1;
    `alpha`: significance level, between 0 and 1.

    The signed-rank test uses the pairing by blocks but cannot give less than 2 / 2^n. The rank-sum test goes down to
    2 / C(2n, n) and ignores the pairing. That is conservative when block effects are positive, as those of a warm or a
    busy hour are, which lift or lower all stacks of a block together: the covariance within blocks narrows the
    difference while the null distribution assumes none (Hollander, Pledger & Lin 1974, "Robustness of the Wilcoxon
    test to a certain dependency between samples", Annals of Statistics 2(1)). It loses power, it does not invent
    differences; were trials of a block to hurt one another (negative covariance), it would. As n and the family are
    known before the first trial, the choice cannot follow the data.
    Raises ValueError for a size below 1 or an alpha outside (0, 1).
    """
    check_count(n_pairs, "n_pairs", at_least=1)
    check_count(family_size, "family_size", at_least=1)
    check_between_0_and_1(alpha, "alpha")
    needed = blocks_for_test(family_size, alpha).rank_sum
    signed = smallest_p_signed_rank(n_pairs)
    if signed * family_size <= alpha:
        return ChosenTest("signed-rank", signed, can_reach=True, needed_n=needed)
    unpaired = smallest_p_rank_sum(n_pairs, n_pairs)
    return ChosenTest("rank-sum", unpaired, can_reach=unpaired * family_size <= alpha, needed_n=needed)
