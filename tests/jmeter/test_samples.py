# SPDX-License-Identifier: Apache-2.0
"""Samples as JMeter's clock shows them, and what its files tell us of samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from bancada.jmeter.jtl import DEFAULT_COLUMNS, read_jtl, write_jtl
from bancada.jmeter.samples import jtl_of, samples_of, seen_by_jmeter
from bancada.jmeter.shape import shape_of

STARTED_UNIX_NS = 1_700_000_000_000_400_000
MS = 1_000_000
REQUEST: dict[str, Any] = {
    "intended_ns": 0,
    "sent_ns": 0,
    "connected_ns": None,
    "first_byte_ns": 1 * MS,
    "done_ns": 2 * MS,
    "user": 0,
    "iteration": 0,
    "operation": "list",
    "status": 200,
    "failure": None,
    "bytes_in": 900,
    "bytes_out": 120,
    "body_bytes": 800,
    "new_connection": False,
}
TYPES = {"user": pl.Int32, "iteration": pl.Int32, "status": pl.Int32, "connected_ns": pl.Int64, "failure": pl.String}


def samples(*requests: dict[str, Any]) -> pl.DataFrame:
    """Requests that differ from REQUEST in what is given."""
    return pl.DataFrame([REQUEST | each for each in requests], schema_overrides=TYPES, infer_schema_length=None)


def as_jtl(table: pl.DataFrame) -> pl.DataFrame:
    """As JMeter would have written them."""
    return jtl_of(table, started_unix_ns=STARTED_UNIX_NS, urls={"list": "http://localhost:1/l", "add": ""})


def test_a_jtl_has_all_columns_as_jmeter_writes_them() -> None:
    """One request that opened a connection, in all 17 columns."""
    (row,) = as_jtl(samples({"connected_ns": MS, "new_connection": True, "user": 4})).to_dicts()
    assert list(row) == list(DEFAULT_COLUMNS)
    assert row == {
        "timeStamp": 1_700_000_000_000,
        "elapsed": 2,
        "label": "list",
        "responseCode": "200",
        "responseMessage": "OK",
        "threadName": "Thread Group 1-5",
        "dataType": "text",
        "success": True,
        "failureMessage": "",
        "bytes": 900,
        "sentBytes": 120,
        "grpThreads": 1,
        "allThreads": 1,
        "URL": "http://localhost:1/l",
        "Latency": 1,
        "IdleTime": 0,
        "Connect": 1,
    }


@given(st.integers(0, 10**12), st.integers(0, 10**10), st.integers(0, 10**9))
def test_times_are_cut_at_both_ends_and_never_off_by_a_millisecond(sent: int, lasted: int, offset: int) -> None:
    """`elapsed` is the difference of two cut instants: within 1 ms of the truth, and ends where the end is cut."""
    table = samples({"sent_ns": sent, "done_ns": sent + lasted, "first_byte_ns": sent})
    (row,) = seen_by_jmeter(table, started_unix_ns=STARTED_UNIX_NS + offset).to_dicts()
    assert abs(row["elapsed_ms"] * MS - lasted) < MS
    assert row["start_ms"] + row["elapsed_ms"] == (STARTED_UNIX_NS + offset + sent + lasted) // MS


def test_the_wait_before_the_sending_is_not_jmeters() -> None:
    """An open load's request that waited for a connection counts from its sending, as JMeter would have it."""
    (row,) = as_jtl(samples({"intended_ns": 0, "sent_ns": 50 * MS, "done_ns": 52 * MS})).to_dicts()
    assert (row["timeStamp"], row["elapsed"]) == (1_700_000_000_050, 2)


def test_rows_are_in_the_order_of_completion_with_the_users_alive_then() -> None:
    """Three users: the second begins later, the first is through before the last row."""
    table = samples(
        {"user": 0, "sent_ns": 0, "done_ns": 5 * MS},
        {"user": 1, "sent_ns": 1 * MS, "done_ns": 3 * MS},
        {"user": 1, "sent_ns": 3 * MS, "done_ns": 9 * MS},
        {"user": 2, "sent_ns": 4 * MS, "done_ns": 12 * MS},
    )
    rows = as_jtl(table)
    assert rows["threadName"].to_list() == [f"Thread Group 1-{user}" for user in (2, 1, 2, 3)]
    assert rows["allThreads"].to_list() == rows["grpThreads"].to_list() == [2, 3, 2, 1]


