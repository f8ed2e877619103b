# SPDX-License-Identifier: Apache-2.0
"""Is a series still moving inside the window that is supposed to be steady?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bancada.stats.checks import Values, as_pairs, check_between_0_and_1

FEWEST_POINTS = 8
"""Below this many points the answer is "unknown"."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The trend of a series within its window."""

    relative_change: float | None
    """Change from the first to the last instant along the trend, over the median; None when there is no trend."""
    p: float | None
    """Two-sided Mann-Kendall p-value; None with fewer than FEWEST_POINTS points."""
    drifting: bool | None
    """Whether the change is both large and hard to explain by chance; None where that is unknown."""


def drift(at_s: Values, values: Values, *, largest_change: float = 0.05, alpha: float = 0.01) -> Drift:
    """Whether a series (throughput per second, say) is still rising or falling within the measured window.

    `at_s`: instants in seconds, strictly increasing; `values`: what was measured at each, at least one, of any unit;
    `largest_change`: fraction of the median up to which a trend is tolerated; `alpha`: significance level of the trend.
    Drifting means |relative_change| > largest_change and p < alpha.

    The change is the Theil-Sen slope (median slope of all pairs: Sen 1968, JASA 63, 1379-1389) times the duration; p is
    that of Kendall's tau between instants and values, the Mann-Kendall test (Mann 1945; Kendall 1975): exact up to 33
    points without ties, else normal with tie correction. With fewer than FEWEST_POINTS points p and drifting are None;
    relative_change is None with one point or a median that is not above 0.

    Seconds of one trial are autocorrelated, which makes p too small: stationary noise with a lag-1 correlation of 0.5
    is below 0.01 in 12 of 100 series of 60 points, with 0.8 in 37 (simulated). Hence the second condition, which
    leaves 0 and 3 of 100 when the noise has a coefficient of variation of 2 %, but 11 and 35 when it has 5 %: average
    noisy seconds to coarser points first. The usual corrections of the variance are not made, as they take the bend of
    a warm-up curve for correlation and so hide the very drift looked for; a false alarm costs a caution, not a trial.
    A series that rises and falls again has no trend, and may still not be steady.

    Raises ValueError for NaN, an empty series, unequal lengths, instants out of order, or thresholds out of range.
    """
    instants, series = as_pairs(at_s, values)
    check_between_0_and_1(alpha, "alpha")
    if not 0 <= largest_change < np.inf:
        raise ValueError(f"largest_change must be a finite number from 0 up, got {largest_change}")
    if (np.diff(instants) <= 0).any():
        raise ValueError("at_s must be strictly increasing")
    change = _relative_change(instants, series)
    p = _mann_kendall_p(series) if series.size >= FEWEST_POINTS else None
    drifting = None if change is None or p is None else abs(change) > largest_change and p < alpha
    return Drift(change, p, drifting)


def _relative_change(instants: NDArray[np.float64], series: NDArray[np.float64]) -> float | None:
    """Theil-Sen slope times the duration, over the median."""
    median = float(np.median(series))
    if series.size < 2 or median <= 0:
        return None
    slopes = np.concatenate(
        [(series[lag:] - series[:-lag]) / (instants[lag:] - instants[:-lag]) for lag in range(1, series.size)]
    )
    return float(np.median(slopes)) * float(instants[-1] - instants[0]) / median


def _mann_kendall_p(series: NDArray[np.float64]) -> float:
    """Two-sided p of no trend; a series of equal values has none."""
    if series.min() == series.max():
        return 1.0
    # All of scipy.stats takes over a second to load, which no command should wait for that needs nothing of it.
    from scipy.stats import kendalltau

    return float(kendalltau(np.arange(series.size), series).pvalue)
