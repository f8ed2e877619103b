# SPDX-License-Identifier: Apache-2.0
"""The section and the table that set the load engines side by side."""

from __future__ import annotations

import polars as pl
import pytest

from bancada.model.findings import Findings
from bancada.model.metric import ALL_METRICS
from bancada.model.quantities import UNKNOWN
from bancada.report.instruments import programs, shown_metrics
from bancada.store import layout
from tests.report.conftest import Reported
from tests.report.reading import shows


def test_every_reading_of_every_engine_is_shown(engines: Reported) -> None:
    """In the readers' unit, with its interval, n, and the ratio to the first engine."""
    metrics = shown_metrics(engines.findings)
    assert [each.judged for each in metrics] == [True, True, True, True, False, False]
    shown = {
        (table.metric.name, sut, reading.engine): reading
        for table in metrics
        for _, rows in table.groups
        for sut, readings in rows
        for reading in readings
    }
    for each in engines.findings.instruments:
        for reading in each.readings:
            row = shown.pop((each.metric, each.cell.sut, reading.engine))
            assert reading.mean is not None
            assert shows(row.mean, reading.mean * ALL_METRICS[each.metric].scale)
            assert row.n == reading.n == 8
            assert row.ratio == "~" if reading.ratio is None else shows(row.ratio, reading.ratio.point)
            assert row.agreement == reading.agreement
    assert not shown


def test_an_engine_that_measured_nothing_is_unknown(engines: Reported) -> None:
    """No zero, no ratio."""
    first, *rest = engines.findings.instruments
    silent = first.readings[1].model_copy(update={"n": 0, "mean": None, "low": None, "high": None, "ratio": None})
    changed = first.model_copy(update={"readings": (first.readings[0], silent)})
    findings = engines.findings.model_copy(update={"instruments": (changed, *rest)})
    row = shown_metrics(findings)[0].groups[0][1][0][1][1]
    assert (row.n, row.mean, row.interval, row.ratio) == (0, UNKNOWN, "~", "~")


def test_the_programs_are_named_as_they_told(engines: Reported) -> None:
    """With their versions, in the study's order."""
    assert programs(engines.run) == (("bancada", "bancada-engine 0.1.0"), ("jmeter", "jmeter 5.6.3"))


def test_the_table_for_programs_has_a_row_for_each_reading(engines: Reported) -> None:
    """Stored units; the first engine has no ratio."""
    table = pl.read_csv(engines.run.folder / layout.TABLES / "instruments.csv")
    assert len(table) == 2 * 6 * 2
    cpu = table.filter(metric="engine_cpu_s", engine="jmeter")
    assert cpu["ratio"].to_list() == pytest.approx([12.0, 12.0])
    assert table.filter(engine="bancada")["ratio"].null_count() == 12


def test_a_study_by_one_engine_has_no_such_section(demo: Reported) -> None:
    """Neither in the page, nor in its contents, nor among the tables."""
    assert 'id="instruments"' not in demo.html
    assert '"#instruments"' not in demo.html
    assert not (demo.run.folder / layout.TABLES / "instruments.csv").exists()


def test_findings_written_before_there_were_instruments_are_read() -> None:
    """An older `summary.json` has none."""
    empty: dict[str, list[object]] = {"trials": [], "estimates": [], "comparisons": [], "failures": [], "cautions": []}
    facts = {"run": "r", "question": "?", "answer": "!", "metric": "apdex", "margin": 0.1, "alpha": 0.1, "blocks": 1}
    assert Findings.model_validate(facts | empty).instruments == ()
