# SPDX-License-Identifier: Apache-2.0
"""Randomised complete blocks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bancada.design.plan import cells, plan
from bancada.model.load import ClosedLoad
from bancada.model.study import Study


def study(blocks: int = 4, seed: int = 1, loads: int = 2, factors: dict[str, tuple[str, ...]] | None = None) -> Study:
    """A study with so many blocks and load profiles."""
    return Study(
        study="s",
        question="?",
        scenario="sort",
        blocks=blocks,
        seed=seed,
        load=tuple(ClosedLoad(name=f"{n} users", users=n, iterations=1) for n in range(1, loads + 1)),
        factors=factors or {},
    )


@given(blocks=st.integers(1, 8), seed=st.integers(0, 2**32), suts=st.integers(1, 5), loads=st.integers(1, 3))
def test_every_block_holds_every_cell_once(blocks: int, seed: int, suts: int, loads: int) -> None:
    """Blocks are complete, numbers run from 1 without a gap, folders are distinct."""
    wanted = study(blocks, seed, loads)
    labels = [f"stack-{n}:jar" for n in range(suts)]
    trials = plan(wanted, labels)
    assert [trial.number for trial in trials] == list(range(1, len(trials) + 1))
    assert len({trial.folder for trial in trials}) == len(trials)
    for block in range(1, blocks + 1):
        inside = sorted(trial.cell.label for trial in trials if trial.block == block)
        assert inside == sorted(cell.label for cell in cells(wanted, labels))


def test_the_same_seed_gives_the_same_order_and_another_seed_another() -> None:
    """A plan can be repeated, and is not always the same."""
    labels = ["a", "b", "c"]
    assert plan(study(), labels) == plan(study(), labels)
    assert plan(study(seed=1), labels) != plan(study(seed=2), labels)


def test_blocks_are_in_different_orders() -> None:
    """The order is drawn anew for each block."""
    trials = plan(study(blocks=6), ["a", "b", "c"])
    orders = {tuple(t.cell.label for t in trials if t.block == block) for block in range(1, 7)}
    assert len(orders) > 1


def test_all_systems_under_test_of_a_block_get_the_same_requests() -> None:
    """The seed of a trial depends on its block and load, never on the system under test."""
    trials = plan(study(), ["a", "b"])
    seeds = {
        (t.block, t.cell.load): {u.seed for u in trials if (u.block, u.cell.load) == (t.block, t.cell.load)}
        for t in trials
    }
    assert all(len(each) == 1 for each in seeds.values())
    assert len({next(iter(each)) for each in seeds.values()}) == len(seeds)


def test_factors_are_crossed_with_everything() -> None:
    """Two factors of two values each give four times the cells."""
    found = cells(study(loads=1, factors={"DB": ("mysql", "mariadb"), "POOL": ("10", "20")}), ["a", "b"])
    assert len(found) == 8
    assert found[0].label == "a · 1 users · DB=mysql · POOL=10"
