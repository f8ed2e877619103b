# SPDX-License-Identifier: Apache-2.0
"""Wilcoxon's two tests, with and without ties."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bancada.stats import rank_sum, signed_rank, smallest_p_rank_sum, smallest_p_signed_rank

KNOWN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "known_answers" / "published.toml").read_text(encoding="utf-8")
)

small = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=5)
without_ties = st.lists(st.integers(-1000, 1000).map(float), min_size=4, max_size=24, unique=True)


def data(name: str, first: str, second: str) -> tuple[list[float], list[float]]:
    """Two columns of a published data set."""
    return KNOWN[name][first], KNOWN[name][second]


def test_permeability_has_the_p_of_hollander_and_wolfe() -> None:
    """R's wilcox.test: W = 35, two-sided p = 0.2544 (the book's one-sided one is 0.1272)."""
    found = rank_sum(*data("permeability", "term", "early"))
    assert (found.statistic, found.n_a, found.n_b, found.ties, found.method) == (35, 10, 5, 0, "exact")
    assert found.p == pytest.approx(0.254412254412)


@pytest.mark.parametrize(
    ("name", "columns", "statistic", "p"),
    [
        ("asat", ("compound", "control"), 185, 0.144244287206),
        ("ozone", ("may", "august"), 127.5, 6.1087351888e-05),
        ("sleep", ("drug_1", "drug_2"), 25.5, 0.0658165364048),
    ],
)
def test_tied_samples_have_the_exact_p_of_exact_rank_tests(
    name: str, columns: tuple[str, str], statistic: float, p: float
) -> None:
    """The conditional p of Streitberg and Röhmel's algorithm, as R's exactRankTests prints it."""
    found = rank_sum(*data(name, *columns))
    assert (found.statistic, found.method) == (statistic, "exact")
    assert found.p == pytest.approx(p)
    assert found.ties > 0


@pytest.mark.parametrize(
    ("a", "b", "statistic", "p"), [([1, 1], [1, 2, 2, 5], 1, 1 / 3), ([1, 5], [1, 2, 2, 2, 3, 3], 6.5, 1)]
)
def test_skewed_null_distributions_count_both_tails(a: list[float], b: list[float], statistic: float, p: float) -> None:
    """Ties make the distribution of W lopsided; both tails count by their distance, as in exactRankTests."""
    found = rank_sum(a, b)
    assert (found.statistic, found.p) == pytest.approx((statistic, p))


def test_beyond_the_exact_size_r_and_we_approximate_alike() -> None:
    """R's wilcox.test of the rivers 1-70 against 71-141, many tied: W = 2405, p = 0.7430347988."""
    rivers = KNOWN["rivers"]["values"]
    found = rank_sum(rivers[:70], rivers[70:])
    assert (found.statistic, found.method) == (2405, "normal")
    assert found.p == pytest.approx(0.7430347988)


def test_equal_values_give_no_evidence_however_many() -> None:
    """Where all values are tied there is nothing to rank: p is 1, exactly and by the approximation."""
    assert rank_sum([5] * 10, [5] * 10).p == 1
    assert rank_sum([5] * 100, [5] * 100).p == 1


def test_heavy_ties_correct_the_approximation_as_scipy_does() -> None:
    """Answers that are 0 or 1 only: 60 of 100 against 40 of 100, by SciPy's asymptotic test."""
    a, b = [1] * 60 + [0] * 40, [1] * 40 + [0] * 60
    expected = stats.mannwhitneyu(a, b, method="asymptotic")
    assert rank_sum(a, b).p == pytest.approx(float(expected.pvalue))


def test_a_hundred_values_are_still_exact() -> None:
    """The Nile before and after 1920: W = 1777, exactRankTests' p = 0.00022260837911."""
    nile = KNOWN["nile"]["values"]
    found = rank_sum(nile[:50], nile[50:])
    assert (found.statistic, found.method) == (1777, "exact")
    assert found.p == pytest.approx(0.00022260837911)


def test_depression_has_the_p_of_hollander_and_wolfe() -> None:
    """R's wilcox.test: V = 40, two-sided p = 0.0390625 (the book's one-sided one is 0.01953)."""
    found = signed_rank(*data("depression", "first", "second"))
    assert (found.statistic, found.p, found.n, found.zeros, found.ties) == (40, 0.0390625, 9, 0, 0)


@pytest.mark.parametrize(
    ("name", "columns", "statistic", "p", "zeros"),
    [("repeated_measures", ("first", "second"), 13, 0.13671875, 5), ("sleep", ("drug_1", "drug_2"), 0, 0.00390625, 1)],
)
def test_tied_pairs_have_the_exact_p_of_exact_rank_tests(
    name: str, columns: tuple[str, str], statistic: float, p: float, zeros: int
) -> None:
    """Ties are exact, and pairs without a difference are dropped and counted."""
    found = signed_rank(*data(name, *columns))
    assert (found.statistic, found.zeros, found.method) == (statistic, zeros, "exact")
    assert found.p == pytest.approx(p)


def test_pairs_of_the_nile_are_exact() -> None:
    """The Nile before and after 1920 as pairs: V = 992, exactRankTests' p = 0.000427964605306."""
    nile = KNOWN["nile"]["values"]
    found = signed_rank(nile[:50], nile[50:])
    assert (found.statistic, found.method) == (992, "exact")
    assert found.p == pytest.approx(0.000427964605306)


