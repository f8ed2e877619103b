# SPDX-License-Identifier: Apache-2.0
"""The page as readers meet it: on a desk, on a phone, in the dark and on paper."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from bancada.model.findings import Comparison
from bancada.report.tables import condition
from tests.report.conftest import Reported
from tests.report.reading import shows

pytestmark = pytest.mark.slow

DESK, PHONE = (1280, 900), (390, 844)


@contextmanager
def opened(
    browser: Browser, path: Path, size: tuple[int, int] = DESK, scheme: Literal["light", "dark"] = "light"
) -> Iterator[Page]:
    """The page in a window; it may neither complain on the console nor ask for anything but itself."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_load_state("networkidle")
    try:
        yield page
    finally:
        context.close()
    assert complaints == []
    assert [url for url in requests if url != "data:,"] == [path.as_uri()]


@pytest.fixture(params=["demo", "hostile", "failing", "dead", "alone"])
def any_report(request: pytest.FixtureRequest) -> Reported:
    """Each kind of run."""
    found: Reported = request.getfixturevalue(request.param)
    return found


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_any_run_opens_without_complaint_request_or_sideways_scrolling(
    browser: Browser, any_report: Reported, size: tuple[int, int]
) -> None:
    """Also with all foldable parts open."""
    with opened(browser, any_report.page, size) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_question_and_answer_stand_first(browser: Browser, demo: Reported) -> None:
    """In the first window, before anything is scrolled."""
    with opened(browser, demo.page) as page:
        heading, answer = page.locator("h1"), page.locator(".answer")
        assert heading.inner_text() == demo.findings.question
        assert " ".join(answer.inner_text().split()) == " ".join(demo.findings.answer.split())
        box = answer.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < DESK[1]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_every_verdict_is_shown_with_the_findings_figures(
    browser: Browser, demo: Reported, size: tuple[int, int]
) -> None:
    """Word, ratio, interval, adjusted p, effect and n of each decisive comparison."""
    decisive = [each for each in demo.findings.comparisons if each.decisive]
    loads = dict.fromkeys(condition(each.b) for each in decisive)
    ordered = [each for load in loads for each in decisive if condition(each.b) == load]
    with opened(browser, demo.page, size) as page:
        rows = page.locator("#verdict .verdicts tr.row").all()
        for comparison, row in zip(ordered, rows, strict=True):
            assert row.is_visible()
            names = row.locator(".sut").all_inner_texts()
            assert names == [comparison.b.sut, comparison.a.sut]
            assert_row_shows(comparison, {name: row.locator(f".{name}").first.inner_text() for name in FIGURES})


FIGURES = ("verdict", "ratio", "interval", "p", "effect", "n")


def assert_row_shows(comparison: Comparison, shown: dict[str, str]) -> None:
    """Each text of a row against the comparison."""
    assert shown["verdict"].split() == [{"better": "▲", "worse": "▼", "equivalent": "=", "undecided": "~"}[
        comparison.verdict
    ], comparison.verdict]  # fmt: skip
    assert comparison.ratio is not None
    assert comparison.ratio.low is not None
    assert comparison.ratio.high is not None
    low, high = shown["interval"][1:-1].split(", ")
    assert shows(shown["ratio"], comparison.ratio.point)
    assert shows(low, comparison.ratio.low)
    assert shows(high, comparison.ratio.high)
    assert comparison.p_holm is not None
    assert shows(shown["p"], comparison.p_holm)
    assert comparison.cliffs_delta is not None
    assert shows(shown["effect"].lstrip("+"), comparison.cliffs_delta)
    assert int(shown["n"]) == comparison.n_a == comparison.n_b


def test_each_row_draws_its_ratio_where_the_axis_has_it(browser: Browser, demo: Reported) -> None:
    """Dots stand in the order of their ratios, inside their whiskers, all in one frame."""
    with opened(browser, demo.page) as page:
        drawn = []
        for row in page.locator("#verdict .verdicts tr.row").all():
            dot, line = row.locator("circle").bounding_box(), row.locator("line.whisker").bounding_box()
            frame = row.locator(".plot").bounding_box()
            assert dot is not None
            assert line is not None
            assert frame is not None
            middle = dot["x"] + dot["width"] / 2
            assert line["x"] - 3 <= middle <= line["x"] + line["width"] + 3
            assert frame["x"] <= middle <= frame["x"] + frame["width"]
            drawn.append((float(row.locator(".ratio").inner_text()), middle))
        by_ratio = [middle for _, middle in sorted(drawn)]
        assert by_ratio == sorted(by_ratio)
        assert page.locator("#verdict tr.row use[href^='#grid']").first.bounding_box() is not None


