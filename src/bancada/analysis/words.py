# SPDX-License-Identifier: Apache-2.0
"""Figures and names as sentences need them."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.model.metric import Metric
from bancada.model.quantities import number
from bancada.model.trial import Cell

NOUNS = {
    "apdex": "Apdex",
    "received_bytes_per_s": "rate of received bytes",
    "sent_bytes_per_s": "rate of sent bytes",
    "error_share": "share of failed requests",
    "threads_peak": "peak number of threads",
    "startup_ns": "time from start to first answer",
}
"""Metrics whose label does not fit into a sentence."""


def per_cent(share: float) -> str:
    """A share with three digits: 0.0425 → `4.25 %`."""
    return f"{100 * share:.3g} %" if abs(share) < 10 else f"{100 * share:.0f} %"


def shown(value: float, metric: Metric) -> str:
    """A stored value in the readers' unit: 5400000 of a time in nanoseconds → `5.4 ms`."""
    return f"{number(value * metric.scale, 3)} {metric.unit}".strip()


def counted(count: int, thing: str) -> str:
    """`1 block`, `3 blocks`."""
    return f"{count} {thing}" + ("" if count == 1 else "s")


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def noun(metric: Metric) -> str:
    """A metric's name within a sentence: `Response time, mean` → `mean response time`."""
    if metric.name in NOUNS:
        return NOUNS[metric.name]
    thing, _, which = metric.label.partition(", ")
    lowered = thing if thing[1].isupper() else thing[0].lower() + thing[1:]
    return f"{which} {lowered}".strip()


def condition(cell: Cell) -> str:
    """The load and factors of a cell: `20 users, CACHE=on`."""
    return ", ".join([cell.load, *(f"{name}={value}" for name, value in cell.factors.items())])
