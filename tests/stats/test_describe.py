# SPDX-License-Identifier: Apache-2.0
"""One sample: mean with its interval, spread, quantiles."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.stats import describe, quantile, quantiles_of_sorted

KNOWN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "known_answers" / "published.toml").read_text(encoding="utf-8")
)

samples = st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 6)), min_size=2, max_size=40)


def test_students_own_data_have_the_interval_that_r_prints() -> None:
    """R's t.test on the first drug of `sleep`: mean 0.75, 95 % interval -0.5297804 to 2.0297804, sd 1.78901."""
    found = describe(KNOWN["sleep"]["drug_1"])
    assert (found.n, found.minimum, found.maximum) == (10, -1.6, 3.7)
    assert found.mean == pytest.approx(0.75)
    assert (found.low, found.high) == pytest.approx((-0.529780413526, 2.029780413526))
    assert found.sd == pytest.approx(1.78900965776)
    assert found.variance == pytest.approx(3.20055555556)
    assert (found.q1, found.median, found.q3) == pytest.approx((-0.175, 0.35, 1.7))


def test_paired_differences_have_the_interval_that_r_prints() -> None:
    """R's t.test of the pairs of `sleep`: -1.58, 95 % interval -2.4598858 to -0.7001142; at 99 % -2.844 to -0.316."""
    pairs = zip(KNOWN["sleep"]["drug_1"], KNOWN["sleep"]["drug_2"], strict=True)
    differences = [first - second for first, second in pairs]
    found, wider = describe(differences), describe(differences, level=0.99)
    assert found.mean == pytest.approx(-1.58)
    assert (found.low, found.high) == pytest.approx((-2.459885763277, -0.700114236723))
    assert (wider.low, wider.high) == pytest.approx((-2.844051885105, -0.315948114895))


def test_quantiles_are_those_of_rs_default_type() -> None:
    """R's quantile(rivers, …) at 0, 5, 25, 50, 75, 95, 99 and 100 %."""
    ordered = np.sort(np.array(KNOWN["rivers"]["values"]))
    found = quantiles_of_sorted(ordered, (0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1))
    assert found == pytest.approx((135, 230, 310, 425, 680, 1450, 2459, 3710))


def test_one_value_has_no_interval_and_no_spread() -> None:
    """With n = 1 what cannot be known is None, not 0."""
    found = describe([7.5])
    assert (found.mean, found.median) == (7.5, 7.5)
    assert (found.low, found.high, found.sd, found.variance) == (None, None, None, None)


def test_equal_values_have_exactly_no_spread() -> None:
    """Summing 0.1 three times must not leave a spread of 1e-17."""
    found = describe([0.1, 0.1, 0.1])
    assert (found.mean, found.sd, found.low, found.high) == (0.1, 0.0, 0.1, 0.1)


def test_quantiles_of_ten_million_sorted_latencies_cost_no_pass_over_them() -> None:
    """Reading two elements per quantile takes far below the time of one scan, and unsigned integers do not wrap."""
    ordered = np.arange(10_000_001, dtype=np.uint64)
    seconds = []
    for _ in range(5):  # the best of five, as other work may interrupt any one
        started = time.perf_counter()
        found = quantiles_of_sorted(ordered, (0.5, 0.9, 0.99, 0.999))
        seconds.append(time.perf_counter() - started)
        assert found == (5_000_000, 9_000_000, 9_900_000, 9_990_000)
    assert min(seconds) < 0.001


@pytest.mark.parametrize(
    "ordered", [[3.0, 1.0], [1.0, 5.0, 2.0, 3.0], [5.0, 6.0, 1.0, 2.0, 9.0], [1.0, np.nan], [], [[1.0, 2.0]]]
)
def test_what_is_not_sorted_is_refused(ordered: list[Any]) -> None:
    """A disorder in the elements read, a NaN, no value or two dimensions raise ValueError."""
    with pytest.raises(ValueError, match="ordered"):
        quantiles_of_sorted(np.array(ordered), (0.5, 0.5, 0.9, 0.2, 0.0))


@pytest.mark.parametrize("q", [-0.1, 1.1, float("nan")])
def test_probabilities_outside_0_to_1_are_refused(q: float) -> None:
    """A quantile has a probability."""
    with pytest.raises(ValueError, match="q must lie between 0 and 1"):
        quantile([1.0, 2.0], q)


@given(samples, st.floats(0, 1))
def test_quantile_agrees_with_numpy(values: list[float], q: float) -> None:
    """Type 7 is NumPy's default."""
    assert quantile(values, q) == pytest.approx(float(np.quantile(values, q)), abs=1e-9)


@given(samples)
def test_description_keeps_its_order(values: list[float]) -> None:
    """Minimum to maximum never fall, and the mean lies within its interval and the range."""
    found = describe(values)
    assert found.low is not None
    assert found.high is not None
    assert found.minimum <= found.q1 <= found.median <= found.q3 <= found.maximum
    assert found.minimum <= found.mean <= found.maximum
    assert found.low <= found.mean <= found.high


@given(samples, st.floats(-1e3, 1e3), st.floats(0.01, 100))
def test_interval_follows_shift_and_scale(values: list[float], shift: float, scale: float) -> None:
    """Measuring in another unit or from another zero moves the interval likewise."""
    found, moved = describe(values), describe([scale * value + shift for value in values])
    assert found.low is not None
    assert found.high is not None
    assert (moved.low, moved.high) == pytest.approx((scale * found.low + shift, scale * found.high + shift), abs=1e-4)


@given(samples)
def test_order_of_values_does_not_matter(values: list[float]) -> None:
    """The description of a sample is that of the sample reversed."""
    assert describe(values) == describe(values[::-1])
