# SPDX-License-Identifier: Apache-2.0
"""What the load engine and the probes return; the engine's part mirrors `contracts/load-event.schema.json`."""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model


class Summary(Model):
    """Distribution of a time over requests, in nanoseconds; None where there was no request."""

    count: int
    min: int | None
    mean: float | None
    p50: int | None
    p90: int | None
    p95: int | None
    p99: int | None
    p999: int | None
    max: int | None


class OperationRecord(Model):
    """What the engine counted for one operation."""

    name: str
    requests: int
    failures: dict[str, int]
    latency_ns: Summary


class EngineCost(Model):
    """What the engine itself took, so that one can tell whether it was the limit."""

    name: str = "bancada-engine"
    """Which engine it was."""
    version: str
    workers: int | None
    cpu_ns: int | None
    peak_rss_bytes: int | None
    """None, as those above, where nobody tells."""


EngineName = Literal["bancada", "jmeter"]
"""Engines that can carry out a load, as studies name them."""


class LoadRecord(Model):
    """What one load did, as the engine tells it; single requests are in the samples.

    What a result file of another program does not tell is None.
    """

    version: Literal[1]
    kind: Literal["closed", "open"]
    started_unix_ns: int
    started_monotonic_ns: int | None
    elapsed_ns: int | None
    """From the load's start to the last answer; None if nothing was asked."""
    stopped_early: bool | None
    requests: int
    failures: dict[str, int]
    unsent: int
    bytes_in: int | None
    bytes_out: int | None
    connections_opened: int | None
    latency_ns: Summary
    lateness_ns: Summary
    operations: tuple[OperationRecord, ...]
    engine: EngineCost


class ProbeReport(Model):
    """Whether a probe could measure, how, and if not, why."""

    name: str
    available: bool
    source: str | None = None
    """Where the figures come from, as in `cgroup v2` or `/proc`."""
    reason: str | None = None
    """Why it is not available."""
