# SPDX-License-Identifier: Apache-2.0
"""Apdex: the share of satisfied users, in one number."""

from __future__ import annotations

import math

import numpy as np

from bancada.stats.checks import Values, as_sample, check_count


def apdex(latencies: Values, failures: int = 0, satisfied: float = 0.5, tolerated: float = 1.5) -> float:
    """(satisfied + tolerating / 2) / all requests, from 0 (all frustrated) to 1 (all satisfied).

    `latencies`: of the requests that succeeded, from 0 up, in seconds; `failures`: how many requests failed, which
    count as frustrated however fast they were; `satisfied`, `tolerated`: longest latency that still satisfies and that
    is still tolerated, in the unit of the latencies. Both bounds belong to the better side.
    Apdex Alliance (2007), "Application Performance Index technical specification", version 1.1, where the second
    threshold is four times the first; the defaults are Apache JMeter's 500 ms and 1500 ms.
    Raises ValueError for no request at all, NaN, a negative latency or count, or thresholds that are not in order.
    """
    times = as_sample(latencies, "latencies", at_least=0)
    check_count(failures, "failures", at_least=0)
    if not 0 < satisfied <= tolerated < math.inf:
        raise ValueError(f"thresholds must be above 0 and in order, got {satisfied} and {tolerated}")
    if times.size + failures == 0:
        raise ValueError("apdex needs at least one request")
    if times.size and times.min() < 0:
        raise ValueError("latencies must not be negative")
    pleased = int(np.count_nonzero(times <= satisfied))
    tolerating = int(np.count_nonzero(times <= tolerated)) - pleased
    return (pleased + tolerating / 2) / (times.size + failures)
