# SPDX-License-Identifier: Apache-2.0
"""Exact distributions of rank statistics when there is no difference, ties included.

The shift algorithm of Streitberg & Röhmel (1986), "Exact distributions for permutation and rank tests: an introduction
to some recently published algorithms", Statistical Software Newsletter 12: add the ranks one at a time, each shifting
the counts of the sums reached so far. Mid-ranks of tied values are halves, so callers pass doubled ranks.
Counts are float64: sums of positive numbers, so exact to about 1e-14 where they outgrow integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def rank_sum_probabilities(ranks: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Probability of each sum (index) of `size` ranks drawn from all `ranks` without replacement.

    `ranks`: positive integers; `size`: from 0 to their number. Costs len(ranks) · size · sum(ranks) additions.
    """
    total = int(ranks.sum())
    counts = np.zeros((size + 1, total + 1))
    counts[0, 0] = 1
    for rank in ranks:
        counts[1:, rank:] += counts[:-1, : total + 1 - rank]
    return np.asarray(counts[size] / counts[size].sum())


def signed_rank_probabilities(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Probability of each sum (index) of those `ranks` (positive integers) that get a plus, signs being fair coins."""
    total = int(ranks.sum())
    probabilities = np.zeros(total + 1)
    probabilities[0] = 1
    for rank in ranks:
        probabilities[rank:] += probabilities[: total + 1 - rank]
        probabilities /= 2
    return probabilities
