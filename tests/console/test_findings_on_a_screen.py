# SPDX-License-Identifier: Apache-2.0
"""What a terminal shows of a run's findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.analysis.findings import find
from bancada.console.screen import out
from bancada.console.tables import in_lines, show_findings
from bancada.model.base import NS_PER_MS
from bancada.model.findings import Findings
from bancada.model.load import ClosedLoad
from bancada.store.read import read_run
from tests.fakes.engines import TWO_ENGINES, measure_by_jmeter
from tests.fakes.run_folder import FakeSut, make_run

LOAD = ClosedLoad(name="8 users", users=8, iterations=60, ramp_up=8 * NS_PER_MS)
SUTS = (FakeSut("spring-mvc:jar"), FakeSut("kotlin-coroutines:native-static-pool-of-400", errors=0.1))


@pytest.fixture(scope="module")
def by_two_engines(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """Two systems, of which one fails requests, by two engines whose response times are 20 % apart."""
    folder = tmp_path_factory.mktemp("console") / "run"
    make_run(folder, suts=SUTS, loads=(LOAD,), blocks=8, operations={"sort": 1.0}, **TWO_ENGINES)
    return find(read_run(measure_by_jmeter(folder, slower=1.2, cpu=12.0)))


def screen(findings: Findings) -> str:
    """All that is shown, on a terminal of 80 columns."""
    before, out.width = out.width, 80
    try:
        with out.capture() as shown:
            show_findings(findings)
    finally:
        out.width = before
    return shown.get()


def test_engines_are_shown_side_by_side(by_two_engines: Findings) -> None:
    """Both means, their ratio and the outcome, by each metric; then the sentence that says what it means."""
    section = screen(by_two_engines).partition("Instruments side by side")[2]
    mean = next(line for line in section.splitlines() if line.lstrip().startswith("mean, ms"))
    cpu = next(line for line in section.splitlines() if line.lstrip().startswith("own CPU, s"))
    assert "1.19" in mean or "1.20" in mean
    assert mean.rstrip().endswith("≠ differ")
    assert "12.0 [12.0, 12.0]" in cpu
    assert "jmeter differs from bancada on mean response time" in section
    assert "kotlin-coroutines:native-static-pool-of-400 · 8 users (n = 8 and 8)" in section


def test_a_run_too_small_to_tell_says_undecided_in_full(tmp_path: Path) -> None:
    """Two blocks prove nothing, one not even an interval; no word of it is cut off."""
    for blocks in (1, 2):
        folder = tmp_path / str(blocks)
        make_run(folder, suts=SUTS[1:], loads=(LOAD,), blocks=blocks, operations={"sort": 1.0}, **TWO_ENGINES)
        section = screen(find(read_run(measure_by_jmeter(folder, slower=1.1, cpu=150.0)))).partition("Instruments")[2]
        rows = [line for line in section.splitlines() if line.split()[:1] in (["mean,"], ["p50,"], ["p99,"])]
        assert len(rows) == 3
        assert all(row.rstrip().endswith("~ undecided") for row in rows)
        assert "unknown" not in section


def test_failed_requests_are_shown_by_kind(by_two_engines: Findings) -> None:
    """Number, share of the errors and share of all requests, under each cell that has any."""
    section = screen(by_two_engines).partition("Failed requests by kind")[2].partition("What could make this wrong")[0]
    rows = [line.split() for line in section.splitlines() if line.split()[:1] == ["status"]]
    assert len(rows) == len(by_two_engines.failures) == 2
    for row, told in zip(rows, by_two_engines.failures, strict=True):
        assert row[:3] == ["status", str(told.count), "100"]
        assert float(row[4]) == pytest.approx(100 * told.share_of_requests, rel=0.01)


def test_names_are_whole_and_no_line_of_a_table_is_wider_than_the_terminal(by_two_engines: Findings) -> None:
    """Long names take a second line; neither they nor the figures beside them are cut off."""
    shown = screen(by_two_engines)
    tables = shown.partition("What could make this wrong")[0].partition("jmeter differs")[0]
    assert max(len(line.rstrip()) for line in tables.splitlines()) <= 80
    assert "…" not in tables
    assert "kotlin-coroutines:" in tables
    assert " native-static-pool-of-400" in tables


def test_a_run_without_errors_by_one_engine_has_neither_section(tmp_path: Path) -> None:
    """Nothing is shown where there is nothing to show."""
    folder = make_run(tmp_path / "run", suts=SUTS[:1], loads=(LOAD,), blocks=2)
    shown = screen(find(read_run(folder)))
    assert "Instruments" not in shown
    assert "Failed requests" not in shown


def test_a_long_name_is_parted_where_its_variant_or_a_setting_begins() -> None:
    """A name that fits stays on its line; a part is never split."""
    assert in_lines("spring-mvc:virtual,pool=400") == "spring-mvc:virtual,pool=400"
    assert in_lines("kotlin-coroutines:native,pool=400,heap=512m") == "kotlin-coroutines:native,\n pool=400,heap=512m"
