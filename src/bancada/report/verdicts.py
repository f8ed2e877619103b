# SPDX-License-Identifier: Apache-2.0
"""The page's tables of verdicts: comparisons as text, each with its place on a common axis of ratios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.model import quantities as fmt
from bancada.model.findings import Comparison, Findings, Verdict
from bancada.model.metric import METRICS, Metric
from bancada.report.forest import Axis, Whisker, axis_for
from bancada.report.tables import condition

SYMBOLS: dict[Verdict, str] = {"better": "▲", "worse": "▼", "equivalent": "=", "undecided": "~"}


@dataclass(frozen=True)
class VerdictRow:
    """`b` against `a`, every figure as text."""

    a: str
    b: str
    verdict: Verdict
    symbol: str
    ratio: str
    interval: str
    change: str
    """The ratio in words; empty where the evidence for a difference is missing."""
    whisker: Whisker | None
    p_holm: str
    p: str
    test: str
    effect: str
    magnitude: str
    difference: str
    """Point of the shift with its unit."""
    shift: str
    """The same with its interval."""
    n: str


@dataclass(frozen=True)
class VerdictTable:
    """All comparisons of one metric, grouped by load profile and factors."""

    metric: Metric
    axis: Axis
    groups: tuple[tuple[str, tuple[VerdictRow, ...]], ...]


def verdict_table(findings: Findings, metric: str) -> VerdictTable | None:
    """The verdicts by one metric, or None if nothing was compared by it."""
    comparisons = [each for each in findings.comparisons if each.metric == metric]
    if not comparisons:
        return None
    axis = axis_for((each.ratio for each in comparisons), findings.margin)
    names = dict.fromkeys(condition(each.b) for each in comparisons)
    groups = tuple(
        (name, tuple(_row(each, axis) for each in comparisons if condition(each.b) == name)) for name in names
    )
    return VerdictTable(METRICS[metric], axis, groups)


def other_verdicts(findings: Findings) -> tuple[VerdictTable, ...]:
    """The verdicts by every metric but the study's own, in the catalogue's order."""
    tables = (verdict_table(findings, name) for name in METRICS if name != findings.metric)
    return tuple(table for table in tables if table is not None)


def counts(groups: Sequence[tuple[str, Sequence[VerdictRow]]]) -> dict[Verdict, int]:
    """How many comparisons got each verdict."""
    rows = [row.verdict for _, group in groups for row in group]
    return {verdict: rows.count(verdict) for verdict in SYMBOLS if verdict in rows}


def _row(comparison: Comparison, axis: Axis) -> VerdictRow:
    return VerdictRow(
        a=comparison.a.sut,
        b=comparison.b.sut,
        verdict=comparison.verdict,
        symbol=SYMBOLS[comparison.verdict],
        ratio=fmt.ratio(comparison.ratio),
        interval=fmt.ratio_interval(comparison.ratio),
        change="" if comparison.verdict == "undecided" else fmt.change(comparison.ratio),
        whisker=axis.whisker(comparison.ratio) if comparison.ratio else None,
        p_holm=fmt.p_value(comparison.p_holm),
        p=fmt.p_value(comparison.p),
        test=comparison.test or "no test",
        effect="~" if comparison.cliffs_delta is None else _signed(comparison.cliffs_delta),
        magnitude=comparison.magnitude or "",
        difference=_shift(comparison, with_interval=False),
        shift=_shift(comparison, with_interval=True),
        n=str(comparison.n_b) if comparison.n_a == comparison.n_b else f"{comparison.n_b} vs {comparison.n_a}",
    )


def _signed(value: float) -> str:
    text = fmt.fixed(value, 2)
    return text if value <= 0 else f"+{text}"


def _shift(comparison: Comparison, *, with_interval: bool) -> str:
    if comparison.shift is None:
        return "~"
    metric, shift = METRICS[comparison.metric], comparison.shift
    point = shift.point * metric.scale
    low, high = (None if end is None else end * metric.scale for end in (shift.low, shift.high))
    places = fmt.decimals(point, 3)
    text = fmt.fixed(point, places)
    return fmt.with_unit(f"{text} {fmt.interval(low, high, places)}" if with_interval else text, metric.unit)
