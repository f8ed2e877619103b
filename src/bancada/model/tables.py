# SPDX-License-Identifier: Apache-2.0
"""The tables of a replication in the shape of the published study's, ready to be printed."""

from __future__ import annotations

from bancada.model.base import Model
from bancada.model.findings import Bounds

MEASURED = "measured"


class Figure(Model):
    """One figure: a mean over trials with its t interval, or a printed number without one."""

    bounds: Bounds | None
    """In the readers' unit of its column; None: unknown."""
    n: int
    """Trials behind it; of a printed number 1, or what the paper says."""
    unknown: str | None = None
    """Why there is no value."""


class TableColumn(Model):
    """What a column holds."""

    name: str
    """With the unit of its figures, as in `mean_ms`."""
    label: str
    unit: str


class TableRow(Model):
    """One system under test or operation, measured or as printed."""

    label: str
    """The system under test, or the operation, or `total`."""
    source: str
    """`measured`, or the machine and table that it was printed for."""
    figures: tuple[Figure, ...]
    """One for each column."""
    failures: dict[str, int] = {}
    """Failed requests by kind over all trials; of printed rows empty."""


class ReplicaTable(Model):
    """A table in the published study's shape; the rows of a label stand together, the measured one first."""

    part: str
    title: str
    by_operation: bool = False
    """Whether its rows are the operations of one system under test."""
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
