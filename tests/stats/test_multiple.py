# SPDX-License-Identifier: Apache-2.0
"""Holm's correction."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import holm

KNOWN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "known_answers" / "published.toml").read_text(encoding="utf-8")
)

families = st.lists(st.floats(0, 1), max_size=20)


def test_benjamini_and_hochbergs_family_is_adjusted_as_in_r() -> None:
    """R's p.adjust of the 15 p-values of the 1995 paper, of which Holm rejects three at 0.05."""
    found = holm(KNOWN["benjamini_hochberg"]["p"])
    assert found == pytest.approx(KNOWN["benjamini_hochberg"]["holm"])
    assert sum(p <= 0.05 for p in found) == 3


def test_order_of_the_family_is_kept() -> None:
    """R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") is 0.03 0.06 0.06 0.02; 0.04 may not fall below 0.03's."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_no_tests_are_no_family() -> None:
    """Nothing adjusted is an empty list."""
    assert holm([]) == []


@pytest.mark.parametrize("p", [-0.01, 1.01, float("nan")])
def test_what_is_no_probability_is_refused(p: float) -> None:
    """A p-value lies between 0 and 1."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, p])


@given(families)
def test_adjusting_never_helps_and_stops_at_bonferroni(p_values: list[float]) -> None:
    """Each adjusted p lies between the plain one and m times it, and never above 1."""
    for plain, adjusted in zip(p_values, holm(p_values), strict=True):
        assert plain <= adjusted <= min(1.0, len(p_values) * max(p_values, default=0))
        assert adjusted <= 1


@given(families)
def test_adjusting_keeps_the_order(p_values: list[float]) -> None:
    """The smaller p keeps the smaller adjusted p; the smallest pays the whole family."""
    found = holm(p_values)
    by_plain = [adjusted for _, adjusted in sorted(zip(p_values, found, strict=True))]
    assert by_plain == sorted(found)
    if p_values:
        assert min(found) == pytest.approx(min(1.0, len(p_values) * min(p_values)))
