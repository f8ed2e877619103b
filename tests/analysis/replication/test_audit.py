# SPDX-License-Identifier: Apache-2.0
"""Figures and sentences that cannot be right, in made-up tables and in those of Almeida (2020)."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bancada.analysis.replication.audit import slips_of
from bancada.catalog.replications import read_replication
from bancada.model.judgement import Slip
from bancada.model.paper import Paper
from tests.analysis.replication.conftest import FEW, JAR, NATIVE, paper_of, row, table

ALMEIDA = slips_of(read_replication("almeida-2020").paper)


def by_operation(number: str, sut: str = JAR, **spoilt: dict[str, Any]) -> dict[str, Any]:
    """A sound table of operations, with some rows' figures set anew."""
    sizes = {"sort_3": 1.0, "sort_300": 10.0, "sort_3000": 100.0}
    parts = [row(name.replace("_", "-"), size, sent_kb_per_s=10 * size) for name, size in sizes.items()]
    total: dict[str, Any] = {"requests": 240, "throughput_per_s": 29.9, "max_ms": 300.0, "median_ms": 8.0}
    rows = [*parts, row("total", 37.0, received_kb_per_s=29.9, sent_kb_per_s=1106.3) | total]
    rows = [each | spoilt.get(each["row"].replace("-", "_"), {}) for each in rows]
    return table(number, *rows, sut=sut, requests_per_iteration=3, users=4, iterations=20)


def slips(paper: Paper) -> list[tuple[str, str, str]]:
    """Table, row and check of each slip."""
    return [(each.table, each.row, each.check) for each in slips_of(paper)]


def test_sound_tables_have_no_slip() -> None:
    """Of systems under test and of operations, whose totals fit."""
    assert slips(paper_of()) == []
    assert slips(paper_of(by_operation("1"), by_operation("2", NATIVE), by_operation("3"))) == []


@pytest.mark.parametrize(
    ("spoilt", "check"),
    [
        ({"max_ms": 99.0}, "mean-above-max"),
        ({"max_ms": 100.0, "median_ms": 101.0}, "median-above-max"),
        ({"requests": 81}, "requests"),
        ({"mean_ms": 401.0, "max_ms": 900.0}, "more-than-users"),
    ],
)
def test_a_row_that_no_measurement_can_give_is_found(spoilt: dict[str, Any], check: str) -> None:
    """Mean and median above the maximum, a wrong product, and 10/s × 401 ms = 4.01 requests of 4 users."""
    assert slips(paper_of(table("1", row(JAR, 100.0) | spoilt))) == [("1", JAR, check)]


@pytest.mark.parametrize(
    ("spoilt", "what"),
    [
        ({"mean_ms": 38.0}, "mean response time, 38, does not fit its rows, which give 37"),
        ({"max_ms": 299.0}, "maximum, 299, does not fit its rows, which give 300"),
        ({"median_ms": 81.0}, "median, 81, does not fit"),
        ({"throughput_per_s": 31.0, "sent_kb_per_s": 1147.0, "received_kb_per_s": 31.0}, "throughput, 31, does not"),
    ],
)
def test_a_total_that_its_rows_cannot_give_is_found(spoilt: dict[str, Any], what: str) -> None:
    """The mean of the means, the greatest maximum, a median between those of the rows, no more than their sum."""
    found = slips_of(paper_of(by_operation("1", total=spoilt)))
    assert [(each.row, each.check) for each in found] == [("total", "total-outside-parts")]
    assert what in found[0].sentence


def test_a_size_that_the_other_tables_do_not_have_is_found() -> None:
    """20 KB a request where it is 10 elsewhere; one table of three is odd."""
    spoilt = by_operation("3", sort_300={"sent_kb_per_s": 200.0})
    (slip,) = slips_of(paper_of(by_operation("1"), by_operation("2"), spoilt))
    assert (slip.table, slip.row, slip.check, slip.expected) == ("3", "sort-300", "size-out-of-line", "about 100")
    assert "20 KB sent for each; elsewhere it is 10" in slip.sentence
    assert "moved" not in slip.sentence


def test_two_tables_are_not_enough_to_tell_the_odd_one() -> None:
    """Of two that differ, either may be wrong."""
    assert slips(paper_of(by_operation("1"), by_operation("2", sort_300={"sent_kb_per_s": 200.0}))) == []


def test_answers_that_grow_with_the_load_may_differ_between_tables_but_not_within_one() -> None:
    """Where lists fill up, the size of an answer depends on the load."""
    suts = (JAR, NATIVE, "quarkus-jpa:jar")
    grown = table("1", *(row(sut, 100.0, received_kb_per_s=50.0) for sut in suts), answers_grow=True)
    plain = table("2", *(row(sut, 100.0) for sut in suts), answers_grow=True)
    assert slips(paper_of(grown, plain)) == []
    odd = table(
        "2", *(row(sut, 100.0) for sut in suts[:2]), row(suts[2], 100.0, received_kb_per_s=13), answers_grow=True
    )
    assert slips(paper_of(grown, odd)) == [("2", "quarkus-jpa:jar", "size-out-of-line")]


