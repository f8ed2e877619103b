# SPDX-License-Identifier: Apache-2.0
"""Which values are far from the others. They are shown, never removed.

That a value is far does not make it wrong: a trial slowed by a garbage collection is what the users would have met.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bancada.stats.checks import Values, as_sample
from bancada.stats.describe import quantiles_of_sorted

INNER = 1.5
"""Quartile ranges from the nearer quartile to Tukey's inner fence."""
OUTER = 3.0
"""Quartile ranges from the nearer quartile to Tukey's outer fence."""


@dataclass(frozen=True, slots=True)
class Fences:
    """Tukey's fences of a sample (in its unit) and the positions of the values beyond them."""

    outer_low: float
    """First quartile minus OUTER quartile ranges."""
    inner_low: float
    """First quartile minus INNER quartile ranges."""
    inner_high: float
    """Third quartile plus INNER quartile ranges."""
    outer_high: float
    """Third quartile plus OUTER quartile ranges."""
    mild: tuple[int, ...]
    """Positions (from 0) of the values outside the inner fences but not outside the outer ones."""
    far: tuple[int, ...]
    """Positions (from 0) of the values outside the outer fences."""


def tukey_fences(values: Values) -> Fences:
    """Which values lie outside Tukey's inner (mild) and outer (far) fences.

    `values`: at least one finite number. Tukey (1977), "Exploratory Data Analysis", section 2D, with type 7 quartiles
    instead of hinges. Of three values or fewer none can be outside; where three quarters of the values are equal the
    fences fall together, so that every other value is far. Raises ValueError for no value, NaN or infinity.
    """
    sample = as_sample(values)
    q1, q3 = quantiles_of_sorted(np.sort(sample), (0.25, 0.75))
    spread = q3 - q1
    outer_low, inner_low = q1 - OUTER * spread, q1 - INNER * spread
    inner_high, outer_high = q3 + INNER * spread, q3 + OUTER * spread
    far = (sample < outer_low) | (sample > outer_high)
    mild = ((sample < inner_low) | (sample > inner_high)) & ~far
    positions = tuple(tuple(int(i) for i in np.flatnonzero(where)) for where in (mild, far))
    return Fences(outer_low, inner_low, inner_high, outer_high, *positions)
