# SPDX-License-Identifier: Apache-2.0
"""One trial's requests as a row of JMeter's summary: all together, and each operation alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from bancada.analysis.metrics import Window, measured_window
from bancada.analysis.trials import read_samples
from bancada.model.base import NS_PER_MS
from bancada.store.read import StoredTrial

TOTAL = "total"
"""All operations together."""

COLUMNS = ("intended_ns", "done_ns", "operation", "failure", "bytes_in", "bytes_out")


@dataclass(frozen=True)
class Figures:
    """A row of one trial."""

    values: Mapping[str, float]
    """By the columns' names in `tables.py`; a figure that is not known is absent. A KB has 1024 bytes, as in JMeter."""
    failures: Mapping[str, int]
    """Failed requests by kind."""


def figures_of(trial: StoredTrial) -> dict[str, Figures]:
    """The figures of `total` and of each operation; empty if the trial failed or sent nothing.

    As everywhere in this project, response times are those of passed requests, and rates are over the whole measured
    window; `failed` and the bytes are of all requests. Raises RunError if the samples are damaged.
    """
    samples = None if trial.record.failure else read_samples(trial, COLUMNS)
    window = None if samples is None else measured_window(samples)
    if samples is None or window is None:
        return {}
    parts = samples.partition_by("operation", as_dict=True)
    return {TOTAL: _figures(samples, window)} | {str(key[0]): _figures(part, window) for key, part in parts.items()}


def _figures(samples: pl.DataFrame, window: Window) -> Figures:
    passed = samples.filter(pl.col("failure").is_null())
    failures = samples["failure"].cast(pl.String).drop_nulls().value_counts()
    counted = {
        "requests": float(len(samples)),
        "throughput_per_s": len(passed) / window.seconds,
        "received_kb_per_s": int(samples["bytes_in"].sum()) / 1024 / window.seconds,
        "sent_kb_per_s": int(samples["bytes_out"].sum()) / 1024 / window.seconds,
        "failed": float(len(samples) - len(passed)),
    }
    return Figures(counted | _times(passed), {str(kind): int(count) for kind, count in failures.iter_rows()})


def _times(passed: pl.DataFrame) -> dict[str, float]:
    if passed.is_empty():
        return {}
    latency_ms = (passed["done_ns"] - passed["intended_ns"]).to_numpy() / NS_PER_MS
    return {
        "mean_ms": float(latency_ms.mean()),
        "median_ms": float(np.median(latency_ms)),
        "max_ms": float(latency_ms.max()),
    }