def test_a_column_that_slipped_by_a_row_is_recognised() -> None:
    """All rows of it are told, each with the same explanation."""
    shifted = by_operation(
        "3",
        sort_3={"sent_kb_per_s": 1106.3},
        sort_300={"sent_kb_per_s": 10.0},
        sort_3000={"sent_kb_per_s": 100.0},
        total={"sent_kb_per_s": 1000.0},
    )
    found = slips_of(paper_of(by_operation("1"), by_operation("2"), shifted))
    assert [each.row for each in found] == ["sort-3", "sort-300", "sort-3000", "total"]
    assert all("all figures are moved up by one row" in each.sentence for each in found)


def test_a_sentence_against_its_own_tables_is_found() -> None:
    """Native is printed faster, at 80 ms against 100 ms; a sentence to the contrary is a slip."""
    said = {"of": {"table": "1", "row": NATIVE}, "against": {"table": "1", "row": JAR}}
    plain = {"source": "section 1", "text": "Native is slower."}
    right = {**plain, "statement": "right", "text": "Native is faster.", "says": [{**said, "expect": {"below": 1}}]}
    wrong = {**plain, "statement": "wrong", "says": [{**said, "expect": {"above": 1}}]}
    (slip,) = slips_of(paper_of(statement=[right, wrong]))
    assert (slip.table, slip.row, slip.check) == ("section 1", "wrong", "statement")
    assert slip.sentence == (
        f"The text says: Native is slower. But the mean response time of {NATIVE} in Table 1 is 80 ms, "
        f"that of {JAR} in Table 1 is 100 ms."
    )


def test_a_sentence_about_a_single_figure_is_held_against_it() -> None:
    """A mean of 80 ms is not below 80 ms, nor above it; no failure at all is fewer than one."""
    of = {"table": "1", "row": NATIVE}
    said = [
        {"of": of, "expect": {"below": 80}},
        {"of": of, "expect": {"between": [79.5, 80.5]}},
        {"of": {**of, "column": "failed"}, "expect": {"below": 1}},
    ]
    printed = table("1", row(JAR, 100.0), row(NATIVE, 80.0, failed=0))
    (slip,) = slips_of(paper_of(printed, statement=[{"statement": "s", "source": "s", "text": "Fast.", "says": said}]))
    assert slip.expected == "a figure below 80, found 80.0"
    assert slip.sentence == f"The text says: Fast. But the mean response time of {NATIVE} in Table 1 is 80 ms."


def test_systems_that_answer_with_different_bodies_did_not_do_the_same_work() -> None:
    """6 KB against 1 KB a request, whether in one table or in two; under another load it is another comparison."""
    other = row(NATIVE, 80.0, received_kb_per_s=60.0)
    (slip,) = slips_of(paper_of(table("1", row(JAR, 100.0), other)))
    assert (slip.table, slip.row, slip.check) == ("Table 1", f"{JAR} and {NATIVE}", "unequal-work")
    assert f"{NATIVE} answered with 6 KB and {JAR} with 1 KB" in slip.sentence
    apart = slips_of(paper_of(table("Figure 1", row(JAR, 100.0)), table("Figure 2", other)))
    assert [each.table for each in apart] == ["Figures 1 and 2"]
    assert slips(paper_of(table("1", row(JAR, 100.0)), table("2", other, load="many users"))) == []


def test_headers_do_not_make_the_work_unequal() -> None:
    """Twice the size of a small answer is 0.1 KB; 0.6 KB more of a large one is a tenth of it."""
    small = table("1", row(JAR, 100.0, received_kb_per_s=1.0), row(NATIVE, 80.0, received_kb_per_s=2.0))
    large = table("2", row(JAR, 100.0, received_kb_per_s=60.0), row(NATIVE, 80.0, received_kb_per_s=66.0))
    assert slips(paper_of(small)) == slips(paper_of(large)) == []


def test_what_several_parts_ask_alike_is_compared_over_all_of_them() -> None:
    """One answer of 1.5 KB where the same request got 1 KB in two other parts."""
    odd = row(JAR, 100.0, received_kb_per_s=15.0)
    rows = {"a": row(JAR, 100.0), "b": row(JAR, 100.0), "c": odd}
    asked = [table(f"Figure {at}", each, part=part, asks="list") for at, (part, each) in enumerate(rows.items())]
    assert slips(paper_of(*asked)) == [("Figure 2", JAR, "size-out-of-line")]
    assert slips(paper_of(*[{**each, "asks": None} for each in asked])) == []


