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
from bancada.model.tables import MEASURED, Figure, ReplicaTable

VERDICT_STYLE = {"confirmed": "bold green", "contradicted": "bold red", "undecided": "yellow"}
VERDICT_MARK = {"confirmed": "✓", "contradicted": "✗", "undecided": "~"}


def show_judgements(judgements: Judgements, tables: Sequence[ReplicaTable]) -> None:
    """What was measured, and what became of each claim."""
    for table in tables:
        out.print()
        out.print(_replica(table))
    out.print()
    out.print(f"[bold]{escape(judgements.question)}[/]", soft_wrap=True)
    out.print(_claims(judgements))
    counts = ", ".join(f"{judgements.count(verdict)} {verdict}" for verdict in VERDICT_MARK)  # type: ignore[arg-type]
    out.print(f"[bold]Claims of {escape(judgements.reference)}[/]", soft_wrap=True)
    out.print(f"{len(judgements.claims)} claims at scale {judgements.scale}: {counts}.")


def _claims(judgements: Judgements) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, show_lines=False)
    table.add_column("claim", overflow="fold", ratio=5)
    for name in ("published", "re-analysed", "measured"):
        table.add_column(name, overflow="fold", ratio=2)
    for each in judgements.claims:
        style, mark = VERDICT_STYLE[each.verdict], VERDICT_MARK[each.verdict]
        ours = " (ours)" if each.added else ""
        what = f"[{style}]{mark} {each.verdict}[/] {escape(each.text)}{ours}\n[dim]{escape(each.reason)}[/]"
        table.add_row(what, ratios_text(each.published), ratios_text(each.reanalysed), measured_text(each))
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
    return escape(f"{fmt.ratio(judgement.measured)}{interval}\n{trials}")


def _replica(replica: ReplicaTable) -> Table:
    table = Table(title=replica.title, title_justify="left", header_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(replica.part, no_wrap=True)
    for column in replica.columns:
        table.add_column(escape(f"{column.label}\n{column.unit}".strip()), justify="right", no_wrap=True)
    failures = any(row.failures for row in replica.rows)
    if failures:
        table.add_column("failed requests", overflow="fold")
    for row in replica.rows:
        if row.source == MEASURED:
            told = ", ".join(f"{count} × {kind}" for kind, count in row.failures.items()) or "none"
            table.add_row(escape(row.label), *map(figure_text, row.figures), *([told] if failures else []))
    return table


def figure_text(figure: Figure) -> str:
    """A mean with half of its interval, as papers print it."""
    if figure.bounds is None:
        return "~"
    places = fmt.decimals(figure.bounds.point)
    text = fmt.fixed(figure.bounds.point, places)
    if figure.bounds.low is None or figure.bounds.high is None:
        return text
    return f"{text} ± {fmt.fixed((figure.bounds.high - figure.bounds.low) / 2, places)}"
