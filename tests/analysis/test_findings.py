# SPDX-License-Identifier: Apache-2.0
"""From a run's folder to its findings."""

from __future__ import annotations

import pytest

from bancada.analysis.findings import find
from bancada.model.findings import Comparison, Findings
from bancada.model.metric import ALL_METRICS, METRICS
from tests.analysis.conftest import USERS, Judge, MakeRun
from tests.fakes.run_folder import FakeBench, FakeSut

A = FakeSut("a:jar")
SLOW = FakeSut("b:jar", latency_ms=7.0, cpu_ms=0.8, rss_mib=90, startup_ms=2000)
TWIN = FakeSut("c:jar")


def decisive(findings: Findings) -> list[Comparison]:
    """The comparisons that answer the question."""
    return [each for each in findings.comparisons if each.decisive]


def test_every_cell_is_estimated_by_every_metric_and_every_operation(judged: Judge) -> None:
    """With the trials' values in order of the blocks, and their mean within its interval."""
    findings = judged(suts=(A, SLOW), operations={"get": 1.0, "put": 2.0})
    whole = {(each.cell.sut, each.metric): each for each in findings.estimates if each.operation is None}
    parts = {(each.cell.sut, each.operation, each.metric): each for each in findings.estimates if each.operation}

    assert set(whole) == {(sut, metric) for sut in ("a:jar", "b:jar") for metric in ALL_METRICS}
    assert all(each.n == 5 and each.unknown is None for each in whole.values())
    latency = whole["a:jar", "latency_mean_ns"]
    by_block = sorted((each for each in findings.trials if each.cell.sut == "a:jar"), key=lambda each: each.block)
    assert latency.values == tuple(each.metrics["latency_mean_ns"] for each in by_block)
    assert latency.low is not None
    assert latency.mean is not None
    assert latency.high is not None
    assert latency.low < latency.mean < latency.high
    get, put = (parts["a:jar", name, "latency_p50_ns"].mean for name in ("get", "put"))
    assert get is not None
    assert put is not None
    assert put / get == pytest.approx(2, rel=0.1)


def test_the_truth_is_found(judged: Judge) -> None:
    """CPU time of a request, memory, start-up time and the ratio of response times are those that were drawn."""
    findings = judged(suts=(A, SLOW), blocks=8)
    mean = {(each.cell.sut, each.metric): each.mean for each in findings.estimates if each.operation is None}

    assert mean["a:jar", "cpu_per_request_ns"] == pytest.approx(0.4e6, rel=0.05)
    assert mean["b:jar", "rss_peak_bytes"] == pytest.approx(90 * 2**20, rel=0.1)
    assert mean["b:jar", "startup_ns"] == pytest.approx(2e9, rel=0.05)
    ratio = decisive(findings)[0].ratio
    assert ratio is not None
    assert ratio.low is not None
    assert ratio.high is not None
    assert ratio.low < 1.4 < ratio.high


def test_the_later_system_is_judged_against_the_earlier(judged: Judge) -> None:
    """In the study's order; exchanging the two turns the verdict."""
    forward, backward = judged(name="1", suts=(A, SLOW)), judged(name="2", suts=(SLOW, A))

    assert [(each.a.sut, each.b.sut, each.verdict) for each in decisive(forward)] == [("a:jar", "b:jar", "worse")]
    assert [(each.a.sut, each.b.sut, each.verdict) for each in decisive(backward)] == [("b:jar", "a:jar", "better")]


def test_only_cells_of_the_same_load_and_factors_are_compared(judged: Judge) -> None:
    """Three systems, two loads and two settings: three pairs under each of four conditions."""
    other = USERS.model_copy(update={"name": "again"})
    findings = judged(suts=(A, SLOW, TWIN), loads=(USERS, other), factors={"POOL": ("1", "2")}, blocks=2)

    assert len(decisive(findings)) == 12
    assert all(each.a.load == each.b.load and each.a.factors == each.b.factors for each in findings.comparisons)
    assert len(findings.comparisons) == 12 * len(METRICS)


def test_holm_covers_all_comparisons_of_a_metric(judged: Judge) -> None:
    """The smallest p of three pairs is multiplied by three."""
    smallest = min(decisive(judged(suts=(A, SLOW, TWIN), blocks=6)), key=lambda each: each.p or 1)
    assert smallest.p is not None
    assert smallest.p_holm == pytest.approx(3 * smallest.p)


