# SPDX-License-Identifier: Apache-2.0
"""The statistics of Apache JMeter's dashboard, digit by digit, so that published figures can be made again.

As JMeter 5.6.3 computes them (package `org.apache.jmeter.report.processor`): extremes, mean, errors, throughput and
Apdex over all samples (`StatisticsSummaryData`, `MeanAggregator`, `ApdexSummaryConsumer`), but median and percentiles
over the last WINDOW samples in the file's order only (`PercentileAggregator`, `DescriptiveStatisticsFactory`), with the
LEGACY estimator of commons-math 3 (`Percentile.EstimationType`): position p (n + 1), which is Hyndman and Fan's type 6.
Failed samples count in all of them but Apdex, where they are frustrated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WINDOW = 20_000
"""Samples that the dashboard's median and percentiles look back (`jmeter.reportgenerator.statistic_window`)."""
SATISFIED_MS = 500
"""JMeter's `apdex_satisfied_threshold`; a sample of just this length still satisfies."""
TOLERATED_MS = 1500
"""JMeter's `apdex_tolerated_threshold`; a sample of just this length is still tolerated."""


@dataclass(frozen=True, slots=True)
class JMeterStatistics:
    """A row of the dashboard's statistics, and of its Apdex table; times in whole or interpolated milliseconds."""

    samples: int
    errors: int
    error_percent: float
    mean_ms: float
    min_ms: int
    max_ms: int
    median_ms: float
    p90_ms: float
    p95_ms: float
    p99_ms: float
    throughput_per_s: float | None
    """None where all samples lie in one millisecond (JMeter prints Infinity)."""
    received_kib_per_s: float | None
    """JMeter's "KB/sec": 1024 bytes; None where bytes or time are not known."""
    sent_kib_per_s: float | None
    apdex: float


def jmeter_statistics(
    start_ms: NDArray[np.int64],
    elapsed_ms: NDArray[np.int64],
    passed: NDArray[np.bool_],
    received_bytes: int | None = None,
    sent_bytes: int | None = None,
) -> JMeterStatistics:
    """The dashboard's statistics of some samples, which are given in the order of the file.

    `start_ms`: JMeter's timeStamp; `elapsed_ms`: its elapsed; `passed`: its success; `received_bytes`, `sent_bytes`:
    the sums of its bytes and sentBytes, None where they are not known. Raises ValueError for no sample, for columns of
    different length, or a negative elapsed.
    """
    if not start_ms.size == elapsed_ms.size == passed.size:
        raise ValueError("start_ms, elapsed_ms and passed differ in length")
    if elapsed_ms.size == 0 or elapsed_ms.min() < 0:
        raise ValueError("needs at least one sample, and none with a negative elapsed")
    total, errors = int(elapsed_ms.size), int(np.count_nonzero(~passed))
    window_ms = int((start_ms + elapsed_ms).max() - start_ms.min())
    median, p90, p95, p99 = _percentiles(elapsed_ms[-WINDOW:], (50, 90, 95, 99))
    return JMeterStatistics(
        samples=total,
        errors=errors,
        error_percent=errors * 100 / total,
        mean_ms=_running_mean(elapsed_ms),
        min_ms=int(elapsed_ms.min()),
        max_ms=int(elapsed_ms.max()),
        median_ms=median,
        p90_ms=p90,
        p95_ms=p95,
        p99_ms=p99,
        throughput_per_s=total / window_ms * 1000.0 if window_ms else None,
        received_kib_per_s=_kib_per_s(received_bytes, window_ms),
        sent_kib_per_s=_kib_per_s(sent_bytes, window_ms),
        apdex=_apdex(elapsed_ms[passed], total),
    )


def _running_mean(values: NDArray[np.int64]) -> float:
    """The mean as commons-math's `FirstMoment` updates it, one value after the other: its rounding is printed too."""
    mean = 0.0
    for count, value in enumerate(values.tolist(), 1):
        mean += (value - mean) / count
    return mean


def _percentiles(window: NDArray[np.int64], asked: tuple[int, ...]) -> list[float]:
    """The LEGACY estimator: between the order statistics beside position p (n + 1), an end where it lies outside."""
    ordered = np.sort(window).astype(np.float64)
    return [_legacy(ordered, percent / 100) for percent in asked]


def _legacy(ordered: NDArray[np.float64], p: float) -> float:
    position = p * (ordered.size + 1)
    below = math.floor(position)
    if position < 1:
        return float(ordered[0])
    if position >= ordered.size:
        return float(ordered[-1])
    lower, upper = float(ordered[below - 1]), float(ordered[below])
    return lower + (position - below) * (upper - lower)


def _kib_per_s(total: int | None, window_ms: int) -> float | None:
    return total / (window_ms / 1000) / 1024 if total is not None and window_ms else None


def _apdex(passed_ms: NDArray[np.int64], total: int) -> float:
    satisfied = int(np.count_nonzero(passed_ms <= SATISFIED_MS))
    tolerated = int(np.count_nonzero(passed_ms <= TOLERATED_MS)) - satisfied
    return (satisfied + tolerated / 2) / total
