# SPDX-License-Identifier: Apache-2.0
"""The closed load that a JTL shows: how many users, how they set in, how they paused."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class Shape:
    """What the samples of one file show of the load that made them; times in nanoseconds."""

    users: int | None
    """Threads by name, else the most that ran at once; None if the file tells neither."""
    ramp_up_ns: int
    """Time in which they set in, as a thread group would be set: first requests, stretched to all of the last one."""
    think_ns: int
    """Mean time from a user's answer to its next request."""
    rounds: int | None
    """How often each user walked through all operations, if all did equally often."""
    window_ns: int
    """From the first request to the last answer."""


def shape_of(samples: pl.DataFrame, jtl: pl.DataFrame) -> Shape:
    """The shape of a load from its samples and the JTL that they came from; samples as `samples_of` gives them."""
    window_ns = int(samples["done_ns"].to_numpy().max() - samples["intended_ns"].to_numpy().min())
    if samples["user"].null_count():
        most = int(jtl["allThreads"].to_numpy().max()) if "allThreads" in jtl.columns else 0
        return Shape(most or None, ramp_up_ns=0, think_ns=0, rounds=None, window_ns=window_ns)
    firsts = samples.group_by("user").agg(pl.col("intended_ns").min())["intended_ns"].to_numpy()
    users = int(firsts.size)
    spread_ns = int(firsts.max() - firsts.min())
    return Shape(
        users=users,
        ramp_up_ns=spread_ns * users // (users - 1) if users > 1 else 0,
        think_ns=_pause_ns(samples),
        rounds=_rounds(samples),
        window_ns=window_ns,
    )


def _pause_ns(samples: pl.DataFrame) -> int:
    ordered = samples.sort("user", "intended_ns")
    gaps = ordered.select(
        (pl.col("intended_ns") - pl.col("done_ns").shift(1).over("user")).clip(lower_bound=0).drop_nulls().alias("gap")
    )["gap"].to_numpy()
    return int(gaps.mean()) if gaps.size else 0


def _rounds(samples: pl.DataFrame) -> int | None:
    counts = samples.group_by("user", "operation").len()["len"]
    whole = samples["user"].n_unique() * samples["operation"].n_unique() == len(counts)
    return int(counts[0]) if whole and counts.n_unique() == 1 else None
