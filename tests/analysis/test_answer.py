# SPDX-License-Identifier: Apache-2.0
"""The answer says what the decisive comparisons say, and no more."""

from __future__ import annotations

import re

from bancada.model.base import NS_PER_S
from bancada.model.load import OpenLoad
from tests.analysis.conftest import USERS, Judge
from tests.fakes.run_folder import FakeSut

A, SLOW = FakeSut("a:jar"), FakeSut("b:jar", latency_ms=7.0)
RATE = OpenLoad(name="400/s", rate=400, duration=NS_PER_S)


def test_one_system_is_described(judged: Judge) -> None:
    """With its interval, and without a winner."""
    answer = judged(suts=(A,)).answer
    assert answer.startswith("Under 8 users, a:jar has a mean response time of 5.")
    assert "(95 % interval " in answer
    assert answer.endswith("n = 5 trials); there is nothing to compare it with.")


def test_one_trial_has_no_interval(judged: Judge) -> None:
    """And says so."""
    assert "(n = 1, no interval)" in judged(suts=(A,), blocks=1).answer


def test_the_better_of_two_is_named_whatever_the_order(judged: Judge) -> None:
    """By its ratio to the other, below 1 for a time."""
    for name, suts in (("1", (A, SLOW)), ("2", (SLOW, A))):
        answer = judged(name=name, suts=suts).answer
        assert answer.startswith("Under 8 users, a:jar answers fastest: its mean response time is 0.7")
        assert "times that of b:jar (95 % interval 0." in answer
        assert answer.endswith("n = 5 trials each).")


def test_the_interval_is_that_of_the_ratio_whatever_the_order(judged: Judge) -> None:
    """Turned round, a ratio's lower end is the reciprocal of the upper one."""
    for name, suts in (("1", (A, SLOW)), ("2", (SLOW, A))):
        numbers = [float(found) for found in re.findall(r"\d\.\d+", judged(name=name, suts=suts).answer)]
        ratio, low, high = numbers
        assert low < ratio < high < 1


def test_the_next_best_is_the_one_with_the_next_best_mean(judged: Judge) -> None:
    """Whether less or more is better."""
    suts = SLOW, FakeSut("fast:jar", latency_ms=3.0), A
    for metric in ("latency_mean_ns", "throughput_per_s"):
        assert " times that of a:jar, the next (" in judged(name=metric, suts=suts, metric=metric).answer


def test_where_more_is_better_the_ratio_is_above_one(judged: Judge) -> None:
    """Of throughput."""
    answer = judged(suts=(A, SLOW), metric="throughput_per_s").answer
    assert answer.startswith("Under 8 users, a:jar serves most requests: its throughput is 1.3")


def test_what_is_not_decided_cannot_be_told_apart(judged: Judge) -> None:
    """Nobody is called faster; the ratio is shown with its interval."""
    answer = judged(suts=(FakeSut("a:jar", between=0.2), FakeSut("b:jar", between=0.2))).answer
    assert answer.startswith("Under 8 users, a:jar and b:jar cannot be told apart by mean response time: that of b:jar")
    assert "fastest" not in answer


def test_equivalence_names_the_margin(judged: Judge) -> None:
    """Only where the interval lies within it."""
    quiet = FakeSut("a:jar", between=0.001, spread=0.05), FakeSut("b:jar", between=0.001, spread=0.05)
    answer = judged(suts=quiet, blocks=6).answer
    assert answer.startswith(
        "Under 8 users, a:jar and b:jar are equivalent by mean response time, within the margin of 3 %"
    )


def test_among_four_the_winner_is_compared_with_the_next_and_the_rest_is_told(judged: Judge) -> None:
    """Two twins in the middle cannot be told apart."""
    twins = FakeSut("c:jar", between=0.03), FakeSut("d:jar", between=0.03)
    answer = judged(suts=(SLOW, *twins, FakeSut("fast:jar", latency_ms=3.0)), blocks=8).answer
    assert answer.startswith("Under 8 users, fast:jar answers fastest: its mean response time is 0.")
    assert ", the next (95 % interval" in answer
    assert "c:jar and d:jar cannot be told apart." in answer


def test_two_in_front_are_both_named(judged: Judge) -> None:
    """No winner is made up between twins."""
    twins = FakeSut("c:jar", between=0.03), FakeSut("d:jar", between=0.03)
    answer = judged(suts=(SLOW, *twins), blocks=8).answer
    assert answer.startswith("Under 8 users, no system is shown to beat c:jar or d:jar by mean response time.")
    assert "b:jar is worse than " in answer
    assert "c:jar and d:jar cannot be told apart." in answer


def test_a_winner_under_every_load_is_said_once(judged: Judge) -> None:
    """With the ratio under each."""
    answer = judged(suts=(A, SLOW), loads=(USERS, RATE)).answer
    assert answer.startswith("a:jar answers fastest under each of the 2 loads. Its mean response time is 0.")
    assert "trials each) under 8 users; 0." in answer
    assert "trials each) under 400/s." in answer


def test_too_few_blocks_are_said_with_the_number_that_would_do(judged: Judge) -> None:
    """Instead of a difference."""
    answer = judged(suts=(A, SLOW), blocks=3).answer
    assert "cannot be told apart" in answer
    assert answer.endswith("3 blocks are too few for any difference to be proved; it takes 4.")


def test_failures_are_part_of_the_answer(judged: Judge) -> None:
    """A stack that failed in two trials is not judged by the others alone."""
    answer = judged(suts=(A, FakeSut("b:jar", latency_ms=7.0, failed_blocks=(1, 2)))).answer
    assert answer.endswith("b:jar failed in 2 of 5 trials under 8 users.")


def test_where_everything_failed_there_is_no_answer(judged: Judge) -> None:
    """Of any kind."""
    answer = judged(
        suts=(FakeSut("a:jar", failed_blocks=(1, 2)), FakeSut("b:jar", failed_blocks=(1, 2))), blocks=2
    ).answer
    assert answer.startswith("Under 8 users, no trial gave a value: there is no answer.")
    assert "a:jar failed in 2 of 2 trials" in answer


def test_an_unfinished_run_says_so(judged: Judge) -> None:
    """With the number of trials."""
    assert "The run is unfinished: 5 of 10 trials." in judged(suts=(A, SLOW), finished=5).answer
    assert "The run is unfinished: 0 of 10 trials." in judged(name="none", suts=(A, SLOW), finished=0).answer


def test_grave_cautions_are_pointed_to(judged: Judge) -> None:
    """Others are left to the report."""
    answer = judged(suts=(A, FakeSut("b:jar", latency_ms=7.0, errors=0.05, odd_block=1))).answer
    assert answer.endswith("Read the cautions before relying on this: requests failed.")


def test_a_metric_with_zeros_is_told_without_a_ratio(judged: Judge) -> None:
    """Nothing is so many times 0."""
    answer = judged(suts=(A, FakeSut("b:jar", errors=0.05)), metric="error_share").answer
    assert answer.startswith(
        "Under 8 users, a:jar fails least: its share of failed requests is 0 % on average, against "
    )
