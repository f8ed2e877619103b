# SPDX-License-Identifier: Apache-2.0
"""The shipped replication of Ramalho and Mendes (2020): its paper checked, and its claims judged on made-up runs."""

from __future__ import annotations

from collections import Counter

import pytest

from bancada.analysis.replication.audit import slips_of
from bancada.analysis.replication.judge import choose, judge
from bancada.analysis.replication.published import as_printed, by_our_method
from bancada.analysis.replication.reanalysis import recomputed_of
from bancada.analysis.replication.tables import tables_of
from bancada.catalog.replications import read_replication
from bancada.model.base import NS_PER_S
from bancada.model.judgement import Judgement, Judgements, Slip
from bancada.model.load import ClosedLoad, LoadProfile
from bancada.model.replication import Scale
from bancada.model.tables import MEASURED, ReplicaTable
from bancada.store.read import Run, read_run
from tests.fakes.run_folder import FakeSut, make_run

RAMALHO = read_replication("ramalho-2020")
SCALES: tuple[Scale, Scale] = ("quick", "paper")
CLAIMS = {each.claim: each for each in RAMALHO.replication.claim}
SLIPS = slips_of(RAMALHO.paper)
THREADS, POOL_400, VIRTUAL = "spring-mvc:jar", "spring-mvc:jar,pool=400", "spring-mvc:virtual"
COROUTINES = "kotlin-coroutines:jar"
LATENCY_MS = {THREADS: 1100.0, POOL_400: 900.0, VIRTUAL: 430.0, COROUTINES: 480.0}
"""More threads help, against what the study says; all else is as it says, and virtual threads are fastest."""


def of_check(check: str) -> list[Slip]:
    """The slips of one kind."""
    return [each for each in SLIPS if each.check == check]


def test_the_services_did_not_do_the_same_work() -> None:
    """6.6 KB for an answer in Java, 0.4 and 2.9 KB in Kotlin, of what should be one and the same page."""
    assert [(each.table, each.printed) for each in of_check("unequal-work")] == [
        ("Figures 18 and 20", "0.397 KB and 6.57 KB"),
        ("Figures 22 and 24", "0.397 KB and 6.57 KB"),
        ("Figures 26 and 29", "2.9 KB and 6.47 KB"),
    ]
    assert [(each.table, each.expected) for each in of_check("size-out-of-line")] == [("Figure 29", "about 310.5")]


def test_means_and_apdex_beyond_their_percentiles_are_found() -> None:
    """634 × 0.5 + 973.9 × 0.4 + 1041.95 × 0.05 + 1124 × 0.04 + 7390 × 0.01 is 877.5 ms, and 1160.99 is printed."""
    means = of_check("mean-outside-percentiles")
    assert [(each.table, each.printed, each.expected) for each in means] == [
        ("Figure 24", "1160.99", "between 515.84 and 877.51"),
        ("Figure 29", "7621.15", "between 3136.23 and 6946.50"),
    ]
    assert all("the last 20000 of" in each.sentence for each in means)
    apdexes = of_check("apdex-outside-percentiles")
    assert [(each.table, each.printed, each.expected) for each in apdexes] == [
        ("Figure 24", "0.437", "between 0.495 and 0.750")
    ]


def test_requests_that_were_never_reported_are_found() -> None:
    """10 000 users × 10 iterations are not 32 811."""
    (slip,) = of_check("requests")
    assert (slip.table, slip.row, slip.printed, slip.expected) == ("Figure 26", POOL_400, "32811", "100000")


def test_sentences_against_the_figures_are_found() -> None:
    """The shortest times, 1.56 for almost 1.5, 20.7 s for 20 s, 0.0001 for 0.001."""
    assert [each.row for each in of_check("statement")] == [
        "all-metrics-first-round",
        "apdex-first-round",
        "java-mean-second-round",
        "java-apdex-second-round",
    ]
    assert "0.001" in of_check("statement")[3].sentence


def test_there_are_no_other_slips() -> None:
    """No row has more requests in progress than users, and the kinds of failure add up."""
    assert Counter(each.check for each in SLIPS) == {
        "unequal-work": 3,
        "size-out-of-line": 1,
        "mean-outside-percentiles": 2,
        "apdex-outside-percentiles": 1,
        "requests": 1,
        "statement": 4,
    }


