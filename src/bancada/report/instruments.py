# SPDX-License-Identifier: Apache-2.0
"""The page's section that sets the load engines side by side, and its table for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from bancada.model import quantities as fmt
from bancada.model.findings import Agreement, EngineReading, Findings, InstrumentComparison
from bancada.model.metric import ALL_METRICS, ENGINE_METRICS, Metric
from bancada.report.tables import condition
from bancada.store import layout
from bancada.store.read import Run
from bancada.store.write import write_text

TABLE = "instruments"
"""Name of the table under `tables/`."""
SYMBOLS: dict[Agreement, str] = {"agree": "=", "differ": "≠", "undecided": "~"}


@dataclass(frozen=True)
class ShownReading:
    """What one engine measured, every figure as text."""

    engine: str
    n: int
    mean: str
    interval: str
    ratio: str
    """To the first engine; `~` where there is none."""
    ratio_interval: str
    p_holm: str
    agreement: Agreement | None
    symbol: str


@dataclass(frozen=True)
class ShownMetric:
    """One metric: rows of systems under test, each with a reading of every engine."""

    metric: Metric
    judged: bool
    """Whether engines are expected to agree on it."""
    counts: dict[str, int]
    """How many pairs of engines had each outcome."""
    groups: tuple[tuple[str, tuple[tuple[str, tuple[ShownReading, ...]], ...]], ...]
    """By load and factors: the system under test, and its readings in the order of the engines."""


def shown_metrics(findings: Findings) -> tuple[ShownMetric, ...]:
    """The engines side by side as readers see them, metric by metric; empty if the study has one engine."""
    names = dict.fromkeys(each.metric for each in findings.instruments)
    return tuple(_metric([each for each in findings.instruments if each.metric == name]) for name in names)


def programs(run: Run) -> tuple[tuple[str, str], ...]:
    """Each engine of the study and which program it was, as in `jmeter 5.6.3`; one that did nothing is left out."""
    found: dict[str, str] = {}
    for trial in run.trials:
        if trial.record.load is not None:
            cost = trial.record.load.engine
            found.setdefault(trial.record.plan.cell.factors.get("engine", ""), f"{cost.name} {cost.version}")
    return tuple((engine, found[engine]) for engine in run.manifest.study.engines if engine in found)


def write_table(findings: Findings, folder: Path) -> None:
    """Write `tables/instruments.csv` into a run's folder, in the stored units; nothing if there is one engine."""
    rows = [_csv_row(each, reading) for each in findings.instruments for reading in each.readings]
    if rows:
        table = pl.DataFrame(rows, infer_schema_length=None)
        write_text(folder / layout.TABLES / f"{TABLE}.csv", table.write_csv())


def _metric(own: Sequence[InstrumentComparison]) -> ShownMetric:
    metric = ALL_METRICS[own[0].metric]
    outcomes = [reading.agreement for each in own for reading in each.readings if reading.agreement]
    groups: dict[str, list[tuple[str, tuple[ShownReading, ...]]]] = {}
    for each in own:
        shown = tuple(_reading(reading, metric.scale, _places(each, metric.scale)) for reading in each.readings)
        groups.setdefault(condition(each.cell), []).append((each.cell.sut, shown))
    return ShownMetric(
        metric=metric,
        judged=metric.name not in ENGINE_METRICS,
        counts={name: outcomes.count(name) for name in SYMBOLS if name in outcomes},
        groups=tuple((name, tuple(rows)) for name, rows in groups.items()),
    )


def _places(compared: InstrumentComparison, scale: float) -> int:
    """The same places after the point for figures beside each other: four digits of the smallest."""
    means = [abs(each.mean * scale) for each in compared.readings if each.mean]
    return fmt.decimals(min(means)) if means else 0


def _reading(reading: EngineReading, scale: float, places: int) -> ShownReading:
    low, high = (None if end is None else end * scale for end in (reading.low, reading.high))
    return ShownReading(
        engine=reading.engine,
        n=reading.n,
        mean=fmt.UNKNOWN if reading.mean is None else fmt.fixed(reading.mean * scale, places),
        interval=fmt.interval(low, high, places),
        ratio=fmt.ratio(reading.ratio),
        ratio_interval=fmt.ratio_interval(reading.ratio),
        p_holm=fmt.p_value(reading.p_holm),
        agreement=reading.agreement,
        symbol=SYMBOLS[reading.agreement] if reading.agreement else "",
    )


def _csv_row(compared: InstrumentComparison, reading: EngineReading) -> dict[str, object]:
    cell, ratio = compared.cell, reading.ratio
    return {
        "sut": cell.sut,
        "load": cell.load,
        "factors": json.dumps(cell.factors, ensure_ascii=False) if cell.factors else "",
        "metric": compared.metric,
        **reading.model_dump(include={"engine", "n", "mean", "low", "high"}),
        "ratio": ratio and ratio.point,
        "ratio_low": ratio and ratio.low,
        "ratio_high": ratio and ratio.high,
        **reading.model_dump(include={"p_holm", "agreement"}),
    }
