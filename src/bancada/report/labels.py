# SPDX-License-Identifier: Apache-2.0
"""Names in charts: shortened where they are too long, and moved apart where they would cover each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Label:
    """A name at a height; heights grow downwards, in pixels."""

    text: str
    height: float


def shortened(name: str, most: int) -> str:
    """A name of at most so many signs, its middle left out: it is known by its beginning, and differs at its end."""
    if len(name) <= most:
        return name
    head = (most - 1) // 2
    return f"{name[:head]}…{name[head + 1 - most :]}"


def spread_labels(labels: Sequence[Label], line_height: float, lowest: float) -> tuple[Label, ...]:
    """The labels, each as near its height as can be, `line_height` apart and between 0 and `lowest`.

    Labels that collide are moved as one block around their common middle, so that order is kept.
    """
    blocks: list[list[Label]] = []
    tops: list[float] = []
    for label in sorted(labels, key=lambda each: each.height):
        blocks.append([label])
        tops.append(_top(blocks[-1], line_height, lowest))
        while len(blocks) > 1 and tops[-1] < tops[-2] + line_height * len(blocks[-2]):
            last = blocks.pop()
            tops.pop()
            blocks[-1] = [*blocks[-1], *last]
            tops[-1] = _top(blocks[-1], line_height, lowest)
    return tuple(
        replace(label, height=top + line_height * place)
        for block, top in zip(blocks, tops, strict=True)
        for place, label in enumerate(block)
    )


def _top(block: Sequence[Label], line_height: float, lowest: float) -> float:
    """Height of the block's first label when its middle is where its labels want to be."""
    extent = line_height * (len(block) - 1)
    wanted = sum(label.height for label in block) / len(block) - extent / 2
    return max(0.0, min(wanted, lowest - extent))
