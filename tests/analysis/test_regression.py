# SPDX-License-Identifier: Apache-2.0
"""A run judged against an earlier one."""

from __future__ import annotations

import pytest

from bancada.analysis.regression import RunComparison, compare_runs
from bancada.errors import RunError
from bancada.model.metric import METRICS
from tests.analysis.conftest import USERS, MakeRun
from tests.fakes.run_folder import FakeBench, FakeSut

A, B = FakeSut("a:jar"), FakeSut("b:jar")
SLOWER_B = FakeSut("b:jar", latency_ms=6.5)


def test_a_cell_that_became_slower_is_worse_and_the_other_is_not(made: MakeRun) -> None:
    """Each cell of run B against the same cell of run A, by every metric."""
    found = compare_runs(made("before", suts=(A, B)), made("after", suts=(A, SLOWER_B), seed=2))

    assert [each.b.sut for each in found.worse] == ["b:jar"]
    assert found.worse[0].ratio is not None
    assert found.worse[0].ratio.point == pytest.approx(1.3, rel=0.1)
    assert {(each.a.label, each.a.label == each.b.label) for each in found.comparisons} == {
        ("a:jar · 8 users", True),
        ("b:jar · 8 users", True),
    }
    assert len(found.comparisons) == 2 * len(METRICS)
    assert {each.test for each in found.comparisons} == {"rank-sum"}
    assert (found.notes, found.cautions, found.lost) == (("study seed: 1 → 2",), (), ())


def test_the_exchanged_runs_give_the_opposite(made: MakeRun) -> None:
    """Better, and therefore not worse."""
    found = compare_runs(made("before", suts=(SLOWER_B,)), made("after", suts=(B,)))
    assert [each.verdict for each in found.comparisons if each.decisive] == ["better"]
    assert found.worse == ()


def test_the_same_system_is_seldom_worse(made: MakeRun) -> None:
    """Twelve pairs of runs of one system: more than two false verdicts would come once in 50 times."""
    quick = USERS.model_copy(update={"iterations": 10})
    wrong = 0
    for seed in range(12):
        runs = [made(f"{seed}-{half}", suts=(A,), loads=(quick,), seed=2 * seed + half) for half in (0, 1)]
        wrong += any(each.decisive and each.verdict in {"better", "worse"} for each in compare_runs(*runs).comparisons)
    assert wrong <= 2


def test_only_cells_that_both_runs_have_are_compared_and_the_others_are_named(made: MakeRun) -> None:
    """Holm's family is what was compared."""
    found = compare_runs(made("before", suts=(A, B)), made("after", suts=(B, FakeSut("c:jar"))))
    assert {each.b.sut for each in found.comparisons} == {"b:jar"}
    assert "only in before: a:jar · 8 users" in found.notes
    assert "only in after: c:jar · 8 users" in found.notes


def test_runs_without_a_common_cell_are_an_error(made: MakeRun) -> None:
    """That names what the first run has."""
    with pytest.raises(RunError, match="no cell in common: before has a:jar · 8 users"):
        compare_runs(made("before", suts=(A,)), made("after", suts=(B,)))


def test_whatever_else_differs_is_noted(made: MakeRun) -> None:
    """Host, CPUs, load and settings of the study."""
    before = made("before", suts=(A,))
    after = made(
        "after",
        suts=(A,),
        bench=FakeBench(cpus=8, sut_cpus=(0, 1)),
        loads=(USERS.model_copy(update={"users": 16}),),
        margin=0.1,
    )
    notes = compare_runs(before, after).notes
    assert set(notes) == {
        "host cpus: 4 → 8",
        "CPUs sut_cpus: (0, 1, 2) → (0, 1)",
        "load '8 users' users: 8 → 16",
        "study margin: 0.03 → 0.1",
    }


def test_a_system_that_now_always_fails_is_lost_and_cautioned(made: MakeRun) -> None:
    """It is undecided by its values, as there are none."""
    found = compare_runs(
        made("before", suts=(A,)), made("after", suts=(FakeSut("a:jar", failed_blocks=(1, 2, 3, 4, 5)),))
    )
    assert [each.b.sut for each in found.lost] == ["a:jar"]
    assert found.worse == ()
    assert [caution.code for caution in found.cautions] == ["trials-failed"]
    assert found.cautions[0].observation.startswith("after: 5 of 5 trials failed")


def test_too_few_trials_to_find_anything_are_cautioned(made: MakeRun) -> None:
    """Three against three."""
    found = compare_runs(made("before", suts=(A,), blocks=3), made("after", suts=(A,), blocks=3))
    assert [caution.code for caution in found.cautions] == ["few-trials"]
    assert "p = 0.100 at best" in found.cautions[0].observation


def test_a_comparison_of_runs_survives_json(made: MakeRun) -> None:
    """For a machine to read."""
    found = compare_runs(made("before", suts=(A,)), made("after", suts=(A,)))
    assert RunComparison.model_validate_json(found.model_dump_json()) == found
