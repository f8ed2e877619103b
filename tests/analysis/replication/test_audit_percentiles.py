# SPDX-License-Identifier: Apache-2.0
"""What a minimum, percentiles and a maximum allow a mean and an Apdex to be, against samples that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bancada.analysis.replication.audit import slips_of
from bancada.analysis.replication.audit_percentiles import apdex_range, mean_range
from bancada.model.judgement import Slip
from bancada.model.paper import PrintedRow
from bancada.stats import apdex
from tests.analysis.replication.conftest import JAR, dashboard_row, paper_of, row, table

METHODS = ("inverted_cdf", "closest_observation", "linear", "weibull", "median_unbiased", "hazen")
PERCENTS = {"median_ms": 0.5, "p90_ms": 0.9, "p95_ms": 0.95, "p99_ms": 0.99}


def printed(times_ms: NDArray[np.float64], method: Any = "linear", failed: int = 0) -> PrintedRow:
    """The row of a dashboard that shows these response times."""
    quantiles = {name: float(np.quantile(times_ms, share, method=method)) for name, share in PERCENTS.items()}
    fields: dict[str, Any] = {"requests": len(times_ms), "min_ms": times_ms.min(), "max_ms": times_ms.max()}
    return PrintedRow.model_validate(dashboard_row(JAR, float(times_ms.mean()), **fields, **quantiles, failed=failed))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 7, 100, 333, 2000])
def test_no_sample_is_outside_of_the_bounds(method: str, n: int) -> None:
    """Whatever its shape, its size and the definition of its percentiles; thresholds in the midst of it."""
    random = np.random.default_rng(n)
    for times in (random.lognormal(6, 1, n), random.uniform(1, 2000, n), random.choice([100.0, 700.0, 1500.0], n)):
        of = printed(times, method)
        low, high = mean_range(of)
        assert low - 1e-6 <= times.mean() <= high + 1e-6
        failed = n // 10
        passed = random.permutation(times)[failed:]
        least, greatest = apdex_range(printed(times, method, failed), 500, 1500)
        assert least <= apdex(passed, failed, 500, 1500) <= greatest


def test_the_bounds_of_the_mean_are_those_of_the_extreme_samples() -> None:
    """Of 1 000 requests all at the upper or all at the lower end of what each percentile allows."""
    ends = [(1, 10.0), (499, 50.0), (400, 90.0), (50, 95.0), (40, 99.0), (10, 200.0)]
    highest = np.repeat([value for _, value in ends], [count for count, _ in ends])
    lowest = np.repeat([10.0, 50.0, 90.0, 95.0, 99.0, 200.0], [500, 400, 50, 40, 9, 1])
    of = printed(highest, "inverted_cdf")
    low, high = mean_range(of)
    assert (low, high) == pytest.approx((lowest.mean(), highest.mean()), rel=1e-12)


def test_bounds_of_apdex_follow_from_where_the_thresholds_lie() -> None:
    """Median 400 and p90 600: between 500 and 900 of 1 000 satisfy; all but ten are tolerated. Failures take away."""
    times = {"min_ms": 100, "median_ms": 400, "p90_ms": 600, "p95_ms": 700, "p99_ms": 1500, "max_ms": 2000}
    of = PrintedRow.model_validate(dashboard_row(JAR, 450.0, requests=1000, **times))
    assert apdex_range(of, 500, 1500) == pytest.approx(((500 + 990) / 2000, (900 + 999) / 2000))
    failed = of.model_copy(update={"failed": 200})
    assert apdex_range(failed, 500, 1500) == pytest.approx(((300 + 790) / 2000, (800 + 800) / 2000))
    assert apdex_range(of, 50, 99) == (0, 0)
    assert apdex_range(of, 2000, 3000) == (1, 1)


def slips(**fields: Any) -> tuple[Slip, ...]:
    """Of a paper with one sound dashboard of 80 requests, some figures of it set anew."""
    return slips_of(paper_of(table("Figure 1", dashboard_row(JAR, 100.0) | fields), percentiles_of_last=50))


def test_a_sound_dashboard_has_no_slip() -> None:
    """Nor has a row without percentiles beyond its median."""
    assert slips() == ()
    assert slips_of(paper_of(table("Figure 1", row(JAR, 100.0, min_ms=99.0)))) == ()


@pytest.mark.parametrize(
    ("spoilt", "check", "expected"),
    [
        ({"mean_ms": 105.0}, "mean-outside-percentiles", "between 95.41 and 101.35"),
        ({"mean_ms": 95.0}, "mean-outside-percentiles", "between 95.41 and 101.35"),
        ({"apdex": 0.98}, "apdex-outside-percentiles", "between 1.000 and 1.000"),
        ({"p90_ms": 106.0}, "percentiles-out-of-order", "in order"),
        ({"min_ms": 101.0}, "percentiles-out-of-order", "in order"),
    ],
)
def test_figures_that_do_not_fit_the_percentiles_are_found(spoilt: dict[str, Any], check: str, expected: str) -> None:
    """A mean too high or too low, an Apdex below 1 where everything satisfies, percentiles in disorder."""
    (slip,) = slips(**spoilt)
    assert (slip.table, slip.row, slip.check, slip.expected) == ("Figure 1", JAR, check, expected)


def test_what_the_percentiles_are_of_is_told_with_the_slip() -> None:
    """They cover the last 50 of 80 requests; of 40 requests they would cover all."""
    (slip,) = slips(mean_ms=105.0)
    assert slip.sentence.endswith(
        "The percentiles, it seems, are those of the last 50 of 80 requests, the other figures those of all."
    )
    fewer = slips(mean_ms=105.0, requests=40)
    assert all("the last 50" not in each.sentence for each in fewer)
    assert "mean-outside-percentiles" in {each.check for each in fewer}
