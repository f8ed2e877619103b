# SPDX-License-Identifier: Apache-2.0
"""What a load's record says of samples that came from a JTL: counts and the distribution of response times."""

from __future__ import annotations

import numpy as np
import polars as pl

from bancada.model.measure import OperationRecord, Summary

UNKNOWN = Summary(count=0, min=None, mean=None, p50=None, p90=None, p95=None, p99=None, p999=None, max=None)
"""Of a time that nobody told."""


def operation_records(samples: pl.DataFrame) -> tuple[OperationRecord, ...]:
    """One for each operation, in the order of first appearance."""
    parts = samples.partition_by("operation", maintain_order=True)
    return tuple(
        OperationRecord(
            name=part["operation"][0],
            requests=len(part),
            failures=failure_counts(part),
            latency_ns=latency_summary(part),
        )
        for part in parts
    )


def failure_counts(samples: pl.DataFrame) -> dict[str, int]:
    """Failed requests by kind."""
    kinds = samples["failure"].drop_nulls().value_counts()
    return {str(kind): int(count) for kind, count in kinds.iter_rows()}


def latency_summary(samples: pl.DataFrame) -> Summary:
    """Response times in nanoseconds of the requests that passed; each quantile is a value that occurred."""
    passed = samples.filter(pl.col("failure").is_null())
    values = (passed["done_ns"] - passed["intended_ns"]).to_numpy()
    if values.size == 0:
        return UNKNOWN
    shares = (0.0, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0)
    low, p50, p90, p95, p99, p999, high = (int(each) for each in np.quantile(values, shares, method="inverted_cdf"))
    mean = float(values.mean())
    return Summary(count=values.size, min=low, mean=mean, p50=p50, p90=p90, p95=p95, p99=p99, p999=p999, max=high)
