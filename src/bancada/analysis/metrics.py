# SPDX-License-Identifier: Apache-2.0
"""The metrics of one trial: what exactly each name in `model/metric.py` means.

The **measured window** reaches from the first request's intended instant to the last request's end. Probes and samples
count their nanoseconds from the same zero, the load's start. A *passed* request is one whose answer passed its check.
A metric that cannot be known is left out, never 0.

| metric | definition |
|---|---|
| `latency_*_ns` | done − intended, over passed requests; percentiles are exact (Hyndman and Fan's type 7) |
| `apdex` | (satisfied + tolerated ÷ 2) ÷ requests, by the study's thresholds; a failed request is frustrated |
| `throughput_per_s`, `_per_min` | passed requests ÷ window |
| `received_bytes_per_s`, `sent_bytes_per_s` | bytes on the wire, of failed requests too, ÷ window |
| `error_share` | failed requests ÷ requests |
| `cpu_s` | CPU time that the system's process tree took in the window, interpolated between the probes' looks |
| `cpu_share` | `cpu_s` ÷ window: 1.0 is one CPU |
| `cpu_per_request_ns` | CPU time in the window ÷ passed requests, so that failing fast does not look cheap |
| `rss_ready_bytes` | memory of the process tree just after the first correct answer |
| `rss_mean_bytes` | mean over time in the window (trapezoids between looks) |
| `rss_peak_bytes`, `threads_peak` | greatest value of any look in the window, and of the last one before it |
| `startup_ns` | from exec to the first correct answer |
| `engine_cpu_s` | CPU time of the load engine in the load; of JMeter from the first request to the last answer |
| `engine_rss_peak_bytes` | greatest memory of the load engine's process, as the host tells |

The last two are the instrument's: they say whether it was the limit and what it took from the host. They are estimated
for every cell and compare engines with each other, but never stacks: no verdict and no family of Holm's holds them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bancada.model.base import NS_PER_S
from bancada.model.measure import EngineCost
from bancada.model.study import Study
from bancada.stats import apdex, quantiles_of_sorted

PERCENTILES = {
    "latency_p50_ns": 0.5,
    "latency_p90_ns": 0.9,
    "latency_p95_ns": 0.95,
    "latency_p99_ns": 0.99,
    "latency_p999_ns": 0.999,
}
BY_OPERATION = (
    "latency_mean_ns",
    *PERCENTILES,
    "latency_max_ns",
    "apdex",
    "throughput_per_s",
    "throughput_per_min",
    "error_share",
)
"""Metrics that are also given for each operation alone."""

LEAST_COVERED = 0.95
"""Share of the window that the probes' looks must span for a figure of the whole window."""


@dataclass(frozen=True)
class Window:
    """The measured window, in nanoseconds since the load's start."""

    start_ns: int
    end_ns: int

    @property
    def seconds(self) -> float:
        """Its length."""
        return (self.end_ns - self.start_ns) / NS_PER_S


def measured_window(samples: pl.DataFrame) -> Window | None:
    """The window of a load's samples (`intended_ns`, `done_ns`), or None if it holds no time."""
    bounds = samples.select(start=pl.col("intended_ns").min(), end=pl.col("done_ns").max()).row(0)
    if None in bounds or bounds[1] <= bounds[0]:
        return None
    return Window(*bounds)


def request_metrics(samples: pl.DataFrame, window: Window, study: Study) -> dict[str, float]:
    """Response times, throughput and errors of `samples`, whose columns are those of `trials.COLUMNS`."""
    if samples.is_empty():
        return {}
    latency = (samples["done_ns"] - samples["intended_ns"]).filter(samples["failure"].is_null()).sort().to_numpy()
    requests, passed = len(samples), latency.size
    return _latency_metrics(latency) | {
        "apdex": apdex(latency, requests - passed, study.apdex_satisfied, study.apdex_tolerated),
        "throughput_per_s": passed / window.seconds,
        "throughput_per_min": 60 * passed / window.seconds,
        "error_share": (requests - passed) / requests,
        **_bytes_per_s(samples, window),
    }


def _bytes_per_s(samples: pl.DataFrame, window: Window) -> dict[str, float]:
    """Both directions, as far as the samples know their bytes; a result file of another program may not."""
    columns = {"received_bytes_per_s": samples["bytes_in"], "sent_bytes_per_s": samples["bytes_out"]}
    return {name: int(each.sum()) / window.seconds for name, each in columns.items() if not each.null_count()}


