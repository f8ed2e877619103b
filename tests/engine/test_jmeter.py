# SPDX-License-Identifier: Apache-2.0
"""JMeter as a load engine: a real one, beside our own, against servers whose answers are known."""

from __future__ import annotations

import hashlib
import json
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import polars as pl
import pytest

from bancada.engine.drive import drive
from bancada.engine.jmeter.drive import drive_with_jmeter
from bancada.engine.jmeter.plan import write_order_as_plan
from bancada.engine.wire import LoadOrder, ProgressEvent, load_order, operation_order
from bancada.errors import EngineError, PlanError
from bancada.host.jmeter import provide_jmeter
from bancada.jmeter.home import JMeter
from bancada.jmeter.jtl import DEFAULT_COLUMNS
from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.load import ClosedLoad, OpenLoad
from bancada.model.operation import Body, Check, Operation
from tests.conftest import Listening
from tests.engine.test_instrument import within_three_attempts

Upstream = Callable[..., Listening]
GET = Operation(name="get", path="/")
slow = pytest.mark.slow
pytestmark = pytest.mark.timeout(600)  # the first test of a fresh machine fetches JMeter


@pytest.fixture(scope="session")
def jmeter() -> JMeter:
    """The JMeter of this host, or the one in the project's cache."""
    return provide_jmeter(lambda _: None)


def order(target: str, load: ClosedLoad | OpenLoad, *operations: Operation, samples: Path | None = None) -> LoadOrder:
    """An order for some operations."""
    return LoadOrder(
        target=target,
        seed=1,
        operations=tuple(map(operation_order, operations)),
        load=load_order(load),
        connect_timeout_ns=5 * NS_PER_S,
        response_timeout_ns=NS_PER_S,
        samples=str(samples) if samples else None,
    )


@slow
def test_both_engines_see_the_same_server(upstream: Upstream, jmeter: JMeter, tmp_path: Path) -> None:
    """20 users ask 20 times what takes 100 ms: each request counted once, means within 8 ms."""
    target = upstream("--delay", "100ms", "--body-bytes", "1000").address
    load = ClosedLoad(name="20", users=20, ramp_up=2 * NS_PER_S, iterations=20)
    events: list[ProgressEvent] = []

    def attempt() -> None:
        samples = {name: tmp_path / f"{name}.parquet" for name in ("jmeter", "bancada")}
        ours = drive(order(target, load, GET, samples=samples["bancada"]))
        theirs = drive_with_jmeter(
            order(target, load, GET, samples=samples["jmeter"]), jmeter, tmp_path / "run", on_progress=events.append
        )
        rows = {name: pl.read_parquet(path) for name, path in samples.items()}
        assert dict(rows["jmeter"].schema) == dict(rows["bancada"].schema)
        assert theirs.failures == ours.failures == {}
        assert theirs.requests == ours.requests == len(rows["jmeter"]) == 400
        assert theirs.connections_opened == ours.connections_opened == 20
        assert theirs.latency_ns.mean == pytest.approx(100 * NS_PER_MS, abs=8 * NS_PER_MS)
        assert theirs.latency_ns.mean == pytest.approx(ours.latency_ns.mean, abs=8 * NS_PER_MS)
        assert theirs.latency_ns.p50 == pytest.approx(ours.latency_ns.p50, abs=3 * NS_PER_MS)
        assert theirs.elapsed_ns == pytest.approx(ours.elapsed_ns, rel=0.1)

    within_three_attempts(attempt)
    assert (events[-1].requests, events[-1].failures, events[-1].expected_requests) == (400, 0, 400)
    assert len(events) >= 4
    assert any(event.active_users == 20 for event in events)


