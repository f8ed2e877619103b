# SPDX-License-Identifier: Apache-2.0
"""What every statistic refuses."""

from __future__ import annotations

import ast
import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bancada import stats

OF_ONE_SAMPLE: dict[str, Callable[[Any], object]] = {
    "describe": stats.describe,
    "quantile": lambda values: stats.quantile(values, 0.5),
    "tukey_fences": stats.tukey_fences,
}
OF_TWO_SAMPLES: dict[str, Callable[[Any, Any], object]] = {
    "ratio_interval": lambda a, b: stats.ratio_interval(a, b, paired=False),
    "ratio_interval in blocks": lambda a, b: stats.ratio_interval(a, b, paired=True),
    "rank_sum": stats.rank_sum,
    "signed_rank": stats.signed_rank,
    "hodges_lehmann": stats.hodges_lehmann,
    "hodges_lehmann_paired": stats.hodges_lehmann_paired,
    "cliffs_delta": stats.cliffs_delta,
}
OF_BLOCKS = ("ratio_interval in blocks", "signed_rank", "hodges_lehmann_paired")
OF_A_LEVEL: dict[str, Callable[[float], object]] = {
    "describe": lambda level: stats.describe([1, 2], level),
    "ratio_interval": lambda level: stats.ratio_interval([1, 2], [1, 2], paired=True, level=level),
    "hodges_lehmann": lambda level: stats.hodges_lehmann([1, 2], [1, 2], level),
    "hodges_lehmann_paired": lambda level: stats.hodges_lehmann_paired([1, 2], [1, 2], level),
    "trials_for_half_width": lambda level: stats.trials_for_half_width(0.1, 0.1, level),
    "Interval": lambda level: stats.Interval(1.0, None, None, level),
}
BAD_SAMPLES: list[Any] = [[], [1.0, math.nan], [1.0, math.inf], [1.0, None], np.ones((2, 2))]


@pytest.mark.parametrize("values", BAD_SAMPLES, ids=str)
@pytest.mark.parametrize("name", OF_ONE_SAMPLE)
def test_bad_sample_is_refused(name: str, values: Any) -> None:
    """No value, NaN, infinity, None and tables raise ValueError instead of giving a number."""
    with pytest.raises(ValueError, match="values"):
        OF_ONE_SAMPLE[name](values)


@pytest.mark.parametrize("values", BAD_SAMPLES, ids=str)
@pytest.mark.parametrize("name", OF_TWO_SAMPLES)
def test_bad_one_of_two_samples_is_refused_by_name(name: str, values: Any) -> None:
    """The message says which of the two it is."""
    with pytest.raises(ValueError, match=r"^a "):
        OF_TWO_SAMPLES[name](values, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"^b "):
        OF_TWO_SAMPLES[name]([1.0, 2.0], values)


@pytest.mark.parametrize("name", OF_BLOCKS)
def test_blocks_of_unequal_length_are_refused(name: str) -> None:
    """A missing trial must not shift all later pairs."""
    with pytest.raises(ValueError, match="a has 3 values, b has 2"):
        OF_TWO_SAMPLES[name]([1, 2, 3], [1, 2])


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, -0.95, math.nan])
@pytest.mark.parametrize("name", OF_A_LEVEL)
def test_level_outside_0_to_1_is_refused(name: str, level: float) -> None:
    """95 is not 0.95."""
    with pytest.raises(ValueError, match="level"):
        OF_A_LEVEL[name](level)


@pytest.mark.parametrize("size", [0, -1])
def test_smallest_p_needs_a_size(size: int) -> None:
    """There is no test of nothing."""
    with pytest.raises(ValueError, match="at least 1"):
        stats.smallest_p_rank_sum(size, 3)
    with pytest.raises(ValueError, match="at least 1"):
        stats.smallest_p_rank_sum(3, size)
    with pytest.raises(ValueError, match="at least 1"):
        stats.smallest_p_signed_rank(size)


def test_every_public_name_is_in_the_table_of_contents() -> None:
    """The package's docstring names every function that it exports."""
    functions = [name for name in stats.__all__ if not isinstance(getattr(stats, name), type) and name.islower()]
    assert len(functions) >= 17
    missing = [name for name in functions if name not in (stats.__doc__ or "")]
    assert missing == []


def test_stats_imports_nothing_else_of_bancada() -> None:
    """Numbers in, numbers out: the package stands alone."""
    spec = importlib.util.find_spec("bancada.stats")
    assert spec is not None
    assert spec.origin is not None
    allowed = ("bancada.stats", "numpy", "scipy")
    standard = {"__future__", "collections.abc", "dataclasses", "itertools", "math", "typing"}
    for source in Path(spec.origin).parent.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert all(name in standard or name.startswith(allowed) for name in names), (source.name, names)
