# SPDX-License-Identifier: Apache-2.0
"""Parts at two scales, claims that fit their parts, and papers whose cells exist."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bancada.model.paper import Expectation, Paper, PrintedCell
from bancada.model.replication import Claim, ClaimPair, Part, Replication

LOAD = {"name": "10 users", "users": 10, "iterations": 2}
ONCE = {"name": "1 user", "users": 1, "iterations": 1}
SCALES = {
    "quick": {"blocks": 2, "warm_up": "1s", "load": [LOAD]},
    "paper": {"blocks": 7, "warm_up": "5s", "load": [LOAD, ONCE]},
}
PART: dict[str, Any] = {
    "part": "sort",
    "question": "Which sorts faster?",
    "scenario": "sort",
    "stacks": ["a:jar", "b:jar"],
    "scale": SCALES,
}
PAIR: dict[str, Any] = {"of": {"sut": "b:jar", "load": "10 users"}, "against": {"sut": "a:jar", "load": "10 users"}}
CLAIM: dict[str, Any] = {
    "claim": "b-faster",
    "text": "b is faster.",
    "source": "Table 1",
    "part": "sort",
    "pairs": [PAIR],
    "expect": {"below": 1},
}
CELL = {"table": "1", "row": "a:jar"}
ROW = {
    "row": "a:jar",
    "requests": 20,
    "mean_ms": 5.0,
    "median_ms": 4.0,
    "max_ms": 9.0,
    "throughput_per_s": 2.0,
    "received_kb_per_s": 1.0,
    "sent_kb_per_s": 1.0,
}
TABLE = {
    "table": "1",
    "machine": "Acer",
    "part": "sort",
    "load": "10 users",
    "users": 10,
    "iterations": 2,
    "requests_per_iteration": 1,
    "row": [ROW],
}
START = {"row": "a:jar", "mean_s": "1.50", "half_width_s": "0.1", "n": 10}
STARTS = {
    "table": "2",
    "part": "start-up",
    "load": "first answer",
    "row": [{**START, "machine": "Acer"}, {**START, "machine": "Mac", "mean_s": "3.0"}],
}


def replication(part: dict[str, Any] | None = None, claim: dict[str, Any] | None = None) -> Replication:
    """A small replication with some fields of its part or claim set anew."""
    return Replication.model_validate(
        {
            "replication": "somebody-2020",
            "title": "A title",
            "question": "Which?",
            "reference": "Somebody (2020)",
            "paper": "paper.toml",
            "part": [PART | (part or {})],
            "claim": [CLAIM | (claim or {})],
        }
    )


def test_a_part_is_a_study_of_its_own_at_either_scale() -> None:
    """Its name has the replication's before it; blocks, warm-up and loads are the scale's."""
    given = replication({"metric": "latency_p50_ns", "margin": "10%", "services": {"sql": "mysql"}})
    quick, paper = given.study("sort", "quick"), given.study("sort", "paper")

    assert quick.study == paper.study == "somebody-2020-sort"
    assert (quick.blocks, paper.blocks) == (2, 7)
    assert (quick.warm_up, paper.warm_up) == (10**9, 5 * 10**9)
    assert [load.name for load in paper.load] == ["10 users", "1 user"]
    assert (paper.metric, paper.margin, paper.services) == ("latency_p50_ns", 0.1, {"sql": ("mysql",)})


def test_what_a_part_does_not_say_is_a_studys_default() -> None:
    """So that both kinds of file mean the same."""
    plain = replication().study("sort", "quick")
    assert (plain.margin, plain.alpha, plain.metric, plain.pin) == (0.03, 0.05, "latency_mean_ns", "auto")
    assert plain.apdex_satisfied == 500_000_000


def test_a_part_needs_both_scales() -> None:
    """A replication that can only be run for hours, or only in minutes, is none."""
    with pytest.raises(ValidationError, match=r"both \[part.scale.quick\] and \[part.scale.paper\]"):
        Part.model_validate({**PART, "scale": {"quick": SCALES["quick"]}})


@pytest.mark.parametrize(
    ("claim", "complaint"),
    [
        ({"part": "sorting"}, "unknown part 'sorting'"),
        ({"pairs": [{**PAIR, "of": {"sut": "c:jar", "load": "10 users"}}]}, "names 'c:jar'"),
        ({"pairs": [{**PAIR, "of": {"sut": "b:jar", "load": "11 users"}}]}, "names '11 users'"),
        ({"pairs": [PAIR, PAIR]}, "same cell twice"),
        ({"metric": "latency"}, "unknown metric"),
        ({"pairs": [PAIR] * 1, "published": [], "expect": {}}, "exactly one of below"),
        ({"expect": {"below": 1, "above": 2}}, "exactly one of below"),
        ({"expect": {"between": [2, 1]}}, "in order"),
        ({"expect": {"below": 0}}, "greater than 0"),
    ],
)
def test_claims_that_cannot_be_judged_are_refused(claim: dict[str, Any], complaint: str) -> None:
    """Names that the part does not have, a cell used twice, and expectations that say nothing or too much."""
    with pytest.raises(ValidationError, match=complaint):
        replication(claim=claim)


def test_operations_of_one_cell_are_compared_within_trials_and_not_mixed_with_others() -> None:
    """Each trial has a ratio of its own; a mean over both kinds of pairs would have two kinds of error."""
    a = {"sut": "a:jar", "load": "10 users"}
    within = {"of": {**a, "operation": "sort-300"}, "against": {**a, "operation": "sort-3"}}

    assert ClaimPair.model_validate(within).within_trials
    assert not ClaimPair.model_validate(PAIR).within_trials
    with pytest.raises(ValidationError, match="mixes pairs"):
        Claim.model_validate({**CLAIM, "pairs": [within, {"of": {**a, "sut": "b:jar"}, "against": a}]})


def test_published_pairs_must_match_the_pairs() -> None:
    """One published ratio for each pair and machine, or there is no telling which belongs to which."""
    twice = [PAIR, {"of": {"sut": "b:jar", "load": "1 user"}, "against": {"sut": "a:jar", "load": "1 user"}}]
    with pytest.raises(ValidationError, match="as many published pairs"):
        replication(claim={"pairs": twice, "published": [{"of": CELL, "against": CELL}]})


@pytest.mark.parametrize(
    ("expect", "ratio", "holds"),
    [
        ({"below": 1}, 0.9, True),
        ({"below": 1}, 1.1, False),
        ({"below": 1}, 1.0, None),
        ({"above": 0.97}, 0.98, True),
        ({"above": 0.97}, 0.9, False),
        ({"between": [0.97, 1.03]}, 1.0, True),
        ({"between": [0.97, 1.03]}, 1.03, None),
        ({"between": [0.97, 1.03]}, 1.1, False),
    ],
)
def test_an_expectation_holds_strictly(expect: dict[str, Any], ratio: float, holds: bool | None) -> None:
    """On a boundary it neither holds nor fails."""
    assert Expectation.model_validate(expect).holds(ratio) is holds


def test_a_paper_gives_the_figure_that_stands_in_a_cell() -> None:
    """Of a table of response times by column, of start-up times by machine."""
    paper = Paper.model_validate({"paper": "somebody-2020", "table": [TABLE], "startup": STARTS})

    assert paper.value_of(PrintedCell.model_validate(CELL)) == 5.0
    assert paper.value_of(PrintedCell.model_validate({**CELL, "column": "max_ms"})) == 9.0
    assert paper.value_of(PrintedCell(table="2", row="a:jar", machine="Mac")) == 3.0
    assert paper.machine_of(PrintedCell.model_validate(CELL)) == "Acer"
    assert not paper.has(PrintedCell(table="2", row="a:jar"))  # of which machine?
    with pytest.raises(KeyError, match="table 3"):
        paper.value_of(PrintedCell(table="3", row="a:jar"))


def test_a_statement_about_a_cell_that_is_not_there_is_refused() -> None:
    """With the name of the cell."""
    said = {"of": CELL, "against": {"table": "9", "row": "a:jar"}, "expect": {"below": 1}}
    statement = {"statement": "s", "source": "section 1", "text": "t", "says": [said]}
    with pytest.raises(ValidationError, match="table 9, row a:jar"):
        Paper.model_validate({"paper": "somebody-2020", "table": [TABLE], "statement": [statement]})