@slow
def test_a_load_leaves_its_plan_its_log_and_its_record(upstream: Upstream, jmeter: JMeter, tmp_path: Path) -> None:
    """Everything that a reader needs to judge or repeat it by hand, and what JMeter took."""
    target = upstream("--delay", "20ms", "--body-bytes", "1000").address
    samples = tmp_path / "samples.parquet"
    before = time.time_ns()
    load = ClosedLoad(name="4", users=4, iterations=10)
    record = drive_with_jmeter(order(target, load, GET, samples=samples), jmeter, tmp_path, cpus=[0])
    assert (tmp_path / "plan.jmx").exists()
    assert "end of run" in (tmp_path / "jmeter.out").read_text()
    assert (tmp_path / "jmeter.log").stat().st_size > 0
    assert (tmp_path / "jmeter.jtl").read_text().splitlines()[0] == ",".join(DEFAULT_COLUMNS)
    assert (record.kind, record.stopped_early, record.unsent) == ("closed", False, 0)
    assert before < record.started_unix_ns < time.time_ns()
    clocks_apart_ns = time.time_ns() - time.monotonic_ns()
    assert record.started_unix_ns - (record.started_monotonic_ns or 0) == pytest.approx(clocks_apart_ns, abs=NS_PER_MS)
    assert (record.engine.name, record.engine.version, record.engine.workers) == ("jmeter", jmeter.version, 1)
    assert 0 < (record.engine.cpu_ns or 0) <= 1.1 * (record.elapsed_ns or 0) + 100 * NS_PER_MS
    assert 50e6 < (record.engine.peak_rss_bytes or 0) < 2e9
    assert (record.lateness_ns.count, record.lateness_ns.p99) == (0, None)
    rows = pl.read_parquet(samples)
    assert rows.group_by("user").agg(pl.col("iteration").sort()).sort("user").rows() == [
        (user, list(range(10))) for user in range(4)
    ]
    assert record.bytes_in == rows["bytes_in"].sum() > 40 * 1000
    assert rows["connected_ns"].is_not_null().sum() == rows["new_connection"].sum() == 4


@slow
def test_each_check_fails_in_its_own_kind(upstream: Upstream, jmeter: JMeter, tmp_path: Path) -> None:
    """Status, size, JSON value and digest are asserted; what is right passes, written otherwise or not."""
    content = b'{"a": [1, 2.50, "x"], "b": {"c": null, "d": true}}'
    (tmp_path / "body.json").write_bytes(content)
    (tmp_path / "same.json").write_text('{"b":{"d":true,"c":null},"a":[1.0,25e-1,"\\u0078"]}')
    digest = hashlib.sha256(content).hexdigest()
    checks = {
        "status": Check(status=404),
        "size": Check(size_bytes=len(content) + 1),
        "json": Check(json={"a": [1, 2.5, "x"], "b": {"c": None, "d": 1}}),
        "digest": Check(sha256="ab" * 32),
        "all": Check(status=(200, 201), size_bytes=len(content), json_file=str(tmp_path / "same.json"), sha256=digest),
    }
    target = upstream("--delay", "0ms", "--body-file", tmp_path / "body.json").address
    operations = [Operation(name=name, path="/", check=check) for name, check in checks.items()]
    samples = tmp_path / "samples.parquet"
    record = drive_with_jmeter(
        order(target, ClosedLoad(name="2", users=2, iterations=3), *operations, samples=samples),
        jmeter,
        tmp_path / "run",
    )
    told = {each.name: each.failures for each in record.operations}
    assert told == {name: {name: 6} for name in ("status", "size", "json", "digest")} | {"all": {}}
    assert record.failures == dict.fromkeys(("status", "size", "json", "digest"), 6)
    assert record.latency_ns.count == 6
    assert pl.read_parquet(samples)["status"].to_list() == [200] * 30


@slow
def test_without_an_answer_the_failure_says_why(upstream: Upstream, jmeter: JMeter, tmp_path: Path) -> None:
    """Nobody listens; or nobody answers within the timeout."""
    load = ClosedLoad(name="2", users=2, iterations=2)
    refused = drive_with_jmeter(order("http://127.0.0.1:1", load, GET), jmeter, tmp_path / "refused")
    assert (refused.requests, refused.failures) == (4, {"connect-refused": 4})
    assert (refused.connections_opened, refused.latency_ns.count, refused.bytes_in) == (0, 0, 0)
    silent = upstream("--delay", "10s").address
    late = drive_with_jmeter(order(silent, load, GET), jmeter, tmp_path / "late")
    assert late.failures == {"response-timeout": 4}


