# SPDX-License-Identifier: Apache-2.0
"""Which plots a run gets: each figure with its caption, and a panel for each load profile and combination of factors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import polars as pl

from bancada.analysis import frames
from bancada.model.findings import Estimate, Findings
from bancada.model.metric import METRICS
from bancada.report import charts
from bancada.report import format as fmt
from bancada.report.charts import Axes, Box
from bancada.report.tables import condition
from bancada.store.read import Run

_BOXED = ("throughput_per_s", "cpu_per_request_ns", "rss_peak_bytes", "startup_ns")
_TICKS = ((50.0, "50 %"), (90.0, "90 %"), (99.0, "99 %"), (99.9, "99.9 %"), (99.99, "99.99 %"), (99.999, "99.999 %"))
_LOG_FROM = 20.0
"""A log axis when the largest value drawn is so many times the smallest."""

Places = Mapping[str, int]
"""Systems under test and their place in the study, which gives them colour and shape."""


@dataclass(frozen=True)
class Panel:
    """One chart, and its description for those who cannot see it."""

    condition: str
    description: str
    chart: alt.LayerChart


@dataclass(frozen=True)
class Figure:
    """Charts that belong together."""

    id: str
    title: str
    note: str
    panels: tuple[Panel, ...]


def places_of(run: Run) -> dict[str, int]:
    """Every system under test of the study, in its order."""
    return {sut.label: place for place, sut in enumerate(run.manifest.suts)}


def figures_of(run: Run, findings: Findings) -> tuple[Figure, ...]:
    """All figures of a run that have something to show."""
    places = places_of(run)
    boxed = dict.fromkeys((findings.metric, *_BOXED))
    spread = [spread_figure(findings, places, name) for name in boxed]
    lines = [
        percentile_figure(frames.latency_by_percentile(run), places),
        *over_time_figures(frames.over_time(run), places),
        *resource_figures(frames.resources_over_time(run), places),
    ]
    found = [spread[0], lines[0], *spread[1:], *lines[1:]]
    return tuple(figure for figure in found if figure.panels)


def spread_figure(findings: Findings, places: Places, metric: str) -> Figure:
    """Box plots of one metric, every trial a dot."""
    facts = METRICS[metric]
    known = [each for each in findings.estimates if each.metric == metric and each.operation is None and each.n]
    axis = facts.label + (f" ({facts.unit})" if facts.unit else "")
    direction = "lower" if facts.lower_is_better else "higher"
    return Figure(
        id=f"plot-{facts.name.replace('_', '-')}",
        title=f"{facts.label} of every trial",
        note=f"Each dot is one trial (n = {_counts(known)} a box); box: quartiles and median; whiskers: extremes. "
        f"{direction.capitalize()} is better.",
        panels=tuple(
            Panel(
                name,
                f"Box plot, {axis}, {name}. " + "; ".join(_in_words(each) for each in cells),
                charts.box_plot([_box(each) for each in cells], places, name, axis),
            )
            for name, cells in _by_condition(known)
        ),
    )


def percentile_figure(table: pl.DataFrame, places: Places) -> Figure:
    """Response time by percentile, the tail stretched as HdrHistogram's plots do it."""
    rows = table.filter(pl.col("percentile") < 100).with_columns(  # noqa: PLR2004 the maximum has no place on this axis
        x=_tail(pl.col("percentile")), **_scaled("latency_ns", "low_ns", "high_ns", scale=1e-6)
    )
    ticks = tuple((pl.select(_tail(pl.lit(at))).item(), name) for at, name in _TICKS)

    def axes(name: str, lines: pl.DataFrame) -> Axes:
        stretched = lines["high"].max() > _LOG_FROM * lines["low"].min()
        return Axes(name, "Percentile of the requests", "Response time (ms)", stretched, ticks)

    return Figure(
        id="plot-percentiles",
        title="Response time by percentile",
        note=f"Line: median over trials ({_trials(table)}); band: from the lowest to the highest trial. "
        "A percentile ends where a trial has no request beyond it; maxima are in the tables.",
        panels=tuple(_line_panels(rows, places, axes)),
    )


def over_time_figures(table: pl.DataFrame, places: Places) -> tuple[Figure, Figure]:
    """Response time and throughput in the course of the measured window."""
    latency = _scaled("latency_ns", "latency_low", "latency_high", scale=1e-6)
    throughput = _scaled("throughput_per_s", "throughput_low", "throughput_high", scale=1.0)
    return (
        _time_figure(table, places, "Response time (ms)", latency),
        _time_figure(table, places, "Throughput (1/s)", throughput),
    )


