# SPDX-License-Identifier: Apache-2.0
"""Hodges-Lehmann shift and Cliff's delta."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import Interval, cliffs_delta, hodges_lehmann, hodges_lehmann_paired

KNOWN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "known_answers" / "published.toml").read_text(encoding="utf-8")
)

samples = st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=12)


def ends(found: Interval) -> tuple[float, float]:
    """Both ends, which must be known."""
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def test_permeability_has_the_shift_of_hollander_and_wolfe() -> None:
    """R's wilcox.test(early, term, conf.int = TRUE) with a = early: 0.305, 95 % interval -0.15 to 0.76."""
    found = hodges_lehmann(KNOWN["permeability"]["early"], KNOWN["permeability"]["term"])
    assert found.point == pytest.approx(0.305)
    assert ends(found) == pytest.approx((-0.15, 0.76))


def test_tied_samples_have_the_interval_of_exact_rank_tests() -> None:
    """The rats' ASAT: -0.12 to 0.67 as exactRankTests prints it."""
    found = hodges_lehmann(KNOWN["asat"]["control"], KNOWN["asat"]["compound"])
    assert ends(found) == pytest.approx((-0.12, 0.67))


def test_depression_has_the_shift_of_hollander_and_wolfe() -> None:
    """R's wilcox.test(second, first, paired = TRUE, conf.int = TRUE): -0.46, 95 % interval -0.786 to -0.010."""
    found = hodges_lehmann_paired(KNOWN["depression"]["first"], KNOWN["depression"]["second"])
    assert found.point == pytest.approx(-0.46)
    assert ends(found) == pytest.approx((-0.786, -0.010))


def test_many_values_have_the_shift_at_the_normal_rank() -> None:
    """Beyond the exact size the ends are at the normal ranks: 60 · 60 / 2 - 1.96 · √36300 is 1426.6, so the 1426th."""
    a, b = np.arange(60.0), np.arange(60.0) + 5
    differences = np.sort(np.subtract.outer(b, a).ravel())
    assert hodges_lehmann(a, b) == Interval(5.0, differences[1425], differences[-1426], 0.95)


def test_many_pairs_have_the_shift_at_the_normal_rank() -> None:
    """For 120 pairs: 7260 / 2 - 1.96 · √145805 is 2881.6, so the 2881st Walsh average from either end."""
    differences = np.random.default_rng(12).standard_normal(120)
    i, j = np.triu_indices(120)
    walsh = np.sort((differences[i] + differences[j]) / 2)
    found = hodges_lehmann_paired(np.zeros(120), differences)
    assert (found.point, *ends(found)) == (np.median(walsh), walsh[2880], walsh[-2881])


@pytest.mark.parametrize(("n", "known"), [(3, False), (4, True), (5, True)])
def test_three_trials_have_no_interval_of_a_shift(n: int, *, known: bool) -> None:
    """2 / C(2n, n) is above 5 % for n = 3: no 95 % interval exists, and none is made up."""
    found = hodges_lehmann(range(n), range(10, 10 + n))
    assert found.point == 10
    assert (found.low is not None) == known


@pytest.mark.parametrize(("n", "known"), [(5, False), (6, True)])
def test_five_blocks_have_no_interval_of_a_shift(n: int, *, known: bool) -> None:
    """2 / 2^n is above 5 % for n = 5: no 95 % interval exists; six blocks give the range of the differences."""
    found = hodges_lehmann_paired([0.0] * n, [float(x) for x in range(n)])
    assert (found.low is not None) == known
    if known:
        assert ends(found) == (0, n - 1)


def test_level_that_is_reached_exactly_is_reached() -> None:
    """Five blocks span 1 - 2 / 2^5 = 93.75 %: asked for just that, the range is the answer."""
    assert ends(hodges_lehmann_paired([0.0] * 5, [1.0, 2.0, 3.0, 4.0, 5.0], level=0.9375)) == (1, 5)


def test_hogarty_and_kromreys_example_is_small() -> None:
    """R's effsize::cliff.delta(treatment, control): -0.25, small."""
    found = cliffs_delta(KNOWN["cliff"]["control"], KNOWN["cliff"]["treatment"])
    assert (found.delta, found.magnitude) == (-0.25, "small")


@pytest.mark.parametrize(
    ("above", "word"),
    [
        (573, "negligible"),  # 0.146
        (574, "small"),  # 0.148
        (664, "small"),  # 0.328
        (665, "medium"),  # 0.33: a bound belongs to the larger word
        (736, "medium"),  # 0.472
        (737, "large"),  # 0.474
    ],
)
def test_words_change_at_the_bounds_of_romano_et_al(above: int, word: str) -> None:
    """Of 1000 values of b `above` lie above a's only value, so that delta is (2 · above - 1000) / 1000."""
    found = cliffs_delta([0.0], [1.0] * above + [-1.0] * (1000 - above))
    assert found.magnitude == word
    assert cliffs_delta([0.0], [-1.0] * above + [1.0] * (1000 - above)).magnitude == word


def test_separate_samples_have_a_delta_of_one() -> None:
    """Positive when b is above a."""
    assert cliffs_delta([1, 2], [3, 4]).delta == 1
    assert cliffs_delta([3, 4], [1, 2]).delta == -1


@given(samples, samples)
def test_delta_counts_all_pairs(a: list[float], b: list[float]) -> None:
    """The definition, pair by pair."""
    expected = np.sign(np.subtract.outer(np.array(b), np.array(a))).mean()
    assert cliffs_delta(a, b).delta == pytest.approx(float(expected))


@given(samples, samples, st.integers(-20, 20))
def test_shift_follows_a_shift(a: list[float], b: list[float], by: int) -> None:
    """Adding a constant to b adds it to the estimate and to both ends."""
    found, moved = hodges_lehmann(a, b), hodges_lehmann(a, [x + by for x in b])
    assert moved.point == pytest.approx(found.point + by)
    if found.low is not None:
        assert ends(moved) == pytest.approx(tuple(end + by for end in ends(found)))


@given(samples, samples)
def test_exchanging_the_samples_mirrors_the_shift(a: list[float], b: list[float]) -> None:
    """The shift of a against b is the negative of that of b against a."""
    forth, back = hodges_lehmann(a, b), hodges_lehmann(b, a)
    assert forth.point == -back.point
    if forth.low is not None:
        low, high = ends(back)
        assert ends(forth) == (-high, -low)


@given(st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=12))
def test_exchanging_the_sides_of_blocks_mirrors_the_shift(differences: list[float]) -> None:
    """The same in blocks."""
    zeros = [0.0] * len(differences)
    forth, back = hodges_lehmann_paired(zeros, differences), hodges_lehmann_paired(differences, zeros)
    assert forth.point == -back.point
    if forth.low is not None:
        low, high = ends(back)
        assert ends(forth) == (-high, -low)


def test_interval_of_a_shift_holds_the_truth_at_least_as_often_as_it_says() -> None:
    """Six against six normal trials, 2000 times: the exact interval's level is 95.9 %, coverage within 94.5 to 97.5."""
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(2000):
        low, high = ends(hodges_lehmann(rng.standard_normal(6), 2 + rng.standard_normal(6)))
        held += low <= 2 <= high
    assert 0.945 <= held / 2000 <= 0.975
