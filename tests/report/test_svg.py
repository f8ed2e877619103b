# SPDX-License-Identifier: Apache-2.0
"""Charts as pieces of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from bancada.report import svg, theme
from bancada.report.charts import Axes, Box, Ratio, box_plot, forest_plot, line_chart

PLACES = {"a:jar": 0, "<b>&\"'": 1}
BOXES = [
    Box("a:jar", (1.0, 2.0, 3.0), 1.0, 1.5, 2.0, 2.5, 3.0, ("first", "second", "third")),
    Box("<b>&\"'", (1500.0,), 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, ("<x> & y",)),
]


def boxes(numbers: count[int] | None = None) -> str:
    """A box plot as a piece of a page."""
    return svg.in_page(box_plot(BOXES, PLACES, "20 users", "Time (ms)"), "<Two> boxes", numbers or count(1))


def lines(rows: Sequence[tuple[str, int, float, float | None]]) -> pl.DataFrame:
    """Curves of trials."""
    return pl.DataFrame(rows, schema=["sut", "trial", "x", "y"], orient="row")


def texts(drawing: str) -> list[str]:
    """All words and figures of a drawing."""
    return [each.text or "" for each in ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")]


def test_a_chart_is_well_formed_named_and_sized() -> None:
    """It is one SVG with a title, and takes its place without scripts or fonts of its own."""
    root = ET.fromstring(boxes())
    assert root.get("role") == "img"
    assert root[0].text == "<Two> boxes"
    assert root.get("viewBox") == f"0 0 {theme.PANEL_WIDTH} {root.get('height')}"
    assert not re.search(r"<script|font-family|http(?!://www\.w3\.org/2000/svg)", boxes())


def test_every_trial_is_a_dot_that_says_what_it_is_when_hovered() -> None:
    """The tip is escaped text in a title."""
    titles = [each.text for each in ET.fromstring(boxes()).iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["<Two> boxes", "first", "second", "third", "<x> & y"]


def test_colours_are_the_page_s_variables() -> None:
    """So that charts follow the dark mode; no colour is left that does not."""
    drawing = boxes()
    assert "var(--series-1)" in drawing
    assert "var(--series-2)" in drawing
    assert not re.search(r'(fill|stroke)="#', drawing)


def test_labels_and_tips_keep_every_digit() -> None:
    """Only the geometry is rounded, never a figure that is read."""
    near = [Box("a:jar", (0.5, 0.55), 0.5, 0.51, 0.52, 0.54, 0.55, ("0.5000 ms", "12.3456 ms"))]
    drawing = svg.in_page(box_plot(near, PLACES, "0.123 s", "Time (ms)"), "to 9.8765 ms", count(1))
    assert {"0.50", "0.52", "0.54", "0.123 s"} <= set(texts(drawing))
    titles = [each.text for each in ET.fromstring(drawing).iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["to 9.8765 ms", "0.5000 ms", "12.3456 ms"]
    assert not re.search(r' d="[^"]*\d\.\d\d', drawing)


def test_two_charts_of_a_page_share_no_id() -> None:
    """Else the clipping of one would cut the other."""
    numbers = count(1)
    first, second = (set(re.findall(r'id="([^"]+)"', boxes(numbers))) for _ in range(2))
    assert first
    assert not first & second
    for reference in re.findall(r"url\(#([^)]+)\)", boxes(count(7))):
        assert reference.startswith("chart7-")


def test_a_file_for_a_paper_keeps_its_own_colours() -> None:
    """It stands alone, with the light colours."""
    document = svg.as_svg(box_plot(BOXES, PLACES, "20 users", "Time (ms)"))
    assert theme.SERIES[0] in document
    assert "var(" not in document


def test_a_png_is_twice_as_fine_as_the_svg() -> None:
    """For print."""
    picture = svg.as_png(box_plot(BOXES, PLACES, "20 users", "Time (ms)"))
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == pytest.approx(2 * theme.PANEL_WIDTH, abs=2)


def test_thousands_on_axes_are_apart_as_in_the_tables() -> None:
    """A narrow space, no comma."""
    assert "1\u202f500" in " ".join(texts(boxes()))


def test_lines_bear_their_names_and_stop_where_values_are_missing() -> None:
    """A null interrupts the line instead of being drawn as 0."""
    rows = [("a:jar", 1, float(at), None if at == 2 else 5.0 + at) for at in range(5)]
    drawing = svg.in_page(line_chart(lines(rows), PLACES, Axes("20 users", "Time (s)", "y (ms)")), "t", count(1))
    assert {"20 users", "y (ms)", "Time (s)", "a:jar"} <= set(texts(drawing))
    paths = re.findall(r'<path d="(M[^"]+)" stroke="var\(--series-1\)"', drawing)
    assert paths
    assert all(path.count("M") == 2 for path in paths)


def test_a_median_is_drawn_only_where_every_trial_has_a_value() -> None:
    """Beyond, it would jump to the trials that reach farther."""
    rows = [("a:jar", trial, float(at), 5.0) for trial, last in ((1, 3), (2, 6)) for at in range(last)]
    drawing = svg.in_page(line_chart(lines(rows), PLACES, Axes("20 users", "Time (s)", "y (ms)")), "t", count(1))
    bold = re.search(r'<path d="([^"]+)" stroke="[^"]+" stroke-width="2.2"', drawing)
    assert bold is not None
    assert len(re.findall(r"[ML]", bold[1])) == 3


def test_a_log_axis_is_announced() -> None:
    """Readers must not take it for a linear one."""
    rows = [("a:jar", 1, 1.0, 1.0), ("a:jar", 1, 2.0, 1000.0)]
    drawn = line_chart(lines(rows), PLACES, Axes("20 users", "x", "y (ms)", logarithmic=True))
    assert "y (ms) (log axis)" in texts(svg.in_page(drawn, "t", count(1)))


def test_a_trifle_does_not_fill_the_axis() -> None:
    """Values within 0.1 % of each other stand together on an axis that spans a tenth."""
    near = [Box("a:jar", (1000.0, 1001.0), 1000.0, 1000.2, 1000.5, 1000.8, 1001.0, ("", ""))]
    drawing = svg.in_page(box_plot(near, PLACES, "20 users", "Time (ms)"), "t", count(1))
    dots = [float(x) for x in re.findall(r'<path transform="translate\(([\d.]+),[\d.]+\)"', drawing)]
    assert len(dots) == 2
    assert abs(dots[0] - dots[1]) < 0.02 * theme.PANEL_WIDTH


def test_a_forest_plot_shows_every_ratio_with_and_without_interval() -> None:
    """A ratio without interval is a dot alone; its name takes two lines, so that long ones leave the plot its room."""
    drawn = forest_plot([Ratio("b", "a", 0.8, 0.7, 0.9), Ratio("c", "a", 1.2, None, None)], 0.03, "20 users", "Ratio")
    drawing = svg.in_page(drawn, "t", count(1))
    assert [drawing.count(f">{line}</tspan>") for line in ("b", "c", "÷ a")] == [1, 1, 2]
    assert "Ratio" in texts(drawing)
