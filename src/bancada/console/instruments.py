# SPDX-License-Identifier: Apache-2.0
"""The load engines of a study side by side, as a terminal table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from bancada.analysis.instrument_words import instruments_in_words
from bancada.console.screen import out
from bancada.model.findings import Agreement, EngineReading, Findings, InstrumentComparison
from bancada.model.metric import ALL_METRICS
from bancada.model.quantities import decimals, fixed, interval, ratio_places

OUTCOMES: dict[Agreement, str] = {
    "agree": "[cyan]= agree[/]",
    "differ": "[bold red]≠ differ[/]",
    "undecided": "[yellow]~ undecided[/]",
}
SHORT = {
    "latency_mean_ns": "mean, ms",
    "latency_p50_ns": "p50, ms",
    "latency_p99_ns": "p99, ms",
    "throughput_per_s": "req., 1/s",
    "engine_cpu_s": "own CPU, s",
    "engine_rss_peak_bytes": "own RSS, MiB",
}
"""Metrics in few enough signs for a terminal of 80 columns."""


def show_instruments(findings: Findings) -> None:
    """Each cell by each engine, and what it means in words; nothing if the study has one engine."""
    if not findings.instruments:
        return
    out.print()
    out.print("[bold]Instruments side by side[/]: mean over trials, ± half of its interval")
    for label in dict.fromkeys(each.cell.label for each in findings.instruments):
        out.print(_table(label, [each for each in findings.instruments if each.cell.label == label]))
    if findings.comparisons:  # else these words are the answer
        for text in instruments_in_words(findings.instruments, findings.margin):
            out.print(escape(text), soft_wrap=True)


def _table(label: str, instruments: Sequence[InstrumentComparison]) -> Table:
    """One cell: a row for each metric."""
    readings = instruments[0].readings
    trials = " and ".join(str(reading.n) for reading in readings)
    table = Table(
        title=escape(f"{label} (n = {trials})"),
        title_justify="left",
        title_style="italic",
        header_style="bold",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    table.add_column("", no_wrap=True)
    for reading in readings:
        table.add_column(escape(reading.engine), justify="right")
    for reading in readings[1:]:
        table.add_column(escape(f"{reading.engine} ÷ {readings[0].engine}"), justify="right", no_wrap=True)
        table.add_column("", no_wrap=True)
    for each in instruments:
        ratios = (text for reading in each.readings[1:] for text in _against_first(reading))
        table.add_row(SHORT[each.metric], *(_mean(reading, each.metric) for reading in each.readings), *ratios)
    return table


def _mean(reading: EngineReading, metric: str) -> str:
    """In the readers' unit, with half of its interval."""
    if reading.mean is None:
        return "unknown"
    scale = ALL_METRICS[metric].scale
    mean = reading.mean * scale
    if reading.high is None:
        return fixed(mean, decimals(mean, 3))
    half = reading.high * scale - mean
    places = max(decimals(mean, 3), min(decimals(half, 1), 3)) if half else decimals(mean, 3)
    return f"{fixed(mean, places)} ± {fixed(half, places)}"


def _against_first(reading: EngineReading) -> tuple[str, str]:
    """Ratio with interval, and the outcome; what an engine costs has none, and needs fewer digits."""
    outcome, bounds = OUTCOMES[reading.agreement] if reading.agreement else "", reading.ratio
    if bounds is None:
        return "~", outcome
    places = ratio_places(bounds) if reading.agreement else decimals(bounds.point, 3)
    return escape(f"{fixed(bounds.point, places)} {interval(bounds.low, bounds.high, places)}"), outcome
