# SPDX-License-Identifier: Apache-2.0
"""A replication as terminal tables: its measured tables in the study's shape, then claim by claim."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from bancada.console.screen import out
from bancada.model import quantities as fmt
from bancada.model.judgement import Judgement, Judgements, PublishedRatio
from bancada.model.tables import MEASURED, Figure, ReplicaTable, TableColumn

VERDICT_STYLE = {"confirmed": "bold green", "contradicted": "bold red", "undecided": "yellow"}
MOST_COLUMNS = 5
LEFT_OUT = {"min_ms", "p90_ms", "p95_ms", "received_kb_per_s", "sent_kb_per_s", "error_percent"}
"""Columns of a wide table that the report has and a terminal no room for."""
INSTEAD = {"median_ms", "max_ms"}
"""Left out too where there is a p99."""
LONG_LABEL = 30
"""Rows with longer names leave no room for intervals."""
SHORT = {"Transactions": "Rate", "Failed requests": "Failed"}
WIDTHS = (14, 20, 20, 20)
"""Columns that fit a terminal of 80 columns: verdict, published, re-analysed, measured."""
VERDICT_MARK = {"confirmed": "✓", "contradicted": "✗", "undecided": "~"}


def show_judgements(judgements: Judgements, tables: Sequence[ReplicaTable]) -> None:
    """What was measured, and what became of each claim."""
    for table in (each for each in tables if not each.by_operation):
        if any(row.source == MEASURED for row in table.rows):
            out.print(_replica(table))
    out.print()
    out.print(f"[bold]{escape(judgements.question)}[/]", soft_wrap=True)
    out.print(_beside("", "[bold]published[/]", "[bold]re-analysed[/]", "[bold]measured[/]"))
    for claim in judgements.claims:
        _show_claim(claim)
    counts = ", ".join(f"{judgements.count(verdict)} {verdict}" for verdict in VERDICT_MARK)  # type: ignore[arg-type]
    out.print(f"\n[bold]Claims of {escape(judgements.reference)}[/]", soft_wrap=True)
    out.print(f"{len(judgements.claims)} claims at scale {judgements.scale}: {counts}.")


def _show_claim(claim: Judgement) -> None:
    """The sentence, below it the verdict and the three figures side by side, and why."""
    ours = " (ours)" if claim.added else ""
    out.print(f"\n{escape(claim.text)}{ours}", soft_wrap=True)
    verdict = f"[{VERDICT_STYLE[claim.verdict]}]{VERDICT_MARK[claim.verdict]} {claim.verdict}[/]"
    out.print(_beside(verdict, ratios_text(claim.published), ratios_text(claim.reanalysed), measured_text(claim)))
    out.print(f"[dim]{escape(claim.reason)}[/]", soft_wrap=True)


def _beside(*cells: str) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for width in WIDTHS:
        table.add_column(width=width, overflow="fold")
    table.add_row(*cells)
    return table


def ratios_text(ratios: Sequence[PublishedRatio]) -> str:
    """Published ratios, a line for each machine."""
    return "\n".join(escape(f"{fmt.ratio(each.ratio)} {_interval(each)}".strip()) for each in ratios) or "~"


def _interval(each: PublishedRatio) -> str:
    return "" if each.ratio.low is None else fmt.ratio_interval(each.ratio)


def measured_text(judgement: Judgement) -> str:
    """The measured ratio with its interval and the number of trials."""
    if judgement.measured is None:
        return "~"
    trials = f"n = {judgement.n_of}" + ("" if judgement.n_of == judgement.n_against else f", {judgement.n_against}")
    interval = "" if judgement.measured.low is None else f" {fmt.ratio_interval(judgement.measured)}"
    return escape(f"{fmt.ratio(judgement.measured)}{interval}, {trials}")


def _replica(replica: ReplicaTable) -> Table:
    """The measured rows; a wide table goes without some columns and without intervals, which the report has."""
    wide = len(replica.columns) > MOST_COLUMNS
    shown = _shown(replica.columns) if wide else range(len(replica.columns))
    interval = not wide and max(len(row.label) for row in replica.rows) <= LONG_LABEL
    title = f"{replica.part}: {replica.title}"
    table = Table(
        title=title, title_justify="left", header_style="bold", box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True
    )
    table.add_column("", no_wrap=True)
    for column in (replica.columns[at] for at in shown):
        heading = "\n".join((*SHORT.get(column.label, column.label).split(), column.unit)).strip()
        table.add_column(escape(heading), justify="right", no_wrap=True)
    for row in replica.rows:
        if row.source == MEASURED:
            figures = (row.figures[at] for at in shown)
            table.add_row(escape(row.label), *(figure_text(each, interval=interval) for each in figures))
    return table


def _shown(columns: Sequence[TableColumn]) -> list[int]:
    """Places of the columns that a wide table keeps."""
    left_out = LEFT_OUT | INSTEAD if any(column.name == "p99_ms" for column in columns) else LEFT_OUT
    return [at for at, column in enumerate(columns) if column.name not in left_out]


def figure_text(figure: Figure, *, interval: bool = True) -> str:
    """A mean, with half of its interval as papers print it."""
    if figure.bounds is None:
        return "~"
    places = fmt.decimals(figure.bounds.point)
    text = fmt.fixed(figure.bounds.point, places)
    if not interval or figure.bounds.low is None or figure.bounds.high is None:
        return text
    return f"{text} ± {fmt.fixed((figure.bounds.high - figure.bounds.low) / 2, places)}"
