# SPDX-License-Identifier: Apache-2.0
"""Which plots a run gets: each figure with its caption, and a panel for each load profile and factors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import altair as alt
import polars as pl

from bancada.analysis import frames
from bancada.model import quantities as fmt
from bancada.model.findings import Comparison, Estimate, Findings
from bancada.model.metric import METRICS
from bancada.report import charts
from bancada.report.charts import Axes, Box, Ratio
from bancada.report.tables import condition
from bancada.store.read import Run

_BOXED = ("throughput_per_s", "cpu_per_request_ns", "rss_peak_bytes", "startup_ns")
_TICKS = ((50.0, "50 %"), (90.0, "90 %"), (99.0, "99 %"), (99.9, "99.9 %"), (99.99, "99.99 %"), (99.999, "99.999 %"))
_MAXIMUM = 100.0
"""The percentile that is the maximum; it lies at infinity of the stretched axis."""
_LATENCY = "Response time (ms)"
_LINES = "Thin: each trial ({}); bold: their median."
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
    names = {plan.cell.label: condition(plan.cell) for plan in run.manifest.order}
    boxed = dict.fromkeys((findings.metric, *_BOXED))
    spread = [spread_figure(findings, places, name) for name in boxed]
    lines = [
        percentile_figure(_conditioned(frames.latency_by_percentile(run), names), places, _failed(findings)),
        *over_time_figures(_conditioned(frames.over_time(run), names), places),
        *resource_figures(_conditioned(frames.resources_over_time(run), names), places),
    ]
    found = [spread[0], lines[0], *spread[1:], *lines[1:]]
    return tuple(figure for figure in found if figure.panels)


def forest_figure(findings: Findings) -> Figure:
    """The study's verdicts as a figure for papers; on the page they stand in the table of verdicts."""
    metric = METRICS[findings.metric]
    own = [each for each in findings.comparisons if each.metric == findings.metric and each.ratio]
    names = dict.fromkeys(condition(each.b) for each in own)
    return Figure(
        id="plot-verdicts",
        title=f"{metric.label}: ratios",
        note=f"Ratio of means with its interval; shaded: within {fmt.setting(findings.margin)} of 1.",
        panels=tuple(
            Panel(
                name,
                f"Forest plot, ratios of {metric.label}, {name}.",
                charts.forest_plot(_ratios(own, name), findings.margin, name, f"Ratio of {metric.label.lower()}"),
            )
            for name in names
        ),
    )


def _ratios(comparisons: Sequence[Comparison], name: str) -> list[Ratio]:
    return [
        Ratio(each.b.sut, each.a.sut, each.ratio.point, each.ratio.low, each.ratio.high)
        for each in comparisons
        if each.ratio and condition(each.b) == name
    ]


