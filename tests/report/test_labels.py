# SPDX-License-Identifier: Apache-2.0
"""Names in charts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bancada.report.labels import Label, shortened, spread_labels


def test_a_long_name_loses_its_middle() -> None:
    """The beginning tells the stack, the end its setting; a name that fits is left alone."""
    assert shortened("spring-mvc:jar,pool=400", 28) == "spring-mvc:jar,pool=400"
    assert shortened("kotlin-coroutines:native,pool=400", 28) == "kotlin-corout…ative,pool=400"
    assert len(shortened("x" * 50, 27)) == 27


def heights(*wanted: float) -> list[float]:
    """Where labels that want these heights come to stand, on 100 pixels, 10 apart."""
    return [label.height for label in spread_labels([Label(str(each), each) for each in wanted], 10, 100)]


def test_labels_with_room_stay_where_their_lines_end() -> None:
    """Nothing is moved without need."""
    assert heights(5, 50, 80) == [5, 50, 80]


def test_labels_that_collide_part_evenly_around_their_middle() -> None:
    """Both give way alike."""
    assert heights(50, 52) == [46, 56]


def test_labels_are_kept_inside_the_plot() -> None:
    """At the edges all give way to one side."""
    assert heights(0, 1, 2) == [0, 10, 20]
    assert heights(100, 99) == [90, 100]


@given(st.lists(st.floats(min_value=-20, max_value=120), min_size=1, max_size=10))
def test_labels_never_touch_and_keep_their_order(wanted: list[float]) -> None:
    """Ten labels fit on 100 pixels; more lines above means a higher label."""
    placed = spread_labels([Label(f"{place}", each) for place, each in enumerate(wanted)], 10, 100)
    at = [label.height for label in placed]
    assert all(later - earlier >= 10 - 1e-9 for earlier, later in pairwise(at))
    assert [wanted[int(label.text)] for label in placed] == sorted(wanted)
    assert at[0] >= -1e-9
    assert at[-1] <= 100 + 1e-9
