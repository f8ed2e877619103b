# SPDX-License-Identifier: Apache-2.0
"""`bancada doctor`: is this host fit to measure, and which tools are there?"""

from __future__ import annotations

import typer

from bancada.console.listing import show_checks
from bancada.errors import ExitCode
from bancada.host.checks import run_checks


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor() -> None:
    """Look for sources of noise and missing tools; exit code 16 if the host cannot measure at all."""
    results = run_checks()
    show_checks(results)
    if any(each.status == "fail" for each in results):
        raise typer.Exit(ExitCode.UNFIT_HOST)