def _conditioned(table: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """The table with each cell's load profile and factors in one column, as all of the report writes them."""
    return table.with_columns(condition=pl.col("cell").replace_strict(names, return_dtype=pl.String))


def spread_figure(findings: Findings, places: Places, metric: str) -> Figure:
    """Box plots of one metric, every trial a dot."""
    facts = METRICS[metric]
    known = [each for each in findings.estimates if each.metric == metric and each.operation is None]
    boxed = [(each, box) for each in known if (box := _box(each)) is not None]
    axis = facts.label + (f" ({facts.unit})" if facts.unit else "")
    direction = "lower" if facts.lower_is_better else "higher"
    return Figure(
        id=f"plot-{facts.name.replace('_', '-')}",
        title=f"{facts.label}: every trial",
        note=f"Each dot is one trial (n = {_counts([each for each, _ in boxed])} a box); "
        f"box: quartiles and median; whiskers: extremes. "
        f"{direction.capitalize()} is better.",
        panels=tuple(
            Panel(
                name,
                f"Box plot, {axis}, {name}. " + "; ".join(_in_words(each) for each, _ in cells),
                charts.box_plot([box for _, box in cells], places, name, axis),
            )
            for name, cells in _by_condition(boxed)
        ),
    )


def _failed(findings: Findings) -> int:
    """Failed requests of the run."""
    return sum(each.count for each in findings.failures)


def percentile_figure(table: pl.DataFrame, places: Places, failed: int = 0) -> Figure:
    """Response time by percentile, the tail stretched as HdrHistogram's plots do it; `failed` requests are left out."""
    rows = table.filter(pl.col("percentile") < _MAXIMUM).with_columns(
        x=_tail(pl.col("percentile")), y=pl.col("latency_ns") * 1e-6
    )
    ticks = tuple((pl.select(_tail(pl.lit(at))).item(), name) for at, name in _TICKS)

    def axes(name: str, lines: pl.DataFrame) -> Axes:
        return Axes(name, "Percentile of the requests", _LATENCY, _needs_log(lines), ticks)

    left_out = f" Only requests that passed count: {fmt.fixed(failed, 0)} failed (see Errors)." if failed else ""
    return Figure(
        id="plot-percentiles",
        title="Response time by percentile",
        note=f"{_LINES.format(_trials(table))} "
        f"A percentile ends where a trial has no request beyond it; maxima are in the tables.{left_out}",
        panels=tuple(_line_panels(rows, places, axes)),
    )


def over_time_figures(table: pl.DataFrame, places: Places) -> tuple[Figure, Figure, Figure]:
    """Response time, active users and throughput in the course of the measured window."""
    active = _time_figure(table, places, "Active users", pl.col("active_users"))
    meaning = (
        "In closed load, users between their first request and their last answer; in open load, requests under way."
    )
    return (
        _time_figure(table, places, _LATENCY, pl.col("latency_ns") * 1e-6),
        replace(active, note=f"{active.note} {meaning}"),
        _time_figure(table, places, "Throughput (1/s)", pl.col("throughput_per_s")),
    )


def resource_figures(table: pl.DataFrame, places: Places) -> tuple[Figure, Figure]:
    """CPU and memory in the course of the measured window."""
    mebibytes = pl.col("rss_bytes") * METRICS["rss_peak_bytes"].scale
    return (
        _time_figure(table, places, "CPU (% of one CPU)", pl.col("cpu_share") * 100),
        _time_figure(table, places, "RSS (MiB)", mebibytes),
    )


def _time_figure(table: pl.DataFrame, places: Places, y_title: str, y: pl.Expr) -> Figure:
    name = y_title.split(" (", maxsplit=1)[0]
    rows = table.with_columns(x=pl.col("at_s"), y=y)

    def axes(title: str, lines: pl.DataFrame) -> Axes:
        stretched = y_title == _LATENCY and _needs_log(lines)
        return Axes(title, "Time (s)", y_title, stretched, names_at="mean")

    return Figure(
        id=f"plot-{name.lower().replace(' ', '-')}-over-time",
        title=f"{name} over time",
        note=f"Within the measured window. {_LINES.format(_trials(table))}",
        panels=tuple(_line_panels(rows, places, axes)),
    )


def _line_panels(rows: pl.DataFrame, places: Places, axes: Callable[[str, pl.DataFrame], Axes]) -> Iterator[Panel]:
    for name in rows["condition"].unique(maintain_order=True):
        lines = rows.filter(pl.col("condition") == name).select("sut", "trial", "x", "y")
        if lines["y"].null_count() == len(lines):
            continue
        around = axes(name, lines)
        suts = ", ".join(lines["sut"].unique(maintain_order=True))
        yield Panel(
            name,
            f"Line plot, {around.y_title} by {around.x_title.lower()}, {name}: {suts}.",
            charts.line_chart(lines, places, around),
        )


def _needs_log(lines: pl.DataFrame) -> bool:
    """Whether response times differ so much that a linear axis would press most of them to its floor."""
    low, high = lines.select(low=pl.col("y").min(), high=pl.col("y").max()).row(0)
    return bool(high > _LOG_FROM * low > 0)


def _tail(percentile: pl.Expr) -> pl.Expr:
    """Place on an axis that gives each further nine the same room."""
    return -(1 - percentile / 100).log10()


def _trials(table: pl.DataFrame) -> str:
    counts = table.group_by("cell").agg(pl.col("trial").n_unique())["trial"].unique().sort().to_list()
    return f"n = {' to '.join(str(each) for each in dict.fromkeys((counts[0], counts[-1])))}" if counts else "n = 0"


def _counts(estimates: Sequence[Estimate]) -> str:
    counts = sorted({each.n for each in estimates})
    return " to ".join(str(each) for each in dict.fromkeys((counts[0], counts[-1]))) if counts else "0"


def _by_condition(boxed: Sequence[tuple[Estimate, Box]]) -> list[tuple[str, list[tuple[Estimate, Box]]]]:
    names = dict.fromkeys(condition(each.cell) for each, _ in boxed)
    return [(name, [pair for pair in boxed if condition(pair[0].cell) == name]) for name in names]


def _box(estimate: Estimate) -> Box | None:
    """What is drawn of an estimate, or None if it is unknown."""
    metric = METRICS[estimate.metric]
    five = (estimate.minimum, estimate.q1, estimate.median, estimate.q3, estimate.maximum)
    known = [value * metric.scale for value in five if value is not None]
    if len(known) < len(five):
        return None
    minimum, q1, median, q3, maximum = known
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
