# SPDX-License-Identifier: Apache-2.0
"""The page of a replication: claims with three figures side by side, the study's tables, what was left out."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bancada.analysis.findings import find
from bancada.analysis.replication.audit import slips_of
from bancada.analysis.replication.judge import judge
from bancada.analysis.replication.reanalysis import recomputed_of
from bancada.analysis.replication.tables import tables_of
from bancada.catalog.replications import read_replication
from bancada.model.judgement import Judgements
from bancada.model.load import ClosedLoad
from bancada.model.run import ReplicationManifest
from bancada.report.replication import Offline, write_replication
from bancada.store.read import read_run
from tests.fakes.run_folder import FakeSut, make_run
from tests.report.test_page_in_browser import DESK, PHONE, opened

ALMEIDA = read_replication("almeida-2020")
SUTS = [FakeSut("spring-jpa:jar", latency_ms=10.0), FakeSut("quarkus-jpa:jar", latency_ms=7.0, errors=0.01)]
LOADS = [ClosedLoad(name=name, users=20, iterations=8) for name in ("100 users", "1 000 users")]
NO_GRAAL = "native-image is needed and was not found"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Judgements]:
    """A replication of which only the jars could be run."""
    folder = tmp_path_factory.mktemp("almeida")
    runs = {
        "entities": read_run(make_run(folder / "entities", suts=SUTS, loads=LOADS, blocks=4, operations={"list": 1.0})),
        "sort": read_run(make_run(folder / "sort", suts=SUTS, loads=LOADS[:1], blocks=4, operations={"sort-3": 1.0})),
    }
    stacks = {stack for part in ALMEIDA.replication.part for stack in part.stacks}
    skipped = {stack: NO_GRAAL for stack in stacks if "native" in stack}
    manifest = ReplicationManifest(
        replication="almeida-2020",
        file=str(ALMEIDA.path),
        scale="quick",
        started_unix_ns=time.time_ns(),
        command=("bancada", "replicate", "almeida-2020"),
        parts=("entities", "sort", "start-up"),
        left_out={"start-up": "nothing of it could be run"},
    )
    judgements = judge(ALMEIDA.replication, ALMEIDA.paper, "quick", runs, skipped | manifest.left_out)
    tables = tables_of(ALMEIDA.replication, ALMEIDA.paper, runs)
    offline = Offline(recomputed=recomputed_of(ALMEIDA.paper), slips=slips_of(ALMEIDA.paper))
    parts = {name: (run, find(run)) for name, run in runs.items()}
    return write_replication(folder, manifest, judgements, tables, offline, parts), judgements


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_it_opens_without_complaint_request_or_sideways_scrolling(
    browser: Browser, written: tuple[Path, Judgements], size: tuple[int, int]
) -> None:
    """Also with all foldable parts open."""
    with opened(browser, written[0], size) as page:
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.slow
def test_each_claim_stands_with_its_verdict_and_three_figures(
    browser: Browser, written: tuple[Path, Judgements]
) -> None:
    """Published, re-analysed and measured, in the order of the study."""
    path, judgements = written
    with opened(browser, path) as page:
        rows = page.locator("#claims tr.row").all()
        for claim, row in zip(judgements.claims, rows, strict=True):
            text = " ".join(row.inner_text().split())
            assert claim.text in text
            assert claim.verdict in text
            assert claim.reason in text
            if claim.published:
                assert claim.published[0].machine in text


def test_what_was_left_out_is_said_at_the_top(written: tuple[Path, Judgements]) -> None:
    """Systems under test and whole parts, with the reason."""
    head = written[0].read_text().partition("<main>")[0]
    assert "the whole part start-up: nothing of it could be run" in head


def test_measured_rows_stand_above_the_printed_ones(written: tuple[Path, Judgements]) -> None:
    """And the failed requests of a measured row are told by kind."""
    tables = written[0].read_text().partition('id="tables"')[2].partition('id="paper"')[0]
    assert tables.index("measured") < tables.index("Mac Mini")
    assert "× status" in tables


def test_the_slips_of_the_paper_are_listed(written: tuple[Path, Judgements]) -> None:
    """The mean above its maximum in Table 5 among them."""
    paper = written[0].read_text().partition('id="paper"')[2]
    assert "5417.56" in paper
    assert "3899" in paper
