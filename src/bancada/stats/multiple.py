# SPDX-License-Identifier: Apache-2.0
"""Many tests at once: keep the chance of even one false alarm at the level of one test."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for being a family, in their order: reject where adjusted p <= alpha.

    The i-th smallest of m is multiplied by m - i + 1, is never below a smaller one's, and never above 1. Controls the
    family-wise error rate whatever the dependence of the tests. Holm (1979), "A simple sequentially rejective multiple
    test procedure", Scandinavian Journal of Statistics 6(2); same as R's p.adjust(method = "holm").
    An empty family gives an empty list. Raises ValueError for NaN or a p-value outside [0, 1].
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("p-values must lie between 0 and 1")
    adjusted = [0.0] * len(p_values)
    floor = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        floor = max(floor, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = floor
    return adjusted
