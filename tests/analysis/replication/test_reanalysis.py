# SPDX-License-Identifier: Apache-2.0
"""The derived figures of Almeida (2020), computed again; tests/stats/known_answers has them too, on another road."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from bancada.analysis.replication.reanalysis import recomputed_of
from bancada.catalog.replications import read_replication
from tests.conftest import PROJECT

PAPER = read_replication("almeida-2020").paper
FOUND = {figure.what: figure for figure in recomputed_of(PAPER)}
KNOWN: list[dict[str, Any]] = tomllib.loads(
    (PROJECT / "tests" / "stats" / "known_answers" / "almeida_2020.toml").read_text(encoding="utf-8")
)["growth"]


def name_of(known: dict[str, Any]) -> str:
    """The growth's name in paper.toml."""
    what, machine = str(known["name"]).split(", ")
    long = "100 to 1 000 users" if what == "users" else what.replace("3000 ", "3 000 ").replace("30000", "30 000")
    return f"{long}, {machine}"


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: str(known["name"]))
def test_means_and_half_widths_are_those_of_the_known_answers(known: dict[str, Any]) -> None:
    """Printed and computed figures of all eight growths."""
    mean, half_width = FOUND[f"{name_of(known)}: mean"], FOUND[f"{name_of(known)}: half-width"]
    assert (mean.printed, mean.computed, mean.reproduced) == (known["mean"], known["mean"], True)
    computed = known.get("half_width_computed", known["half_width"])
    assert (half_width.printed, half_width.computed) == (known["half_width"], computed)


def test_the_single_ratios_of_the_text_are_reproduced_but_for_one() -> None:
    """22.01 is printed where 12901.63 / 586.00 is 22.016."""
    single = {what: each for what, each in FOUND.items() if "jpa" in what}
    assert len(single) == 8
    wrong = {what: each.computed for what, each in single.items() if not each.reproduced}
    assert wrong == {"100 to 1 000 users, Mac Mini: quarkus-jpa:jar": "22.02"}


def test_the_work_of_sorting_is_reproduced_but_for_one_digit() -> None:
    """Table 22 has 2468.64 for 300 · log₂ 300 = 2468.6456; Table 23 is right."""
    work = [each for each in FOUND.values() if each.source in {"Table 22", "Table 23"}]
    assert len(work) == 14
    assert [(each.what, each.printed, each.computed) for each in work if not each.reproduced] == [
        ("N log₂ N for 300", "2468.64", "2468.65")
    ]
    assert FOUND["N² for 30000"].computed == "9.00E+8"
    assert FOUND["N log₂ N from 300 to 3000"].computed == "14.04"
