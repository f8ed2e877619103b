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
from bancada.console.claims import show_judgements
from bancada.console.screen import out
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


@pytest.fixture(scope="module")
def dashboards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a replication whose paper prints figures and kinds of failure; only its third round was run."""
    folder, found = tmp_path_factory.mktemp("ramalho"), read_replication("ramalho-2020")
    suts = [
        FakeSut("spring-mvc:jar", latency_ms=22_000),
        FakeSut("kotlin-coroutines:jar", errors=0.05, error_kind="connection-closed"),
    ]
    load = ClosedLoad(name="10 000 users", users=20, iterations=8)
    path = make_run(folder / "third-round", suts=suts, loads=[load], blocks=3, operations={"async": 1.0})
    runs = {"third-round": read_run(path)}
    manifest = ReplicationManifest(
        replication="ramalho-2020",
        file=str(found.path),
        scale="quick",
        started_unix_ns=time.time_ns(),
        command=("bancada", "replicate", "ramalho-2020"),
        parts=("third-round",),
    )
    judgements = judge(found.replication, found.paper, "quick", runs, {})
    tables = tables_of(found.replication, found.paper, runs)
    offline = Offline(recomputed=recomputed_of(found.paper), slips=slips_of(found.paper))
    parts = {name: (run, find(run)) for name, run in runs.items()}
    return write_replication(folder, manifest, judgements, tables, offline, parts)


def test_figures_of_a_paper_are_called_so(dashboards: Path) -> None:
    """In tables, claims and slips; each slip names its place once."""
    text = dashboards.read_text()
    assert "Cloud.IC, Figure 29" in text
    assert "Cloud.IC, Figures 26 and 29" in text
    slips = text.partition("<h3>Slips</h3>")[2].partition("</ul>")[0]
    assert "<li>Figure 26, spring-mvc:jar,pool=400: 32811 requests are printed" in slips
    assert "<strong>section 5.2.4:</strong> The text says" in slips
    assert "Table Figure" not in text
    assert "Figures 18 and 20:</strong>" not in text


def test_kinds_of_failure_have_a_table_of_their_own(dashboards: Path) -> None:
    """The measured row above the printed one, without a second column of kinds."""
    table = dashboards.read_text().partition("<caption>10 000 users: failed requests by kind</caption>")[2]
    table = table.partition("</table>")[0]
    assert table.index("measured") < table.index("Figure 30, SocketException: Connection reset")
    assert "Of all requests, %" in table
    assert "By kind" not in table


def test_a_terminal_gets_what_it_has_room_for(dashboards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In 80 columns whole figures of some columns, no intervals beside long names, and no table of nothing measured."""
    monkeypatch.setattr(out, "width", 80)
    found, run = read_replication("ramalho-2020"), read_run(dashboards.parent / "third-round")
    replica, errors = tables_of(found.replication, found.paper, {"third-round": run})
    printed_only = replica.model_copy(update={"rows": replica.rows[2:3], "title": "nothing measured"})
    with out.capture() as shown:
        show_judgements(judge(found.replication, found.paper, "quick", {}, {}), (replica, errors, printed_only))
    text = shown.get().partition(found.replication.question)[0]
    assert all(name in text for name in ("Mean", "p99", "Apdex", "connection-closed"))
    assert not any(name in text for name in ("p95", "Median", "KB/s", "nothing measured", "…", "±"))


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_wide_dashboards_scroll_in_themselves(browser: Browser, dashboards: Path, size: tuple[int, int]) -> None:
    """And not the page."""
    with opened(browser, dashboards, size) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


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
