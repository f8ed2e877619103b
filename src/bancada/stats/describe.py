# SPDX-License-Identifier: Apache-2.0
"""Mean with its interval, spread, and quantiles of one sample."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from bancada.stats.checks import Values, as_sample, check_between_0_and_1


@dataclass(frozen=True, slots=True)
class Description:
    """What one sample says about itself; every field in the unit of the values (variance: squared)."""

    n: int
    """How many values."""
    mean: float
    """Arithmetic mean."""
    low: float | None
    """Lower end of Student's t interval of the mean; None when n = 1."""
    high: float | None
    """Upper end of Student's t interval of the mean; None when n = 1."""
    sd: float | None
    """Sample standard deviation (divisor n - 1); None when n = 1."""
    variance: float | None
    """Sample variance (divisor n - 1); None when n = 1."""
    minimum: float
    """Smallest value."""
    q1: float
    """First quartile, Hyndman and Fan's type 7."""
    median: float
    """Second quartile."""
    q3: float
    """Third quartile, Hyndman and Fan's type 7."""
    maximum: float
    """Largest value."""


def describe(values: Values, level: float = 0.95) -> Description:
    """Mean, Student's t interval of the mean, standard deviation and the five-number summary.

    `values`: one or more finite numbers of one unit; `level`: confidence level, between 0 and 1. The interval is
    mean ± t(n - 1, (1 + level) / 2) · sd / √n (Student 1908; Jain 1991, "The Art of Computer Systems Performance
    Analysis", section 13.2). With one value the interval and the spread are None: one value tells nothing of either.
    Raises ValueError for no value, NaN or infinity, or a level outside (0, 1).
    """
    sample = as_sample(values)
    check_between_0_and_1(level, "level")
    minimum, q1, median, q3, maximum = quantiles_of_sorted(np.sort(sample), (0, 0.25, 0.5, 0.75, 1))
    n, mean = sample.size, mean_of(sample)
    low = high = sd = variance = None
    if n >= 2:
        variance = math.fsum((sample - mean) ** 2) / (n - 1)
        sd = math.sqrt(variance)
        half_width = float(stdtrit(n - 1, (1 + level) / 2)) * sd / math.sqrt(n)
        low, high = mean - half_width, mean + half_width
    return Description(n, mean, low, high, sd, variance, minimum, q1, median, q3, maximum)


def mean_of(sample: NDArray[np.float64]) -> float:
    """The arithmetic mean of a checked sample, summed without rounding error.

    Never outside the sample's range, so that equal values have a spread of exactly 0.
    """
    return float(np.clip(math.fsum(sample) / sample.size, sample.min(), sample.max()))


def quantile(values: Values, q: float) -> float:
    """The q-quantile (q from 0 to 1), in the unit of the values.

    Type 7 of Hyndman and Fan (1996), "Sample quantiles in statistical packages", The American Statistician 50(4):
    linear between order statistics, the default of R and NumPy.
    Raises ValueError for no value, NaN or infinity, or q outside [0, 1].
    """
    return quantiles_of_sorted(np.sort(as_sample(values)), (q,))[0]


def quantiles_of_sorted(ordered: NDArray[Any], qs: Sequence[float]) -> tuple[float, ...]:
    """Type 7 quantiles of an array that is already sorted, reading two of its elements per quantile.

    `ordered`: one-dimensional and ascending, integers or floats, of any length: nothing is copied, sorted or scanned,
    so quantiles of millions of latencies cost microseconds; `qs`: probabilities from 0 to 1. Same method as `quantile`.
    Raises ValueError for an empty array, NaN or infinity at either end (where sorting puts them), a q outside [0, 1],
    or elements read that are out of order; a disorder between the elements read goes unseen.
    """
    if ordered.ndim != 1 or ordered.size == 0:
        raise ValueError("ordered needs one row of at least one value")
    if not (np.isfinite(ordered[0]) and np.isfinite(ordered[-1])):
        raise ValueError("ordered holds NaN or infinity")
    found = tuple(_quantile_of_sorted(ordered, q) for q in qs)
    by_probability = [value for _, value in sorted(zip(qs, found, strict=True))]
    if any(later < earlier for earlier, later in itertools.pairwise(by_probability)):
        raise ValueError("ordered is not in ascending order")
    return found


def _quantile_of_sorted(ordered: NDArray[Any], q: float) -> float:
    """One type 7 quantile; the elements become floats before they are subtracted, as unsigned integers would wrap."""
    if not 0 <= q <= 1:
        raise ValueError(f"q must lie between 0 and 1, got {q}")
    position = (ordered.size - 1) * q
    below = math.floor(position)
    lower, upper = float(ordered[below]), float(ordered[min(below + 1, ordered.size - 1)])
    if upper < lower:
        raise ValueError("ordered is not in ascending order")
    return min(lower + (position - below) * (upper - lower), upper)
