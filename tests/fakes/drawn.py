# SPDX-License-Identifier: Apache-2.0
"""What a system under test and a bench of known truth would be measured as: samples, the engine's record, probes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from bancada.errors import FailureKind
from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.load import ClosedLoad, OpenLoad
from bancada.model.measure import EngineCost, LoadRecord, OperationRecord, Summary

HEADER_BYTES = 150
REQUEST_BYTES = 420
STARTED_UNIX_NS = 1_760_000_000 * NS_PER_S


@dataclass(frozen=True)
class FakeSut:
    """The truth about one system under test."""

    label: str
    """`stack:variant`, or a plain name for a service given by its address."""
    latency_ms: float = 5.0
    """Median response time of an operation of weight 1."""
    spread: float = 0.25
    """Standard deviation of the log of the response times within a trial."""
    between: float = 0.02
    """Standard deviation of the log of a trial's own factor."""
    drift: float = 0.0
    """Relative change of the response time from the load's begin to its end."""
    drift_blocks: tuple[int, ...] | None = None
    """Blocks in which it drifts; None for all."""
    cpu_ms: float = 0.4
    """CPU time of a request."""
    rss_mib: float = 180.0
    threads: int = 30
    startup_ms: float = 900.0
    body_bytes: int = 812
    errors: float = 0.0
    """Share of requests that fail."""
    error_kind: str = "status"
    failed_blocks: tuple[int, ...] = ()
    """Blocks in which its trials fail."""
    failure: FailureKind = "crashed"
    odd_block: int | None = None
    """Block in which it is `odd_factor` times as slow as else."""
    odd_factor: float = 4.0


@dataclass(frozen=True)
class FakeBench:
    """The truth about the host and the load engine."""

    lateness_ms: float = 0.02
    """Mean of the engine's lateness."""
    engine_busy: float = 0.3
    """Share of its CPUs that the engine uses."""
    engine_cpus: tuple[int, ...] = (3,)
    sut_cpus: tuple[int, ...] = (0, 1, 2)
    pinned: bool = True
    cpus: int = 4
    steal_share: float | None = 0.0
    busy_before_share: float | None = 0.02
    load_before: float | None = 0.3
    probes: bool = True
    """Whether the host offers what the probes read."""
    probe_interval_ms: float = 20.0
    lost_share: float = 0.0
    """Share of its requests that the engine counts but does not write to the samples."""
    odd_bytes: bool = False
    """Whether answers differ in size between requests of one operation."""


def draw_samples(
    load: ClosedLoad | OpenLoad,
    sut: FakeSut,
    operations: Mapping[str, float],
    scale_ns: float,
    bench: FakeBench,
    rng: np.random.Generator,
) -> pl.DataFrame:
    """Single requests of one load, in the samples' columns, ordered as they were done."""
    pace_ns = scale_ns * float(np.mean(list(operations.values()))) * float(np.exp(sut.spread**2 / 2))
    plan = _closed(load, operations, pace_ns) if isinstance(load, ClosedLoad) else _open(load, operations, rng)
    shape = plan.position.shape
    weights = np.array(list(operations.values()))[plan.operation]
    service = scale_ns * weights * (1 + sut.drift * plan.position) * np.exp(rng.normal(0, sut.spread, shape))
    late = rng.exponential(bench.lateness_ms * NS_PER_MS, shape)
    if isinstance(load, ClosedLoad):
        begun = np.cumsum(service + late + load.think, axis=1) - (service + late + load.think)
        plan = replace(plan, intended=plan.intended + begun)
    columns = _columns(plan, service, late, sut, list(operations), rng)
    first = pl.col("sent_ns") == pl.col("sent_ns").min().over("user")
    frame = pl.DataFrame(columns).with_columns(first.alias("new_connection")).sort("done_ns")
    if isinstance(load, ClosedLoad) and load.duration is not None:
        frame = frame.filter(pl.col("intended_ns") < load.duration)
    if bench.odd_bytes:
        frame = frame.with_columns((pl.col("body_bytes") * (1 + pl.col("iteration") % 2)).alias("body_bytes"))
    return frame