def resource_figures(table: pl.DataFrame, places: Places) -> tuple[Figure, Figure]:
    """CPU and memory in the course of the measured window."""
    cpu = _scaled("cpu_share", "cpu_low", "cpu_high", scale=100.0)
    rss = _scaled("rss_bytes", "rss_low", "rss_high", scale=METRICS["rss_peak_bytes"].scale)
    return (
        _time_figure(table, places, "CPU (% of one CPU)", cpu),
        _time_figure(table, places, "RSS (MiB)", rss),
    )


def _time_figure(table: pl.DataFrame, places: Places, y_title: str, columns: Mapping[str, pl.Expr]) -> Figure:
    name = y_title.split(" (")[0]
    rows = table.with_columns(x=pl.col("at_s"), **columns)
    return Figure(
        id=f"plot-{name.lower().replace(' ', '-')}-over-time",
        title=f"{name} over time",
        note=f"Within the measured window; line: median over trials ({_trials(table)}), "
        "band: from the lowest to the highest trial.",
        panels=tuple(_line_panels(rows, places, lambda title, _: Axes(title, "Time (s)", y_title))),
    )


def _line_panels(
    rows: pl.DataFrame, places: Places, axes: Callable[[str, pl.DataFrame], Axes]
) -> Iterator[Panel]:
    names = rows.select(condition=_condition_column()).to_series()
    for name in names.unique(maintain_order=True):
        lines = rows.filter(names == name).select("sut", "x", "y", "low", "high")
        if lines["y"].null_count() == len(lines):
            continue
        around = axes(name, lines)
        suts = ", ".join(lines["sut"].unique(maintain_order=True))
        yield Panel(
            name,
            f"Line plot, {around.y_title} by {around.x_title.lower()}, {name}: {suts}.",
            charts.line_chart(lines, places, around),
        )


def _condition_column() -> pl.Expr:
    factors = pl.when(pl.col("factors") == "").then(pl.lit("")).otherwise(" · " + pl.col("factors"))
    return pl.col("load") + factors.str.replace_all(", ", " · ", literal=True)


def _tail(percentile: pl.Expr) -> pl.Expr:
    """Place on an axis that gives each further nine the same room."""
    return -(1 - percentile / 100).log10()


def _scaled(middle: str, low: str, high: str, scale: float) -> dict[str, pl.Expr]:
    return {"y": pl.col(middle) * scale, "low": pl.col(low) * scale, "high": pl.col(high) * scale}


def _trials(table: pl.DataFrame) -> str:
    counts = table["trials"].unique().sort().to_list()
    return "no trials" if not counts else f"n = {counts[0]}" + (f" to {counts[-1]}" if len(counts) > 1 else "")


def _counts(estimates: Sequence[Estimate]) -> str:
    counts = sorted({each.n for each in estimates})
    return " to ".join(str(each) for each in dict.fromkeys((counts[0], counts[-1]))) if counts else "0"


def _by_condition(estimates: Sequence[Estimate]) -> list[tuple[str, list[Estimate]]]:
    names = dict.fromkeys(condition(each.cell) for each in estimates)
    return [(name, [each for each in estimates if condition(each.cell) == name]) for name in names]


def _box(estimate: Estimate) -> Box:
    metric = METRICS[estimate.metric]
    minimum, q1, median, q3, maximum = (
        (each or 0.0) * metric.scale
        for each in (estimate.minimum, estimate.q1, estimate.median, estimate.q3, estimate.maximum)
    )
    values = tuple(value * metric.scale for value in estimate.values)
    tips = tuple(
        f"{estimate.cell.sut}, trial {place} of {estimate.n}: {fmt.with_unit(fmt.number(value), metric.unit)}"
        for place, value in enumerate(values, 1)
    )
    return Box(estimate.cell.sut, values, minimum, q1, median, q3, maximum, tips)


def _in_words(estimate: Estimate) -> str:
    metric = METRICS[estimate.metric]
    median = fmt.number(None if estimate.median is None else estimate.median * metric.scale)
    return f"{estimate.cell.sut}: median {fmt.with_unit(median, metric.unit)}, n = {estimate.n}"
