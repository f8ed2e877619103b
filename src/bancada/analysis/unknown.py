# SPDX-License-Identifier: Apache-2.0
"""Why a metric of a cell has no value at all: a reader must be able to tell "not measured" from "nothing happened"."""

from __future__ import annotations

from collections.abc import Sequence

from bancada.analysis.trials import MeasuredTrial
from bancada.model.metric import ALL_METRICS

PROBE_OF = {
    "cpu_s": "cpu_ns",
    "cpu_share": "cpu_ns",
    "cpu_per_request_ns": "cpu_ns",
    "rss_ready_bytes": "rss_bytes",
    "rss_mean_bytes": "rss_bytes",
    "rss_peak_bytes": "rss_bytes",
    "threads_peak": "threads",
}
"""The probe that a metric comes from, which is also its column in the probes' series."""

BYTES = ("received_bytes_per_s", "sent_bytes_per_s")


def why_unknown(metric: str, trials: Sequence[MeasuredTrial]) -> str:
    """The reason, for a metric that none of a cell's finished `trials` has."""
    completed = [trial for trial in trials if trial.completed]
    if not trials:
        return "no trial is finished yet"
    if not completed:
        kinds = sorted({trial.record.failure.kind for trial in trials if trial.record.failure})
        return f"every trial failed ({', '.join(kinds)})"
    if metric == "startup_ns":
        return "the service was started by somebody else"
    group = ALL_METRICS[metric].group
    if group == "resources":
        return _why_no_resource(metric, completed)
    if group == "load engine" and any(trial.record.load is not None for trial in completed):
        return "the load engine did not tell it"
    return _why_no_figure_of_requests(metric, completed)


def _why_no_figure_of_requests(metric: str, completed: Sequence[MeasuredTrial]) -> str:
    if metric in BYTES and any("throughput_per_s" in trial.metrics for trial in completed):
        return "the result file does not hold bytes"
    if all(trial.record.load is None or trial.record.load.requests == 0 for trial in completed):
        return "no request was sent"
    return "no request passed its check"


def _why_no_resource(metric: str, completed: Sequence[MeasuredTrial]) -> str:
    for trial in completed:
        for probe in trial.record.probes:
            if probe.name == PROBE_OF[metric] and not probe.available:
                return probe.reason or "the probe was not available"
    if metric == "cpu_per_request_ns" and all("cpu_s" in trial.metrics for trial in completed):
        return "no request passed its check"
    return "the probe's looks do not span the measured window"
