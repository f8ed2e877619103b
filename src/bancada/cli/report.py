# SPDX-License-Identifier: Apache-2.0
"""`bancada report`: make the report of a run again, without measuring."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from bancada.analysis.findings import find
from bancada.analysis.jmeter_view import jmeter_view
from bancada.catalog.replications import read_replication
from bancada.cli.judged import conclude, stored_parts
from bancada.cli.places import RESULTS, find_run
from bancada.console.jmeter import show_jmeter_view
from bancada.console.screen import say
from bancada.console.tables import show_findings
from bancada.report.export import write_charts
from bancada.report.page import write_report
from bancada.store import layout
from bancada.store.read import read_replication_manifest, read_run

EXAMPLES = """
[bold]Examples[/]

  bancada report
  bancada report results/quickstart-20261120-181500
  bancada report --charts svg
  bancada report quickstart-20261120-181500 --jmeter
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", epilog=EXAMPLES)(report)


def report(
    run: Annotated[
        str | None, typer.Argument(help="Folder or name of a run or replication; the latest run if left out.")
    ] = None,
    charts: Annotated[
        Literal["svg", "png"] | None, typer.Option(help="Also write every chart to a file of its own, for papers.")
    ] = None,
    jmeter: Annotated[
        bool, typer.Option("--jmeter", help="Also show the figures as JMeter's dashboard would print them.")
    ] = False,
    results: Annotated[Path, typer.Option(help="Folder that keeps runs.")] = RESULTS,
) -> None:
    """Judge a run from its folder alone, and write report.html, summary.json, tables and Markdown into it."""
    folder = find_run(run, results)
    if (folder / layout.REPLICATION).is_file():
        manifest = read_replication_manifest(folder)
        say(f"Report: {conclude(read_replication(manifest.file), folder)}")
        for part in stored_parts(folder, manifest).values() if jmeter else ():
            show_jmeter_view(jmeter_view(part, find(part)))
        return
    found = read_run(folder)
    findings = find(found)
    page = write_report(found, findings)
    show_findings(findings)
    if jmeter:
        show_jmeter_view(jmeter_view(found, findings))
    if charts:
        written = write_charts(found, findings, found.folder / "charts", charts)
        say(f"Charts: {len(written)} files in {found.folder / 'charts'}")
    say(f"Report: {page}")
