# SPDX-License-Identifier: Apache-2.0
"""What became of a JMeter test plan, on a screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from bancada.console.plan import load_text
from bancada.console.screen import out
from bancada.jmeter.plan import ImportedPlan
from bancada.jmeter.plan_listing import FATES

MOST_LISTED = 4
FATE_STYLE = {"left out": "bold yellow", "changed": "cyan", "disabled": "dim", "not needed": "dim"}


def show_imported_plan(plan: ImportedPlan, files: Sequence[Path]) -> None:
    """The loads and operations that were carried over, what was not, the files, and the commands to go on with."""
    saved = f" (saved by JMeter {plan.version})" if plan.version else ""
    out.print(f"[bold]{escape(str(plan.path))}[/]{escape(saved)}", soft_wrap=True)
    for each in plan.studies:
        names = ", ".join(operation.name for operation in each.study.operation)
        target = ", ".join(each.study.stacks).removeprefix("target=") or "a server that you name"
        out.print(f"  thread group {escape(each.group)}: {load_text(each.study.load[0])}", soft_wrap=True)
        out.print(f"  asks {escape(target)}: {escape(names)}", soft_wrap=True)
    if plan.remarks:
        out.print(_remarks(plan))
    for each, file in zip(plan.studies, files, strict=True):
        named = "" if each.study.stacks else " --stack target=http://HOST:PORT"
        out.print(f"Written: {escape(str(file))}", soft_wrap=True)
        out.print(f"Go on:   bancada plan {escape(str(file))}{named}", soft_wrap=True)
        out.print(f"         bancada run {escape(str(file))}{named}", soft_wrap=True)


def _remarks(plan: ImportedPlan) -> Table:
    table = Table(
        title="What was not simply carried over",
        title_justify="left",
        title_style="italic",
        header_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("line", justify="right", overflow="fold")
    table.add_column("element", overflow="fold")
    table.add_column("what became of it", no_wrap=True)
    table.add_column("why", overflow="fold", ratio=1)
    order = list(FATES)
    for each in sorted(plan.remarks, key=lambda each: (order.index(each.fate), each.lines)):
        named = f"\n[dim]{escape(_shortened(each.named))}[/]" if each.named else ""
        fate = f"[{FATE_STYLE[each.fate]}]{each.fate}[/]"
        table.add_row(_shortened(each.where), f"{escape(each.element)}{named}", fate, escape(each.why))
    return table


def _shortened(listed: str) -> str:
    """A list with commas, of which a screen gets the beginning; the study file has all of it."""
    items = listed.split(", ")
    return listed if len(items) <= MOST_LISTED else f"{', '.join(items[:MOST_LISTED])} … ({len(items)})"
