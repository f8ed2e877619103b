# SPDX-License-Identifier: Apache-2.0
"""`bancada list`: what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from bancada.catalog.replications import all_replications
from bancada.catalog.scenarios import all_scenarios
from bancada.catalog.stacks import all_stacks
from bancada.catalog.studies import all_studies
from bancada.cli.places import RESULTS, runs_in
from bancada.console import listing
from bancada.errors import RunError
from bancada.model.run import RunManifest
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
            listing.show_studies(all_studies(), all_replications())
        case "runs":
            listing.show_runs([_state_of(folder, results) for folder in runs_in(results)])


def _state_of(folder: Path, results: Path) -> tuple[str, RunManifest | None, str]:
    """A run's name, its manifest and how far it is; one damaged run must not hide the others."""
    name = str(folder.relative_to(results))
    try:
        run = read_run(folder)
    except RunError as error:
        return name, None, error.what
    return name, run.manifest, f"{len(run.trials)} of {len(run.manifest.order)}"
