# SPDX-License-Identifier: Apache-2.0
"""`bancada compare`: has a system become worse since an earlier run?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bancada.analysis.regression import compare_runs
from bancada.cli.places import RESULTS, find_run
from bancada.console.tables import show_run_comparison
from bancada.errors import ExitCode
from bancada.store.read import read_run

EXAMPLES = """
[bold]Examples[/]

  bancada compare results/quickstart-20261120-181500 results/quickstart-20261121-090000
  bancada compare main-run branch-run || echo 'slower than main'
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", epilog=EXAMPLES)(compare)


def compare(
    run_a: Annotated[str, typer.Argument(help="The earlier run: its folder or name.")],
    run_b: Annotated[str, typer.Argument(help="The later run, judged against the earlier.")],
    results: Annotated[Path, typer.Option(help="Folder that keeps runs.")] = RESULTS,
) -> None:
    """Judge every cell of a run against the same cell of another; exit code 1 if any has become worse or was lost."""
    comparison = compare_runs(read_run(find_run(run_a, results)), read_run(find_run(run_b, results)))
    show_run_comparison(comparison)
    if comparison.worse or comparison.lost:
        raise typer.Exit(ExitCode.WORSE)
