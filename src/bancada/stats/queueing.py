# SPDX-License-Identifier: Apache-2.0
"""Little's law as a check of the bench: do throughput, latency and concurrency describe the same requests?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def littles_law(throughput_per_s: float, mean_latency_s: float, mean_concurrency: float) -> float:
    """By how much throughput times latency exceeds the concurrency observed, as a fraction of the latter; 0 is exact.

    Little (1961), "A proof for the queuing formula L = λW", Operations Research 9(3). In a long steady window the gap
    is near 0; a gap means that the three figures were not measured on the same requests, or that many requests began or
    ended outside of the window. Throughput in requests per second and latency in seconds, from 0 up; concurrency in
    requests, above 0. Raises ValueError for NaN, infinity or anything else out of these ranges.
    """
    for value, name in ((throughput_per_s, "throughput_per_s"), (mean_latency_s, "mean_latency_s")):
        if not 0 <= value < math.inf:
            raise ValueError(f"{name} must be a finite number from 0 up, got {value}")
    if not 0 < mean_concurrency < math.inf:
        raise ValueError(f"mean_concurrency must be a finite number above 0, got {mean_concurrency}")
    return throughput_per_s * mean_latency_s / mean_concurrency - 1


def mean_concurrency(intended: NDArray[Any], done: NDArray[Any], window: tuple[float, float]) -> float:
    """Mean number of requests in flight within a window: the exact area under their number, over the duration.

    `intended`, `done`: when each request should have begun and when it ended, as arrays of integers or floats on one
    clock, in one unit; `window`: begin and end on the same clock. Requests that began before the window or ended after
    it count for the part inside. No requests means 0 in flight, which is a measurement: give only complete records.
    Raises ValueError for unequal lengths, NaN, a request that ends before it begins, or an empty window.
    """
    begin, end = window
    if not begin < end:
        raise ValueError(f"the window must have a duration, got {begin} to {end}")
    if intended.ndim != 1 or intended.shape != done.shape:
        raise ValueError("intended and done must be two rows of equal length")
    if not (done >= intended).all():
        raise ValueError("a request ends before it begins, or an instant is NaN")
    inside = np.clip(done, begin, end) - np.clip(intended, begin, end)
    return float(inside.sum(dtype=np.float64)) / (end - begin)