@dataclass
class Recorder:
    """A server that keeps what it is sent."""

    address: str
    seen: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    """Method, path, headers and body."""


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """A real server on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            kept.seen.append((self.command, self.path, dict(self.headers), body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    for method in ("POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
        setattr(Handler, f"do_{method}", Handler.answer)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        kept = Recorder(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield kept
        server.shutdown()
        thread.join()


@slow
def test_what_is_sent_is_what_the_order_says(recorder: Recorder, jmeter: JMeter, tmp_path: Path) -> None:
    """Methods, paths, headers and bodies arrive byte for byte; places are filled for each request."""
    (tmp_path / "body.bin").write_bytes(bytes(range(256)))
    text = 'line\nline\n<&>"\\, é ${__time()} \\${x}\r'
    kind = {"Content-Type": "application/json", "X-Own": "a=b; c, \\d"}
    operations = [
        Operation(
            name="put", path="/put?a=b&c=%20d", method="PUT", body=Body(text='{"é": "<&>\n\\n, x"}'), headers=kind
        ),
        Operation(name="text", path="/text", method="POST", body=Body(text=text), headers=kind),
        Operation(name="bytes", path="/bytes", method="PATCH", body=Body(file=str(tmp_path / "body.bin"))),
        Operation(
            name="template",
            path="/{{user}}/{{iteration}}/{{random_hex:9}}",
            method="POST",
            body=Body(template='{"n": {{random_int:-5:5}}, "m": [{{random_ints:300:-9:9}}], "s": "a\\nb, c"}'),
            headers=kind,
        ),
        *(Operation(name=method, path="/plain", method=method) for method in ("DELETE", "HEAD", "OPTIONS", "POST")),
    ]
    load = ClosedLoad(name="2", users=2, iterations=2)
    record = drive_with_jmeter(order(recorder.address, load, *operations), jmeter, tmp_path / "run")
    assert record.failures == {}
    seen = {path.split("?")[0]: (method, path, headers, body) for method, path, headers, body in recorder.seen}
    assert seen["/put"][:2] == ("PUT", "/put?a=b&c=%20d")
    assert seen["/put"][2].items() >= kind.items()
    assert seen["/put"][3] == '{"é": "<&>\n\\n, x"}'.encode()
    assert (seen["/text"][0], seen["/text"][3]) == ("POST", text.encode())
    assert (seen["/bytes"][0], seen["/bytes"][3]) == ("PATCH", bytes(range(256)))
    assert Counter(method for method, path, _, _ in recorder.seen if path == "/plain") == dict.fromkeys(
        ("DELETE", "HEAD", "OPTIONS", "POST"), 4
    )
    filled = [(path.split("/")[1:], json.loads(body)) for _, path, _, body in recorder.seen if path.count("/") == 3]
    assert sorted(path[:2] for path, _ in filled) == [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]
    assert len({path[2] for path, _ in filled}) == 4
    for path, body in filled:
        assert len(path[2]) == 9
        assert set(path[2]) <= set("0123456789abcdef")
        assert -5 <= body["n"] <= 5
        assert len(body["m"]) == 300
        assert set(body["m"]) <= set(range(-9, 10))
        assert body["s"] == "a\nb, c"
    assert len({tuple(body["m"]) for _, body in filled}) == 4


@slow
def test_users_start_and_think_and_end_as_the_load_says(upstream: Upstream, jmeter: JMeter, tmp_path: Path) -> None:
    """Two users over 2 s, for 3 s, thinking 200 ms after each answer: none begins after the end."""
    target = upstream("--delay", "0ms").address
    samples = tmp_path / "samples.parquet"
    load = ClosedLoad(name="2", users=2, ramp_up=2 * NS_PER_S, duration=3 * NS_PER_S, think=200 * NS_PER_MS)
    record = drive_with_jmeter(order(target, load, GET, samples=samples), jmeter, tmp_path / "run")
    assert not record.stopped_early
    rows = pl.read_parquet(samples).sort("sent_ns")
    assert max(rows["sent_ns"].to_list()) < 3.2 * NS_PER_S
    first = rows.group_by("user").agg(pl.col("sent_ns").min()).sort("user")["sent_ns"].to_list()
    # The first user's first request waits for Java to load what it needs.
    assert 0.2 * NS_PER_S < first[1] - first[0] < 1.3 * NS_PER_S
    pauses = (
        rows.select((pl.col("sent_ns") - pl.col("done_ns").shift(1)).over("user")).to_series().drop_nulls().to_list()
    )
    assert len(pauses) >= 10
    assert min(pauses) >= 199 * NS_PER_MS
    assert statistics.median(pauses) <= 250 * NS_PER_MS


@slow
@pytest.mark.parametrize("after", ["the start", "some requests"])
def test_a_load_can_be_stopped_early(upstream: Upstream, jmeter: JMeter, tmp_path: Path, after: str) -> None:
    """JMeter ends soon, the record says so, and what was asked until then is kept."""
    target = upstream("--delay", "20ms").address
    seen: list[ProgressEvent] = []
    begun = time.monotonic()
    samples = tmp_path / "samples.parquet"
    record = drive_with_jmeter(
        order(target, ClosedLoad(name="4", users=4, duration=300 * NS_PER_S), GET, samples=samples),
        jmeter,
        tmp_path / "run",
        on_progress=seen.append,
        should_stop=lambda: after == "the start" or bool(seen and seen[-1].requests > 20),
    )
    assert time.monotonic() - begun < 60
    assert record.stopped_early
    assert len(pl.read_parquet(samples)) == record.requests
    assert (record.requests > 20) == (after == "some requests")
    assert (record.elapsed_ns is None) == (record.requests == 0)
    assert record.failures == {}


@slow
def test_a_java_that_does_not_start_is_an_error_with_its_words(
    jmeter: JMeter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JVM_ARGS reach Java after JMeter's own flags; what Java says of them is shown."""
    monkeypatch.setenv("JVM_ARGS", "-Xmx512k")
    load = ClosedLoad(name="1", users=1, iterations=1)
    with pytest.raises(EngineError, match="JMeter could not measure") as raised:
        drive_with_jmeter(order("http://127.0.0.1:1", load, GET), jmeter, tmp_path)
    assert "heap" in str(raised.value.where)


