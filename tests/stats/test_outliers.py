# SPDX-License-Identifier: Apache-2.0
"""Tukey's fences."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import tukey_fences

KNOWN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "known_answers" / "published.toml").read_text(encoding="utf-8")
)

samples = st.lists(st.integers(-1000, 1000).map(float), min_size=1, max_size=40)


def test_nists_example_has_one_mild_outlier() -> None:
    """The handbook names 1441. Its quartiles are of type 6; R's of type 7 are 436.25 and 738.5, and give the same."""
    found = tukey_fences(KNOWN["nist_outliers"]["values"])
    assert (found.mild, found.far) == ((89,), ())
    assert (found.inner_low, found.inner_high) == (436.25 - 1.5 * 302.25, 738.5 + 1.5 * 302.25)
    assert (found.outer_low, found.outer_high) == (436.25 - 3 * 302.25, 738.5 + 3 * 302.25)


def test_rivers_have_the_outliers_of_rs_box_plot() -> None:
    """R's boxplot.stats(rivers): eleven points beyond the whiskers, five of them beyond three quartile ranges."""
    values = KNOWN["rivers"]["values"]
    found = tukey_fences(values)
    assert sorted(values[i] for i in found.mild) == [1243, 1270, 1306, 1450, 1459, 1770]
    assert sorted(values[i] for i in found.far) == [1885, 2315, 2348, 2533, 3710]


@given(st.lists(st.integers(-1000, 1000).map(float), min_size=1, max_size=3))
def test_three_values_are_never_far(values: list[float]) -> None:
    """So few values cannot tell which of them is the odd one."""
    found = tukey_fences(values)
    assert (found.mild, found.far) == ((), ())


def test_where_nothing_varies_any_other_value_is_far() -> None:
    """Fences that fall together are stated, and what differs is beyond both."""
    assert tukey_fences([5, 5, 5, 5, 5, 6]).far == (5,)


@given(samples)
def test_every_value_is_near_mild_or_far(values: list[float]) -> None:
    """Mild lies between the fences, far beyond the outer, and no position is in both."""
    found = tukey_fences(values)
    for i, value in enumerate(values):
        assert (i in found.far) == (value < found.outer_low or value > found.outer_high)
        within_inner = found.inner_low <= value <= found.inner_high
        assert (i in found.mild) == (not within_inner and i not in found.far)


@given(samples)
def test_half_of_the_values_are_never_outliers(values: list[float]) -> None:
    """The quartiles themselves lie inside, so that at most half can be beyond them."""
    found = tukey_fences(values)
    assert len(found.mild) + len(found.far) <= len(values) / 2


@given(samples)
def test_mirrored_values_have_mirrored_fences(values: list[float]) -> None:
    """Left and right are treated alike."""
    found, mirrored = tukey_fences(values), tukey_fences([-value for value in values])
    assert (mirrored.mild, mirrored.far) == (found.mild, found.far)
    assert mirrored.inner_low == pytest.approx(-found.inner_high)
