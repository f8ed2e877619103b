# SPDX-License-Identifier: Apache-2.0
"""The geometry of the plots inside the tables of verdicts."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.model.findings import Bounds
from bancada.report.forest import axis_for

RATIOS = st.floats(min_value=1e-4, max_value=1e4)


def bounds(low: float, point: float, high: float) -> Bounds:
    """A ratio with its interval."""
    return Bounds(point=point, low=low, high=high)


@given(st.lists(st.tuples(RATIOS, RATIOS, RATIOS), min_size=1, max_size=5), st.floats(min_value=0.001, max_value=0.9))
def test_everything_has_room_on_the_axis(triples: list[tuple[float, float, float]], margin: float) -> None:
    """Dots, whiskers, 1 and the margin lie between 0 and 100 per cent, in the order of their ratios."""
    ratios = [bounds(*sorted(each)) for each in triples]
    axis = axis_for(ratios, margin)
    for ratio in ratios:
        whisker = axis.whisker(ratio)
        assert whisker is not None
        assert whisker.low is not None
        assert whisker.high is not None
        assert 0 <= whisker.low <= whisker.dot <= whisker.high <= 100
    begin, width = axis.band
    assert begin >= 0
    assert begin - 0.02 <= axis.place(1) <= begin + width + 0.02  # places are rounded to hundredths
    assert begin + width <= 100


@given(st.lists(RATIOS, min_size=1, max_size=5))
def test_ticks_name_one_and_leave_room_for_each_other(points: list[float]) -> None:
    """Two labels never touch, and 1 is always labelled."""
    axis = axis_for([bounds(each, each, each) for each in points], 0.03)
    places = [place for place, _ in axis.ticks]
    assert "1" in [label for _, label in axis.ticks]
    assert all(later - earlier >= 13 for earlier, later in pairwise(places))


def test_a_ratio_and_its_reciprocal_lie_as_far_from_one() -> None:
    """The axis is logarithmic: half as much is as far away as twice as much."""
    axis = axis_for([bounds(0.5, 0.5, 0.5), bounds(2, 2, 2)], 0.03)
    assert axis.place(1) - axis.place(0.5) == pytest.approx(axis.place(2) - axis.place(1), abs=0.02)


def test_the_band_is_the_one_by_which_equivalence_is_judged() -> None:
    """From 1 / (1 + margin) to 1 + margin, as in `stats.verdict`."""
    axis = axis_for([bounds(0.5, 0.8, 2)], 0.25)
    begin, width = axis.band
    assert begin == axis.place(0.8)
    assert begin + width == pytest.approx(axis.place(1.25), abs=0.01)


def test_what_has_no_logarithm_is_not_drawn() -> None:
    """A ratio of 0 or infinity has no place; a missing interval gives a dot alone."""
    axis = axis_for([None, bounds(0.9, 0.95, 1.0)], 0.03)
    assert axis.whisker(Bounds(point=0, low=0, high=1)) is None
    assert axis.whisker(Bounds(point=math.inf, low=None, high=None)) is None
    alone = axis.whisker(Bounds(point=0.95, low=None, high=None))
    assert alone is not None
    assert (alone.low, alone.high) == (None, None)
