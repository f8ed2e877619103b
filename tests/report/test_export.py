# SPDX-License-Identifier: Apache-2.0
"""The findings for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from bancada.model.findings import Findings
from bancada.report.export import write_charts
from bancada.store import layout
from tests.report.conftest import Reported


def table(reported: Reported, name: str) -> pl.DataFrame:
    """A CSV table as another program reads it."""
    return pl.read_csv(reported.run.folder / layout.TABLES / f"{name}.csv", infer_schema_length=None)


def test_the_summary_reads_back_as_the_findings(demo: Reported) -> None:
    """Nothing is lost on the way through JSON."""
    assert Findings.model_validate_json((demo.run.folder / layout.SUMMARY).read_bytes()) == demo.findings


def test_the_table_of_estimates_holds_them_all_in_stored_units(demo: Reported) -> None:
    """To the last digit."""
    found = table(demo, "estimates")
    assert found["mean"].to_list() == pytest.approx([each.mean for each in demo.findings.estimates], rel=1e-12)
    assert found["metric"].to_list() == [each.metric for each in demo.findings.estimates]


def test_the_table_of_comparisons_holds_them_all(demo: Reported) -> None:
    """Verdict, ratio and interval; a missing ratio is empty."""
    found = table(demo, "comparisons")
    assert found["verdict"].to_list() == [each.verdict for each in demo.findings.comparisons]
    lows = [each.ratio.low if each.ratio else None for each in demo.findings.comparisons]
    assert found["ratio_low"].null_count() == lows.count(None)
    assert found["ratio_low"].drop_nulls().to_list() == pytest.approx([low for low in lows if low is not None])


def test_the_table_of_trials_has_a_row_for_each_and_leaves_unknown_metrics_empty(failing: Reported) -> None:
    """A failed trial has a reason and no figures."""
    found = table(failing, "trials")
    assert len(found) == 13
    failed = found.filter(pl.col("failed").is_not_null())
    assert len(failed) == len([each for each in failing.findings.trials if each.failed])
    assert failed["latency_mean_ns"].null_count() == len(failed)


def test_failures_and_cautions_have_tables_where_there_are_any(demo: Reported) -> None:
    """A caution brings its cause and remedy along."""
    assert table(demo, "failures")["count"].sum() == sum(each.count for each in demo.findings.failures)
    assert table(demo, "cautions")["remedy"].to_list() == [each.kind.remedy for each in demo.findings.cautions]


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_every_chart_can_be_had_as_a_file(demo: Reported, tmp_path: Path, kind: Literal["svg", "png"]) -> None:
    """Each in a file of its own, the verdicts' forest plot first."""
    paths = write_charts(demo.run, demo.findings, tmp_path / "charts", kind)
    assert sorted(paths) == sorted((tmp_path / "charts").iterdir())
    assert len(set(paths)) == len(paths) == 24
    assert paths[0].name == f"verdicts-20-users.{kind}"
    for path in paths:
        if kind == "svg":
            assert ET.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith(b"\x89PNG")


def test_load_profiles_whose_names_differ_only_in_signs_get_files_of_their_own(
    hostile: Reported, tmp_path: Path
) -> None:
    """No chart overwrites another, and no name leaves the folder."""
    paths = write_charts(hostile.run, hostile.findings, tmp_path, "svg")
    assert len(set(paths)) == len(paths)
    assert {path.parent for path in paths} == {tmp_path}


def test_the_markdown_says_what_the_page_says(demo: Reported) -> None:
    """Question, answer, verdicts, cautions and key figures."""
    text = (demo.run.folder / layout.MARKDOWN).read_text()
    assert text.startswith("# Which of these stacks answers fastest?")
    rows = [line for line in text.splitlines() if " vs " in line and line.startswith("|")]
    assert len(rows) == 12
    assert all(len(line.replace("\\|", "").split("|")) == 10 for line in rows)
    for caution in demo.findings.cautions:
        assert f"`{caution.code}`" in text


def test_markdown_finds_nothing_to_interpret_in_a_hostile_text(hostile: Reported) -> None:
    """No tag and no table cell is opened by a name."""
    text = (hostile.run.folder / layout.MARKDOWN).read_text()
    assert "<script" not in text.replace("\\<", "")
    assert "<b>" not in text.replace("\\<", "").replace("\\>", "")
