# SPDX-License-Identifier: Apache-2.0
"""What every statistic asks of its input, asked in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = Sequence[float] | NDArray[Any]


def as_sample(values: Values, name: str = "values", *, at_least: int = 1) -> NDArray[np.float64]:
    """The values as a one-dimensional array of finite float64, in their order.

    Raises ValueError, naming the argument, for NaN or infinity, for fewer than `at_least` values,
    and for anything but one row of numbers.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one row of numbers, not an array of {array.ndim} dimensions")
    if array.size < at_least:
        raise ValueError(f"{name} needs at least {at_least} value(s), got {array.size}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinity")
    return array


def as_pairs(a: Values, b: Values, *, at_least: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two samples whose i-th values belong together. Raises ValueError as `as_sample`, and for unequal lengths."""
    first, second = as_sample(a, "a", at_least=at_least), as_sample(b, "b", at_least=at_least)
    if first.size != second.size:
        raise ValueError(f"paired samples must be equally long: a has {first.size} values, b has {second.size}")
    return first, second


def check_between_0_and_1(value: float, name: str) -> float:
    """The value, if it lies strictly between 0 and 1 (a level, a significance level). Raises ValueError otherwise."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {value}")
    return value


def check_count(value: int, name: str, *, at_least: int) -> int:
    """The value, if it is at least `at_least`. Raises ValueError otherwise."""
    if value < at_least:
        raise ValueError(f"{name} must be at least {at_least}, got {value}")
    return value
