# SPDX-License-Identifier: Apache-2.0
"""The growth factors of Almeida (2020), computed again from the response times printed in the same paper.

All eight means are reproduced to the digits printed. Of the half-widths, two are (0.190 and 0.041); six are printed 0.2
to 2.4 % wider than their own data give, whether ratios are rounded first or not, and whichever t value is used (the
exact 3.1824 or the 3.18 of the paper's Table 1). known_answers/almeida_2020.toml holds both figures. Also, the third
factor of the Mac Mini is printed 22.01 where 12901.63 / 586.00 is 22.016.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from bancada.stats import Description, describe

PAPER: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "known_answers" / "almeida_2020.toml").read_text(encoding="utf-8")
)
NAMES = [growth["name"] for growth in PAPER["growth"]]
REPRODUCED = {"300 to 3000 integers, Mac Mini", "3 to 300 integers, Acer"}


def growth_of(name: str) -> tuple[dict[str, Any], Description]:
    """The printed figures of one growth, and the description of the ratios of its four cells."""
    printed: dict[str, Any] = next(growth for growth in PAPER["growth"] if growth["name"] == name)
    return printed, describe(
        [after / before for before, after in zip(printed["from_ms"], printed["to_ms"], strict=True)]
    )


def as_printed(value: float, like: str) -> str:
    """The value with as many decimals as a printed one."""
    return f"{value:.{len(like.partition('.')[2])}f}"


def half_width(found: Description) -> float:
    """Half the width of the interval of the mean."""
    assert found.low is not None
    assert found.high is not None
    return (found.high - found.low) / 2


@pytest.mark.parametrize("name", NAMES)
def test_mean_growth_is_as_printed(name: str) -> None:
    """The mean of the four cells' ratios equals the paper's, to the digits printed."""
    printed, found = growth_of(name)
    assert as_printed(found.mean, printed["mean"]) == printed["mean"]


@pytest.mark.parametrize("name", NAMES)
def test_half_width_of_the_growth_is_what_the_papers_own_times_give(name: str) -> None:
    """The t interval has the half-width noted beside the printed one."""
    printed, found = growth_of(name)
    assert as_printed(half_width(found), printed["half_width"]) == printed["half_width_computed"]


@pytest.mark.parametrize("name", NAMES)
def test_printed_half_widths_differ_only_where_the_paper_slips(name: str) -> None:
    """Two half-widths are printed as computed; the six others are printed wider, by at most 2.5 %."""
    printed, found = growth_of(name)
    assert (printed["half_width"] == printed["half_width_computed"]) == (name in REPRODUCED)
    assert float(printed["half_width"]) == pytest.approx(half_width(found), rel=0.025)


def test_t_values_of_table_1_are_students_to_their_digits() -> None:
    """The paper's t values are those of Student's distribution, to the two or three digits given, except one slip."""
    exact = [float(stats.t.ppf(0.975, degrees)) for degrees in range(1, 10)]
    differing = [
        (printed, round(value, 3))
        for printed, value in zip(PAPER["table_1"]["t_by_degrees_of_freedom"], exact, strict=True)
        if abs(printed - value) > 0.005
    ]
    assert differing == [(2.37, 2.365)]  # 2.3646, rounded twice