def test_every_caution_is_shown_with_its_severity_cause_and_remedy(browser: Browser, demo: Reported) -> None:
    """Observation, what usually lies behind it, and what to do."""
    with opened(browser, demo.page) as page:
        words = page.locator("#threats").inner_text().replace("\n", " ")
    assert demo.findings.cautions
    for caution in demo.findings.cautions:
        kind = caution.kind
        for text in (caution.code, caution.observation, kind.title, kind.severity, kind.cause, kind.remedy):
            assert text.replace("`", "") in words


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_every_plot_is_seen(browser: Browser, demo: Reported, size: tuple[int, int]) -> None:
    """Eleven figures of two panels; each has a caption, a name, a size, and letters that can be read."""
    with opened(browser, demo.page, size) as page:
        assert page.locator("figure").count() == 11
        panels = page.locator("figure .panel > svg").all()
        assert len(panels) == 22
        for panel in panels:
            box = panel.bounding_box()
            assert box is not None
            assert box["width"] >= 300
            assert box["height"] >= 100
            assert panel.locator("title").first.text_content()
            letters = panel.locator("text").first.evaluate("each => each.getBoundingClientRect().height")
            assert letters >= 9
        for caption in page.locator("figcaption").all():
            assert re.search(r"n = \d+", caption.inner_text())


@pytest.mark.parametrize("name", ["demo", "engines"])
def test_no_letter_of_a_plot_is_cut_off(browser: Browser, name: str, request: pytest.FixtureRequest) -> None:
    """Names, long ones too, and figures stay inside their panel, in this machine's fonts."""
    with opened(browser, request.getfixturevalue(name).page) as page:
        outside = page.evaluate(
            """() => [...document.querySelectorAll('.panel')].flatMap(panel => {
                const frame = panel.getBoundingClientRect();
                return [...panel.querySelectorAll('text')].filter(text => {
                    const box = text.getBoundingClientRect();
                    return box.left < frame.left || box.right > frame.right;
                }).map(text => text.textContent);
            })"""
        )
        assert outside == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_engines_stand_side_by_side_with_what_it_means(
    browser: Browser, engines: Reported, size: tuple[int, int]
) -> None:
    """A sentence, and each cell's readings, ratio and outcome; the page is no wider for it."""
    with opened(browser, engines.page, size) as page:
        section = page.locator("#instruments")
        assert "jmeter differs from bancada on mean response time" in section.locator("p").first.inner_text()
        rows = section.locator("table").first.locator("tbody tr:not(.group)")
        assert rows.count() == 2
        assert "≠differ" in rows.first.inner_text().replace("\n", "")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_wide_tables_scroll_in_their_own_box_with_the_first_column_in_place(browser: Browser, demo: Reported) -> None:
    """On a phone the name of the system stays in sight."""
    with opened(browser, demo.page, PHONE) as page:
        box = page.locator("#verdict .key")
        cell = box.locator("tbody tr:not(.group) th").first
        before = cell.bounding_box()
        box.evaluate("each => each.scrollLeft = 200")
        after = cell.bounding_box()
        assert box.evaluate("each => each.scrollLeft") > 0
        assert before is not None
        assert after is not None
        assert before["x"] == pytest.approx(after["x"], abs=1)


def test_foldable_tables_open(browser: Browser, demo: Reported) -> None:
    """A click shows what is folded away."""
    with opened(browser, demo.page) as page:
        table = page.locator("#trials table")
        assert not table.is_visible()
        page.locator("#trials summary").click()
        assert table.is_visible()
        assert table.locator("tbody tr").count() == len(demo.findings.trials)


def test_the_dark_mode_turns_page_and_plots(browser: Browser, demo: Reported) -> None:
    """Page, card and letters of the plots change together."""
    seen = {}
    for scheme in ("light", "dark"):
        with opened(browser, demo.page, scheme=scheme) as page:
            seen[scheme] = page.evaluate(
                """() => [getComputedStyle(document.body).backgroundColor,
                          getComputedStyle(document.querySelector('.panel')).backgroundColor,
                          getComputedStyle(document.querySelector('.panel text')).fill]"""
            )
    assert all(light != dark for light, dark in zip(seen["light"], seen["dark"], strict=True))


def test_on_paper_everything_is_unfolded_and_no_page_is_empty(browser: Browser, demo: Reported, tmp_path: Path) -> None:
    """A4; what is folded on the screen is printed, and nothing is wider than the paper."""
    paper = tmp_path / "report.pdf"
    with opened(browser, demo.page) as page:
        page.pdf(path=paper, prefer_css_page_size=True, print_background=True)
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 688, "height": 1000})  # A4 less its margins, at 96 dots an inch
        assert page.evaluate("document.documentElement.scrollWidth") <= 688
        assert page.evaluate(
            "[...document.querySelectorAll('.scroll')].every(each => each.scrollWidth <= each.clientWidth + 1)"
        )
    pages = subprocess.run(["pdftotext", "-layout", paper, "-"], capture_output=True, text=True, check=True).stdout
    sheets = pages.rstrip("\f").split("\f")
    assert len(sheets) > 5
    assert all(len(sheet.split()) > 20 for sheet in sheets)
    assert "java" in pages
    assert 'arrivals = "poisson"' in pages
    assert re.search(r"\b64\s+8\s+\S+:\S+", pages), "the list of all trials is printed"
