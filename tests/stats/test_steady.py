# SPDX-License-Identifier: Apache-2.0
"""Is a series still moving?"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bancada.stats import drift

KNOWN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "known_answers" / "published.toml").read_text(encoding="utf-8")
)

series = st.lists(st.integers(1, 1000).map(float), min_size=8, max_size=40)


def test_tuna_has_the_p_of_hollander_and_wolfe() -> None:
    """R's cor.test(method = "kendall"): tau 0.4444, exact p = 0.1194."""
    found = drift(KNOWN["tuna"]["hunter_l"], KNOWN["tuna"]["panel"])
    assert found.p == pytest.approx(0.119438932981)
    assert found.drifting is False


def test_cloud_seeding_has_the_slope_of_hollander_and_wolfe() -> None:
    """Theil's slope of the five years is -0.056 (exactly -0.05625): times 4 years over the median 1.16."""
    found = drift(KNOWN["cloud_seeding"]["year"], KNOWN["cloud_seeding"]["ratio"])
    assert found.relative_change == pytest.approx(-0.05625 * 4 / 1.16)
    assert (found.p, found.drifting) == (None, None)


def test_nile_falls_as_r_says() -> None:
    """R on the tied series of 100 years: Sen's slope -2.6 a year, Kendall's z = -4.131, p = 3.61e-05, median 893.5."""
    found = drift(range(1871, 1971), KNOWN["nile"]["values"])
    assert found.relative_change == pytest.approx(-2.6 * 99 / 893.5)
    assert found.p == pytest.approx(3.61117991948e-05)
    assert found.drifting is True


def test_seven_points_are_too_few_to_say() -> None:
    """A change can be stated, its significance cannot: unknown, not "steady"."""
    found = drift(range(7), [1, 2, 3, 4, 5, 6, 7])
    assert found.relative_change == pytest.approx(6 / 4)
    assert (found.p, found.drifting) == (None, None)


def test_one_point_or_nothing_answered_has_no_trend() -> None:
    """One instant has no slope, and a change relative to a median of 0 is unknown even when the series moves."""
    assert drift([0], [5]).relative_change is None
    found = drift(range(8), [0, 0, 0, 0, 0, 0, 0, 9])
    assert (found.relative_change, found.drifting) == (None, None)


def test_constant_series_is_steady() -> None:
    """No change at all is an answer, not an unknown."""
    found = drift(range(10), [100] * 10)
    assert (found.relative_change, found.p, found.drifting) == (0, 1, False)


@pytest.mark.parametrize(
    ("rise", "largest_change", "drifting"), [(0.04, 0.05, False), (0.08, 0.05, True), (0.08, 0.1, False)]
)
def test_sure_trend_is_drift_only_beyond_the_tolerated_change(
    rise: float, largest_change: float, *, drifting: bool
) -> None:
    """A perfect line is always significant; its size decides."""
    values = 1000 * np.linspace(1 - rise / 2, 1 + rise / 2, 30)
    found = drift(range(30), values, largest_change=largest_change)
    assert found.relative_change == pytest.approx(rise)
    assert found.drifting is drifting


def test_large_change_that_chance_explains_is_no_drift() -> None:
    """Eight wild points with a steep slope but p above alpha."""
    found = drift(range(8), [10, 90, 20, 100, 30, 60, 80, 95])
    assert found.relative_change is not None
    assert found.relative_change > 0.05
    assert found.drifting is False


def test_autocorrelated_noise_of_a_usual_size_is_not_called_drift() -> None:
    """Of 300 stationary series (60 points, lag-1 correlation 0.5, 2 %) over 5 % have p < 0.01, yet under 1 % drift."""
    rng = np.random.default_rng(2)
    significant = drifting = 0
    for _ in range(300):
        noise = np.empty(60)
        noise[0] = rng.standard_normal()
        for i in range(1, 60):
            noise[i] = 0.5 * noise[i - 1] + np.sqrt(0.75) * rng.standard_normal()
        found = drift(range(60), 1000 * (1 + 0.02 * noise))
        significant += found.p is not None and found.p < 0.01
        drifting += found.drifting is True
    assert significant > 15
    assert drifting < 3


@pytest.mark.parametrize("at_s", [[0, 1, 1, 2], [3, 2, 1, 0], [0, 1, 2], [0, 1, 2, float("nan")]])
def test_instants_that_do_not_increase_are_refused(at_s: list[float]) -> None:
    """A clock that stands still, runs back, or misses a point."""
    with pytest.raises(ValueError, match=r"at_s|long|NaN"):
        drift(at_s, [1, 2, 3, 4])


@pytest.mark.parametrize(("largest_change", "alpha"), [(-0.1, 0.01), (float("nan"), 0.01), (0.05, 0.0), (0.05, 1.0)])
def test_thresholds_out_of_range_are_refused(largest_change: float, alpha: float) -> None:
    """A tolerated change is a fraction from 0 up, a significance level lies within (0, 1)."""
    with pytest.raises(ValueError, match="must"):
        drift(range(8), range(1, 9), largest_change=largest_change, alpha=alpha)


@given(series)
def test_slope_agrees_with_scipys_theil_sen(values: list[float]) -> None:
    """SciPy's theilslopes on the same points."""
    found = drift(range(len(values)), values)
    slope = float(stats.theilslopes(values, range(len(values))).slope)
    assert found.relative_change == pytest.approx(slope * (len(values) - 1) / float(np.median(values)), abs=1e-12)


@given(series, st.floats(0.01, 100), st.floats(0.1, 10))
def test_units_of_value_and_time_do_not_matter(values: list[float], scale: float, step: float) -> None:
    """Change is relative to the median and over the whole window."""
    found = drift(range(len(values)), values)
    scaled = drift([step * i for i in range(len(values))], [scale * value for value in values])
    assert scaled.relative_change == pytest.approx(found.relative_change, abs=1e-9)


@given(series)
def test_time_reversed_changes_the_sign_only(values: list[float]) -> None:
    """A rise seen backwards is a fall, just as sure."""
    forth, back = drift(range(len(values)), values), drift(range(len(values)), values[::-1])
    assert forth.relative_change is not None
    assert back.relative_change == pytest.approx(-forth.relative_change)
    assert back.p == pytest.approx(forth.p)
