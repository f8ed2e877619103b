# SPDX-License-Identifier: Apache-2.0
"""The geometry of the small dot-and-whisker plots inside the tables of verdicts: ratios on a common log axis.

They are drawn by the page itself and not by Altair because each must stand in its row of the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bancada.model.findings import Bounds

_PADDING = 0.06
_TICKS = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.9, 0.95, 0.98, 1.0)
_LEAST_GAP = 13.0


@dataclass(frozen=True)
class Whisker:
    """One ratio, drawn: positions in per cent of the width."""

    dot: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Axis:
    """A log axis of ratios that all rows of a table share."""

    low: float
    high: float
    margin: float
    """Ratios closer to 1 than this are equivalent."""
    gap: float = _LEAST_GAP
    """Per cent of the width that two tick labels must be apart."""

    def place(self, ratio: float) -> float:
        """Where a ratio lies, in per cent of the width."""
        span = math.log(self.high) - math.log(self.low)
        return round((math.log(ratio) - math.log(self.low)) / span * 100, 2)

    @property
    def band(self) -> tuple[float, float]:
        """The equivalence margin's begin and width: from 1 / (1 + margin) to 1 + margin, as `stats.verdict` has it."""
        begin = self.place(1 / (1 + self.margin))
        return begin, round(self.place(1 + self.margin) - begin, 2)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Place and label of each tick, 1 always among them, none so near another that labels would touch."""
        chosen = [1.0]
        candidates = {*_TICKS, *(round(1 / each, 2) for each in _TICKS)} - {1.0}
        inside = (each for each in candidates if 4 <= self.place(each) <= 96)
        for tick in sorted(inside, key=lambda each: -abs(math.log(each))):
            if all(abs(self.place(tick) - self.place(other)) >= self.gap for other in chosen):
                chosen.append(tick)
        return tuple((self.place(tick), f"{tick:g}") for tick in sorted(chosen))

    def whisker(self, ratio: Bounds) -> Whisker | None:
        """The drawing of one ratio, or None if it cannot be drawn on a log axis."""
        if not _drawable(ratio.point):
            return None
        low, high = (self.place(end) if end is not None and _drawable(end) else None for end in (ratio.low, ratio.high))
        return Whisker(self.place(ratio.point), low, high)


def axis_for(ratios: Iterable[Bounds | None], margin: float) -> Axis:
    """The axis on which all these ratios, 1 and the margin have room."""
    ends = [end for ratio in ratios if ratio for end in (ratio.low, ratio.point, ratio.high) if end is not None]
    shown: Sequence[float] = [*filter(_drawable, ends), 1 / (1 + 2 * margin), 1 + 2 * margin]
    low, high = math.log(min(shown)), math.log(max(shown))
    room = (high - low) * _PADDING
    return Axis(math.exp(low - room), math.exp(high + room), margin)


def _drawable(value: float) -> bool:
    return math.isfinite(value) and value > 0
