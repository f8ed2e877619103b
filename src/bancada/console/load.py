# SPDX-License-Identifier: Apache-2.0
"""What `bancada load` shows: progress while it runs, then response times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bancada.console.screen import err, out
from bancada.engine.wire import ProgressEvent
from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.measure import LoadRecord, Summary
from bancada.model.quantities import UNKNOWN, number, percent, size

COLUMNS = ("mean", "p50", "p90", "p95", "p99", "p999", "max")


@contextmanager
def load_observer() -> Iterator[Callable[[ProgressEvent], None]]:
    """A bar on a terminal, silence elsewhere."""
    if not err.is_terminal:
        yield lambda _: None
        return
    columns = (TextColumn("loading"), BarColumn(bar_width=30), TextColumn("{task.fields[detail]}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bars:
        task = bars.add_task("", total=None, detail="")

        def show(event: ProgressEvent) -> None:
            rate = event.requests / max(event.elapsed_ns / NS_PER_S, 1e-3)
            detail = f"{event.requests} requests · {number(rate, 3)}/s · {event.failures} failed"
            bars.update(task, total=event.expected_requests, completed=event.requests, detail=detail)

        yield show


def show_load(record: LoadRecord) -> None:
    """Response times, lateness, throughput and failures of one load."""
    elapsed_s = (record.elapsed_ns or 0) / NS_PER_S
    passed = record.latency_ns.count
    rate = number(passed / elapsed_s) if elapsed_s else UNKNOWN
    out.print(
        f"[bold]{passed}[/] of {record.requests} requests succeeded in {number(elapsed_s, 3)} s: [bold]{rate}/s[/], "
        f"{size(record.bytes_in)} received, {record.connections_opened} connections opened",
        soft_wrap=True,
    )
    table = Table(header_style="bold")
    table.add_column(f"{record.kind} load, in ms")
    for name in COLUMNS:
        table.add_column("p99.9" if name == "p999" else name, justify="right")
    table.add_row("response time", *_row(record.latency_ns))
    table.add_row("engine's lateness", *_row(record.lateness_ns))
    out.print(table)
    for kind, count in sorted(record.failures.items(), key=lambda item: -item[1]):
        out.print(f"[red]{count}[/] failed ({percent(count / record.requests)}): {escape(kind)}")
    if record.unsent:
        out.print(f"[red]{record.unsent}[/] were intended but never sent")
    cpu_ns, workers = record.engine.cpu_ns, record.engine.workers
    busy = cpu_ns / record.elapsed_ns / workers if cpu_ns is not None and workers and record.elapsed_ns else None
    out.print(
        f"[dim]engine: {percent(busy)} of its {record.engine.workers} CPU(s), {size(record.engine.peak_rss_bytes)}; "
        "one trial without repetition: no interval, no verdict[/]",
        soft_wrap=True,
    )


def _row(summary: Summary) -> list[str]:
    values = [getattr(summary, name) for name in COLUMNS]
    return [UNKNOWN if value is None else number(value / NS_PER_MS, 3) for value in values]
