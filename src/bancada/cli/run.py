# SPDX-License-Identifier: Apache-2.0
"""`bancada run`: carry out a study, or go on with one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bancada.analysis.findings import find
from bancada.catalog.studies import Instead, ResolvedStudy, read_study
from bancada.cli.options import BASE_IMAGE_HELP, ENGINE_HELP, SERVICE_HELP
from bancada.cli.places import RESULTS, latest_unfinished
from bancada.conductor.prepare import prepare
from bancada.conductor.run import check_resumable, conduct, new_manifest
from bancada.console.progress import observer
from bancada.console.screen import say
from bancada.console.tables import show_findings
from bancada.errors import NoResultError, RunError
from bancada.model.run import RunManifest
from bancada.model.stack import StackByFile
from bancada.store.read import Run, read_run

EXAMPLES = """
[bold]Examples[/]

  bancada run quickstart
  bancada run quickstart --blocks 10
  bancada run my-study.toml --results /data/results
  bancada run own-service --stack old=http://127.0.0.1:8080 --stack new=http://127.0.0.1:8081
  bancada run my-study.toml --service postgresql
  bancada run quickstart --engine bancada --engine jmeter
  bancada run --resume
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run", epilog=EXAMPLES)(run)


def run(
    study: Annotated[str | None, typer.Argument(help="A shipped study's name, or a study file.")] = None,
    stack: Annotated[
        list[str] | None,
        typer.Option(
            help="Take these instead of the study's: stack:variant, folder:variant, or name=http://host:port."
        ),
    ] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="Trials of each cell, instead of the study's.")] = None,
    results: Annotated[Path, typer.Option(help="Folder that keeps runs.")] = RESULTS,
    service: Annotated[list[str] | None, typer.Option(help=SERVICE_HELP)] = None,
    engine: Annotated[list[str] | None, typer.Option(help=ENGINE_HELP)] = None,
    base_image: Annotated[str | None, typer.Option(help=BASE_IMAGE_HELP)] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the latest unfinished run (of STUDY, or in the folder STUDY).")
    ] = False,
) -> None:
    """Build the stacks, load them in random order, judge them, and write the report."""
    if resume:
        done = _resume(latest_unfinished(study, results))
    elif study is None:
        raise typer.BadParameter("name a study, as in `bancada run quickstart`", param_hint="STUDY")
    else:
        done = _anew(read_study(study, Instead(stack or (), blocks, service or (), base_image, engine or ())), results)
    _report(done)
    _require_result(done)


def _report(done: Run) -> None:
    # What draws takes a second to load, which nobody should wait for who has made a mistake in a study.
    from bancada.report.page import write_report

    findings = find(done)
    page = write_report(done, findings)
    show_findings(findings)
    say(f"Report: {page}")


def _anew(resolved: ResolvedStudy, results: Path) -> Run:
    with observer() as notify:
        bench = prepare(resolved, notify)
        manifest = new_manifest(bench, ["bancada", *sys.argv[1:]])
        return conduct(bench, manifest, results / manifest.run)


def _resume(folder: Path) -> Run:
    earlier = read_run(folder)
    if earlier.manifest.imported:
        raise RunError("cannot resume: another program measured this run", where=str(folder))
    with observer() as notify:
        bench = prepare(_resolved(earlier.manifest), notify)
        check_resumable(bench, earlier)
        return conduct(bench, earlier.manifest, folder)


def _resolved(manifest: RunManifest) -> ResolvedStudy:
    suts = tuple(sut for sut in manifest.suts if not isinstance(sut, StackByFile))
    return ResolvedStudy(manifest.study, manifest.scenario, suts)


def _require_result(done: Run) -> None:
    """A cell without a single completed trial is told by the exit code too."""
    completed = {trial.record.plan.cell.label for trial in done.trials if trial.record.failure is None}
    empty = dict.fromkeys(plan.cell.label for plan in done.manifest.order if plan.cell.label not in completed)
    if empty:
        raise NoResultError(
            f"every trial failed of: {', '.join(empty)}",
            where=str(done.folder),
            advice="the report lists the failures; each trial's folder keeps the log of the system under test",
        )
