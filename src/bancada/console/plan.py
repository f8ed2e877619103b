# SPDX-License-Identifier: Apache-2.0
"""A plan as a person reads it before committing an hour to it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from bancada.console.screen import out
from bancada.model.load import ClosedLoad, LoadProfile
from bancada.model.metric import METRICS
from bancada.model.quantities import duration, number, percent
from bancada.model.scenario import Scenario
from bancada.model.study import Study
from bancada.model.trial import TrialPlan
from bancada.stats import choose_test


def show_plan(
    study: Study, scenario: Scenario, trials: Sequence[TrialPlan], total_ns: int, *, part: str | None = None
) -> None:
    """Question, loads, the order of the trials, the expected time, and what the statistics can tell.

    `part` is the name of the part if the study is one of several.
    """
    if part:
        out.print(f"\n[bold cyan]Part {escape(part)}[/]")
    out.print(f"[bold]{escape(study.question)}[/]", soft_wrap=True)
    operations = ", ".join(operation.name for operation in scenario.operation)
    out.print(f"scenario {scenario.scenario}: {escape(scenario.title)} ({escape(operations)})", soft_wrap=True)
    for load in study.load:
        out.print(f"load     {escape(load.name)}: {load_text(load)}", soft_wrap=True)
    out.print(f"trials   {len(trials)} in {study.blocks} blocks, about {duration(total_ns)} after the builds")
    out.print(_order(trials))
    show_power(study, trials)


def load_text(load: LoadProfile) -> str:
    """A load profile in words."""
    if isinstance(load, ClosedLoad):
        end = f"{load.iterations} iterations" if load.iterations else f"for {duration(load.duration)}"
        think = f", {duration(load.think)} between requests" if load.think else ""
        return f"closed, {load.users} users, ramp-up {duration(load.ramp_up)}, {end}{think}"
    steps = ", ".join(
        f"{number(each.ends[0])} to {number(each.ends[1])}/s for {duration(each.duration)}" for each in load.shape
    )
    return f"open, {load.arrivals} arrivals, {steps}, at most {load.connections} under way"


def _order(trials: Sequence[TrialPlan]) -> Table:
    table = Table(header_style="bold")
    table.add_column("block", justify="right")
    table.add_column("order of trials (random, by seed)")
    for block in dict.fromkeys(trial.block for trial in trials):
        row = "  →  ".join(trial.cell.label for trial in trials if trial.block == block)
        table.add_row(str(block), escape(row))
    return table


def show_power(study: Study, trials: Sequence[TrialPlan]) -> None:
    """Whether so few trials can support the tests at all, said before an hour is spent."""
    per_group = len({trial.cell.sut for trial in trials})
    groups = len({trial.cell.model_copy(update={"sut": ""}).label for trial in trials})
    comparisons = math.comb(per_group, 2) * groups
    label = METRICS[study.metric].label
    if not comparisons:
        out.print("Only one system under test: there will be estimates, but nothing to compare.")
        return
    chosen = choose_test(study.blocks, comparisons, study.alpha)
    out.print(
        f"{comparisons} comparisons of {label} by exact Wilcoxon {chosen.name} test, Holm at {percent(study.alpha)}: "
        f"the smallest p that {study.blocks} blocks can give is {number(chosen.smallest_p, 2)}.",
        soft_wrap=True,
    )
    if chosen.can_reach:
        out.print("[green]A clear difference can be told.[/]")
    else:
        out.print(
            f"[bold yellow]Even the clearest difference cannot be told: {chosen.needed_n} blocks are needed.[/] "
            "Estimates, intervals and equivalence are still given.",
            soft_wrap=True,
        )
