# SPDX-License-Identifier: Apache-2.0
"""Lists: stacks, scenarios, studies, runs, builds, and the checks of the host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from bancada.conductor.standby import Kept
from bancada.console.screen import out
from bancada.host.checks import CheckResult
from bancada.model.quantities import UNKNOWN, duration, instant, size
from bancada.model.replication import Replication
from bancada.model.run import RunManifest
from bancada.model.scenario import Scenario
from bancada.model.stack import Stack
from bancada.model.study import Study
from bancada.model.trial import BuildRecord

STATUS_STYLE = {"ok": "green", "warn": "yellow", "fail": "bold red", "unknown": "dim"}


def _print(columns: Sequence[str], rows: Iterable[Sequence[str]], nothing: str) -> None:
    table = Table(header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    out.print(table if table.row_count else nothing)


def show_stacks(stacks: Iterable[Stack]) -> None:
    """Stacks with their variants and scenarios."""
    rows = [
        (each.stack, each.framework, each.language, ", ".join(each.variant), ", ".join(each.scenarios))
        for each in stacks
    ]
    _print(("stack", "framework", "language", "variants", "scenarios"), rows, "no stacks")


def show_scenarios(scenarios: Iterable[Scenario]) -> None:
    """Scenarios with their operations."""
    rows = [(each.scenario, each.title, ", ".join(one.name for one in each.operation)) for each in scenarios]
    _print(("scenario", "title", "operations"), rows, "no scenarios")


def show_studies(studies: Iterable[Study], replications: Iterable[Replication]) -> None:
    """Studies with their questions; replications of published studies, which have several parts, after them."""
    rows = [(each.study, each.question, each.scenario or "its own", ", ".join(each.stacks)) for each in studies]
    rows += [
        (
            f"{each.replication} (replicate)",
            each.question,
            ", ".join(dict.fromkeys(part.scenario for part in each.part)),
            ", ".join(dict.fromkeys(stack.partition(":")[0] for part in each.part for stack in part.stacks)),
        )
        for each in replications
    ]
    _print(("study", "question", "scenario", "stacks"), rows, "no studies")


def show_runs(runs: Iterable[tuple[str, RunManifest | None, str]]) -> None:
    """Runs with how far they are."""
    rows = [
        (
            name,
            instant(manifest.started_unix_ns) if manifest else "~",
            (manifest.host.hostname or UNKNOWN) if manifest else "~",
            state,
        )
        for name, manifest, state in runs
    ]
    _print(("run", "started", "host", "trials"), rows, "no runs yet; start with: bancada run quickstart")


def show_builds(builds: Mapping[str, BuildRecord], skipped: Mapping[str, str]) -> None:
    """What was built, and what was not and why."""
    rows = [
        (label, "kept" if each.cached else "built", duration(each.duration_ns), size(each.artefact_bytes))
        for label, each in builds.items()
    ]
    rows += [(label, f"skipped: {reason}", "", "") for label, reason in skipped.items()]
    _print(("stack", "state", "build time", "artefact"), rows, "nothing to build")


def show_checks(results: Sequence[CheckResult]) -> None:
    """The host's checks, and below them why each doubtful one matters and what to do about it."""
    table = Table(header_style="bold", box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    table.add_column("check", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("found", overflow="fold")
    for each in results:
        table.add_row(escape(each.name), f"[{STATUS_STYLE[each.status]}]{each.status}[/]", escape(each.found))
    out.print(table)
    for each in results:
        if each.status in {"warn", "fail"}:
            advice = f"; to do: {each.advice}" if each.advice else ""
            style = STATUS_STYLE[each.status]
            out.print(f"[{style}]{escape(each.name)}[/]: {escape(each.why)}{escape(advice)}", soft_wrap=True)


def show_services(kept: Sequence[Kept]) -> None:
    """Services that are up, and the variables in which a stack is told where they are."""
    rows = [
        (each.facts.product, each.facts.version, f"{each.facts.source}: {each.facts.detail}", each.env["SQL_URL"])
        for each in kept
    ]
    _print(
        ("service", "version", "taken from", "address"), rows, "no service is up; start one with: bancada services up"
    )
    for each in kept:
        for name, value in each.env.items():
            out.print(f"export {name}={value}", soft_wrap=True)
