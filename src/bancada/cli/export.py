# SPDX-License-Identifier: Apache-2.0
"""`bancada export`: a run's samples in the files of another program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bancada.cli.places import RESULTS, find_run
from bancada.console.screen import say
from bancada.errors import NoResultError
from bancada.report.jtl import write_jtl_files
from bancada.store.read import read_run

EXAMPLES = """
[bold]Examples[/]

  bancada export --jtl
  bancada export --jtl quickstart-20261120-181500 --out jtl
  jmeter -g results/quickstart-20261120-181500/jtl/0001-node-fastify-node-20-users.jtl -o dashboard
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", epilog=EXAMPLES)(export)


def export(
    run: Annotated[str | None, typer.Argument(help="Folder or name of a run; the latest run if left out.")] = None,
    jtl: Annotated[bool, typer.Option("--jtl", help="As JMeter's result files, one for each trial.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder to write into; RUN/jtl if left out.")] = None,
    results: Annotated[Path, typer.Option(help="Folder that keeps runs.")] = RESULTS,
) -> None:
    """Write every trial's samples for another program: with --jtl, as JMeter would have written them."""
    if not jtl:
        raise typer.BadParameter("say as what to export the run: --jtl")
    found = read_run(find_run(run, results))
    folder = out or found.folder / "jtl"
    written = write_jtl_files(found, folder)
    if not written:
        raise NoResultError(
            "there is nothing to export: no trial's load was reached",
            where=str(found.folder),
            advice="see with `bancada report` why the trials failed",
        )
    said = f"; trials without samples: {without}" if (without := len(found.trials) - len(written)) else ""
    say(f"JTL files in {folder}: {len(written)}{said}")
