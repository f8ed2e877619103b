# SPDX-License-Identifier: Apache-2.0
"""The page's source: complete for any run, closed to the network, and deaf to what names may try."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from itertools import pairwise

import pytest

from bancada.errors import StorageError
from bancada.model.study import Study
from bancada.report.page import code, write_report
from bancada.store import layout
from tests.report.conftest import HOSTILE, Reported


def plain(html: str) -> str:
    """The words of a page, without tags and style."""
    body = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_everything_derived_is_written_beside_the_page(demo: Reported) -> None:
    """Page, Markdown, summary and tables, by the names in the layout."""
    assert demo.page == demo.run.folder / layout.REPORT
    for name in (layout.REPORT, layout.MARKDOWN, layout.SUMMARY, f"{layout.TABLES}/estimates.csv"):
        assert (demo.run.folder / name).stat().st_size > 0


def test_a_report_made_again_is_the_same(demo: Reported) -> None:
    """It depends on the run alone: no clock, no random name."""
    before = demo.html
    write_report(demo.run, demo.findings)
    assert demo.html == before


def test_the_page_refers_to_nothing_outside_itself(demo: Reported) -> None:
    """No script, no remote address; links lead into the page and to the tables beside it."""
    assert "<script" not in demo.html
    assert not re.search(r"\b(src|srcset|poster|action|data)=", demo.html)
    assert not re.search(r"@import|url\((?!#)", demo.html)
    links = set(re.findall(r'href="([^"]*)"', demo.html))
    assert all(link.startswith(("#", "tables/")) or link == "data:," for link in links)
    assert all((demo.run.folder / link).is_file() for link in links if link.startswith("tables/"))


def test_every_link_into_the_page_has_its_place(demo: Reported) -> None:
    """And no id is given twice."""
    ids = re.findall(r'\bid="([^"]+)"', demo.html)
    assert len(ids) == len(set(ids))
    wanted = set(re.findall(r'(?:href="#|url\(#|aria-labelledby=")([^")]+)', demo.html))
    assert wanted <= set(ids)


def test_headings_follow_one_another_in_order(demo: Reported) -> None:
    """One h1, and no level is left out on the way down."""
    levels = [int(level) for level in re.findall(r"<h([1-6])", demo.html)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_a_hostile_text_stays_text(hostile: Reported) -> None:
    """Question, load, operation and factor are shown as they were written, and open no tag."""
    assert "<script" not in hostile.html
    assert "<img" not in hostile.html
    assert not re.search(r"<[bi]>", hostile.html)
    assert f"Is it {' '.join(HOSTILE.split())}?" in plain(hostile.html)
    assert "HEAP=<i>1</i>" in plain(hostile.html)


def test_failed_trials_are_listed_with_what_the_system_wrote(failing: Reported) -> None:
    """A stack that fails is a result."""
    words = plain(failing.html)
    failed = [trial for trial in failing.run.trials if trial.record.failure]
    assert words.count("java.lang.OutOfMemoryError: Java heap space") == len(failed) > 0
    assert "never-ready" in words


def test_an_unfinished_run_says_so_at_the_top(failing: Reported) -> None:
    """With the number of trials that are done."""
    assert "This run is not finished: 13 of 15 trials are done." in plain(failing.html)


def test_a_finished_run_does_not_say_that_it_is_not(demo: Reported) -> None:
    """No false alarm."""
    assert "not finished" not in plain(demo.html)


def test_systems_left_out_are_named_with_their_reason(demo: Reported) -> None:
    """Beside the question, because they change what the answer is about."""
    skipped = {"quarkus-rest:native": "native-image is not on this host"}
    manifest = demo.run.manifest.model_copy(update={"skipped": skipped})
    run = type(demo.run)(demo.run.folder, manifest, demo.run.trials)
    try:
        words = plain(write_report(run, demo.findings).read_text())
    finally:
        write_report(demo.run, demo.findings)
    assert "Left out of this run: quarkus-rest:native : native-image is not on this host" in words


def test_a_run_in_which_nothing_worked_still_has_a_report(dead: Reported) -> None:
    """It claims nothing: no figure, no plot, and errors are unknown instead of none."""
    words = plain(dead.html)
    assert "No trial yielded anything to draw." in words
    assert "Unknown: no trial’s load was measured." in words
    assert "No measured request failed" not in words
    assert "every trial failed" in words


def test_a_system_alone_is_not_judged(alone: Reported) -> None:
    """Its figures stand alone, unknown ones with the reason."""
    words = plain(alone.html)
    assert "Nothing could be compared by Response time, mean" in words
    assert "unknown: this host has no /proc" in words
    assert "other-verdicts" not in alone.html


def test_the_study_can_be_copied_from_the_page(demo: Reported) -> None:
    """What stands under `how to reproduce` is the study."""
    match = re.search(r"<details><summary>The study.*?<code>(.*?)</code>", demo.html, re.DOTALL)
    assert match is not None
    assert Study.model_validate(tomllib.loads(unescape(match[1]))) == demo.run.manifest.study


def test_backticks_become_code_and_nothing_else_does() -> None:
    """A text with an odd number of them is left alone."""
    assert code("raise `blocks` & <b>") == "raise <code>blocks</code> &amp; &lt;b&gt;"
    assert code("a ` b") == "a ` b"


def test_a_folder_that_cannot_be_written_is_a_storage_error(demo: Reported) -> None:
    """With the path, and advice."""
    run = type(demo.run)(demo.run.folder / "run.json", demo.run.manifest, demo.run.trials)
    with pytest.raises(StorageError) as caught:
        write_report(run, demo.findings)
    assert "run.json" in str(caught.value.where)


def test_failed_requests_are_told_by_kind_with_both_shares(demo: Reported) -> None:
    """Number, share of the cell's errors and share of its requests, and how many failed of all."""
    words = plain(demo.html)
    failed = sum(each.count for each in demo.findings.failures)
    asked = sum(trial.record.load.requests for trial in demo.run.trials if trial.record.load)
    section = demo.html.partition('id="errors"')[2].partition("</section>")[0]
    assert f"{failed:,} of {asked:,} measured requests failed".replace(",", " ") in plain(section)
    for heading in ("Kind of error", "Number of errors", "% of errors", "% of all requests"):
        assert heading in plain(section)
    assert section.count("<code>status</code>") == len(demo.findings.failures) == 2
    assert f"Only requests that passed count: {failed} failed (see Errors)." in words
