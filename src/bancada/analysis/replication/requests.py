# SPDX-License-Identifier: Apache-2.0
"""One trial's requests as a row of JMeter's dashboard: all together, and each operation alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bancada.analysis.metrics import Window, measured_window
from bancada.analysis.trials import read_samples
from bancada.model.base import NS_PER_MS
from bancada.model.study import Study
from bancada.stats import apdex, quantiles_of_sorted
from bancada.store.read import StoredTrial

TOTAL = "total"
"""All operations together."""

PERCENTILES = {"median_ms": 0.5, "p90_ms": 0.9, "p95_ms": 0.95, "p99_ms": 0.99}
"""Exact, of all passed requests; JMeter's are of the last 20 000."""

COLUMNS = ("intended_ns", "done_ns", "operation", "failure", "bytes_in", "bytes_out")


@dataclass(frozen=True)
class Figures:
    """A row of one trial."""

    values: Mapping[str, float]
    """By the columns' names in `tables.py`; a figure that is not known is absent. A KB has 1024 bytes, as in JMeter."""
    failures: Mapping[str, int]
    """Failed requests by kind."""


def figures_of(trial: StoredTrial, study: Study) -> dict[str, Figures]:
    """The figures of `total` and of each operation; empty if the trial failed or sent nothing.

    As everywhere in this project, response times are those of passed requests, and rates are over the whole measured
    window; failures, bytes and Apdex (by the study's thresholds) are of all requests.
    Raises RunError if the samples are damaged.
    """
    samples = None if trial.record.failure else read_samples(trial, COLUMNS)
    window = None if samples is None else measured_window(samples)
    if samples is None or window is None:
        return {}
    parts = samples.partition_by("operation", as_dict=True)
    operations = {str(key[0]): part for key, part in parts.items()}
    return {name: _figures(part, window, study) for name, part in {TOTAL: samples, **operations}.items()}


def _figures(samples: pl.DataFrame, window: Window, study: Study) -> Figures:
    passed = samples.filter(pl.col("failure").is_null())
    latency_ns = (passed["done_ns"] - passed["intended_ns"]).sort().to_numpy()
    failed = len(samples) - len(passed)
    failures = samples["failure"].cast(pl.String).drop_nulls().value_counts()
    counted = {
        "requests": float(len(samples)),
        "throughput_per_s": len(passed) / window.seconds,
        "received_kb_per_s": int(samples["bytes_in"].sum()) / 1024 / window.seconds,
        "sent_kb_per_s": int(samples["bytes_out"].sum()) / 1024 / window.seconds,
        "failed": float(failed),
        "error_percent": 100 * failed / len(samples),
        "apdex": apdex(latency_ns, failed, study.apdex_satisfied, study.apdex_tolerated),
    }
    return Figures(
        counted | _times(latency_ns / NS_PER_MS), {str(kind): int(count) for kind, count in failures.iter_rows()}
    )


def _times(latency_ms: NDArray[np.float64]) -> dict[str, float]:
    """Of sorted response times."""
    if latency_ms.size == 0:
        return {}
    return {
        "mean_ms": float(latency_ms.mean()),
        "min_ms": float(latency_ms[0]),
        **dict(zip(PERCENTILES, quantiles_of_sorted(latency_ms, tuple(PERCENTILES.values())), strict=True)),
        "max_ms": float(latency_ms[-1]),
    }
