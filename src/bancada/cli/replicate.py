# SPDX-License-Identifier: Apache-2.0
"""`bancada replicate`: run a published study again, and judge each of its claims."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from bancada.catalog.replications import ResolvedReplication, read_replication
from bancada.catalog.studies import Instead, engines_named
from bancada.cli.judged import conclude, stored_parts
from bancada.cli.options import BASE_IMAGE_HELP, SERVICE_HELP
from bancada.cli.places import RESULTS, latest_unfinished_replication
from bancada.conductor.replicate import Asked, conduct_parts
from bancada.console.progress import observer
from bancada.console.screen import say
from bancada.errors import NoResultError, NotFoundError
from bancada.model.replication import Scale
from bancada.model.run import ReplicationManifest
from bancada.model.service import without_password
from bancada.store.read import Run, read_replication_manifest

EXAMPLES = """
[bold]Examples[/]

  bancada replicate almeida-2020
  bancada replicate almeida-2020 --scale paper
  bancada replicate almeida-2020 --part entities --service postgresql
  bancada replicate almeida-2020 --scale paper --part entities --blocks 1
  bancada replicate ramalho-2020 --part rounds --engine jmeter
  bancada replicate almeida-2020 --resume
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replicate", epilog=EXAMPLES)(replicate)


def replicate(
    study: Annotated[str, typer.Argument(help="A published study, as in almeida-2020, or a replication file.")],
    scale: Annotated[
        Scale, typer.Option(help="`quick` asks the same in minutes, `paper` has the loads of the published study.")
    ] = "quick",
    part: Annotated[list[str] | None, typer.Option(help="Only this part; repeat it for several.")] = None,
    blocks: Annotated[
        int | None,
        typer.Option(min=1, help="Trials of each cell, instead of the parts'; few leave much undecided."),
    ] = None,
    service: Annotated[list[str] | None, typer.Option(help=SERVICE_HELP)] = None,
    engine: Annotated[
        str | None, typer.Option(help="Load engine: bancada, or jmeter as the study may have had.")
    ] = None,
    base_image: Annotated[str | None, typer.Option(help=BASE_IMAGE_HELP)] = None,
    results: Annotated[Path, typer.Option(help="Folder that keeps runs.")] = RESULTS,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the latest unfinished replication.")] = False,
) -> None:
    """Build its stacks, run its parts, and set published, re-analysed and measured figures side by side."""
    found = read_replication(study)
    if resume:
        folder = latest_unfinished_replication(found.replication.replication, results)
        manifest = read_replication_manifest(folder)
    else:
        manifest = _manifest(found, scale, part or []).model_copy(
            update={
                "blocks": blocks,
                "services": tuple(map(without_password, service or ())),
                "base_image": base_image,
                "engines": engines_named([engine] if engine else []),
            }
        )
        folder = results / _name(manifest)
    instead = Instead(
        blocks=manifest.blocks,
        services=service or manifest.services,
        base_image=base_image or manifest.base_image,
        engines=manifest.engines,
    )
    asked = Asked(found, manifest, instead)
    with observer() as notify:
        conduct_parts(asked, folder, notify)
    page = conclude(found, folder)
    say(f"Report: {page}")
    _require_results(stored_parts(folder, manifest), folder)


def _manifest(found: ResolvedReplication, scale: Scale, chosen: list[str]) -> ReplicationManifest:
    known = [part.part for part in found.replication.part]
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise NotFoundError(
            f'{found.replication.replication} has no part "{unknown[0]}"',
            where="--part",
            advice=f"known: {', '.join(known)}",
        )
    return ReplicationManifest(
        replication=found.replication.replication,
        file=str(found.path),
        scale=scale,
        started_unix_ns=time.time_ns(),
        command=("bancada", *map(without_password, sys.argv[1:])),
        parts=tuple(name for name in known if not chosen or name in chosen),
    )


def _name(manifest: ReplicationManifest) -> str:
    stamp = datetime.fromtimestamp(manifest.started_unix_ns / 1e9, tz=UTC).strftime("%Y%m%d-%H%M%S")
    return f"{manifest.replication}-{manifest.scale}-{stamp}"


def _require_results(runs: dict[str, Run], folder: Path) -> None:
    """A cell without a single completed trial is told by the exit code too."""
    empty = [
        f"{part}: {label}"
        for part, run in runs.items()
        for label in dict.fromkeys(plan.cell.label for plan in run.manifest.order)
        if not any(each.record.plan.cell.label == label and each.record.failure is None for each in run.trials)
    ]
    if empty:
        raise NoResultError(
            f"every trial failed of {'; '.join(empty)}",
            where=str(folder),
            advice="the reports of the parts list the failures; each trial's folder keeps the logs",
        )
