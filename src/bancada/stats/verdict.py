# SPDX-License-Identifier: Apache-2.0
"""From an interval and a p-value to one of four words."""

from __future__ import annotations

import math
from typing import Literal

from bancada.stats.checks import check_between_0_and_1
from bancada.stats.interval import Interval

Verdict = Literal["better", "worse", "equivalent", "undecided"]


def verdict(
    ratio: Interval, p_adjusted: float | None, *, alpha: float, margin: float, lower_is_better: bool
) -> Verdict:
    """What the evidence says of b, judged against a.

    `ratio`: interval of b / a; `p_adjusted`: p-value of the comparison after correction for its family, or None where
    there is none; `alpha`: significance level, between 0 and 1; `margin`: the difference that nobody would act upon, as
    a fraction (0.05: ratios from 1 / 1.05 to 1.05); `lower_is_better`: true for times, false for throughput.

    equivalent   the whole interval lies within [1 / (1 + margin), 1 + margin]: two one-sided tests by interval
                 inclusion (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15(6)). An interval of
                 level 1 - 2α tests at α; the 95 % interval used here makes it a test at 0.025, the careful side. It is
                 asked first: a difference that is sure but within the margin is no reason to choose.
    better/worse p_adjusted <= alpha, and the interval excludes 1.
    undecided    everything else, and whenever an end of the interval or the p-value is None: what is not known is
                 never a difference and never equivalence.

    Raises ValueError for NaN, an interval that is not above 0, a p-value outside [0, 1], an alpha outside (0, 1),
    or a margin that is negative or infinite.
    """
    check_between_0_and_1(alpha, "alpha")
    if not 0 <= margin < math.inf:
        raise ValueError(f"margin must be a finite number from 0 up, got {margin}")
    if p_adjusted is not None and not 0 <= p_adjusted <= 1:
        raise ValueError(f"p_adjusted must lie between 0 and 1, got {p_adjusted}")
    if ratio.low is None or ratio.high is None or p_adjusted is None:
        return "undecided"
    if not 0 < ratio.low <= ratio.high < math.inf:
        raise ValueError(f"the interval of a ratio must be finite and above 0, got {ratio.low} to {ratio.high}")
    if 1 / (1 + margin) <= ratio.low and ratio.high <= 1 + margin:
        return "equivalent"
    if p_adjusted > alpha or ratio.low <= 1 <= ratio.high:
        return "undecided"
    return "better" if (ratio.high < 1) == lower_is_better else "worse"