def _latency_metrics(latency: NDArray[np.int64]) -> dict[str, float]:
    """Of sorted response times."""
    if latency.size == 0:
        return {}
    values = quantiles_of_sorted(latency, tuple(PERCENTILES.values()))
    return {
        "latency_mean_ns": float(latency.mean()),
        **dict(zip(PERCENTILES, values, strict=True)),
        "latency_max_ns": float(latency[-1]),
    }


def operation_metrics(samples: pl.DataFrame, window: Window, study: Study) -> dict[str, dict[str, float]]:
    """The metrics of BY_OPERATION for each operation alone; throughput is over the whole window."""
    parts = samples.partition_by("operation", as_dict=True)
    found = {str(key[0]): request_metrics(part, window, study) for key, part in parts.items()}
    return {
        name: {metric: values[metric] for metric in BY_OPERATION if metric in values} for name, values in found.items()
    }


def resource_metrics(probes: pl.DataFrame | None, window: Window, passed: int) -> dict[str, float]:
    """CPU, memory and threads in the window from the probes' series (`store/layout.py`)."""
    if probes is None:
        return {}
    found: dict[str, float] = {}
    cpu_ns = cpu_in_window(probes, window)
    if cpu_ns is not None:
        found |= {"cpu_s": cpu_ns / NS_PER_S, "cpu_share": cpu_ns / NS_PER_S / window.seconds}
        if passed:
            found["cpu_per_request_ns"] = cpu_ns / passed
    rss = looks(probes, "rss_bytes", window)
    if rss is not None:
        found["rss_mean_bytes"] = _mean_over_time(*rss, window)
        found["rss_peak_bytes"] = _peak(*rss, window)
    threads = looks(probes, "threads", window)
    if threads is not None:
        found["threads_peak"] = _peak(*threads, window)
    return found


def engine_metrics(cost: EngineCost) -> dict[str, float]:
    """What the load engine itself took in a trial, as far as it is known."""
    found: dict[str, float] = {}
    if cost.cpu_ns is not None:
        found["engine_cpu_s"] = cost.cpu_ns / NS_PER_S
    if cost.peak_rss_bytes is not None:
        found["engine_rss_peak_bytes"] = float(cost.peak_rss_bytes)
    return found


def looks(probes: pl.DataFrame, column: str, window: Window) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Instants and values of a column's looks, or None if they do not span the window (LEAST_COVERED)."""
    if column not in probes.columns:
        return None
    known = probes.select("at_ns", column).drop_nulls().sort("at_ns")
    if len(known) < 2:
        return None
    at, values = known["at_ns"].to_numpy().astype(np.float64), known[column].to_numpy().astype(np.float64)
    covered = min(at[-1], window.end_ns) - max(at[0], window.start_ns)
    return (at, values) if covered >= LEAST_COVERED * (window.end_ns - window.start_ns) else None


def cpu_in_window(probes: pl.DataFrame, window: Window) -> float | None:
    """CPU time in nanoseconds that the process tree took in the window; None if unknown.

    Cumulative CPU time is interpolated at the window's ends. Where the looks span not quite all of the window, the rate
    in the spanned part is taken for the rest. A sum that fell (a process left the tree with its time) is unknown.
    """
    series = looks(probes, "cpu_ns", window)
    if series is None:
        return None
    at, cpu = series
    if (np.diff(cpu) < 0).any():
        return None
    start, end = max(at[0], window.start_ns), min(at[-1], window.end_ns)
    used = float(np.interp(end, at, cpu) - np.interp(start, at, cpu))
    return used * (window.end_ns - window.start_ns) / float(end - start)


def _mean_over_time(at: NDArray[np.float64], values: NDArray[np.float64], window: Window) -> float:
    inside = (at > window.start_ns) & (at < window.end_ns)
    ends = np.array([window.start_ns, window.end_ns], dtype=np.float64)
    instants = np.concatenate([ends[:1], at[inside], ends[1:]])
    return float(np.trapezoid(np.interp(instants, at, values), instants) / (ends[1] - ends[0]))


def _peak(at: NDArray[np.float64], values: NDArray[np.float64], window: Window) -> float:
    first = max(int(np.searchsorted(at, window.start_ns, side="right")) - 1, 0)
    last = int(np.searchsorted(at, window.end_ns, side="right"))
    return float(values[first : max(last, first + 1)].max())
