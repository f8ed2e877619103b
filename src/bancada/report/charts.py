# SPDX-License-Identifier: Apache-2.0
"""One function for each kind of chart: plain rows in, an Altair chart out. What is drawn is decided in `figures`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import altair as alt
import polars as pl

from bancada.report import theme
from bancada.report.labels import Label, shortened, spread_labels

_ROW_HEIGHT = 34
_FOREST_ROW = 38
_DOT_LANES = (0.0, -0.5, 0.5, -1.0, 1.0)
"""Where in its row each block's dot sits, so that equal values do not hide each other."""
_LEAST_SPAN = 0.1
_LABEL_HEIGHT = 15.0
_LINES_HEIGHT = 270
_LINES_INNER = 190.0
"""About how many pixels the plot itself is high, for labels that must not touch."""
_LABEL_LIMIT = 184
_MOST_SIGNS = 27
"""Of a name beside a plot; more would leave the plot too little room."""


@dataclass(frozen=True)
class Axes:
    """What stands around a line chart."""

    title: str
    """The panel's condition: load profile and factors."""
    x_title: str
    y_title: str
    logarithmic: bool = False
    """Whether the y axis is."""
    x_ticks: tuple[tuple[float, str], ...] | None = None
    """Places and names of the ticks, or None for numbers."""
    names_at: Literal["end", "mean"] = "end"
    """Height of a line's name: where the line ends, or its mean where lines rise and fall."""


@dataclass(frozen=True)
class Box:
    """The distribution of one metric over the trials of one system under test, in the readers' unit."""

    sut: str
    values: tuple[float, ...]
    minimum: float
    q1: float
    median: float
    q3: float
    maximum: float
    tips: tuple[str, ...]
    """What hovering over each trial's dot says."""


def box_plot(boxes: Sequence[Box], places: Mapping[str, int], title: str, axis: str) -> alt.LayerChart:
    """A box for each system under test, every trial a dot upon it; whiskers go to the extremes."""
    rows = pl.DataFrame(
        [(each.sut, each.minimum, each.q1, each.median, each.q3, each.maximum) for each in boxes],
        schema=["sut", "minimum", "q1", "median", "q3", "maximum"],
        orient="row",
    )
    suts = [each.sut for each in boxes]
    y = alt.Y("sut:N", sort=suts, title=None, axis=_names_axis({sut: shortened(sut, _MOST_SIGNS) for sut in suts}))
    value = alt.Scale(domain=_wide_enough(boxes), nice=True)
    base = alt.Chart(rows).encode(y=y, color=_colours(suts, places))
    whiskers = base.mark_rule(strokeWidth=1.2).encode(
        x=alt.X("minimum:Q", scale=value, title=axis, axis=alt.Axis(tickCount=5)), x2="maximum:Q"
    )
    bodies = base.mark_bar(size=_ROW_HEIGHT * 0.52, fillOpacity=0.16, strokeWidth=1.2).encode(
        x="q1:Q", x2="q3:Q", stroke=_colours(suts, places)
    )
    medians = base.mark_tick(size=_ROW_HEIGHT * 0.52, thickness=2.4).encode(x="median:Q")
    return _sized([whiskers, bodies, medians, _dots(boxes, places, y)], title, height=62 + _ROW_HEIGHT * len(boxes))


def _names_axis(shown: Mapping[str, str]) -> alt.Axis:
    """An axis of names, each written as `shown` says; a line feed begins a second line."""
    written = f"split(({json.dumps(dict(shown))})[datum.label], '\\n')"
    lines = max(name.count("\n") + 1 for name in shown.values())
    above = -theme.FONT_SIZE / 2 * (lines - 1)
    return alt.Axis(labelColor=theme.INK, labelLimit=_LABEL_LIMIT, labelExpr=written, labelOffset=above)


def _wide_enough(boxes: Sequence[Box]) -> list[float]:
    """Ends of the axis: at least a tenth of the largest value apart, so that a trifle does not look like a gulf."""
    low, high = min(each.minimum for each in boxes), max(each.maximum for each in boxes)
    least = _LEAST_SPAN * max(abs(low), abs(high)) or 1.0
    room = max(high - low, least) - (high - low) + 0.04 * (high - low)
    return [max(low - room / 2, min(low, 0.0)), high + room / 2]


