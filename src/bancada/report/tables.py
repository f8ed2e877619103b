# SPDX-License-Identifier: Apache-2.0
"""The page's tables of estimates: figures of the findings as text in the readers' unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.model import quantities as fmt
from bancada.model.findings import Estimate, FailureCount, Findings
from bancada.model.metric import ALL_METRICS, Group, Metric
from bancada.model.trial import Cell

GROUPS: tuple[Group, ...] = ("response time", "throughput", "errors", "resources", "start-up", "load engine")
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
    groups: tuple[tuple[str, tuple[EstimateRow, ...]], ...]
    """The cells of each load profile and combination of factors."""


@dataclass(frozen=True)
class MetricTables:
    """A metric's table over all operations together, and one for each operation."""

    whole: EstimateTable
    operations: tuple[EstimateTable, ...]


@dataclass(frozen=True)
class KeyRow:
    """A cell's key figures, in the order of the metrics."""

    sut: str
    figures: tuple[EstimateRow, ...]


@dataclass(frozen=True)
class KeyTable:
    """Cells × the metrics that most readers ask for first."""

    metrics: tuple[Metric, ...]
    groups: tuple[tuple[str, tuple[KeyRow, ...]], ...]


def condition(cell: Cell) -> str:
    """What a cell shares with those it is compared to: load profile and factors."""
    return " · ".join([cell.load, *(f"{name}={value}" for name, value in cell.factors.items())])


def estimate_table(findings: Findings, metric: str, operation: str | None = None) -> EstimateTable:
    """A metric's table, over all operations together or for one of them."""
    own = [each for each in findings.estimates if each.metric == metric and each.operation == operation]
    names = dict.fromkeys(condition(each.cell) for each in own)
    grouped = ((name, [each for each in own if condition(each.cell) == name]) for name in names)
    return EstimateTable(ALL_METRICS[metric], operation, tuple((name, _rows(cells)) for name, cells in grouped))


def metric_tables(findings: Findings, group: Group) -> tuple[MetricTables, ...]:
    """All tables of a group of metrics, in the catalogue's order."""
    operations: dict[str, dict[str, None]] = {}
    for each in findings.estimates:
        of_metric = operations.setdefault(each.metric, {})
        if each.operation is not None:
            of_metric[each.operation] = None
    return tuple(
        MetricTables(
            estimate_table(findings, name),
            tuple(estimate_table(findings, name, operation) for operation in operations[name]),
        )
        for name, metric in ALL_METRICS.items()
        if metric.group == group and name in operations
    )


def key_table(findings: Findings) -> KeyTable:
    """The study's own metric first, then the usual ones, each as mean and interval; unknown ones are left out."""
    asked = dict.fromkeys((findings.metric, *_KEY_METRICS))
    known = {each.metric for each in findings.estimates if each.n and each.operation is None}
    tables = [estimate_table(findings, name) for name in asked if name in known]
    if not tables:
        return KeyTable((), ())
    groups = tuple(
        (
            name,
            tuple(KeyRow(row[0].sut, row) for row in zip(*(table.groups[place][1] for table in tables), strict=True)),
        )
        for place, (name, _) in enumerate(tables[0].groups)
    )
    return KeyTable(tuple(table.metric for table in tables), groups)


def failures_by_condition(findings: Findings) -> tuple[tuple[str, tuple[FailureCount, ...]], ...]:
    """Failed requests by kind, the cells of each load profile and combination of factors together."""
    names = dict.fromkeys(condition(each.cell) for each in findings.failures)
    return tuple((name, tuple(each for each in findings.failures if condition(each.cell) == name)) for name in names)


def _rows(estimates: Sequence[Estimate]) -> tuple[EstimateRow, ...]:
    """Estimates that stand below each other, with the same places after the point."""
    places = _places(estimates)
    return tuple(_row(each, places) for each in estimates)


def _row(estimate: Estimate, places: int) -> EstimateRow:
    scale = ALL_METRICS[estimate.metric].scale

    def text(value: float | None) -> str:
        return fmt.UNKNOWN if value is None else fmt.fixed(value * scale, places)

    low, high = (None if end is None else end * scale for end in (estimate.low, estimate.high))
    return EstimateRow(
        sut=estimate.cell.sut,
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


def _places(estimates: Sequence[Estimate]) -> int:
    """Places that show two digits of the narrowest interval's half-width, but not more than four of the largest mean.

    Exceptions keep what a reader would miss: one digit of each half-width, and two of the smallest mean.
    """
    scaled = [(each, ALL_METRICS[each.metric].scale) for each in estimates]
    means = [abs(each.mean * scale) for each, scale in scaled if each.mean]
    if not means:
        return 0
    widths = [
        (each.high - each.low) / 2 * scale for each, scale in scaled if each.low is not None and each.high is not None
    ]
    narrowest = min((width for width in widths if width > 0), default=None)
    most, least = fmt.decimals(max(means)), fmt.decimals(min(means), 2)
    if narrowest is None:
        return max(most, least)
    return max(min(most, fmt.decimals(narrowest, 2)), least, fmt.decimals(narrowest, 1))