def test_kinds_of_failure_that_do_not_add_up_are_found() -> None:
    """2 + 1 of 4 failed requests."""
    kinds = [
        {"kind": kind, "printed": kind, "count": count, "of_errors_percent": "0", "of_requests_percent": "0"}
        for kind, count in {"connect-timeout": 2, "connection-closed": 1}.items()
    ]
    printed = {"table": "Figure 2", "of_table": "Figure 1", "of_row": JAR, "error": kinds}
    counted = table("Figure 1", row(JAR, 100.0, failed=4))
    slip = slips_of(paper_of(counted, errors=[printed]))[0]
    assert (slip.table, slip.check, slip.printed, slip.expected) == ("Figure 2", "errors-by-kind", "3", "4")
    assert "Figure 1 counts 4 failed requests" in slip.sentence


def test_a_table_of_errors_must_belong_to_a_row_that_counts_them() -> None:
    """Else there is nothing to hold it against."""
    error = {"kind": "status", "printed": "500", "count": 1, "of_errors_percent": "100", "of_requests_percent": "1"}
    with pytest.raises(ValidationError, match=f"table 1, row {JAR}"):
        paper_of(errors=[{"table": "2", "of_table": "1", "of_row": JAR, "error": [error]}])


def test_a_derived_figure_that_its_data_do_not_give_is_found() -> None:
    """A printed mean of 0.9 where 80 ÷ 100 and its like give 0.8."""
    of, against = {"table": "1", "row": NATIVE}, {"table": "1", "row": JAR}
    growth = {"growth": "g", "source": "Table 2", "machine": "Mac", "pairs": [{"of": of, "against": against}] * 2}
    found = slips_of(paper_of(growth=[{**growth, "mean": "0.9", "half_width": "0.0"}]))
    assert [(each.table, each.row, each.printed, each.expected) for each in found] == [
        ("Table 2", "g: mean", "0.9", "0.8")
    ]


def of_almeida(check: str) -> set[tuple[str, str]]:
    """Table and row of the slips of one kind."""
    return {(each.table, each.row) for each in ALMEIDA if each.check == check}


def explained(number: str, check: str) -> set[bool]:
    """Whether a move of the column by one row explains the slips of a table."""
    told: list[Slip] = [each for each in ALMEIDA if each.table == number and each.check == check]
    return {"moved up by one row, the first to the end" in each.sentence for each in told}


def test_almeidas_impossible_rows_are_found() -> None:
    """Table 5: mean and median above the maximum; Table 6: a median of 8062 ms below a maximum of 4441 ms."""
    assert of_almeida("mean-above-max") == {("5", "sort-30000")}
    assert of_almeida("median-above-max") == {("5", "sort-30000"), ("6", "sort-3")}
    assert explained("5", "mean-above-max") == {True}


def test_almeidas_column_of_sent_data_slipped_by_a_row() -> None:
    """Table 15 has the total's 1735.41 KB/s in the row of three integers, and so on down."""
    rows = ("sort-3", "sort-300", "sort-3000", "sort-30000", "total")
    assert of_almeida("size-out-of-line") == {("15", each) for each in rows}
    assert explained("15", "size-out-of-line") == {True}


def test_almeidas_odd_medians_are_found() -> None:
    """Table 6 slipped by a row; 3640 in Table 7 and two medians of Table 12 are not explained so."""
    assert of_almeida("median-out-of-line") == {
        *(("6", each) for each in ("sort-3", "sort-3000", "sort-30000")),
        ("7", "total"),
        *(("12", each) for each in ("sort-3000", "sort-30000")),
    }
    assert explained("6", "median-out-of-line") == {True}
    assert explained("7", "median-out-of-line") == explained("12", "median-out-of-line") == {False}


def test_almeidas_text_counts_three_requests_where_the_tables_have_four() -> None:
    """Section 3.3, of Tables 12 to 15."""
    assert of_almeida("requests") == {(str(number), "total") for number in range(12, 16)}


def test_almeidas_sentences_against_the_tables_are_found() -> None:
    """Rates below Table 3; Quarkus native in a container, Tables 19 and 20; the exception named below Graph 2."""
    assert [each.row for each in ALMEIDA if each.check == "statement"] == [
        "native-rates-table-3",
        "native-rates-table-3",
        "quarkus-faster-in-containers",
        "tables-14-and-15-excepted",
        "tables-14-and-15-excepted",
    ]


def test_almeida_has_no_other_slips() -> None:
    """No total is outside its parts, no row has more requests in progress than users; eight derived figures differ."""
    assert not of_almeida("total-outside-parts")
    assert not of_almeida("more-than-users")
    assert len(of_almeida("recomputed")) == 8
    assert len(ALMEIDA) == 31
    assert FEW.users == 4  # the made-up tables above count on it
