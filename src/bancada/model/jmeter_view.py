# SPDX-License-Identifier: Apache-2.0
"""A run's figures as JMeter's dashboard would print them, beside our own."""

from __future__ import annotations

from bancada.model.base import Model
from bancada.model.quantities import fixed
from bancada.model.trial import Cell


class JMeterFigure(Model):
    """One column of JMeter's dashboard, and the estimate of ours that a reader would take for the same."""

    name: str
    """Name in files, with JMeter's unit."""
    label: str
    """As the dashboard has it."""
    unit: str
    ours: str | None
    """Name of our metric, or None where we have none."""
    scale: float = 1.0
    """Our stored value × scale = value in JMeter's unit."""


def _figures(*rows: tuple[str, str, str, str | None, float]) -> dict[str, JMeterFigure]:
    return {
        name: JMeterFigure(name=name, label=label, unit=unit, ours=ours, scale=scale)
        for name, label, unit, ours, scale in rows
    }


JMETER_FIGURES: dict[str, JMeterFigure] = _figures(
    ("samples", "#Samples", "", None, 1.0),
    ("error_percent", "Error", "%", "error_share", 100.0),
    ("mean_ms", "Average", "ms", "latency_mean_ns", 1e-6),
    ("min_ms", "Min", "ms", None, 1e-6),
    ("max_ms", "Max", "ms", "latency_max_ns", 1e-6),
    ("median_ms", "Median", "ms", "latency_p50_ns", 1e-6),
    ("p90_ms", "90th pct", "ms", "latency_p90_ns", 1e-6),
    ("p95_ms", "95th pct", "ms", "latency_p95_ns", 1e-6),
    ("p99_ms", "99th pct", "ms", "latency_p99_ns", 1e-6),
    ("throughput_per_s", "Transactions", "1/s", "throughput_per_s", 1.0),
    ("received_kib_per_s", "Received", "KB/s", "received_bytes_per_s", 1 / 1024),
    ("sent_kib_per_s", "Sent", "KB/s", "sent_bytes_per_s", 1 / 1024),
    ("apdex", "Apdex", "", "apdex", 1.0),
)
"""The columns of the dashboard's statistics and of its Apdex table, by name."""


class JMeterRow(Model):
    """One row of the dashboard for a cell: a mean over its trials, as a reader of one dashboard a trial would take."""

    cell: Cell
    operation: str | None
    """JMeter's label; None for its Total."""
    n: int
    """Completed trials; 0 means that nothing is known."""
    jmeter: dict[str, float | None]
    """By the names of JMETER_FIGURES; None where a trial does not tell."""
    ours: dict[str, float | None]
    """Our estimates in the same units; None where they are unknown, absent where we make none of the kind."""

    @property
    def label(self) -> str:
        """As the dashboard names it."""
        return self.operation or "Total"

    def texts(self, name: str) -> tuple[str, str]:
        """A figure of JMeter's and ours for readers, with the dashboard's places; a dash where we make none."""
        places = {"samples": 0, "apdex": 3}.get(name, 2)
        return fixed(self.jmeter[name], places), fixed(self.ours[name], places) if name in self.ours else "–"
