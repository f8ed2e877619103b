# SPDX-License-Identifier: Apache-2.0
"""The page's tables of estimates: figures of the findings as text in the readers' unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bancada.model.findings import Estimate, Findings
from bancada.model.metric import METRICS, Group, Metric
from bancada.model.trial import Cell
from bancada.report import format as fmt

GROUPS: tuple[Group, ...] = ("response time", "throughput", "errors", "resources", "start-up")
_KEY_METRICS = (
    "latency_p99_ns",
    "throughput_per_s",
    "cpu_per_request_ns",
    "rss_peak_bytes",
    "startup_ns",
    "error_share",
)


@dataclass(frozen=True)
class EstimateRow:
    """One metric of one cell; every figure as text."""

    sut: str
    condition: str
    n: int
    mean: str
    interval: str
    sd: str
    minimum: str
    q1: str
    median: str
    q3: str
    maximum: str
    unknown: str | None
    """Why there is no figure."""


@dataclass(frozen=True)
class EstimateTable:
    """One metric of all cells."""

    metric: Metric
    operation: str | None
    rows: tuple[EstimateRow, ...]

    @property
    def known(self) -> bool:
        """Whether any cell has a figure."""
        return any(row.n for row in self.rows)


@dataclass(frozen=True)
class MetricTables:
    """A metric's table over all operations together, and one for each operation."""

    whole: EstimateTable
    operations: tuple[EstimateTable, ...]


@dataclass(frozen=True)
class KeyRow:
    """A cell's key figures, in the order of the metrics."""

    sut: str
    condition: str
    figures: tuple[EstimateRow, ...]


@dataclass(frozen=True)
class KeyTable:
    """Cells × the metrics that most readers ask for first."""

    metrics: tuple[Metric, ...]
    rows: tuple[KeyRow, ...]


def condition(cell: Cell) -> str:
    """What a cell shares with those it is compared to: load profile and factors."""
    return " · ".join([cell.load, *(f"{name}={value}" for name, value in cell.factors.items())])


def estimate_row(estimate: Estimate) -> EstimateRow:
    """One estimate as text; all its figures have as many places as give the mean four digits."""
    scale = METRICS[estimate.metric].scale
    centre = None if estimate.mean is None else estimate.mean * scale
    places = fmt.decimals(centre)

    def text(value: float | None) -> str:
        return fmt.UNKNOWN if value is None else fmt.fixed(value * scale, places)

    low, high = (None if end is None else end * scale for end in (estimate.low, estimate.high))
    return EstimateRow(
        sut=estimate.cell.sut,
        condition=condition(estimate.cell),
        n=estimate.n,
        mean=text(estimate.mean),
        interval=fmt.interval(low, high, places),
        sd="~" if estimate.sd is None else fmt.number(estimate.sd * scale, 3),
        minimum=text(estimate.minimum),
        q1=text(estimate.q1),
        median=text(estimate.median),
        q3=text(estimate.q3),
        maximum=text(estimate.maximum),
        unknown=(estimate.unknown or "no trial yielded a value") if estimate.n == 0 else None,
    )


def metric_tables(findings: Findings, group: Group) -> tuple[MetricTables, ...]:
    """All tables of a group of metrics, in the catalogue's order."""
    return tuple(
        MetricTables(_table(metric, None, of_metric), _by_operation(metric, of_metric))
        for metric in METRICS.values()
        if metric.group == group
        for of_metric in [[each for each in findings.estimates if each.metric == metric.name]]
        if of_metric
    )


def _by_operation(metric: Metric, estimates: Sequence[Estimate]) -> tuple[EstimateTable, ...]:
    names = dict.fromkeys(each.operation for each in estimates if each.operation is not None)
    return tuple(_table(metric, name, estimates) for name in names)


def _table(metric: Metric, operation: str | None, estimates: Iterable[Estimate]) -> EstimateTable:
    rows = sorted((each for each in estimates if each.operation == operation), key=lambda each: condition(each.cell))
    order = {name: place for place, name in enumerate(dict.fromkeys(condition(each.cell) for each in estimates))}
    rows.sort(key=lambda each: order[condition(each.cell)])
    return EstimateTable(metric, operation, tuple(map(estimate_row, rows)))


def key_table(findings: Findings) -> KeyTable:
    """The study's own metric first, then the usual ones, each as mean and interval."""
    names = tuple(dict.fromkeys((findings.metric, *_KEY_METRICS)))
    known = {(each.metric, each.cell.label): each for each in findings.estimates if each.operation is None}
    names = tuple(name for name in names if any(metric == name and known[metric, _].n for metric, _ in known))
    cells = {each.cell.label: each.cell for each in findings.estimates}
    order = {name: place for place, name in enumerate(dict.fromkeys(map(condition, cells.values())))}
    rows = (
        KeyRow(cell.sut, condition(cell), tuple(estimate_row(known[name, label]) for name in names))
        for label, cell in sorted(cells.items(), key=lambda item: order[condition(item[1])])
        if all((name, label) in known for name in names)
    )
    return KeyTable(tuple(METRICS[name] for name in names), tuple(rows))
