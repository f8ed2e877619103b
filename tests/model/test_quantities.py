# SPDX-License-Identifier: Apache-2.0
"""Figures as readers see them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.model import quantities as fmt
from bancada.model.findings import Bounds
from tests.report.reading import figures_in


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "unknown"),
        (math.nan, "unknown"),
        (math.inf, "unknown"),
        (0.0, "0"),
        (1.0, "1.000"),
        (12.3456, "12.35"),
        (0.0123456, "0.01235"),
        (153702.4, "153\u202f702"),
        (-2.5, "\u22122.500"),
        (0.0000123, "1.23 × 10⁻⁵"),
    ],
)
def test_a_figure_has_four_significant_digits_and_whole_digits_are_never_cut(value: float | None, text: str) -> None:
    """None, NaN and infinity are unknown; thousands are apart; tiny values are powers of ten."""
    assert fmt.number(value) == text


@given(st.floats(min_value=1e-4, max_value=1e9))
def test_a_shown_figure_is_within_half_a_thousandth_of_the_value(value: float) -> None:
    """Four significant digits lose at most 0.05 %."""
    assert figures_in(fmt.number(value))[0] == pytest.approx(value, rel=5.1e-4)


@pytest.mark.parametrize(
    ("point", "text"),
    [(0.8344, "0.834"), (1.0, "1.000"), (2.4149, "2.415"), (41.234, "41.23"), (0.001234, "0.00123"), (0.0, "0")],
)
def test_a_ratio_has_three_places_near_one(point: float, text: str) -> None:
    """Far from 1 it has three or four significant digits."""
    assert fmt.ratio(Bounds(point=point, low=None, high=None)) == text


def test_a_ratio_that_is_missing_or_has_no_interval_is_a_tilde() -> None:
    """Never a number that the evidence does not give."""
    assert fmt.ratio(None) == fmt.ratio_interval(None) == "~"
    assert fmt.ratio_interval(Bounds(point=1.2, low=None, high=None)) == "~"
    assert fmt.ratio_interval(Bounds(point=0.8344, low=0.8101, high=0.8599)) == "[0.810, 0.860]"


@pytest.mark.parametrize(
    ("point", "text"),
    [
        (0.834, "16.6\u202f% lower"),
        (1.25, "25.0\u202f% higher"),
        (2.5, "2.50 times as high"),
        (1.0004, "no difference to speak of"),
    ],
)
def test_a_ratio_is_said_in_words(point: float, text: str) -> None:
    """As a percentage below 2, as a multiple from there."""
    assert fmt.change(Bounds(point=point, low=None, high=None)) == text


@pytest.mark.parametrize(("p", "text"), [(None, "~"), (0.0001, "<\u202f0.001"), (0.0314, "0.031"), (1.0, "1.000")])
def test_a_probability_has_three_places(p: float | None, text: str) -> None:
    """A tiny one is bounded instead of rounded to 0."""
    assert fmt.p_value(p) == text


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (None, "unknown"),
        (250_000, "0.25 ms"),
        (500_000_000, "500 ms"),
        (5_000_000_000, "5 s"),
        (90_000_000_000, "1 min 30 s"),
        (5_400_000_000_000, "1 h 30 min"),
    ],
)
def test_a_duration_comes_in_the_unit_that_suits_it(ns: float | None, text: str) -> None:
    """From milliseconds to hours."""
    assert fmt.duration(ns) == text


def test_sizes_settings_and_moments_are_written_as_people_write_them() -> None:
    """Bytes in binary units, shares without superfluous zeros, instants in UTC."""
    assert [fmt.size(each) for each in (None, 12, 20_000_000)] == ["unknown", "12.0 B", "19.1 MiB"]
    assert [fmt.setting(each) for each in (0.95, 0.03, 0.025)] == ["95\u202f%", "3\u202f%", "2.5\u202f%"]
    assert fmt.instant(1_760_000_000 * 10**9) == "2025-10-09 08:53 UTC"
