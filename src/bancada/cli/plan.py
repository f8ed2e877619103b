# SPDX-License-Identifier: Apache-2.0
"""`bancada plan`: what a study would do, how long it would take, and whether it can answer."""

from __future__ import annotations

from typing import Annotated

import typer

from bancada.catalog.replications import read_replication, replication_files
from bancada.catalog.studies import Instead, ResolvedStudy, read_study
from bancada.console.plan import show_plan
from bancada.design.plan import expected_ns, plan
from bancada.model.replication import Scale

EXAMPLES = """
[bold]Examples[/]

  bancada plan quickstart
  bancada plan quickstart --blocks 3
  bancada plan almeida-2020 --scale paper
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan", epilog=EXAMPLES)(show)


def show(
    study: Annotated[str, typer.Argument(help="A shipped study's name, or a study file.")],
    stack: Annotated[list[str] | None, typer.Option(help="Take these instead of the study's.")] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="Trials of each cell, instead of the study's.")] = None,
    scale: Annotated[Scale, typer.Option(help="Of a replication.")] = "quick",
) -> None:
    """Show what would run, without running it; of a replication all parts."""
    instead = Instead(stacks=stack or (), blocks=blocks)
    if study in [path.stem for path in replication_files()]:
        found = read_replication(study)
        for part in found.replication.part:
            _show(found.part(part.part, scale, instead), part.part)
    else:
        _show(read_study(study, instead))


def _show(resolved: ResolvedStudy, part: str | None = None) -> None:
    trials = plan(resolved.study, [sut.label for sut in resolved.suts])
    total_ns = sum(expected_ns(resolved.study, trial.cell.load) for trial in trials)
    show_plan(resolved.study, resolved.scenario, trials, total_ns, part=part)
