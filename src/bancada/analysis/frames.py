# SPDX-License-Identifier: Apache-2.0
"""A run as tidy tables, and as the curves that plots need.

Every table has the columns `cell` (label), `sut`, `load`, `factors` (as in `A=1, B=2`), `trial` and `block`, in the
study's order of cells, and holds completed trials only. A curve is given for each trial, on an x axis that all trials
of its cell share, so that a median over trials is one `group_by` away. Samples are read one trial at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bancada.analysis.metrics import Window, looks, measured_window
from bancada.analysis.trials import cells_of, read_samples
from bancada.model.base import NS_PER_S
from bancada.model.trial import Cell, TrialPlan
from bancada.stats import quantiles_of_sorted
from bancada.store.read import Run, StoredTrial

PERCENTILE_GRID = (
    *(0.0, 1.0, 2.5, 5.0),
    *(float(at) for at in range(10, 90, 5)),
    *(90.0, 92.5, 95.0, 97.5, 98.0, 99.0, 99.5, 99.75, 99.9, 99.95, 99.99, 99.999, 100.0),
)

Row = NDArray[np.float64]
Types = dict[str, type[pl.DataType]]

TRIAL_TYPES: Types = {
    "cell": pl.String,
    "sut": pl.String,
    "load": pl.String,
    "factors": pl.String,
    "trial": pl.Int64,
    "block": pl.Int64,
}


def trial_columns(plan: TrialPlan) -> dict[str, str | int]:
    """The columns that name a trial and its cell."""
    cell = plan.cell
    factors = ", ".join(f"{name}={value}" for name, value in cell.factors.items())
    named: dict[str, str | int] = {"cell": cell.label, "sut": cell.sut, "load": cell.load, "factors": factors}
    return named | {"trial": plan.number, "block": plan.block}


def latency_by_percentile(run: Run) -> pl.DataFrame:
    """Response time by percentile: trial, `percentile` (0 to 100), `latency_ns`.

    Over passed requests. A percentile is left out where fewer than one request lies beyond it, as its value would be
    another one's; the 100th is the maximum.
    """
    tables = [table for _, trials in _by_cell(run) for seen in _seen(trials) for table in _percentiles(seen)]
    return _stacked(tables, {"percentile": pl.Float64, "latency_ns": pl.Float64})


def over_time(run: Run, bins: int = 60) -> pl.DataFrame:
    """Throughput, response time and active users in the course of the measured window.

    Columns: trial, `at_s` (middle of the bin since the window's start), `throughput_per_s`, `latency_ns` (mean; null
    in a bin in which no request passed), `active_users`. Passed requests count in the bin in which they were done.
    Active users are a mean over the bin's time, failed requests included: in closed load users between the intended
    instant of their first request and the end of their last, thinking or waiting alike; in open load requests under
    way, from intended to done. Windows of a cell's trials differ in length; each is cut into equally many bins, and
    `at_s` is that of the median window.
    """
    tables = _over_window(run, bins, _requests_over_time)
    figures = ("at_s", "throughput_per_s", "latency_ns", "active_users")
    return _stacked(tables, dict.fromkeys(figures, pl.Float64))


def resources_over_time(run: Run, bins: int = 60) -> pl.DataFrame:
    """CPU and memory in the course of the measured window; trials without probes are left out.

    Columns: trial, `at_s`, `cpu_share` (1.0 is one CPU), `rss_bytes`; bins and axis as in `over_time`. Bins that are
    finer than the probes' interval show straight lines between looks.
    """
    tables = _over_window(run, bins, _probes_over_time)
    return _stacked(tables, {"at_s": pl.Float64, "cpu_share": pl.Float64, "rss_bytes": pl.Float64})


@dataclass(frozen=True)
class _Seen:
    """A completed trial with what its requests did."""

    trial: StoredTrial
    window: Window
    samples: pl.DataFrame
    """All requests: `intended_ns`, `done_ns`, `user`, `failure`."""
    done: NDArray[np.int64]
    """When each passed request was done."""
    latency: NDArray[np.int64]
    """Its response time."""


def _seen(trials: Sequence[StoredTrial]) -> Iterator[_Seen]:
    for trial in trials:
        samples = read_samples(trial, ("intended_ns", "done_ns", "user", "failure"))
        window = None if samples is None else measured_window(samples)
        if samples is not None and window is not None:
            passed = samples.filter(pl.col("failure").is_null())
            done = passed["done_ns"].to_numpy()
            yield _Seen(trial, window, samples, done, done - passed["intended_ns"].to_numpy())


def _by_cell(run: Run) -> Iterator[tuple[Cell, list[StoredTrial]]]:
    """Completed trials of each cell, in the study's order."""
    for cell in cells_of(run.manifest):
        label = cell.label
        yield cell, [each for each in run.trials if each.record.plan.cell.label == label and not each.record.failure]


