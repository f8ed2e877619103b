# SPDX-License-Identifier: Apache-2.0
"""Replications are found beside the studies, and what they name is checked against the paper."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import get_args

import pytest

from bancada.catalog.replications import all_replications, read_replication
from bancada.catalog.studies import all_studies, study_path
from bancada.errors import InputError, NotFoundError
from bancada.model.base import NS_PER_S
from bancada.model.paper import Column
from tests.conftest import PROJECT

SHIPPED = PROJECT / "studies" / "almeida-2020.toml"
PAPER = PROJECT / "studies" / "almeida-2020" / "paper.toml"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The shipped replication in a folder of its own, to be spoilt."""
    shutil.copytree(PAPER.parent, tmp_path / "almeida-2020")
    return Path(shutil.copy(SHIPPED, tmp_path))


def spoil(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_replications_are_not_studies() -> None:
    """Each kind of file has a list of its own."""
    replications = {each.replication for each in all_replications()}
    assert {"almeida-2020", "ramalho-2020"} <= replications
    assert not replications & {study.study for study in all_studies()}


def test_who_asks_for_a_replication_as_a_study_is_told_the_right_command() -> None:
    """And not about dozens of unknown keys."""
    with pytest.raises(InputError, match="is a replication, not a study") as told:
        study_path("almeida-2020")
    assert told.value.advice == "bancada replicate almeida-2020"


def test_a_replication_is_read_by_name_and_by_path(copied: Path) -> None:
    """With its paper."""
    by_name, by_path = read_replication("almeida-2020"), read_replication(str(copied))
    assert by_name.replication == by_path.replication
    assert by_name.paper == by_path.paper
    assert len(by_name.replication.claim) == 24


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """And with the places searched."""
    with pytest.raises(NotFoundError, match='did you mean "almeida-2020"') as told:
        read_replication("almeida-2021")
    assert "studies/almeida-2021.toml" in str(told.value.where)


def test_an_unknown_part_is_answered_with_the_nearest() -> None:
    """Before anything is built."""
    with pytest.raises(NotFoundError, match='no part "sorts"; did you mean "sort"'):
        read_replication("almeida-2020").part("sorts", "quick")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('{ table = "10", row', '{ table = "1O", row', "table 1O, row quarkus-jpa:native, which the paper"),
        ('"100 to 1 000 users, Acer"', '"100 to 1 000 users, Acre"', 'unknown growth "100 to 1 000 users, Acre"'),
        ('{ table = "10", row', '{ table = "3", row', "mixes figures of Acer and Mac Mini"),
        ('replication = "almeida-2020"', 'replication = "almeida"', 'that of "almeida-2020", not of "almeida"'),
    ],
)
def test_claims_that_do_not_fit_the_paper_are_told(copied: Path, old: str, new: str, complaint: str) -> None:
    """A cell or mean that the paper does not have, a ratio across machines, another paper."""
    spoil(copied, old, new)
    with pytest.raises(InputError, match=complaint):
        read_replication(str(copied))


def test_a_mistake_in_the_paper_is_told_with_its_file(copied: Path) -> None:
    """As of every file."""
    spoil(copied.parent / "almeida-2020" / "paper.toml", "answers_grow", "answers_grew")
    with pytest.raises(InputError, match=r"unknown key .*answers_grew") as told:
        read_replication(str(copied))
    assert str(told.value.where).endswith("paper.toml")


def test_the_paper_file_has_every_table() -> None:
    """16 tables of response times with 72 rows, 8 start-up times, 8 means of ratios, and the requests of all rows.

    Requests: three tables of four rows with 12 000 each, one with 24 000 each; eight tables with 8 000 in all; four
    tables of four rows with 4 000 each.
    """
    paper = read_replication("almeida-2020").paper
    rows = [row for table in paper.table for row in table.row]
    assert {table.table for table in paper.table} == {*map(str, (*range(3, 9), *range(10, 16), *range(17, 21)))}
    assert (len(paper.table), len(rows)) == (16, 72)
    assert paper.startup is not None
    assert (len(paper.startup.row), len(paper.growth)) == (8, 8)
    assert sum(row.requests for row in rows) == 3 * 48_000 + 96_000 + 8 * 8_000 + 4 * 16_000


def test_the_dashboards_of_ramalho_are_whole() -> None:
    """Six of one row each, every column printed, and the kinds of all 957 failed requests."""
    paper = read_replication("ramalho-2020").paper
    assert [table.table for table, _ in paper.lines] == [f"Figure {number}" for number in (18, 20, 22, 24, 26, 29)]
    assert all(row.value(column) is not None for _, row in paper.lines for column in get_args(Column))
    assert sum(row.requests for _, row in paper.lines) == 2 * 10_000 + 2 * 50_000 + 32_811 + 100_000
    assert sum(error.count for table in paper.errors for error in table.error) == 878 + 79


def test_every_part_of_ramalho_resolves_with_the_operations_that_it_asks() -> None:
    """`/async` alone where the study called it, both where they are compared; its slowest answer took 132 s."""
    found = read_replication("ramalho-2020")
    asked = {part.part: found.part(part.part, "paper") for part in found.replication.part}
    operations = {name: [each.name for each in study.scenario.operation] for name, study in asked.items()}
    assert operations == {"rounds": ["async"], "third-round": ["async"], "means": ["direct", "async"]}
    assert [sut.label for sut in asked["third-round"].suts] == list(found.replication.named("third-round").stacks)
    assert all(study.study.timeouts.response > 133 * NS_PER_S for study in asked.values())
