# SPDX-License-Identifier: Apache-2.0
"""Claims judged on runs of known truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from bancada.analysis.replication.judge import choose, judge
from bancada.analysis.trials import measured_trials
from bancada.model.replication import Claim
from bancada.stats import holm, rank_sum
from bancada.store.read import Run
from tests.analysis.replication.conftest import (
    FASTER,
    FEW,
    JAR,
    MANY,
    NATIVE,
    Judged,
    MakeRun,
    cell,
    claim,
    only,
    pair,
    paper_of,
    replication_of,
)
from tests.fakes.run_folder import FakeSut


def values(run: Run, sut: str, load: str = FEW.name, metric: str = "latency_mean_ns") -> list[float]:
    """A metric of a cell's trials, in order of the blocks."""
    trials = sorted(measured_trials(run), key=lambda each: each.record.plan.block)
    return [each.metrics[metric] for each in trials if (each.cell.sut, each.cell.load) == (sut, load)]


@pytest.mark.parametrize(
    ("ratio", "expect", "verdict"),
    [
        (0.7, {"below": 1}, "confirmed"),
        (1.4, {"below": 1}, "contradicted"),
        (1.4, {"above": 1.1}, "confirmed"),
        (0.7, {"above": 0.97}, "contradicted"),
        (1.0, {"between": [0.8, 1.25]}, "confirmed"),
        (0.7, {"between": [0.8, 1.25]}, "contradicted"),
        (1.6, {"between": [0.8, 1.25]}, "contradicted"),
    ],
)
def test_the_truth_is_confirmed_and_its_opposite_contradicted(
    judged: Judged, ratio: float, expect: dict[str, Any], verdict: str
) -> None:
    """Ratios far from the boundary, on either side of it, and inside and outside of two."""
    found = only(judged(claim(expect=expect), ratio=ratio))
    assert found.verdict == verdict
    assert found.measured is not None
    assert found.measured.point == pytest.approx(ratio, rel=0.06)
    assert found.measured.low is not None
    assert found.measured.high is not None
    assert found.measured.low < ratio < found.measured.high
    assert (found.n_of, found.n_against, found.failed_trials) == (8, 8, 0)


def test_what_is_equal_is_undecided(judged: Judged) -> None:
    """The reason names the boundary that the interval does not exclude."""
    found = only(judged(claim(), ratio=1.0, seed=2))
    assert found.verdict == "undecided"
    assert "does not exclude 1" in found.reason


def test_a_single_pair_with_enough_blocks_has_the_exact_rank_sum_test(made: MakeRun) -> None:
    """Of the dividend against the boundary times the divisor."""
    run = made(ratio=0.9)
    found = only(judge(replication_of(claim(expect={"below": 0.95})), paper_of(), "quick", {"sort": run}, {}))
    assert found.test == "rank-sum"
    assert found.p == rank_sum(values(run, NATIVE), [0.95 * value for value in values(run, JAR)]).p


def test_with_few_blocks_it_is_welchs_test_of_the_logs(made: MakeRun) -> None:
    """As scipy has it."""
    run = made(ratio=0.9, blocks=3)
    found = only(judge(replication_of(claim()), paper_of(), "quick", {"sort": run}, {}))
    welch = stats.ttest_ind(np.log(values(run, NATIVE)), np.log(values(run, JAR)), equal_var=False)
    assert found.test == "welch-t"
    assert found.p == pytest.approx(welch.pvalue)


def test_operations_of_the_same_trials_are_compared_trial_by_trial(made: MakeRun) -> None:
    """Student's t of the trials' own log ratios, in which what a trial has of its own cancels out."""
    run = made()
    sizes = claim(pairs=[pair(cell(JAR, operation="sort-300"), cell(JAR, operation="sort-3"))], expect={"above": 1})
    found = only(judge(replication_of(sizes), paper_of(), "quick", {"sort": run}, {}))

    trials = [each for each in measured_trials(run) if (each.cell.sut, each.cell.load) == (JAR, FEW.name)]
    large, small = (
        np.log([each.operations[name]["latency_mean_ns"] for each in trials]) for name in ("sort-300", "sort-3")
    )
    assert found.test == "paired-t"
    assert found.p == pytest.approx(stats.ttest_rel(large, small).pvalue)
    assert found.measured is not None
    assert found.measured.point == pytest.approx(1.5, rel=0.05)
    assert found.verdict == "confirmed"


def test_several_pairs_are_judged_by_their_mean(made: MakeRun) -> None:
    """The geometric mean of the ratios, with Welch's and Satterthwaite's degrees of freedom."""
    run = made(ratio=0.7)
    growth = claim(pairs=[FASTER, pair(cell(NATIVE, MANY.name), cell(JAR, MANY.name))])
    found = only(judge(replication_of(growth), paper_of(), "quick", {"sort": run}, {}))

    logs = [
        np.mean(np.log(values(run, NATIVE, load))) - np.mean(np.log(values(run, JAR, load)))
        for load in (FEW.name, MANY.name)
    ]
    assert found.test == "welch-t"
    assert found.measured is not None
    assert np.log(found.measured.point) == pytest.approx(np.mean(logs))
    assert found.verdict == "confirmed"


def test_the_test_is_chosen_from_the_plan_alone() -> None:
    """With 24 claims the rank-sum test needs seven blocks: 2 / C(14, 7) · 24 = 0.014, 2 / C(12, 6) · 24 = 0.052."""
    plain = Claim.model_validate(claim())
    between = Claim.model_validate(claim(expect={"between": [0.97, 1.03]}))
    two = Claim.model_validate(claim(pairs=[FASTER, pair(cell(NATIVE, MANY.name), cell(JAR, MANY.name))]))

    assert choose(plain, 7, 24, 0.05) == "rank-sum"
    assert choose(plain, 6, 24, 0.05) == "welch-t"
    assert choose(between, 7, 24, 0.05) == "welch-t"
    assert choose(two, 7, 24, 0.05) == "welch-t"


