# SPDX-License-Identifier: Apache-2.0
"""Observers of the conductor: live bars on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from bancada.console.screen import err
from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.events import (
    BuildEnded,
    BuildOutput,
    BuildStarted,
    Event,
    LoadProgressed,
    PhaseEntered,
    Remarked,
    RunEnded,
    RunStarted,
    TrialEnded,
    TrialStarted,
)
from bancada.model.quantities import duration, number
from bancada.model.trial import TrialRecord


def observer() -> PlainObserver | LiveObserver:
    """The observer that suits where we write to."""
    return LiveObserver() if err.is_terminal else PlainObserver()


def result_line(record: TrialRecord) -> str:
    """A finished trial in a few words."""
    if record.failure is not None:
        return f"failed: {record.failure.kind}: {record.failure.message}"
    load = record.load
    if load is None or load.latency_ns.mean is None or not load.elapsed_ns:
        return "nothing was measured"
    failed = sum(load.failures.values())
    parts = [
        f"mean {number(load.latency_ns.mean / NS_PER_MS, 3)} ms",
        f"{number(load.latency_ns.count / (load.elapsed_ns / NS_PER_S), 3)}/s",
        f"{failed} of {load.requests} requests failed" if failed else f"{load.requests} requests",
    ]
    if record.startup_ns is not None:
        parts.append(f"up in {number(record.startup_ns / NS_PER_MS, 3)} ms")
    return ", ".join(parts)


class PlainObserver:
    """One line for each thing that ends: for logs and pipes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        line = self._line(event)
        if line is not None:
            err.print(escape(line), soft_wrap=True)

    def _line(self, event: Event) -> str | None:
        line: str | None = None
        match event:
            case Remarked():
                line = event.text
            case BuildStarted():
                line = f"building {event.label}: {event.command}"
            case BuildEnded(cached=False):
                line = f"built {event.label} in {duration(event.duration_ns)}"
            case RunStarted():
                self._trials = len(event.manifest.order)
                line = starting_line(event)
            case TrialEnded():
                plan = event.record.plan
                line = (
                    f"[{plan.number:>{len(str(self._trials))}}/{self._trials}] block {plan.block} · {plan.cell.label}: "
                    f"{result_line(event.record)}; {duration(event.remaining_ns)} left"
                )
            case RunEnded():
                line = f"{event.completed} trials completed, {event.failed} failed"
        return line


def starting_line(event: RunStarted) -> str:
    """What a run is about to do."""
    left = len(event.manifest.order) - event.done
    kept = f" ({event.done} are done already)" if event.done else ""
    return f"{left} trials to go{kept}, about {duration(event.expected_ns)}; results in {event.folder}"


class LiveObserver:
    """Two bars: the run with the time left, and the trial's current phase; finished trials scroll above them."""

    def __init__(self) -> None:
        self._overall = Progress(
            TextColumn("[bold]trials"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            TimeElapsedColumn(),
            console=err,
        )
        self._now = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[detail]}"),
            console=err,
        )
        self._build = Text("", style="dim", no_wrap=True, overflow="ellipsis")
        self._live = Live(Group(self._build, self._now, self._overall), console=err, refresh_per_second=8)
        self._run: TaskID | None = None
        self._trial: TaskID | None = None
        self._title = ""
        self._remaining_ns = 0
        self._remaining_at = time.monotonic_ns()

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for bars in (self._now, self._overall):
            for task in bars.task_ids:
                bars.remove_task(task)
        self._build.plain = ""
        self._live.stop()

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case Remarked():
                err.print(escape(event.text), soft_wrap=True)
            case BuildStarted() | BuildOutput() | BuildEnded():
                self._building(event)
            case RunStarted():
                err.print(escape(starting_line(event)), soft_wrap=True)
                self._run = self._overall.add_task("", total=len(event.manifest.order), completed=event.done, left="")
                self._trial = self._now.add_task("", total=None, detail="")
                self._left(event.expected_ns)
            case TrialStarted():
                self._title = f"block {event.plan.block} · {event.plan.cell.label}"
            case PhaseEntered() | LoadProgressed():
                self._phase(event)
            case TrialEnded():
                self._ended(event)
            case RunEnded():
                pass

    def _building(self, event: BuildStarted | BuildOutput | BuildEnded) -> None:
        if isinstance(event, BuildStarted):
            err.print(f"building [bold]{escape(event.label)}[/]")
        elif isinstance(event, BuildOutput):
            self._build.plain = f"  {event.line}"
        else:
            self._build.plain = ""
            if not event.cached:
                err.print(f"built [bold]{escape(event.label)}[/] in {duration(event.duration_ns)}")

    def _left(self, remaining_ns: int) -> None:
        self._remaining_ns, self._remaining_at = remaining_ns, time.monotonic_ns()
        self._show_left()

    def _show_left(self) -> None:
        left_ns = max(0, self._remaining_ns - (time.monotonic_ns() - self._remaining_at))
        if self._run is not None:
            self._overall.update(self._run, left=f"about {duration(left_ns)} left")

    def _phase(self, event: PhaseEntered | LoadProgressed) -> None:
        if self._trial is None:
            return
        if isinstance(event, PhaseEntered):
            seconds = event.expected_ns / NS_PER_S if event.expected_ns else None
            text = f"{escape(self._title)} · [cyan]{event.phase}[/]"
            self._now.reset(self._trial, description=text, total=seconds, detail="")
        else:
            rate = event.requests / max(event.elapsed_ns / NS_PER_S, 1e-3)
            failed = f" · [red]{event.failures} failed[/]" if event.failures else ""
            detail = f"{event.requests} requests · {number(rate, 3)}/s · {event.active_users} users{failed}"
            if event.expected_requests is not None:
                self._now.update(self._trial, total=event.expected_requests, completed=event.requests, detail=detail)
            else:
                self._now.update(self._trial, completed=event.elapsed_ns / NS_PER_S, detail=detail)
        self._show_left()

    def _ended(self, event: TrialEnded) -> None:
        plan = event.record.plan
        mark = "[red]✗[/]" if event.record.failure else "[green]✓[/]"
        err.print(f"{mark} block {plan.block} · {escape(plan.cell.label)}: {escape(result_line(event.record))}")
        if self._run is not None:
            self._overall.advance(self._run)
        self._left(event.remaining_ns)
