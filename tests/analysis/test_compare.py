# SPDX-License-Identifier: Apache-2.0
"""Evidence and verdicts of pairs whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bancada.analysis.compare import Side, compare
from bancada.model.findings import Comparison
from bancada.model.load import ClosedLoad
from bancada.model.operation import Operation
from bancada.model.study import Study
from bancada.model.trial import Cell

STUDY = Study(
    study="pairs",
    question="?",
    operation=(Operation(name="get", path="/"),),
    stacks=("a:jar",),
    blocks=8,
    load=(ClosedLoad(name="1 user", users=1, iterations=5),),
)


def side(sut: str, values: Sequence[float], blocks: Sequence[int] | None = None) -> Side:
    """A cell with one value in each block."""
    return Side(Cell(sut=sut, load="1 user"), dict(zip(blocks or range(1, len(values) + 1), values, strict=True)))


def one(a: Sequence[float], b: Sequence[float], metric: str = "latency_mean_ns", test: str = "rank-sum") -> Comparison:
    """The comparison of two sides alone in their family."""
    return compare(metric, [(side("a:jar", a), side("b:jar", b))], test, STUDY)[0]


def test_a_clear_difference_is_reported_with_all_of_its_evidence() -> None:
    """Five values against five, all of b below all of a: p is the smallest there is, 2 / C(10, 5)."""
    found = one([10, 11, 12, 13, 14], [5, 5.5, 6, 6.5, 7])

    assert found.verdict == "better"
    assert found.decisive
    assert found.ratio is not None
    assert found.ratio.point == pytest.approx(0.5)
    assert found.shift is not None
    assert found.shift.point == pytest.approx(-6)
    assert (found.cliffs_delta, found.magnitude) == (-1.0, "large")
    assert found.p == pytest.approx(2 / 252)
    assert found.p_holm == found.p


def test_the_same_difference_is_worse_where_more_is_better() -> None:
    """The metric's direction decides."""
    assert one([10, 11, 12, 13, 14], [5, 5.5, 6, 6.5, 7], "throughput_per_s").verdict == "worse"


def test_values_close_within_the_margin_are_equivalent() -> None:
    """The whole interval lies within 3 %."""
    assert one([100, 100.5, 99.5, 100.2, 99.8], [100.4, 100.9, 99.9, 100.6, 100.2]).verdict == "equivalent"


def test_with_three_trials_not_even_a_clear_difference_is_decided() -> None:
    """The smallest p of three against three is 0.1."""
    assert one([10, 11, 12], [1, 2, 3]).verdict == "undecided"


def test_one_trial_a_side_has_a_ratio_without_interval_and_no_verdict() -> None:
    """Not even of equal values."""
    found = one([10], [10])
    assert found.ratio is not None
    assert (found.ratio.point, found.ratio.low) == (1.0, None)
    assert found.verdict == "undecided"


def test_a_side_without_values_leaves_everything_unknown() -> None:
    """And counts in the family as p = 1."""
    pairs = [
        (side("a:jar", [10, 11, 12, 13, 14]), side("b:jar", [5, 6, 7, 8, 9])),
        (side("a:jar", [1]), side("c:jar", [])),
    ]
    clear, empty = compare("latency_mean_ns", pairs, "rank-sum", STUDY)

    assert clear.p_holm == pytest.approx(2 * 2 / 252)
    assert (empty.p, empty.p_holm, empty.ratio, empty.test, empty.verdict) == (None, None, None, None, "undecided")
    assert (empty.n_a, empty.n_b) == (1, 0)


def test_paired_statistics_use_only_blocks_in_which_both_completed() -> None:
    """Blocks 2 and 3 lack one side, the other six show the same ratio in spite of their own level."""
    a = side("a:jar", [10, 20, 40, 50, 60, 70, 80], [1, 2, 4, 5, 6, 7, 8])
    b = side("b:jar", [5, 15, 20, 25, 30, 35, 40], [1, 3, 4, 5, 6, 7, 8])
    found = compare("latency_mean_ns", [(a, b)], "signed-rank", STUDY)[0]

    assert (found.n_a, found.n_b) == (6, 6)
    assert found.ratio is not None
    assert found.ratio.low == pytest.approx(0.5)
    assert found.p == pytest.approx(2 / 2**6)
    assert found.verdict == "better"


def test_no_failure_at_all_on_either_side_is_equivalent() -> None:
    """0 against 0 has no ratio, and yet nothing to choose."""
    found = one([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], "error_share")
    assert (found.ratio, found.verdict) == (None, "equivalent")


def test_a_single_zero_each_is_not_enough_to_be_equivalent() -> None:
    """One trial says nothing of the next."""
    assert one([0], [0], "error_share").verdict == "undecided"


def test_failures_against_none_are_worse() -> None:
    """Where no ratio exists, p and the direction decide."""
    found = one([0, 0, 0, 0, 0], [0.01, 0.02, 0.015, 0.03, 0.012], "error_share")
    assert (found.ratio, found.verdict) == (None, "worse")
    assert one([0.01, 0.02, 0.015, 0.03, 0.012], [0, 0, 0, 0, 0], "error_share").verdict == "better"


def test_one_failure_in_one_trial_is_undecided() -> None:
    """Neither equivalent nor worse."""
    assert one([0, 0, 0, 0, 0], [0, 0, 0, 0, 0.001], "error_share").verdict == "undecided"


@pytest.mark.parametrize("test", ["rank-sum", "signed-rank"])
def test_equal_systems_seldom_get_a_verdict(test: str) -> None:
    """400 studies of 3 equal systems, 8 blocks: a false verdict in at most alpha of them, give or take chance."""
    rng = np.random.default_rng(11)
    wrong = 0
    for _ in range(400):
        block = rng.normal(0, 0.03, 8)
        a, b, c = (np.exp(block + rng.normal(0, 0.05, 8)).tolist() for _ in range(3))
        sides = side("a:jar", a), side("b:jar", b), side("c:jar", c)
        pairs = [(sides[0], sides[1]), (sides[0], sides[2]), (sides[1], sides[2])]
        wrong += any(each.verdict in {"better", "worse"} for each in compare("latency_mean_ns", pairs, test, STUDY))
    assert wrong <= 400 * 0.05 + 2 * (400 * 0.05 * 0.95) ** 0.5


def test_systems_apart_by_the_margin_are_seldom_called_equivalent() -> None:
    """300 pairs that differ by exactly 3 %: equivalence is claimed in at most alpha of them, give or take chance."""
    rng = np.random.default_rng(12)
    wrong = 0
    for _ in range(300):
        a, b = np.exp(rng.normal(0, 0.02, 8)), 1.03 * np.exp(rng.normal(0, 0.02, 8))
        wrong += one(a.tolist(), b.tolist()).verdict == "equivalent"
    assert wrong <= 300 * 0.05