def test_every_percentage_of_failures_is_reproduced() -> None:
    """612 of 878 are 69.70 %, and of 32 811 requests 1.87 %; so are all others, Figures 27 and 30."""
    found = {(each.source, each.what): each for each in recomputed_of(RAMALHO.paper)}
    assert len(found) == 6 + 2 * 3
    assert all(each.reproduced for each in found.values())
    assert found["Figure 27", "connect-timeout: share of errors, %"].computed == "69.70"
    assert found["Figure 27", "connect-timeout: share of requests, %"].computed == "1.87"


def test_published_ratios_are_those_of_the_figures_and_have_no_interval() -> None:
    """680.98 ÷ 1910 ms, 0.786 ÷ 0.504, 781.20 ÷ 178.44 a second: each was measured once."""
    known = {
        "coroutines-p99-1000": ("Figures 18 and 20", 680.98 / 1910),
        "coroutines-apdex-1000": ("Figures 18 and 20", 0.786 / 0.504),
        "coroutines-throughput-10000": ("Figures 26 and 29", 781.20 / 178.44),
    }
    for name, (tables, ratio) in known.items():
        (printed,) = as_printed(CLAIMS[name], RAMALHO.paper)
        assert (printed.machine, printed.tables, printed.ratio.low) == ("Cloud.IC", tables, None)
        assert printed.ratio.point == pytest.approx(ratio)
        assert by_our_method(CLAIMS[name], RAMALHO.paper) == (printed,)


def test_published_ratios_are_on_the_claimed_side_and_missing_only_where_nothing_was_printed() -> None:
    """The study prints no figure of `/` and none of 10 000 users with 200 threads; virtual threads came later."""
    found = {name: as_printed(each, RAMALHO.paper) for name, each in CLAIMS.items()}
    assert {name for name, ratios in found.items() if not ratios and not CLAIMS[name].added} == {
        "pool-of-400-does-not-help",
        "direct-beats-second-thread",
    }
    assert all(CLAIMS[name].expect.holds(each.ratio.point) for name, ratios in found.items() for each in ratios)
    assert not any(ratios for name, ratios in found.items() if CLAIMS[name].added)


def test_the_papers_scale_has_the_fewest_blocks_that_can_decide() -> None:
    """With six of them the exact rank-sum test reaches 5 % over 15 claims, with five not."""
    claims = len(CLAIMS)
    for claim in CLAIMS.values():
        blocks = RAMALHO.replication.named(claim.part).scale["paper"].blocks
        within = claim.claim == "direct-beats-second-thread"
        assert choose(claim, blocks, claims, 0.05) == ("paired-t" if within else "rank-sum")
        assert choose(claim, blocks - 1, claims, 0.05) == ("paired-t" if within else "welch-t")


def test_both_scales_ask_at_the_same_rate() -> None:
    """The quick one for a tenth of the time."""
    for part in RAMALHO.replication.part:
        quick, paper = ({load.name: rate_per_s(load) for load in part.scale[scale].load} for scale in SCALES)
        assert quick == pytest.approx(paper)


def rate_per_s(load: LoadProfile) -> float:
    """Requests of all iterations in each second of the ramp."""
    assert isinstance(load, ClosedLoad)
    assert load.iterations is not None
    return load.users * load.iterations / load.ramp_up * NS_PER_S


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """The three parts in six blocks; with 400 threads one request in twenty finds no connection."""
    folder, made = tmp_path_factory.mktemp("ramalho"), {}
    asked = {"rounds": {"async": 1.0}, "third-round": {"async": 1.0}, "means": {"direct": 0.9, "async": 1.0}}
    for part in RAMALHO.replication.part:
        suts = [
            FakeSut(name, latency_ms=LATENCY_MS[name], errors=0.05 * (name == POOL_400), error_kind="connect-timeout")
            for name in part.stacks
        ]
        loads = [ClosedLoad(name=load.name, users=30, iterations=8) for load in part.scale["paper"].load]
        path = make_run(folder / part.part, suts=suts, loads=loads, blocks=6, operations=asked[part.part])
        made[part.part] = read_run(path)
    return made


@pytest.fixture(scope="module")
def judgements(runs: dict[str, Run]) -> Judgements:
    """All claims, judged."""
    return judge(RAMALHO.replication, RAMALHO.paper, "paper", runs, {})


