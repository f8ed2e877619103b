# SPDX-License-Identifier: Apache-2.0
"""`bancada list`: what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from bancada.catalog.scenarios import all_scenarios
from bancada.catalog.stacks import all_stacks
from bancada.catalog.studies import all_studies
from bancada.cli.places import RESULTS, runs_in
from bancada.console import listing
from bancada.store.read import read_run


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(show)


def show(
    what: Annotated[Literal["stacks", "scenarios", "studies", "runs"], typer.Argument(help="What to list.")],
    results: Annotated[Path, typer.Option(help="Folder that keeps runs.")] = RESULTS,
) -> None:
    """List stacks, scenarios, studies or runs."""
    match what:
        case "stacks":
            listing.show_stacks([stack for stack, _ in all_stacks()])
        case "scenarios":
            listing.show_scenarios(all_scenarios())
        case "studies":
            listing.show_studies(all_studies())
        case "runs":
            listing.show_runs(
                [(read_run(folder).manifest, len(read_run(folder).trials)) for folder in runs_in(results)]
            )
