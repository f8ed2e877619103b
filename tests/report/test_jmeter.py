# SPDX-License-Identifier: Apache-2.0
"""The report's section that shows a run as JMeter would print it, and the table beside it."""

from __future__ import annotations

import polars as pl

from bancada.analysis.jmeter_view import jmeter_view
from bancada.model.jmeter_view import JMETER_FIGURES
from tests.report.conftest import Reported


def test_the_section_holds_every_figure_and_explains_the_differences(demo: Reported) -> None:
    """All rows with JMeter's figure and ours, and a caption that says why they differ."""
    section = demo.html.partition('<section id="as-jmeter"')[2].partition("</section>")[0]
    assert '<a href="#as-jmeter">' in demo.html
    assert "last 20 000 samples only" in section
    for row in jmeter_view(demo.run, demo.findings):
        for name in JMETER_FIGURES:
            theirs, ours = row.texts(name)
            assert f'<td class="figure">{theirs}<span class="small">{ours}</span></td>' in section


def test_the_table_has_the_same_figures_for_programs(demo: Reported) -> None:
    """A row for each of the view's, in full precision; what we have no figure for has no column."""
    table = pl.read_csv(demo.run.folder / "tables" / "as-jmeter.csv")
    view = jmeter_view(demo.run, demo.findings)
    assert table.height == len(view)
    assert table["jmeter_p99_ms"].to_list() == [row.jmeter["p99_ms"] for row in view]
    assert table["ours_p99_ms"].to_list() == [row.ours["p99_ms"] for row in view]
    assert "ours_min_ms" not in table.columns
