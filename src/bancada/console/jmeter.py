# SPDX-License-Identifier: Apache-2.0
"""A run as JMeter's dashboard would print it, on a terminal: one narrow table for each row of its."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from bancada.console.screen import out
from bancada.model.jmeter_view import JMETER_FIGURES, JMeterRow

NOTE = (
    "JMeter counts failed requests in every figure, starts its clock when a request is sent and cuts it to "
    "milliseconds, and takes median and percentiles of the last 20 000 samples only; ours are of all requests that "
    "passed, from the intended instant."
)


def show_jmeter_view(view: Sequence[JMeterRow]) -> None:
    """For each cell its Total and its operations: JMeter's figures, with ours beside each."""
    for row in view:
        out.print(_table(row))
    out.print(f"[dim]{NOTE}[/]", soft_wrap=True)


def _table(row: JMeterRow) -> Table:
    table = Table(
        title=escape(f"{row.cell.label}: {row.label}, mean over n = {row.n}"),
        title_justify="left",
        title_style="italic",
        header_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("as JMeter would print it")
    for heading in ("JMeter", "ours"):
        table.add_column(heading, justify="right", no_wrap=True)
    for figure in JMETER_FIGURES.values():
        unit = f" ({figure.unit})" if figure.unit else ""
        table.add_row(f"{figure.label}{unit}", *row.texts(figure.name))
    return table