@dataclass(frozen=True)
class _Requests:
    """What is asked, before it is known how long it takes; all arrays have the shape users x requests."""

    intended: np.ndarray[Any, Any]
    """Nanoseconds; in closed load still the user's start."""
    operation: np.ndarray[Any, Any]
    iteration: np.ndarray[Any, Any]
    user: np.ndarray[Any, Any]
    position: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(0))
    """From 0 at the load's begin to 1 at its end."""


def _closed(load: ClosedLoad, operations: Mapping[str, float], pace_ns: float) -> _Requests:
    if load.iterations is not None:
        length = load.iterations * len(operations)
    else:  # twice as many as can be expected in the duration; those begun too late are cut off afterwards
        length = max(2, round(2 * (load.duration or 0) / (pace_ns + load.think)))
    user, index = np.meshgrid(np.arange(load.users), np.arange(length), indexing="ij")
    start = user * load.ramp_up / load.users
    position = (
        index / length if load.duration is None else np.minimum(index * (pace_ns + load.think) / load.duration, 1)
    )
    return _Requests(start, index % len(operations), index // len(operations), user, position)


def _open(load: OpenLoad, operations: Mapping[str, float], rng: np.random.Generator) -> _Requests:
    instants, since = [], 0.0
    for segment in load.shape:
        begin, end = segment.ends
        seconds = segment.duration / NS_PER_S
        count = round((begin + end) / 2 * seconds)
        share = np.sort(rng.random(count)) if load.arrivals == "poisson" else np.arange(count) / max(count, 1)
        slope = (end - begin) / seconds
        passed = share * seconds if slope == 0 else (np.sqrt(begin**2 + 2 * slope * share * count) - begin) / slope
        instants.append((since + passed) * NS_PER_S)
        since += seconds
    intended = np.concatenate(instants)[None, :]
    index = np.arange(intended.shape[1])[None, :]
    slots = min(load.connections, 16)
    return _Requests(intended, index % len(operations), index // slots, index % slots, intended / (since * NS_PER_S))


def _columns(
    plan: _Requests,
    service: np.ndarray[Any, Any],
    late: np.ndarray[Any, Any],
    sut: FakeSut,
    names: list[str],
    rng: np.random.Generator,
) -> dict[str, pl.Series]:
    intended = plan.intended.round().astype(np.int64).ravel()
    sent = intended + late.round().astype(np.int64).ravel()
    done = sent + np.maximum(service.round().astype(np.int64).ravel(), 1)
    failed = rng.random(intended.size) < sut.errors
    answered = ~failed | (sut.error_kind == "status")
    body = np.where(answered, sut.body_bytes, 0)
    status = pl.Series(np.where(failed, 503, 200), dtype=pl.Int32)
    return {
        "intended_ns": pl.Series(intended),
        "sent_ns": pl.Series(sent),
        "first_byte_ns": _where(answered, pl.Series(done - (done - sent) // 10)),
        "done_ns": pl.Series(done),
        "user": pl.Series(plan.user.ravel().astype(np.int32)),
        "iteration": pl.Series(plan.iteration.ravel().astype(np.int32)),
        "operation": pl.Series([names[each] for each in plan.operation.ravel()]),
        "status": _where(answered, status),
        "failure": _where(failed, pl.Series([sut.error_kind] * intended.size, dtype=pl.String)),
        "bytes_in": pl.Series(np.where(answered, body + HEADER_BYTES, 0).astype(np.int64)),
        "bytes_out": pl.Series(np.full(intended.size, REQUEST_BYTES, dtype=np.int64)),
        "body_bytes": pl.Series(body.astype(np.int64)),
        "new_connection": pl.Series([False] * intended.size),
    }


def _where(kept: np.ndarray[Any, Any], values: pl.Series) -> pl.Series:
    """The values, null where not kept."""
    return pl.select(pl.when(pl.Series(kept)).then(values)).to_series()


def draw_probes(samples: pl.DataFrame, sut: FakeSut, bench: FakeBench, rng: np.random.Generator) -> pl.DataFrame:
    """The probes' series: each request costs its CPU time at the instant when it is done."""
    done = np.sort(samples["done_ns"].to_numpy())
    step = int(bench.probe_interval_ms * NS_PER_MS)
    at = np.arange(-5 * step, int(done[-1]) + 3 * step, step, dtype=np.int64)
    base = sut.startup_ms * NS_PER_MS * 1.5
    rss = sut.rss_mib * 2**20 * (1 - 0.1 * np.exp(-np.maximum(at, 0) / NS_PER_S)) * np.exp(rng.normal(0, 0.01))
    steal = (bench.steal_share or 0.0) * bench.cpus * (at - at[0])
    return pl.DataFrame(
        {
            "at_ns": at,
            "cpu_ns": (base + sut.cpu_ms * NS_PER_MS * np.searchsorted(done, at)).astype(np.int64),
            "rss_bytes": rss.astype(np.int64),
            "threads": np.full(at.size, sut.threads, dtype=np.int32),
            "processes": np.ones(at.size, dtype=np.int32),
            "steal_ns": steal.astype(np.int64),
        }
    )


def summarise(samples: pl.DataFrame, load: ClosedLoad | OpenLoad, bench: FakeBench) -> LoadRecord:
    """What the engine would tell of these samples."""
    names = samples["operation"].unique().sort().to_list()
    elapsed = int(samples["done_ns"].to_numpy().max())
    return LoadRecord(
        version=1,
        kind="closed" if isinstance(load, ClosedLoad) else "open",
        started_unix_ns=STARTED_UNIX_NS,
        started_monotonic_ns=1,
        elapsed_ns=elapsed,
        stopped_early=False,
        requests=len(samples),
        failures=_failures(samples),
        unsent=0,
        bytes_in=int(samples["bytes_in"].sum()),
        bytes_out=int(samples["bytes_out"].sum()),
        connections_opened=int(samples["new_connection"].sum()),
        latency_ns=_latency(samples),
        lateness_ns=_summary((samples["sent_ns"] - samples["intended_ns"]).to_numpy()),
        operations=tuple(
            OperationRecord(name=name, requests=len(part), failures=_failures(part), latency_ns=_latency(part))
            for name in names
            for part in [samples.filter(pl.col("operation") == name)]
        ),
        engine=EngineCost(
            version="0.1.0",
            workers=len(bench.engine_cpus),
            cpu_ns=int(bench.engine_busy * elapsed * len(bench.engine_cpus)),
            peak_rss_bytes=30 * 2**20,
        ),
    )


def _failures(samples: pl.DataFrame) -> dict[str, int]:
    kinds = samples["failure"].drop_nulls().value_counts()
    return {str(kind): int(count) for kind, count in kinds.iter_rows()}


def _latency(samples: pl.DataFrame) -> Summary:
    passed = samples.filter(pl.col("failure").is_null())
    return _summary((passed["done_ns"] - passed["intended_ns"]).to_numpy())


def _summary(values: np.ndarray[Any, Any]) -> Summary:
    if values.size == 0:
        return Summary(count=0, min=None, mean=None, p50=None, p90=None, p95=None, p99=None, p999=None, max=None)
    at = [int(np.quantile(values, share, method="inverted_cdf")) for share in (0.5, 0.9, 0.95, 0.99, 0.999)]
    return Summary(
        count=int(values.size),
        min=int(values.min()),
        mean=float(values.mean()),
        p50=at[0],
        p90=at[1],
        p95=at[2],
        p99=at[3],
        p999=at[4],
        max=int(values.max()),
    )