def test_every_claim_gets_the_verdict_that_the_truth_deserves(judgements: Judgements) -> None:
    """All are true of the made-up systems but one: their 400 threads are faster than 200."""
    assert {each.claim: each.verdict for each in judgements.claims} == dict.fromkeys(CLAIMS, "confirmed") | {
        "pool-of-400-does-not-help": "contradicted"
    }


def test_each_claim_is_judged_by_its_own_metric(judgements: Judgements) -> None:
    """Means, 99th percentiles, Apdex and throughput, each near the truth."""

    def measured(name: str) -> Judgement:
        return next(each for each in judgements.claims if each.claim == name)

    known = {
        "coroutines-mean-1000": ("latency_mean_ns", 480 / 1100),
        "coroutines-p99-10000": ("latency_p99_ns", 480 / 900),
        "direct-beats-second-thread": ("latency_mean_ns", 0.9),
        "virtual-no-slower-than-coroutines-5000": ("latency_mean_ns", 430 / 480),
    }
    for name, (metric, ratio) in known.items():
        bounds = measured(name).measured
        assert measured(name).metric == metric
        assert bounds is not None
        assert bounds.point == pytest.approx(ratio, rel=0.1)
    assert measured("coroutines-apdex-1000").metric == "apdex"
    assert measured("coroutines-throughput-5000").metric == "throughput_per_s"


@pytest.fixture(scope="module")
def tables(runs: dict[str, Run]) -> dict[tuple[str, str], ReplicaTable]:
    """By part and title."""
    return {(each.part, each.title): each for each in tables_of(RAMALHO.replication, RAMALHO.paper, runs)}


def test_the_tables_are_the_dashboards_of_the_study(tables: dict[tuple[str, str], ReplicaTable]) -> None:
    """All of their columns, the printed rows below ours, and a table by operation where a claim compares them."""
    assert list(tables) == [
        ("rounds", "1 000 users"),
        ("rounds", "5 000 users"),
        ("third-round", "10 000 users"),
        ("third-round", "10 000 users: failed requests by kind"),
        ("means", "1 000 users"),
        ("means", f"{THREADS} · 1 000 users"),
    ]
    found = tables["third-round", "10 000 users"]
    assert {"min_ms", "p90_ms", "p95_ms", "p99_ms", "error_percent", "apdex"} <= {each.name for each in found.columns}
    assert [(each.label, each.source) for each in found.rows] == [
        (THREADS, MEASURED),
        (POOL_400, MEASURED),
        (POOL_400, "Cloud.IC, Figure 26"),
        (VIRTUAL, MEASURED),
        (COROUTINES, MEASURED),
        (COROUTINES, "Cloud.IC, Figure 29"),
    ]
    assert all(each.bounds is not None for row in found.rows for each in row.figures)


def test_kinds_of_failure_stand_beside_the_printed_ones(tables: dict[tuple[str, str], ReplicaTable]) -> None:
    """One request in twenty with 400 threads, all of one kind; of what did not occur 0, and no share of nothing."""
    rows = {
        (each.label, each.source): each for each in tables["third-round", "10 000 users: failed requests by kind"].rows
    }
    assert [label for label, source in rows if source == MEASURED] == [
        f"{POOL_400} · connect-timeout",
        f"{POOL_400} · connection-closed",
        f"{COROUTINES} · connection-closed",
    ]
    printed = rows[f"{POOL_400} · connect-timeout", "Figure 27, HttpHostConnectException: Connection timed out"]
    assert [each.bounds and each.bounds.point for each in printed.figures] == [612, 69.7, 1.87]

    count, of_errors, of_requests = (each.bounds for each in rows[f"{POOL_400} · connect-timeout", MEASURED].figures)
    assert count is not None
    assert of_errors is not None
    assert of_requests is not None
    assert count.point == pytest.approx(0.05 * 30 * 8, rel=0.3)
    assert of_errors.point == 100
    assert of_requests.point == pytest.approx(100 * count.point / (30 * 8))

    none = rows[f"{COROUTINES} · connection-closed", MEASURED].figures
    assert [each.bounds and each.bounds.point for each in none] == [0, None, 0]
    assert none[1].unknown == "no request failed"
