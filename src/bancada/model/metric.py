# SPDX-License-Identifier: Apache-2.0
"""The metrics that a trial yields, one value for each: what they are called, their unit, and which way is better.

`METRICS` tell of the system under test, and any of them may judge it. `ENGINE_METRICS` tell of the load engine that
measured it: they are shown, and they compare instruments, but no stack is better or worse by them.
"""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model

Group = Literal["response time", "throughput", "errors", "resources", "start-up", "load engine"]


class Metric(Model):
    """One figure of a trial."""

    name: str
    """Name in files, with the unit of the stored value."""
    label: str
    """Name for readers."""
    unit: str
    """Unit for readers."""
    scale: float
    """Stored value × scale = value in the readers' unit."""
    lower_is_better: bool
    group: Group


def _metrics(*rows: tuple[str, str, str, float, bool, Group]) -> dict[str, Metric]:
    return {
        name: Metric(name=name, label=label, unit=unit, scale=scale, lower_is_better=lower, group=group)
        for name, label, unit, scale, lower, group in rows
    }


METRICS: dict[str, Metric] = _metrics(
    ("latency_mean_ns", "Response time, mean", "ms", 1e-6, True, "response time"),
    ("latency_p50_ns", "Response time, p50", "ms", 1e-6, True, "response time"),
    ("latency_p90_ns", "Response time, p90", "ms", 1e-6, True, "response time"),
    ("latency_p95_ns", "Response time, p95", "ms", 1e-6, True, "response time"),
    ("latency_p99_ns", "Response time, p99", "ms", 1e-6, True, "response time"),
    ("latency_p999_ns", "Response time, p99.9", "ms", 1e-6, True, "response time"),
    ("latency_max_ns", "Response time, max", "ms", 1e-6, True, "response time"),
    ("apdex", "Apdex", "", 1.0, False, "response time"),
    ("throughput_per_s", "Throughput", "1/s", 1.0, False, "throughput"),
    ("throughput_per_min", "Throughput", "1/min", 1.0, False, "throughput"),
    ("received_bytes_per_s", "Received", "KB/s", 1 / 1024, False, "throughput"),
    ("sent_bytes_per_s", "Sent", "KB/s", 1 / 1024, False, "throughput"),
    ("error_share", "Errors", "%", 100.0, True, "errors"),
    ("cpu_s", "CPU time", "s", 1.0, True, "resources"),
    ("cpu_share", "CPU", "%", 100.0, True, "resources"),
    ("cpu_per_request_ns", "CPU time a request", "ms", 1e-6, True, "resources"),
    ("rss_ready_bytes", "RSS after the first answer", "MiB", 1 / 2**20, True, "resources"),
    ("rss_mean_bytes", "RSS, mean", "MiB", 1 / 2**20, True, "resources"),
    ("rss_peak_bytes", "RSS, peak", "MiB", 1 / 2**20, True, "resources"),
    ("threads_peak", "Threads, peak", "", 1.0, True, "resources"),
    ("startup_ns", "Start to first answer", "ms", 1e-6, True, "start-up"),
)

ENGINE_METRICS: dict[str, Metric] = _metrics(
    ("engine_cpu_s", "Load engine: CPU time", "s", 1.0, True, "load engine"),
    ("engine_rss_peak_bytes", "Load engine: RSS, peak", "MiB", 1 / 2**20, True, "load engine"),
)

ALL_METRICS: dict[str, Metric] = METRICS | ENGINE_METRICS
