# SPDX-License-Identifier: Apache-2.0
"""What a trial's samples say of their own soundness: was it steady, does Little's law hold, how long are answers?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bancada.analysis.metrics import Window
from bancada.model.base import NS_PER_S
from bancada.model.load import ClosedLoad, LoadProfile, OpenLoad
from bancada.model.measure import LoadRecord
from bancada.model.trial import TrialRecord
from bancada.stats import Drift, drift, littles_law, mean_concurrency

BINS = 20
"""Points of the series in which a trend is sought."""
LEAST_PER_BIN = 10
"""Requests that a point needs on average to say something."""
LEAST_PLATEAU = 0.25
"""Share of the window that the plateau must fill for the trial to be judged by it."""


@dataclass(frozen=True)
class TrialChecks:
    """Figures about one completed trial; None where the samples cannot tell."""

    trend: Drift | None
    """Of throughput in closed load, of the median response time in open load (where throughput is given)."""
    law_gap: float | None
    """The greatest gap in Little's law, as a signed fraction of the concurrency."""
    body_bytes: dict[str, float]
    """Mean size of the passed answers, by operation."""


def check_trial(record: TrialRecord, samples: pl.DataFrame, window: Window, load: LoadProfile) -> TrialChecks:
    """The checks of one completed trial; `samples` in the columns of `trials.COLUMNS`."""
    passed = samples.filter(pl.col("failure").is_null())
    means = passed.group_by("operation").agg(pl.col("body_bytes").mean()).drop_nulls()
    return TrialChecks(
        trend=_trend(samples, passed, load),
        law_gap=_law_gap(record, samples, passed, window, load),
        body_bytes={str(name): float(size) for name, size in means.iter_rows()},
    )


def _trend(samples: pl.DataFrame, passed: pl.DataFrame, load: LoadProfile) -> Drift | None:
    """Whether the plateau of the load was steady; None without a plateau or with too few requests in it."""
    if isinstance(load, ClosedLoad) and samples["user"].null_count():
        return None
    plateau = _users_plateau(samples) if isinstance(load, ClosedLoad) else _rate_plateau(load)
    if plateau is None:
        return None
    begin, end = plateau
    clock = "done_ns" if isinstance(load, ClosedLoad) else "intended_ns"
    inside = passed.filter(pl.col(clock).is_between(begin, end, closed="left"))
    if len(inside) < BINS * LEAST_PER_BIN:
        return None
    edges = np.linspace(begin, end, BINS + 1)
    place = np.clip(np.searchsorted(edges, inside[clock].to_numpy(), side="right") - 1, 0, BINS - 1)
    series = np.bincount(place, minlength=BINS) if isinstance(load, ClosedLoad) else _medians(place, inside)
    middles = (edges[:-1] + edges[1:]) / 2 / NS_PER_S
    filled = np.isfinite(series)
    return drift(middles[filled], series[filled])


def _users_plateau(samples: pl.DataFrame) -> tuple[int, int] | None:
    """The stretch in which every user works: from the start of the last to the end of the first."""
    spans = samples.group_by("user").agg(pl.col("intended_ns").min(), pl.col("done_ns").max())
    bounds = spans.select(pl.col("intended_ns").max(), pl.col("done_ns").min()).row(0)
    whole = samples.select(pl.col("done_ns").max() - pl.col("intended_ns").min()).item()
    return bounds if bounds[1] - bounds[0] >= LEAST_PLATEAU * whole else None


def _rate_plateau(load: OpenLoad) -> tuple[int, int] | None:
    """The whole of an open load of one flat rate; where the rate changes, so may the response times."""
    rates = {rate for segment in load.shape for rate in segment.ends}
    return (0, load.duration_ns) if len(rates) == 1 else None


def _medians(place: NDArray[np.intp], inside: pl.DataFrame) -> NDArray[np.float64]:
    """Median response time of each bin, NaN where there is none."""
    times = pl.DataFrame({"bin": place, "latency": inside["done_ns"] - inside["intended_ns"]})
    series = np.full(BINS, np.nan)
    for index, median in times.group_by("bin").agg(pl.col("latency").median()).iter_rows():
        series[index] = median
    return series


def _law_gap(
    record: TrialRecord, samples: pl.DataFrame, passed: pl.DataFrame, window: Window, load: LoadProfile
) -> float | None:
    gaps = [] if record.load is None else [_gap_to_record(record.load, passed)]
    if isinstance(load, ClosedLoad):
        gaps.append(_gap_to_users(samples, window, load))
    known = [gap for gap in gaps if gap is not None]
    return max(known, key=abs) if known else None


def _gap_to_record(record: LoadRecord, passed: pl.DataFrame) -> float | None:
    """Throughput × response time as the engine counted them, against the concurrency seen in the samples."""
    if record.latency_ns.mean is None or passed.is_empty() or not record.elapsed_ns:
        return None
    elapsed_s = record.elapsed_ns / NS_PER_S
    in_flight = mean_concurrency(
        passed["intended_ns"].to_numpy(), passed["done_ns"].to_numpy(), (0.0, float(record.elapsed_ns))
    )
    if in_flight <= 0:
        return None
    return littles_law(record.latency_ns.count / elapsed_s, record.latency_ns.mean / NS_PER_S, in_flight)


def _gap_to_users(samples: pl.DataFrame, window: Window, load: ClosedLoad) -> float | None:
    """Throughput × response time of the samples, against the users' time at work (their spans less their pauses)."""
    if samples["user"].null_count():
        return None
    users = samples.group_by("user").agg(
        at_work=pl.col("done_ns").max() - pl.col("intended_ns").min() - load.think * (pl.len().cast(pl.Int64) - 1)
    )
    at_work_s = int(users["at_work"].sum()) / NS_PER_S
    if at_work_s <= 0:
        return None
    latency_s = (samples["done_ns"] - samples["intended_ns"]).to_numpy().mean() / NS_PER_S
    return littles_law(len(samples) / window.seconds, float(latency_s), at_work_s / window.seconds)