def test_beyond_the_exact_size_pairs_are_approximated_as_scipy_does() -> None:
    """SciPy's normal approximation with continuity correction, on 130 pairs of rivers with ties and zeros."""
    rivers = np.array(KNOWN["rivers"]["values"], dtype=float)
    a, b = rivers[:130], rivers[11:]
    found = signed_rank(a, b)
    expected = stats.wilcoxon(a - b, correction=True, method="approx")
    assert found.method == "normal"
    assert found.p == pytest.approx(float(expected.pvalue))


def test_pairs_without_any_difference_give_no_evidence() -> None:
    """All differences 0: nothing is left to test, so p is 1 and all pairs are reported as dropped."""
    found = signed_rank([1, 2, 3], [1, 2, 3])
    assert (found.p, found.n, found.zeros) == (1.0, 0, 3)


def test_differences_that_only_rounding_separates_are_tied() -> None:
    """1.3 - 0.2 and 1.2 - 0.1 are both 1.1, and 0.3 - 0.1 is 0.2."""
    found = signed_rank([1.3, 1.2, 0.3, 5.0], [0.2, 0.1, 0.1, 5.0])
    assert (found.n, found.ties, found.zeros) == (3, 2, 1)


@pytest.mark.parametrize(("n", "p"), [(3, 0.1), (4, 1 / 35), (5, 1 / 126), (6, 1 / 462), (7, 1 / 1716)])
def test_smallest_p_of_the_rank_sum_test_is_reached_by_separated_samples(n: int, p: float) -> None:
    """Three restarts cannot be below 0.1, whatever happens: 2 / C(2n, n)."""
    assert smallest_p_rank_sum(n, n) == pytest.approx(p)
    assert rank_sum(range(n), range(n, 2 * n)).p == pytest.approx(p)


@pytest.mark.parametrize(("n", "p"), [(1, 1), (4, 0.125), (5, 0.0625), (6, 0.03125), (10, 0.001953125)])
def test_smallest_p_of_the_signed_rank_test_is_reached_by_one_sign(n: int, p: float) -> None:
    """Five blocks cannot be below 0.0625, whatever happens: 2 / 2^n."""
    assert smallest_p_signed_rank(n) == p
    assert signed_rank([0.0] * n, [float(i) for i in range(1, n + 1)]).p == pytest.approx(p)


@given(small, small)
def test_exact_rank_sum_p_is_that_of_all_permutations(a: list[float], b: list[float]) -> None:
    """Counting every way to deal the values to the two samples gives the same p, ties or not."""
    ranks = 2 * stats.rankdata(a + b)
    expected = len(a) * (len(a) + len(b) + 1)
    observed = abs(ranks[: len(a)].sum() - expected)
    distances = [abs(sum(dealt) - expected) for dealt in itertools.combinations(ranks, len(a))]
    assert rank_sum(a, b).p == pytest.approx(np.mean([distance >= observed for distance in distances]))


@given(small)
def test_exact_signed_rank_p_is_that_of_all_signs(differences: list[float]) -> None:
    """Counting every way to give signs to the differences gives the same p, ties or not."""
    signed = [(-1) ** i * d for i, d in enumerate(differences) if d]
    ranks = 2 * stats.rankdata(np.abs(signed)) if signed else np.array([])
    observed = abs(2 * sum(r for r, d in zip(ranks, signed, strict=True) if d > 0) - sum(ranks))
    distances = [abs(2 * np.dot(signs, ranks) - sum(ranks)) for signs in itertools.product((0, 1), repeat=len(signed))]
    found = signed_rank(signed or [0.0], [0.0] * max(1, len(signed)))
    assert found.p == pytest.approx(np.mean([distance >= observed for distance in distances]))


@given(without_ties, st.data())
def test_rank_sum_agrees_with_scipy_where_there_are_no_ties(values: list[float], choice: st.DataObject) -> None:
    """SciPy's exact Mann-Whitney test."""
    size = choice.draw(st.integers(1, len(values) - 1))
    found = rank_sum(values[:size], values[size:])
    expected = stats.mannwhitneyu(values[:size], values[size:], method="exact")
    assert (found.statistic, found.p) == pytest.approx((float(expected.statistic), float(expected.pvalue)))


@given(without_ties)
def test_signed_rank_agrees_with_scipy_where_there_are_no_ties(values: list[float]) -> None:
    """SciPy's exact Wilcoxon test."""
    kept = [value for value in values if value and -value not in values]
    if not kept:
        return
    found = signed_rank(kept, [0.0] * len(kept))
    assert found.p == pytest.approx(float(stats.wilcoxon(kept, method="exact").pvalue))


@given(small, small)
def test_exchanging_the_samples_keeps_p(a: list[float], b: list[float]) -> None:
    """Two-sided tests know no first sample; the two W add up to the number of pairs."""
    forth, back = rank_sum(a, b), rank_sum(b, a)
    assert forth.p == pytest.approx(back.p)
    assert forth.statistic + back.statistic == len(a) * len(b)


@given(small, small, st.sampled_from([1e-6, 0.1, 3.0, 1e6]))
def test_ranks_ignore_the_unit(a: list[float], b: list[float], scale: float) -> None:
    """Only the order counts."""
    assert rank_sum([scale * x for x in a], [scale * x for x in b]) == rank_sum(a, b)


@given(st.lists(st.tuples(st.integers(1, 99), st.integers(1, 99)), min_size=1, max_size=12))
def test_signed_ranks_ignore_the_unit(pairs: list[tuple[int, int]]) -> None:
    """A tenth is not exact in binary, yet ties stay ties."""
    a, b = [float(x) for x, _ in pairs], [float(y) for _, y in pairs]
    assert signed_rank([0.1 * x for x in a], [0.1 * y for y in b]) == signed_rank(a, b)