def test_the_test_follows_from_the_plan_alone(judged: Judge) -> None:
    """Five blocks are too few for the signed-rank test, six suffice for one pair but not for three."""
    assert decisive(judged(name="1", suts=(A, SLOW), blocks=5))[0].test == "rank-sum"
    assert decisive(judged(name="2", suts=(A, SLOW), blocks=6))[0].test == "signed-rank"
    assert decisive(judged(name="3", suts=(A, SLOW, TWIN), blocks=6))[0].test == "rank-sum"


def test_failed_trials_are_failures_and_not_values(judged: Judge) -> None:
    """Two of seven fail: five values, and the paired test sees five blocks."""
    findings = judged(suts=(A, FakeSut("b:jar", latency_ms=7.0, failed_blocks=(2, 5))), blocks=7)
    failed = [each for each in findings.trials if each.failed]

    assert [(each.block, each.metrics) for each in sorted(failed, key=lambda each: each.block)] == [(2, {}), (5, {})]
    assert failed[0].failed is not None
    assert failed[0].failed.startswith("crashed: ended by itself")
    assert {each.n for each in findings.estimates if each.cell.sut == "b:jar"} == {5}
    assert (decisive(findings)[0].test, decisive(findings)[0].n_a, decisive(findings)[0].n_b) == ("signed-rank", 5, 5)


def test_a_cell_without_values_says_why(judged: Judge) -> None:
    """Failed, not started by us, or not measurable here: the reason stands where the value would."""
    dead = judged(name="1", suts=(FakeSut("a:jar", failed_blocks=(1, 2)),), blocks=2)
    theirs = judged(name="2", suts=(FakeSut("theirs"),), blocks=2)
    blind = judged(name="3", suts=(A,), blocks=2, bench=FakeBench(probes=False))
    unstarted = judged(name="4", suts=(A,), blocks=2, finished=0)
    refused = judged(name="5", suts=(FakeSut("a:jar", errors=1.0),), blocks=2)

    def reason(findings: Findings, metric: str) -> str | None:
        return next(each.unknown for each in findings.estimates if each.metric == metric)

    assert reason(dead, "latency_p50_ns") == "every trial failed (crashed)"
    assert reason(theirs, "startup_ns") == "the service was started by somebody else"
    assert reason(theirs, "cpu_s") == "the service was started by somebody else"
    assert reason(theirs, "latency_p50_ns") is None
    assert reason(blind, "rss_peak_bytes") == "this host has no /proc"
    assert reason(unstarted, "throughput_per_s") == "no trial is finished yet"
    assert reason(refused, "latency_p50_ns") == "no request passed its check"
    assert reason(refused, "cpu_per_request_ns") == "no request passed its check"


def test_failed_requests_are_counted_by_kind(judged: Judge) -> None:
    """All failures of the cell are of the kind that was drawn; a cell without failures has no row."""
    findings = judged(suts=(A, FakeSut("b:jar", errors=0.1, error_kind="connect-refused")))
    (count,) = findings.failures

    assert (count.cell.sut, count.kind, count.share_of_failures) == ("b:jar", "connect-refused", 1.0)
    assert count.count == pytest.approx(5 * 480 * 0.1, rel=0.3)
    assert count.share_of_requests == count.count / (5 * 480)


def test_findings_survive_json(judged: Judge) -> None:
    """With failures, errors and unknown values in them."""
    findings = judged(suts=(A, FakeSut("b:jar", errors=0.1, failed_blocks=(1,)), FakeSut("theirs")))
    assert Findings.model_validate_json(findings.model_dump_json()) == findings


def test_the_same_run_gives_the_same_findings(made: MakeRun) -> None:
    """There is no chance in the analysis."""
    run = made(suts=(A, SLOW))
    assert find(run) == find(run)


def test_equal_systems_seldom_get_a_verdict(judged: Judge) -> None:
    """Thirty runs of a system against itself; more than five false verdicts would come once in 300 times."""
    quick = USERS.model_copy(update={"iterations": 10})
    verdicts = [
        decisive(judged(name=str(seed), suts=(A, TWIN), loads=(quick,), seed=seed))[0].verdict for seed in range(30)
    ]
    assert sum(verdict in {"better", "worse"} for verdict in verdicts) <= 5
