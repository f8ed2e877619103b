# SPDX-License-Identifier: Apache-2.0
"""What tables of measured and printed figures are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bancada.analysis.replication.requests import Figures
from bancada.model.findings import Bounds
from bancada.model.study import Study
from bancada.model.tables import Figure
from bancada.model.trial import Cell
from bancada.stats import describe
from bancada.store.read import StoredTrial

NOT_PRINTED = "not printed"

Seen = Sequence[tuple[StoredTrial, Mapping[str, Figures]]]
"""Finished trials with their figures for all operations together and for each."""


def of_cell(cell: Cell, seen: Seen) -> Seen:
    """The trials of one cell."""
    return [each for each in seen if each[0].record.plan.cell.label == cell.label]


def label_of(cell: Cell) -> str:
    """The system under test, with its factors where the study has any."""
    return " · ".join([cell.sut, *(f"{name}={value}" for name, value in cell.factors.items())])


def mean_figure(values: Sequence[float], study: Study, unknown: str | None) -> Figure:
    """A mean over trials with Student's interval of level 1 - alpha; `unknown` says why there are no values."""
    if not values:
        return Figure(bounds=None, n=0, unknown=unknown)
    told = describe(values, 1 - study.alpha)
    return Figure(bounds=Bounds(point=told.mean, low=told.low, high=told.high), n=told.n)


def single_figure(value: float | None, unknown: str, unit: float = 1) -> Figure:
    """A single number, in a unit that is so much greater."""
    if value is None:
        return Figure(bounds=None, n=0, unknown=unknown)
    return Figure(bounds=Bounds(point=value / unit, low=None, high=None), n=1)