def _over_window(run: Run, bins: int, draw: Callable[[_Seen, int], dict[str, Row]]) -> list[pl.DataFrame]:
    """The curves that `draw` finds in each trial, with the axis of its cell; requests are let go trial by trial."""
    tables = []
    for _, trials in _by_cell(run):
        drawn = [(seen.trial, seen.window, draw(seen, bins)) for seen in _seen(trials)]
        at_s = _shared_axis([window for _, window, _ in drawn], bins)
        tables += [_labelled(trial, {"at_s": at_s, **curves}) for trial, _, curves in drawn if curves]
    return tables


def _percentiles(seen: _Seen) -> Iterator[pl.DataFrame]:
    size = seen.latency.size
    told = [at for at in PERCENTILE_GRID if at in (0.0, 100.0) or round(size * (100 - at)) >= 100]
    if size:
        values = quantiles_of_sorted(np.sort(seen.latency), [at / 100 for at in told])
        yield _labelled(seen.trial, {"percentile": np.array(told), "latency_ns": np.array(values)})


def _requests_over_time(seen: _Seen, bins: int) -> dict[str, Row]:
    width_ns = (seen.window.end_ns - seen.window.start_ns) / bins
    place = np.minimum(((seen.done - seen.window.start_ns) / width_ns).astype(np.int64), bins - 1)
    counts = np.bincount(place, minlength=bins).astype(np.float64)
    totals = np.bincount(place, weights=seen.latency, minlength=bins)
    latency = np.divide(totals, counts, out=np.full(bins, np.nan), where=counts > 0)
    return {
        "throughput_per_s": counts / (width_ns / NS_PER_S),
        "latency_ns": latency,
        "active_users": _active_users(seen, bins),
    }


def _active_users(seen: _Seen, bins: int) -> Row:
    """Mean number of users alive in each bin; see `over_time`."""
    load = seen.trial.record.load
    alive = seen.samples
    if alive["user"].null_count():
        return np.full(bins, np.nan)  # the users of a result file without names of threads are unknown
    if load is not None and load.kind == "closed":
        alive = alive.group_by("user").agg(pl.col("intended_ns").min(), pl.col("done_ns").max())
    edges = np.linspace(seen.window.start_ns, seen.window.end_ns, bins + 1)
    come, gone = (_time_since(alive[name].to_numpy(), edges) for name in ("intended_ns", "done_ns"))
    return np.diff(come - gone) / np.diff(edges)


def _time_since(instants: NDArray[np.int64], edges: Row) -> Row:
    """At each edge, the sum of the time that has passed since each of the instants before it."""
    ordered = np.sort(instants).astype(np.float64) - edges[0]
    before = np.searchsorted(ordered, edges - edges[0])
    passed: Row = before * (edges - edges[0]) - np.concatenate([[0.0], np.cumsum(ordered)])[before]
    return passed


def _probes_over_time(seen: _Seen, bins: int) -> dict[str, Row]:
    """The two curves, NaN for a probe that was missing; empty if both were."""
    probes = seen.trial.probes()
    if probes is None:
        return {}
    cpu, rss = looks(probes, "cpu_ns", seen.window), looks(probes, "rss_bytes", seen.window)
    if cpu is None and rss is None:
        return {}
    edges = np.linspace(seen.window.start_ns, seen.window.end_ns, bins + 1)
    unknown = np.full(bins, np.nan)
    return {
        "cpu_share": unknown if cpu is None else np.diff(np.interp(edges, *cpu)) / np.diff(edges),
        "rss_bytes": unknown if rss is None else np.interp((edges[:-1] + edges[1:]) / 2, *rss),
    }


def _shared_axis(windows: Sequence[Window], bins: int) -> Row:
    if not windows:
        return np.zeros(0)
    return (np.arange(bins) + 0.5) * float(np.median([window.seconds for window in windows])) / bins


def _labelled(trial: StoredTrial, columns: dict[str, Row]) -> pl.DataFrame:
    named = trial_columns(trial.record.plan).items()
    table = pl.DataFrame({name: pl.Series(values, nan_to_null=True) for name, values in columns.items()})
    return table.select(*(pl.lit(value, dtype=TRIAL_TYPES[name]).alias(name) for name, value in named), pl.all())


def _stacked(tables: Sequence[pl.DataFrame], figures: Types) -> pl.DataFrame:
    return pl.concat(tables) if tables else pl.DataFrame(schema=TRIAL_TYPES | figures)