CLOSED = ClosedLoad(name="1", users=1, iterations=1)


@pytest.mark.parametrize(
    ("load", "operation", "named"),
    [
        (OpenLoad(name="x", rate=10, duration=NS_PER_S), GET, "an open load"),
        (ClosedLoad(name="x", users=1, iterations=1, ramp_up=NS_PER_S // 2), GET, "a ramp-up of 0.5 s"),
        (ClosedLoad(name="x", users=1, duration=1500 * NS_PER_MS), GET, "a duration of 1.5 s"),
        (ClosedLoad(name="x", users=1, iterations=1, think=1000), GET, "the think time of 1000 ns"),
        (CLOSED, Operation(name="o", path="/${x}"), 'operation "o", path'),
        (CLOSED, Operation(name="o", path="/{{new}}"), "JMeter has no function for {{new}}"),
        (CLOSED, Operation(name="o", path="/", headers={"X": "${y}"}), 'operation "o", headers'),
        (CLOSED, Operation(name="o", path="/", method="HEAD", body=Body(text="x")), 'operation "o", body'),
        (CLOSED, Operation(name="o", path="/", body=Body(file="/no/such")), 'operation "o", body.file: cannot be read'),
        (CLOSED, Operation(name="o", path="/", check=Check(json_file="/no/such")), "check.json_file: cannot be read"),
    ],
)
def test_what_jmeter_cannot_do_is_refused_by_name(
    load: ClosedLoad | OpenLoad, operation: Operation, named: str, tmp_path: Path
) -> None:
    """Nothing of an order is left out silently."""
    with pytest.raises(PlanError) as raised:
        write_order_as_plan(order("http://127.0.0.1:1", load, operation), tmp_path)
    assert named in str(raised.value)


def test_a_check_that_is_not_known_is_refused(tmp_path: Path) -> None:
    """A check that later orders may have must not be dropped by this plan."""
    known = order("http://127.0.0.1:1", CLOSED, GET)
    later = known.model_copy(update={"operations": ({**known.operations[0], "check": {"colour": "blue"}},)})
    with pytest.raises(PlanError, match="colour cannot be carried over"):
        write_order_as_plan(later, tmp_path)
