# SPDX-License-Identifier: Apache-2.0
"""The section of a run's page that shows it as JMeter's dashboard would, and its table for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from bancada.model.jmeter_view import JMETER_FIGURES, JMeterRow
from bancada.report.tables import condition
from bancada.store import layout
from bancada.store.read import Run
from bancada.store.write import write_text

TABLE = "as-jmeter"
"""Name of the table under `tables/`."""


@dataclass(frozen=True)
class ShownRow:
    """One row: JMeter's figures, each with ours."""

    sut: str
    condition: str
    label: str
    n: int
    figures: tuple[tuple[str, str], ...]


def shown_rows(view: Sequence[JMeterRow]) -> tuple[ShownRow, ...]:
    """The view as readers see it, cell by cell; figures in the order of JMETER_FIGURES."""
    return tuple(
        ShownRow(
            sut=row.cell.sut,
            condition=condition(row.cell),
            label=row.label,
            n=row.n,
            figures=tuple(map(row.texts, JMETER_FIGURES)),
        )
        for row in view
    )


def write_table(view: Sequence[JMeterRow], run: Run) -> None:
    """Write `tables/as-jmeter.csv`: each figure of JMeter's and, after it, ours; an unknown one is empty."""
    rows = [
        {
            "sut": row.cell.sut,
            "load": row.cell.load,
            "factors": json.dumps(row.cell.factors, ensure_ascii=False) if row.cell.factors else "",
            "label": row.label,
            "n": row.n,
            **{f"jmeter_{name}": value for name, value in row.jmeter.items()},
            **{f"ours_{name}": row.ours.get(name) for name, figure in JMETER_FIGURES.items() if figure.ours},
        }
        for row in view
    ]
    if rows:
        frame = pl.DataFrame(rows, infer_schema_length=None)
        write_text(run.folder / layout.TABLES / f"{TABLE}.csv", frame.write_csv())
