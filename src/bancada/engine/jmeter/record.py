# SPDX-License-Identifier: Apache-2.0
"""From JMeter's JTL to samples and the record of a load, as our own engine leaves them.

JMeter counts whole milliseconds, and begins each request as soon as it can: `intended_ns` is `sent_ns`, and its
lateness is unknown. It does not say when the load began either; the beginning of its first request stands for it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from bancada.engine.jmeter.process import Usage
from bancada.engine.wire import LoadOrder
from bancada.errors import EngineError, StorageError
from bancada.jmeter.jtl import DEFAULT_COLUMNS, TYPES, read_jtl
from bancada.jmeter.samples import samples_of
from bancada.jmeter.summaries import UNKNOWN, failure_counts, latency_summary
from bancada.model.base import NS_PER_MS
from bancada.model.measure import EngineCost, LoadRecord, OperationRecord


@dataclass(frozen=True)
class Course:
    """How a load went, besides what its JTL tells."""

    version: str
    usage: Usage
    recorded: int
    """How many rows the JTL has."""
    expected_requests: int | None
    stopped_early: bool
    cpus: int
    """How many JMeter could use."""
    monotonic_minus_unix_ns: int


def record_of(order: LoadOrder, jtl: Path, course: Course) -> LoadRecord:
    """The record of a load; writes the samples of single requests to the order's `samples`.

    Raises EngineError if JMeter did not record each request, StorageError if samples cannot be written.
    """
    recorded = (
        read_jtl(jtl) if course.recorded else pl.DataFrame(schema={name: TYPES[name] for name in DEFAULT_COLUMNS})
    )
    started_unix_ms = int(recorded["timeStamp"].to_numpy().min(initial=time.time_ns() // NS_PER_MS))
    samples = _completed(samples_of(recorded, started_unix_ms), recorded)
    if course.expected_requests not in (None, len(samples)) and not course.stopped_early:
        raise EngineError(
            f"JMeter recorded {len(samples)} of {course.expected_requests} requests",
            where=str(jtl),
            advice="its log beside that file may tell why; -Xmx in JVM_ARGS gives it more memory than 1 GiB",
        )
    _write(samples, order)
    started_unix_ns = started_unix_ms * NS_PER_MS
    elapsed_ns = int(samples["done_ns"].to_numpy().max(initial=0))
    return LoadRecord(
        version=1,
        kind=order.load.kind,
        started_unix_ns=started_unix_ns,
        started_monotonic_ns=started_unix_ns + course.monotonic_minus_unix_ns,
        elapsed_ns=elapsed_ns if course.recorded else None,
        stopped_early=course.stopped_early,
        requests=len(samples),
        failures=failure_counts(samples),
        unsent=0,
        bytes_in=int(samples["bytes_in"].sum()),
        bytes_out=int(samples["bytes_out"].sum()),
        connections_opened=int(samples["new_connection"].sum()),
        latency_ns=latency_summary(samples),
        lateness_ns=UNKNOWN,
        operations=tuple(_operation(str(each["name"]), samples) for each in order.operations),
        engine=EngineCost(
            name="jmeter",
            version=course.version,
            workers=course.cpus,
            cpu_ns=course.usage.cpu_between(started_unix_ns, started_unix_ns + elapsed_ns),
            peak_rss_bytes=course.usage.peak_rss_bytes,
        ),
    )


def _completed(samples: pl.DataFrame, recorded: pl.DataFrame) -> pl.DataFrame:
    """The samples with what our own plan tells beyond what any JTL does, and without what JMeter says wrongly.

    Threads count from 1 in their names, and each begins without a connection: its first answer came over a new one.
    (Where `Connect` is 0 later, a connection is either kept or was opened within a millisecond: null.) Where no answer
    came, `Connect` is how long connecting failed, and the bytes are those of the exception's own words.
    """
    unconnected = pl.col("failure").str.starts_with("connect-").fill_null(value=False)
    user = recorded["threadName"].str.extract(r"(\d+)$").cast(pl.Int32) - 1
    answered = samples.with_columns(user=user, place=pl.int_range(pl.len())).filter(pl.col("status").is_not_null())
    first = answered.group_by("user").agg(pl.col("place").sort_by("sent_ns", "place").first())["place"]
    is_new = pl.col("new_connection") | pl.int_range(pl.len()).is_in(first.implode())
    known_new = pl.when(unconnected).then(pl.lit(value=False)).when(is_new).then(pl.lit(value=True))
    return samples.with_columns(
        user=user,
        new_connection=known_new,
        connected_ns=pl.when(known_new).then(pl.col("connected_ns").fill_null(pl.col("sent_ns"))),
        bytes_in=pl.when(pl.col("status").is_not_null()).then("bytes_in").when(unconnected).then(pl.lit(0)),
    )


def _write(samples: pl.DataFrame, order: LoadOrder) -> None:
    if order.samples is None:
        return
    try:
        samples.write_parquet(order.samples)
    except OSError as error:
        raise StorageError(f"cannot write results: {error}", where=order.samples, advice="free some space") from error


def _operation(name: str, samples: pl.DataFrame) -> OperationRecord:
    own = samples.filter(pl.col("operation") == name)
    return OperationRecord(name=name, requests=len(own), failures=failure_counts(own), latency_ns=latency_summary(own))
