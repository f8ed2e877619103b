# SPDX-License-Identifier: Apache-2.0
"""The shipped replication judged on made-up runs of its three parts, whose truth is known."""

from __future__ import annotations

import pytest

from bancada.analysis.replication.judge import judge
from bancada.analysis.replication.tables import tables_of
from bancada.catalog.replications import read_replication
from bancada.model.judgement import Judgement, Judgements
from bancada.model.load import ClosedLoad
from bancada.store.read import Run, read_run
from tests.fakes.run_folder import FakeSut, make_run

ALMEIDA = read_replication("almeida-2020")
LATENCY_MS = {"spring-jpa:jar": 10.0, "spring-jpa:native": 12.0, "quarkus-jpa:jar": 10.0, "quarkus-jpa:native": 7.0}
STARTUP_MS = {
    "spring-jpa:jar": 3000.0,
    "spring-jpa:virtual": 3000.0,
    "spring-jpa:aot": 1500.0,
    "spring-jpa:native": 150.0,
    "quarkus-jpa:jar": 1500.0,
    "quarkus-jpa:aot": 700.0,
    "quarkus-jpa:native": 40.0,
}
NO_ENGINE = {f"{sut}-container": "no container engine" for sut in LATENCY_MS}
SIZES = {"sort-3": 1.0, "sort-300": 1.0, "sort-3000": 2.5, "sort-30000": 15.0}
"""Response times relative to each other: no growth, then 2.5 and 6 times, as the study has it."""


def users(name: str) -> ClosedLoad:
    """A load of that name, small enough for a test."""
    return ClosedLoad(name=name, users=40, iterations=10)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """The parts at quick scale: four blocks, ten of the start-up; containers could not be run."""
    folder = tmp_path_factory.mktemp("almeida")
    suts = [FakeSut(sut, latency_ms=latency) for sut, latency in LATENCY_MS.items()]
    starts = [FakeSut(sut, startup_ms=startup) for sut, startup in STARTUP_MS.items()]
    loads = (users("100 users"), users("1 000 users"))
    once = (ClosedLoad(name="first answer", users=1, iterations=1),)
    entities = make_run(folder / "entities", suts=suts, loads=loads, blocks=4, operations={"list": 1.0, "insert": 1.5})
    sort = make_run(folder / "sort", suts=suts, loads=loads[:1], blocks=4, operations=SIZES)
    start = make_run(
        folder / "start-up", suts=starts, loads=once, blocks=10, operations={"list": 1.0}, metric="startup_ns"
    )
    return {"entities": read_run(entities), "sort": read_run(sort), "start-up": read_run(start)}


@pytest.fixture(scope="module")
def judgements(runs: dict[str, Run]) -> Judgements:
    """All 24 claims, judged."""
    return judge(ALMEIDA.replication, ALMEIDA.paper, "quick", runs, NO_ENGINE)


def test_every_claim_gets_the_verdict_that_the_truth_deserves(judgements: Judgements) -> None:
    """Quarkus's native executable was made faster, Spring Boot's slower; more users were made to cost nothing."""
    verdicts = {each.claim: each.verdict for each in judgements.claims if each.measured is not None}
    assert verdicts == {
        "quarkus-native-entities-100": "confirmed",
        "quarkus-native-entities-1000": "confirmed",
        "spring-native-entities-100": "confirmed",
        "spring-native-entities-1000": "confirmed",
        "quarkus-native-sort-100": "confirmed",
        "spring-native-sort-100": "confirmed",
        "quarkus-native-starts-faster": "confirmed",
        "spring-native-starts-faster": "confirmed",
        "quarkus-aot-starts-faster": "confirmed",
        "spring-aot-starts-faster": "confirmed",
        "users-growth": "contradicted",
        "users-growth-more-than-proportional": "contradicted",
        "integers-3-to-300": "confirmed",
        "integers-300-to-3000": "confirmed",
        "integers-3000-to-30000": "confirmed",
    }
    assert judgements.count("confirmed") + judgements.count("contradicted") + judgements.count("undecided") == 24


def test_what_could_not_be_tried_is_undecided_with_its_reason(judgements: Judgements) -> None:
    """No container engine, and loads that only the paper's scale has."""
    reasons = {each.claim: each.reason for each in judgements.claims if each.measured is None}
    assert len(reasons) == 9
    assert reasons["quarkus-jar-container"] == "quarkus-jpa:jar-container was skipped: no container engine."
    assert reasons["quarkus-native-entities-1000-once"] == "The quick scale has no load of 1 000 users, 1 iteration."
    assert reasons["spring-native-sort-1000"] == "The quick scale has no load of 1 000 users."
    assert all(each.verdict == "undecided" for each in judgements.claims if each.claim in reasons)


def by_name(judgements: Judgements, name: str) -> Judgement:
    """The judgement of one claim."""
    return next(each for each in judgements.claims if each.claim == name)


def test_the_test_follows_from_blocks_and_claims(judgements: Judgements) -> None:
    """Ten starts allow the exact rank-sum test with 24 claims, four blocks do not; sizes are compared within trials."""
    tests = {name: by_name(judgements, name).test for name in ("quarkus-native-starts-faster", "integers-3-to-300")}
    assert tests == {"quarkus-native-starts-faster": "rank-sum", "integers-3-to-300": "paired-t"}
    assert by_name(judgements, "quarkus-native-entities-100").test == "welch-t"
    assert by_name(judgements, "users-growth").test == "welch-t"


def test_published_reanalysed_and_measured_stand_side_by_side(judgements: Judgements) -> None:
    """The growth from 3 000 to 30 000 integers: 6.005 ± 0.440 and 5.600 ± 0.201 printed, 6 measured."""
    found = by_name(judgements, "integers-3000-to-30000")
    assert [each.ratio.point for each in found.published] == [6.005, 5.6]
    assert [each.ratio.point for each in found.reanalysed] == pytest.approx([6.0, 5.6], abs=0.01)
    assert found.measured is not None
    assert found.measured.point == pytest.approx(6, rel=0.02)
    assert found.published[0].tables == "Tables 5, 6, 7 and 8"


def test_the_tables_are_those_of_the_study(runs: dict[str, Run]) -> None:
    """Tables 3 and 4, 5 to 8 and Table 21, each with the printed rows below ours."""
    tables = {(each.part, each.title): each for each in tables_of(ALMEIDA.replication, ALMEIDA.paper, runs)}
    assert list(tables) == [
        ("entities", "100 users"),
        ("entities", "1 000 users"),
        ("sort", "100 users"),
        *(("sort", f"{sut} · 100 users") for sut in LATENCY_MS),
        ("start-up", "Start-up"),
    ]
    sources = [each.source for each in tables["sort", "100 users"].rows if each.label == "quarkus-jpa:jar"]
    assert sources == ["measured", "Mac Mini, Table 7", "Acer, Table 14", "Mac Mini, Table 18"]


def test_judgements_survive_the_way_through_a_file(judgements: Judgements) -> None:
    """They are kept beside the runs and read again."""
    assert Judgements.model_validate_json(judgements.model_dump_json()) == judgements
