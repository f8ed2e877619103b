# SPDX-License-Identifier: Apache-2.0
"""Randomised complete blocks: every block holds one trial of every cell, in random order.

A host drifts: it heats up, other programs come and go. With complete blocks in random order (Fisher 1935, The Design
of Experiments, ch. IV) the drift hits all cells alike instead of being taken for a property of one stack.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from bancada.model.base import NS_PER_S
from bancada.model.load import ClosedLoad, OpenLoad
from bancada.model.study import Study
from bancada.model.trial import Cell, TrialPlan

START_AND_STOP_NS = 5 * NS_PER_S
"""What a trial is assumed to take beside its loads, until the first trial has been timed."""


def combinations(study: Study) -> list[dict[str, str]]:
    """Every combination of what the study varies beside systems under test and loads; a single empty one if nothing."""
    return [dict(zip(study.varied, values, strict=True)) for values in itertools.product(*study.varied.values())]


def cells(study: Study, labels: Sequence[str]) -> tuple[Cell, ...]:
    """Cross systems under test × load profiles × factors, in the study's order."""
    return tuple(
        Cell(sut=label, load=load.name, factors=factors)
        for load in study.load
        for factors in combinations(study)
        for label in labels
    )


def plan(study: Study, labels: Sequence[str]) -> tuple[TrialPlan, ...]:
    """All trials in the order in which they run; the same study and labels give the same plan."""
    shuffler = random.Random(study.seed)
    all_cells = cells(study, labels)
    trials: list[TrialPlan] = []
    for block in range(1, study.blocks + 1):
        order = list(all_cells)
        shuffler.shuffle(order)
        trials += [
            TrialPlan(number=len(trials) + index, block=block, cell=cell, seed=_seed(study, block, cell))
            for index, cell in enumerate(order, start=1)
        ]
    return tuple(trials)


def _seed(study: Study, block: int, cell: Cell) -> int:
    # All systems under test of a block get the same requests, so the seed must not depend on the system under test.
    return random.Random(f"{study.seed}/{block}/{cell.load}/{sorted(cell.factors.items())}").getrandbits(48)


def expected_ns(study: Study, load_name: str) -> int:
    """How long a trial of this load profile will take, as far as can be known before it has run."""
    load = next(each for each in study.load if each.name == load_name)
    # With iterations the end depends on the server; a second after the ramp is a guess that the first trial corrects.
    closed_ns = load.duration or load.ramp_up + NS_PER_S if isinstance(load, ClosedLoad) else None
    measured_ns = load.duration_ns if isinstance(load, OpenLoad) else closed_ns or 0
    return START_AND_STOP_NS + study.warm_up + measured_ns
