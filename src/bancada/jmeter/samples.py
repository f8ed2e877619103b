# SPDX-License-Identifier: Apache-2.0
"""Samples to and from JMeter's: what its clock shows of ours, and what its files tell us.

JMeter's clock is System.nanoTime() cut to whole milliseconds and shifted by a whole number of them (`SampleResult`), so
each of its durations is the difference of two readings that were rounded down: a request from 0.9 ms to 2.1 ms has
`elapsed` 2, and one from 0.1 ms to 0.9 ms has 0. We write the same: the difference of the ends rounded down, never the
rounded difference. Read back, a time is at most a millisecond from the truth, at either end and without bias.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl

from bancada.jmeter.failures import kind_of, status_of, words_of
from bancada.jmeter.jtl import DEFAULT_COLUMNS, TYPES
from bancada.model.base import NS_PER_MS

CONTROLLER = "Number of samples in transaction"
"""How the `responseMessage` of a Transaction Controller begins, whose row is the sum of others."""


def samples_of(jtl: pl.DataFrame, start_unix_ms: int) -> pl.DataFrame:
    """Samples (`contracts/README.md`, "The samples") of a JTL as `read_jtl` gives it, in its order of rows.

    Times count from `start_unix_ms`, milliseconds since 1970. JMeter knows no intended instant: it is the start.
    Users are numbered from 0 in the order in which their threads first appear. What the JTL does not hold is null:
    bytes and users where it lacks the columns, the body's size always, and whether a connection was opened where
    `Connect` is 0, as JMeter writes 0 both for an old connection and for one that stood within its millisecond.
    Rows of Transaction Controllers are sums of others and left out, as JMeter's own totals leave them out.
    """
    whole = _with_all_columns(jtl)
    requests = whole.filter(~pl.col("responseMessage").fill_null("").str.starts_with(CONTROLLER))
    start = (pl.col("timeStamp") - start_unix_ms) * NS_PER_MS
    status = _looked_up(requests["responseCode"], status_of, pl.Int32)
    table = requests.select(
        intended_ns=start,
        sent_ns=start,
        connected_ns=pl.when(pl.col("Connect") > 0).then(start + pl.col("Connect") * NS_PER_MS),
        first_byte_ns=pl.when(status.is_not_null() | (pl.col("Latency") > 0)).then(
            start + pl.col("Latency") * NS_PER_MS
        ),
        done_ns=start + pl.col("elapsed") * NS_PER_MS,
        user=_users(requests["threadName"]),
        iteration=pl.when(pl.col("threadName").is_not_null()).then(
            pl.int_range(pl.len()).over("threadName", "label").cast(pl.Int32)
        ),
        operation=pl.col("label"),
        status=status,
        failure=_failures(requests),
        bytes_in=pl.col("bytes"),
        bytes_out=pl.col("sentBytes"),
        body_bytes=pl.lit(None, pl.Int64),
        new_connection=pl.when(pl.col("Connect") > 0).then(pl.lit(value=True)),
    )
    return table if "Connect" in jtl.columns else table.drop("connected_ns")


def jtl_of(
    samples: pl.DataFrame, *, started_unix_ns: int, urls: Mapping[str, str], ordered: bool = False
) -> pl.DataFrame:
    """A load's samples as the JTL that JMeter would have written: DEFAULT_COLUMNS, rows in order of completion.

    `started_unix_ns`: the load's zero; `urls`: by the operation's name; `ordered`: the rows are in JMeter's own order
    already (samples that came from a JTL) and stay in it. `elapsed` counts from the sending, as JMeter knows no
    intended instant. `grpThreads` and `allThreads` are the users between their first request and their last answer,
    when the row was completed. A column that the samples do not know for every row (bytes, users, `Latency`,
    `Connect`) is left out.
    """
    rows = _in_order(samples, ordered)
    words = rows.select("status", "failure").unique()
    said = [words_of(*each) for each in words.iter_rows()]
    told = words.with_columns(
        pl.Series(name, [each[place] for each in said], pl.String)
        for place, name in enumerate(("responseCode", "responseMessage", "failureMessage"))
    )
    alive = _alive(rows)
    table = rows.join(told, on=["status", "failure"], how="left", nulls_equal=True, maintain_order="left").select(
        timeStamp=_ms("sent_ns", started_unix_ns),
        elapsed=_lasted("done_ns", started_unix_ns),
        label=pl.col("operation"),
        responseCode="responseCode",
        responseMessage="responseMessage",
        threadName=pl.format("Thread Group 1-{}", pl.col("user").cast(pl.Int64) + 1),
        dataType=pl.when(pl.col("status").is_null()).then(pl.lit("")).otherwise(pl.lit("text")),
        success=pl.col("failure").is_null(),
        failureMessage="failureMessage",
        bytes="bytes_in",
        sentBytes="bytes_out",
        grpThreads=alive,
        allThreads=alive,
        URL=pl.col("operation").replace_strict(dict(urls), return_dtype=pl.String),
        Latency=_lasted("first_byte_ns", started_unix_ns),
        IdleTime=pl.lit(0, pl.Int64),
        Connect=_lasted("connected_ns", started_unix_ns) if "connected_ns" in rows.columns else pl.lit(None, pl.Int64),
    )
    return table.drop(_unknown_columns(rows, table))


def _unknown_columns(rows: pl.DataFrame, table: pl.DataFrame) -> list[str]:
    """Columns in which a 0 or an empty field would claim what nobody knows."""
    answered = pl.col("failure").is_null() | pl.col("status").is_not_null()
    unknown = [name for name in ("bytes", "sentBytes", "grpThreads", "allThreads") if table[name].null_count()]
    unknown += ["threadName"] if rows["user"].null_count() else []
    unknown += ["Latency"] if rows.filter(answered & pl.col("first_byte_ns").is_null()).height else []
    return unknown if "connected_ns" in rows.columns else [*unknown, "Connect"]


def seen_by_jmeter(samples: pl.DataFrame, *, started_unix_ns: int, ordered: bool = False) -> pl.DataFrame:
    """What JMeter's statistics look at, in the order of `jtl_of`, without its texts: one row for each sample.

    Columns: `operation`, `start_ms`, `elapsed_ms`, `passed`, `bytes_in`, `bytes_out`; arguments as for `jtl_of`.
    """
    return _in_order(samples, ordered).select(
        "operation",
        "bytes_in",
        "bytes_out",
        start_ms=_ms("sent_ns", started_unix_ns),
        elapsed_ms=_lasted("done_ns", started_unix_ns),
        passed=pl.col("failure").is_null(),
    )


def _in_order(samples: pl.DataFrame, ordered: bool) -> pl.DataFrame:
    return samples if ordered else samples.sort("done_ns", maintain_order=True)


def _with_all_columns(jtl: pl.DataFrame) -> pl.DataFrame:
    """The JTL with every column that a sample needs; null where the file did not have it."""
    missing = [name for name in DEFAULT_COLUMNS if name not in jtl.columns]
    return jtl.with_columns(pl.lit(None, TYPES[name]).alias(name) for name in missing)


def _looked_up(column: pl.Series, find: Callable[[Any], object], kind: type[pl.DataType]) -> pl.Series:
    """What `find` says of each value, asked once for each different one."""
    values = column.unique().to_list()
    return column.replace_strict(values, [find(value) for value in values], return_dtype=kind)


def _failures(requests: pl.DataFrame) -> pl.Series:
    """The kind of each failure, null for a request that passed."""
    told = ["success", "responseCode", "responseMessage", "failureMessage"]
    kinds = requests.select(told).unique()
    found = [None if passed else kind_of(*words) for passed, *words in kinds.iter_rows()]
    named = kinds.with_columns(pl.Series("failure", found, pl.String))
    return requests.select(told).join(named, on=told, how="left", nulls_equal=True, maintain_order="left")["failure"]


def _users(threads: pl.Series) -> pl.Series:
    """A number for each thread's name, from 0 in the order of first appearance; null where there is no name."""
    names = threads.drop_nulls().unique(maintain_order=True).to_list()
    return threads.replace_strict(names, range(len(names)), default=None, return_dtype=pl.Int32)


def _ms(column: str, started_unix_ns: int) -> pl.Expr:
    """Milliseconds since 1970 as JMeter's clock shows them, cut and not rounded."""
    return (pl.col(column) + started_unix_ns) // NS_PER_MS


def _lasted(column: str, started_unix_ns: int) -> pl.Expr:
    """Milliseconds from the sending on JMeter's clock; 0, as JMeter has it, where it did not happen."""
    return (_ms(column, started_unix_ns) - _ms("sent_ns", started_unix_ns)).fill_null(0)


def _alive(rows: pl.DataFrame) -> pl.Series:
    """At each row's completion, the users that had begun and were not through; null where users are not known."""
    if rows["user"].null_count():
        return pl.Series([None] * len(rows), dtype=pl.Int64)
    spans = rows.group_by("user").agg(pl.col("sent_ns").min(), pl.col("done_ns").max())
    done = rows["done_ns"].to_numpy()
    begun = np.searchsorted(np.sort(spans["sent_ns"].to_numpy()), done, side="right")
    through = np.searchsorted(np.sort(spans["done_ns"].to_numpy()), done, side="left")
    return pl.Series(begun - through, dtype=pl.Int64)
