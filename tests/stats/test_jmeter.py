# SPDX-License-Identifier: Apache-2.0
"""JMeter's dashboard made again: equal to the last digit to what a real JMeter prints of the same file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bancada.jmeter.jtl import DEFAULT_COLUMNS, write_jtl
from bancada.stats.jmeter import WINDOW, jmeter_statistics
from tests.jmeter.dashboard import assert_printed, dashboard_of, statistics_of

slow = pytest.mark.slow


def jtl_of_times(elapsed: list[int], labels: list[str], failed: float = 0.0, seed: int = 1) -> pl.DataFrame:
    """A JTL of samples of these lengths: labels in turn, a share of them failed, other columns drawn."""
    rng, count = np.random.default_rng(seed), len(elapsed)
    begun = 1_700_000_000_000 + np.cumsum(rng.integers(0, 9, count))
    columns = {
        "timeStamp": begun,
        "elapsed": elapsed,
        "label": [labels[each % len(labels)] for each in range(count)],
        "success": rng.random(count) >= failed,
        "bytes": rng.integers(100, 9000, count),
        "sentBytes": rng.integers(50, 300, count),
    }
    same = {"responseCode": "200", "responseMessage": "OK", "threadName": "Thread Group 1-1", "dataType": "text"}
    none = {"failureMessage": "", "URL": "http://localhost/"}
    zero = {name: pl.lit(0) for name in ("Latency", "IdleTime", "Connect")}
    one = {name: pl.lit(1) for name in ("grpThreads", "allThreads")}
    texts = {name: pl.lit(value) for name, value in (same | none).items()}
    return pl.DataFrame(columns).with_columns(**texts, **zero, **one).select(DEFAULT_COLUMNS)


def around_the_thresholds() -> pl.DataFrame:
    """Samples of exactly JMeter's thresholds and one millisecond beside them, some of them failed."""
    return jtl_of_times([0, 499, 500, 501, 1499, 1500, 1501, 60_000] * 5, ["list, all", 'quoted "one"', "c"], 0.2)


def slow_first_half() -> pl.DataFrame:
    """40 000 samples of one label, of which the first half takes ten times as long as the second."""
    rng = np.random.default_rng(2)
    drawn = rng.exponential(200, 40_000)
    drawn[:20_000] *= 10
    return jtl_of_times(drawn.astype(int).tolist(), ["only"], 0.01)


def out_of_order() -> pl.DataFrame:
    """50 000 samples of two labels whose rows do not follow their instants, as those of many threads do not."""
    drawn = np.random.default_rng(3).exponential(300, 50_000).astype(int).tolist()
    return jtl_of_times(drawn, ["a", "b"], 0.05).sample(fraction=1, shuffle=True, seed=4)


FILES = [
    pytest.param(around_the_thresholds(), id="small, with failures and several labels"),
    pytest.param(jtl_of_times([94], ["one"]), id="one sample"),
    pytest.param(jtl_of_times([7, 9], ["one"]), id="two samples"),
    pytest.param(slow_first_half(), id="a slow first half"),
    pytest.param(out_of_order(), id="rows out of order"),
]


@slow
@pytest.mark.parametrize("jtl", FILES)
def test_every_figure_is_what_jmeter_prints(jtl: pl.DataFrame, tmp_path: Path) -> None:
    """Total and each label: counts, times, percentiles, rates and Apdex equal those of `jmeter -g`, digit by digit."""
    path = tmp_path / "results.jtl"
    write_jtl(jtl, path)
    labels = jtl["label"].unique().to_list()
    ours = {"Total": statistics_of(jtl), **{label: statistics_of(jtl, label) for label in labels}}
    assert_printed(dashboard_of(path, tmp_path / "dashboard"), ours)


def test_percentiles_are_those_of_the_last_20000_samples_only() -> None:
    """Of a run whose first half is slow the dashboard's median is that of the second half; its mean is of both."""
    jtl = slow_first_half()
    both, second = statistics_of(jtl), statistics_of(jtl.tail(WINDOW))
    assert (both.median_ms, both.p90_ms, both.p99_ms) == (second.median_ms, second.p90_ms, second.p99_ms)
    assert both.mean_ms > 4 * second.mean_ms
    assert both.median_ms < 0.5 * float(np.median(jtl["elapsed"].to_numpy()))


def test_percentiles_lie_between_the_order_statistics_beside_p_times_n_plus_1() -> None:
    """Of 10, 20 … 90 the 90th percentile is the ninth (0.9 × 10), the 95th beyond it is the ninth too."""
    figures = jmeter_statistics(np.zeros(9, np.int64), np.arange(10, 91, 10), np.ones(9, bool))
    assert (figures.median_ms, figures.p90_ms, figures.p95_ms) == (50.0, 90.0, 90.0)


def test_what_cannot_be_known_is_none() -> None:
    """Without bytes there is no rate of bytes; samples that take no time give no rate at all."""
    figures = jmeter_statistics(np.zeros(2, np.int64), np.zeros(2, np.int64), np.ones(2, bool), 100, None)
    assert (figures.throughput_per_s, figures.received_kib_per_s, figures.sent_kib_per_s) == (None, None, None)


def test_statistics_of_nothing_are_refused() -> None:
    """No sample, columns of different length and negative times are errors, not zeros."""
    for start, elapsed, passed in (([], [], []), ([1], [1, 2], [True]), ([1], [-1], [True])):
        with pytest.raises(ValueError, match=r"needs at least one|differ in length"):
            jmeter_statistics(np.array(start, np.int64), np.array(elapsed, np.int64), np.array(passed, bool))
