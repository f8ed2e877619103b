# SPDX-License-Identifier: Apache-2.0
"""Runs of known truth, their reports, and a browser to read them with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from bancada.analysis.findings import find
from bancada.model.findings import Findings
from bancada.report.page import write_report
from bancada.store.read import Run, read_run
from tests.fakes.drawn import FakeBench
from tests.fakes.engines import TWO_ENGINES, measure_by_jmeter
from tests.fakes.run_folder import DEMO_LOADS, DEMO_SUTS, FakeSut, make_run

_CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOSTILE = "</title><script>alert('x')</script><img src=x onerror=alert(1)>&amp;\"'"


@dataclass(frozen=True)
class Reported:
    """A run, what it says, and its page."""

    run: Run
    findings: Findings
    page: Path

    @property
    def html(self) -> str:
        """The page's source."""
        return self.page.read_text()


def report_on(folder: Path) -> Reported:
    """Analyse and report a run's folder."""
    run = read_run(folder)
    findings = find(run)
    return Reported(run, findings, write_report(run, findings))


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """Four systems × two loads × eight blocks: enough to decide; one system fails some requests."""
    return report_on(make_run(tmp_path_factory.mktemp("demo") / "demo", blocks=8))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """A run in which every free text is an attack."""
    load = DEMO_LOADS[0].model_copy(update={"name": f"<b>20</b> {HOSTILE[:40]}"})
    return report_on(
        make_run(
            tmp_path_factory.mktemp("hostile") / "hostile",
            suts=DEMO_SUTS[2:],
            blocks=3,
            loads=(load,),
            operations={HOSTILE[:50]: 1.0},
            question=f"Is it {HOSTILE}?",
            factors={"HEAP": ("<i>1</i>", "2")},
        )
    )


@pytest.fixture(scope="session")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """One system fails in every block, one in two; the run is not finished."""
    suts = (
        FakeSut("good:jar"),
        FakeSut("flaky:jar", failed_blocks=(1, 3)),
        FakeSut("dead:jar", failed_blocks=(1, 2, 3, 4, 5), failure="never-ready"),
    )
    folder = tmp_path_factory.mktemp("failing") / "failing"
    return report_on(make_run(folder, suts=suts, loads=DEMO_LOADS[:1], finished=13))


@pytest.fixture(scope="session")
def dead(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """No trial yields anything."""
    suts = (FakeSut("dead:jar", failed_blocks=(1, 2)), FakeSut("dead:native", failed_blocks=(1, 2)))
    return report_on(make_run(tmp_path_factory.mktemp("dead") / "dead", suts=suts, loads=DEMO_LOADS[:1], blocks=2))


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """One system that somebody else runs, one block, no probes: nothing to compare, much unknown."""
    bench = FakeBench(probes=False, pinned=False)
    folder = tmp_path_factory.mktemp("alone") / "alone"
    return report_on(make_run(folder, suts=(FakeSut("legacy"),), loads=DEMO_LOADS[1:], blocks=1, bench=bench))


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """Two systems, one with a long name and failed requests, by two engines that read times 20 % apart."""
    suts = (FakeSut("spring-mvc:jar"), FakeSut("kotlin-coroutines:native-static-pool-of-400", errors=0.05))
    folder = tmp_path_factory.mktemp("engines") / "engines"
    make_run(folder, suts=suts, loads=DEMO_LOADS[:1], blocks=8, **TWO_ENGINES)
    return report_on(measure_by_jmeter(folder, slower=1.2, cpu=12.0))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium on the PATH; in CI the report must be looked at: apt-get install chromium")
        pytest.skip("no chromium on the PATH: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(_CHROMIUM_FLAGS))
        yield started
        started.close()