def test_holm_covers_all_claims_and_counts_those_without_data(judged: Judged) -> None:
    """A claim that could not be tried makes the others' p no smaller."""
    absent = claim("absent", pairs=[pair(cell(NATIVE, "paper only"), cell(JAR, "paper only"))])
    many = claim("many", pairs=[pair(cell(NATIVE, MANY.name), cell(JAR, MANY.name))])
    first, second, third = judged(claim(), many, absent, ratio=0.98).claims

    assert first.p is not None
    assert second.p is not None
    assert [first.p_holm, second.p_holm] == holm([first.p, second.p, 1.0])[:2]
    assert (third.verdict, third.p, third.p_holm, third.measured, third.test) == ("undecided", None, None, None, None)
    assert third.reason == "The quick scale has no load of paper only."


def test_a_part_that_was_not_run_leaves_its_claims_undecided() -> None:
    """With the reason, if there is one."""
    given, paper = replication_of(claim()), paper_of()
    assert only(judge(given, paper, "quick", {}, {})).reason == "The part sort was not run."
    why = {"sort": "no database could be started"}
    assert only(judge(given, paper, "quick", {}, why)).reason == (
        "The part sort was not run: no database could be started."
    )


def test_a_system_that_was_skipped_leaves_its_claims_undecided(made: MakeRun) -> None:
    """With the reason for which it was skipped."""
    run = made(suts=(FakeSut(JAR),))
    found = only(judge(replication_of(claim()), paper_of(), "quick", {"sort": run}, {NATIVE: "needs native-image"}))
    assert found.verdict == "undecided"
    assert found.reason == f"{NATIVE} was skipped: needs native-image."


def test_a_cell_that_is_not_in_the_run_is_not_taken_for_another(made: MakeRun) -> None:
    """No reason is known, so that is what is said."""
    found = only(judge(replication_of(claim()), paper_of(), "quick", {"sort": made(suts=(FakeSut(JAR),))}, {}))
    assert "is not part of the run" in found.reason


def test_one_trial_on_a_side_is_too_few(judged: Judged) -> None:
    """There is a point, and no verdict."""
    one_left = (FakeSut(JAR), FakeSut(NATIVE, latency_ms=1.0, failed_blocks=tuple(range(2, 9))))
    found = only(judged(claim(), suts=one_left))
    assert (found.verdict, found.n_of, found.n_against, found.failed_trials) == ("undecided", 1, 8, 7)
    assert found.reason == "Too few trials: n = 1 against 8."
    assert found.measured is not None
    assert found.measured.low is None


def test_failed_trials_are_no_values_and_are_told(judged: Judged) -> None:
    """A verdict over the surviving trials says how many did not."""
    some_failed = (FakeSut(JAR), FakeSut(NATIVE, latency_ms=2.0, failed_blocks=(3,)))
    found = only(judged(claim(), suts=some_failed))
    assert (found.verdict, found.n_of, found.failed_trials) == ("confirmed", 7, 1)
    assert "1 trial failed" in found.reason


def test_trials_that_all_failed_are_a_reason(judged: Judged) -> None:
    """And not a value of 0."""
    found = only(judged(claim(), suts=(FakeSut(JAR), FakeSut(NATIVE, failed_blocks=tuple(range(1, 9))))))
    assert (found.verdict, found.measured, found.n_of) == ("undecided", None, 0)
    assert found.reason == "Every trial failed (crashed)."


def test_an_unfinished_run_is_judged_by_what_there_is(judged: Judged) -> None:
    """Eight of 32 trials; the number behind the verdict is told."""
    found = only(judged(claim(), ratio=0.5, finished=8))
    assert found.n_of == found.n_against == 2


def test_zeros_have_no_ratio(judged: Judged) -> None:
    """No request failed, so that a ratio of error shares has no meaning."""
    found = only(judged(claim(metric="error_share")))
    assert (found.verdict, found.measured, found.p) == ("undecided", None, None)
    assert found.reason.startswith("A ratio needs values above 0")


def test_a_run_that_varies_more_than_the_claim_says_decides_nothing(made: MakeRun) -> None:
    """Which of the databases is meant? A claim that says it is judged."""
    run = made(factors={"GC": ("g1", "serial")})
    found = only(judge(replication_of(claim()), paper_of(), "quick", {"sort": run}, {}))
    assert (found.verdict, found.measured) == ("undecided", None)
    assert found.reason == "The run varies GC, and the claim does not say which value it means."

    which = {"factors": {"GC": "g1"}}
    told = claim(pairs=[pair(cell(NATIVE) | which, cell(JAR) | which)])
    assert only(judge(replication_of(told), paper_of(), "quick", {"sort": run}, {})).verdict == "confirmed"


def test_ranks_and_means_that_disagree_decide_nothing(judged: Judged) -> None:
    """Seven of eight trials are faster and one is fifty times as slow: no side is taken."""
    odd = FakeSut(NATIVE, latency_ms=4.6, between=0.001, odd_block=4, odd_factor=1000.0)
    found = only(judged(claim(), suts=(FakeSut(JAR, latency_ms=5.0, between=0.001), odd)))
    assert found.p is not None
    assert found.p < 0.05
    assert found.measured is not None
    assert found.measured.point > 1
    assert (found.verdict, found.reason) == ("undecided", "The ranks and the means point to different sides.")
