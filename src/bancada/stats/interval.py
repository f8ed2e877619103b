# SPDX-License-Identifier: Apache-2.0
"""An estimate is never a bare number: it carries its interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval, in the unit of what was estimated."""

    point: float
    """The estimate."""
    low: float | None
    """Lower end; None when the sample is too small to give one at this level."""
    high: float | None
    """Upper end; None when the sample is too small to give one at this level."""
    level: float
    """Confidence level asked for, between 0 and 1."""

    def __post_init__(self) -> None:
        """Raise ValueError unless the ends are both known or both unknown, and in order."""
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has both ends or neither")
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise ValueError(f"the ends of an interval must be in order, got {self.low} and {self.high}")
        if not 0 < self.level < 1:
            raise ValueError(f"level must lie strictly between 0 and 1, got {self.level}")