def _dots(boxes: Sequence[Box], places: Mapping[str, int], y: alt.Y) -> alt.Chart:
    dots = [
        (each.sut, value, tip, _DOT_LANES[place % len(_DOT_LANES)])
        for each in boxes
        for place, (value, tip) in enumerate(zip(each.values, each.tips, strict=True))
    ]
    suts = [each.sut for each in boxes]
    chart: alt.Chart = (
        alt.Chart(pl.DataFrame(dots, schema=["sut", "value", "tip", "lane"], orient="row"))
        .mark_point(filled=True, size=44, opacity=0.9, aria=True, stroke=theme.PAPER, strokeWidth=0.8)
        .encode(
            x="value:Q",
            y=y,
            yOffset=alt.YOffset("lane:Q", scale=alt.Scale(domain=[-2, 2])),
            color=_colours(suts, places),
            shape=alt.Shape("sut:N", scale=alt.Scale(domain=suts, range=[theme.shape(places[sut]) for sut in suts])),
            description="tip:N",
        )
    )
    return chart


def line_chart(lines: pl.DataFrame, places: Mapping[str, int], axes: Axes) -> alt.LayerChart:
    """Each trial a thin line, the median of a system's trials a bold one with its name at the end.

    `lines` has the columns `sut`, `trial`, `x`, `y`; a null `y` interrupts the line.
    """
    shown = set(lines["sut"])
    suts = [sut for sut in places if sut in shown]
    medians = _medians(lines)
    ends = _heights(lines, axes.logarithmic)
    kind: Literal["log", "linear"] = "log" if axes.logarithmic else "linear"
    x = alt.X("x:Q", title=axes.x_title, axis=_x_axis(axes), scale=alt.Scale(nice=False, domain=_extent(lines["x"])))
    y_scale = alt.Scale(type=kind, domain=list(ends), nice=False)
    y = alt.Y("y:Q", title=None, scale=y_scale, axis=alt.Axis(tickCount=5))
    colour = _colours(suts, places)
    trials = alt.Chart(lines).mark_line(strokeWidth=0.8, opacity=0.3, clip=True)
    bold = alt.Chart(medians).mark_line(strokeWidth=2.2, clip=True)
    layers = [
        trials.encode(x=x, y=y, color=colour, detail="trial:N"),
        bold.encode(x=x, y=y, color=colour, strokeDash=_dashes(suts, places)),
        _end_labels(medians, suts, ends, axes).encode(y=y, color=colour),
    ]
    return _sized(layers, _title(axes), height=_LINES_HEIGHT)


def _medians(lines: pl.DataFrame) -> pl.DataFrame:
    """The median over a system's trials at each place that all of them reach."""
    trials = pl.col("trial").n_unique().over("sut")
    return (
        lines.with_columns(trials=trials)
        .group_by("sut", "x", maintain_order=True)
        .agg(pl.col("y").median(), reached=pl.len() == pl.col("trials").first())
        .filter("reached")
        .select("sut", "x", "y")
    )


@dataclass(frozen=True)
class Ratio:
    """One comparison of a forest plot."""

    b: str
    a: str
    point: float
    low: float | None
    high: float | None

    @property
    def name(self) -> str:
        """What tells its row from others."""
        return f"{self.b} ÷ {self.a}"


