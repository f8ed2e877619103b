# SPDX-License-Identifier: Apache-2.0
"""`bancada import`: JMeter's result files become a run, and its test plan a study."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from bancada.cli.places import RESULTS
from bancada.console.screen import say
from bancada.errors import InputError, NotFoundError

PLAN = ".jmx"
_NAMED = re.compile(r"([a-z0-9][a-z0-9.-]{0,59})=(.+)")

EXAMPLES = """
[bold]Examples[/]

  bancada import before.jtl after.jtl
  bancada import spring=s1.jtl spring=s2.jtl spring=s3.jtl quarkus=q1.jtl quarkus=q2.jtl quarkus=q3.jtl
  bancada import plan.jmx --out study.toml
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import", epilog=EXAMPLES)(import_)


def import_(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="JMeter's result files (JTL as CSV): one for each trial, as FILE or as NAME=FILE; several files of a "
            "NAME are its trials. Or one test plan (.jmx).",
            show_default=False,
        ),
    ],
    question: Annotated[str | None, typer.Option(help="What you want to know; the report opens with it.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run (of a plan: the study's file) in place of the usual one.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Folder that keeps runs.")] = RESULTS,
) -> None:
    """Make a run with a report from JMeter's result files, or a study from its test plan."""
    if any(each.lower().endswith(PLAN) for each in files):
        _import_plan(files, out)
        return
    from bancada.analysis.findings import find
    from bancada.conductor.import_run import Given, import_run
    from bancada.console.tables import show_findings
    from bancada.report.page import write_report
    from bancada.store.read import read_run

    given = [Given(name, path) for name, path in _named(files)]
    folder = import_run(given, question=question, command=("bancada", *sys.argv[1:]), results=results, out=out)
    run = read_run(folder)
    findings = find(run)
    page = write_report(run, findings)
    show_findings(findings)
    say(f"Run: {folder}")
    say(f"Report: {page}")


def _import_plan(files: list[str], out: Path | None) -> None:
    if len(files) > 1:
        raise InputError("a test plan is imported alone", where=" ".join(files), advice="import one file at a time")
    from bancada.cli.import_plan import import_plan

    import_plan(Path(files[0]), out)


def _named(files: list[str]) -> list[tuple[str, Path]]:
    """The name and the path of each file; a file without name has that of its stem, which must be its own."""
    found, unnamed = [], set()
    for each in files:
        match = None if Path(each).exists() else _NAMED.fullmatch(each)
        name, path = (match[1], Path(match[2])) if match else (_name_of(each), Path(each))
        if not path.is_file():
            raise NotFoundError("there is no such file", where=str(path), advice="write FILE or NAME=FILE")
        if not match and name in unnamed:
            raise InputError(
                f'two files would be named "{name}"',
                where=each,
                advice=f"say whether they measured the same: {name}={each}, or another name for each",
            )
        unnamed |= set() if match else {name}
        found.append((name, path))
    return found


def _name_of(file: str) -> str:
    """The file's stem with the signs that a name may have."""
    plain = re.sub(r"[^a-z0-9.-]+", "-", Path(file).stem.lower()).strip("-.")[:60]
    if not plain:
        raise InputError("no name can be made of this file's", where=file, advice=f"name it yourself: NAME={file}")
    return plain