def test_old_samples_without_instants_of_connecting_have_no_column_connect() -> None:
    """What was not recorded is left out of the file, not written as 0."""
    assert as_jtl(samples({}).drop("connected_ns")).columns == [*DEFAULT_COLUMNS[:-1]]


def test_a_round_trip_keeps_everything_that_a_jtl_can_hold(tmp_path: Path) -> None:
    """Users, operations, statuses, failures, bytes and whole milliseconds come back; the rest comes back unknown."""
    table = samples(
        {"connected_ns": 1 * MS, "new_connection": True},
        {"user": 1, "sent_ns": 1 * MS, "done_ns": 3 * MS, "operation": "add", "status": 500, "failure": "status"},
        {"user": 1, "sent_ns": 3 * MS, "done_ns": 8 * MS, "status": None, "failure": "response-timeout",
         "first_byte_ns": None},
        {"iteration": 1, "sent_ns": 2 * MS, "done_ns": 9 * MS, "first_byte_ns": 4 * MS, "failure": "size"},
    )  # fmt: skip
    table = table.with_columns(intended_ns="sent_ns", first_byte_ns=pl.col("first_byte_ns").clip("sent_ns"))
    path = tmp_path / "results.jtl"
    zero = 1_700_000_000_000
    write_jtl(jtl_of(table, started_unix_ns=zero * MS, urls={"list": "/l", "add": "/a"}), path)
    back = samples_of(read_jtl(path), zero)
    lost = ["body_bytes", "new_connection"]
    assert back.drop(lost).equals(table.drop(lost).select(back.drop(lost).columns))
    assert back["body_bytes"].null_count() == 4
    assert back["new_connection"].to_list() == [True, None, None, None]


def test_what_a_file_does_not_hold_is_null() -> None:
    """Without threads, bytes and statuses there are no users, rounds, bytes, statuses and first bytes."""
    bare = pl.DataFrame({"timeStamp": [1000], "elapsed": [5], "label": ["a"], "success": [True]})
    (row,) = samples_of(bare, 1000).to_dicts()
    told = {"intended_ns": 0, "sent_ns": 0, "done_ns": 5 * MS, "operation": "a"}
    assert {name: value for name, value in row.items() if value is not None} == told


def test_a_column_that_is_not_known_for_every_row_is_left_out(tmp_path: Path) -> None:
    """A file of few columns that is read and written again does not gain zeros; what it had comes back."""
    bare = pl.DataFrame({"timeStamp": [1000, 1001], "elapsed": [5, 6], "label": ["a", "a"], "success": [True, False]})
    again = jtl_of(samples_of(bare, 0), started_unix_ns=0, urls={"a": ""})
    told = {"responseCode", "responseMessage", "dataType", "failureMessage", "URL", "IdleTime"}
    assert set(again.columns) == {*bare.columns, *told}
    assert again.select(bare.columns).equals(bare)
    write_jtl(again, tmp_path / "again.jtl")
    assert samples_of(read_jtl(tmp_path / "again.jtl"), 0).equals(samples_of(bare, 0))


def test_rows_of_transaction_controllers_are_no_requests() -> None:
    """They sum up other rows, and would count these twice."""
    jtl = as_jtl(samples({}, {"operation": "add"}))
    told = "Number of samples in transaction : 2, number of failing samples : 0"
    both = pl.concat([jtl, jtl.head(1).with_columns(label=pl.lit("all"), responseMessage=pl.lit(told))])
    assert samples_of(both, 1_700_000_000_000)["operation"].to_list() == ["list", "add"]


def test_the_shape_of_a_load_is_read_from_its_samples() -> None:
    """Two users that start 4 ms apart, pause 3 ms, and ask twice: a ramp-up of 8 ms, as a thread group has it."""
    table = samples(
        *(
            {"user": user, "intended_ns": start * MS, "done_ns": (start + 2) * MS}
            for user, start in ((0, 0), (0, 5), (1, 4), (1, 9))
        )
    )
    shape = shape_of(table, as_jtl(table))
    assert (shape.users, shape.ramp_up_ns, shape.think_ns, shape.rounds) == (2, 8 * MS, 3 * MS, 2)
    assert shape.window_ns == 11 * MS


def test_without_names_of_threads_the_most_alive_are_the_users() -> None:
    """The column allThreads tells how many there were; without it nobody knows."""
    table = samples({}).with_columns(user=pl.lit(None, pl.Int32))
    jtl = pl.DataFrame({"allThreads": [3, 7, 5]})
    assert shape_of(table, jtl).users == 7
    assert shape_of(table, pl.DataFrame({"x": [1]})).users is None