def forest_plot(ratios: Sequence[Ratio], margin: float, title: str, axis: str) -> alt.LayerChart:
    """Ratios with their intervals on a log axis; the band from 1 / (1 + margin) to 1 + margin is shaded."""
    rows = pl.DataFrame(
        [(each.name, each.point, each.low, each.high) for each in ratios],
        schema={"name": pl.String, "point": pl.Float64, "low": pl.Float64, "high": pl.Float64},
        orient="row",
    )
    band = pl.DataFrame({"one": [1.0], "low": [1 / (1 + margin)], "high": [1 + margin]})
    x = alt.X("low:Q", title=axis, scale=alt.Scale(type="log", nice=False, padding=12), axis=alt.Axis(tickCount=5))
    names = {each.name: f"{shortened(each.b, _MOST_SIGNS)}\n÷ {shortened(each.a, _MOST_SIGNS)}" for each in ratios}
    y = alt.Y("name:N", title=None, sort=list(names), axis=_names_axis(names))
    layers = [
        alt.Chart(band).mark_rect(color=theme.GRID).encode(x=x, x2="high:Q"),
        alt.Chart(band).mark_rule(color=theme.MUTED, strokeDash=[3, 3]).encode(x="one:Q"),
        alt.Chart(rows).mark_rule(color=theme.INK, strokeWidth=2).encode(x="low:Q", x2="high:Q", y=y),
        alt.Chart(rows).mark_point(filled=True, color=theme.INK, size=60, opacity=1).encode(x="point:Q", y=y),
    ]
    return _sized(layers, title, height=62 + _FOREST_ROW * len(ratios))


def _title(axes: Axes) -> alt.TitleParams:
    """Condition, and below it what the y axis shows: easier to read there than turned by 90 degrees."""
    return alt.TitleParams(axes.title, subtitle=axes.y_title + (" (log axis)" if axes.logarithmic else ""))


def _x_axis(axes: Axes) -> alt.Axis:
    if axes.x_ticks is None:
        return alt.Axis(grid=False, tickCount=6)
    names = " : ".join(f"abs(datum.value - {place}) < 1e-6 ? '{name}'" for place, name in axes.x_ticks)
    return alt.Axis(grid=True, values=[place for place, _ in axes.x_ticks], labelExpr=f"{names} : ''")


def _extent(values: pl.Series) -> list[float]:
    shown = values.to_numpy()
    return [float(shown.min()), float(shown.max())]


def _heights(lines: pl.DataFrame, logarithmic: bool) -> tuple[float, float]:
    """The y axis' ends: from 0 where it is linear, with some air above."""
    low, high = _extent(lines["y"].drop_nulls())
    if logarithmic:
        return low / 1.15, high * 1.15
    return min(0.0, low), high * 1.06 or 1.0


def _end_labels(lines: pl.DataFrame, suts: Sequence[str], ends: tuple[float, float], axes: Axes) -> alt.Chart:
    """Names right of the lines, as high as these or a little beside."""
    there, back = (math.log, math.exp) if axes.logarithmic else (float, float)
    low, high = (there(end) for end in ends)
    drawn = {sut: lines.filter((pl.col("sut") == sut) & pl.col("y").is_not_null())["y"] for sut in suts}
    wanted = [
        Label(sut, (high - there(height)) / (high - low) * _LINES_INNER)
        for sut, values in drawn.items()
        if len(values)
        for height in [values.item(-1) if axes.names_at == "end" else values.to_numpy().mean()]
    ]
    rows = [
        (label.text, shortened(label.text, _MOST_SIGNS), back(high - label.height / _LINES_INNER * (high - low)))
        for label in spread_labels(wanted, _LABEL_HEIGHT, _LINES_INNER)
    ]
    chart: alt.Chart = (
        alt.Chart(pl.DataFrame(rows, schema=["sut", "name", "y"], orient="row"))
        .mark_text(align="left", baseline="middle", dx=6, fontSize=theme.FONT_SIZE - 1, limit=_LABEL_LIMIT)
        .encode(x=alt.value("width"), text="name:N")
    )
    return chart


def _dashes(suts: Sequence[str], places: Mapping[str, int]) -> alt.StrokeDash:
    return alt.StrokeDash("sut:N", scale=alt.Scale(domain=list(suts), range=[theme.dash(places[sut]) for sut in suts]))


def _colours(suts: Sequence[str], places: Mapping[str, int]) -> alt.Color:
    return alt.Color("sut:N", scale=alt.Scale(domain=list(suts), range=[theme.colour(places[sut]) for sut in suts]))


def _sized(layers: Sequence[alt.Chart], title: str | alt.TitleParams, height: int) -> alt.LayerChart:
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    chart: alt.LayerChart = alt.LayerChart(layer=list(layers))
    return chart.properties(width=theme.PANEL_WIDTH, height=height, autosize=fit, title=title)
