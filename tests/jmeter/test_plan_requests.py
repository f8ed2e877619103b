# SPDX-License-Identifier: Apache-2.0
"""What JMeter's HTTP Requests ask is asked here, with its assertions as checks."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bancada.engine.drive import drive
from bancada.engine.wire import LoadOrder, load_order, operation_order
from bancada.jmeter.plan import read_plan
from bancada.model.base import NS_PER_S
from bancada.model.operation import Body, Check
from tests.jmeter.plan_builder import (
    defaults,
    element,
    group,
    http,
    plan,
    response_assertion,
    size_assertion,
    text,
    variables,
)
from tests.jmeter.plan_reader import only, read, said

PLANS = Path(__file__).parent / "plans"


class Recorder(ThreadingHTTPServer):
    """Answers everything with 200, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Recording)
        self.asked: list[dict[str, object]] = []


class _Recording(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Recorder

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        sent = sorted([name.lower(), value] for name, value in self.headers.items() if name.lower() != "host")
        self.server.asked.append({"request": self.requestline, "headers": sent, "body": body})
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_OPTIONS = do_DELETE = do_POST = do_PUT = do_PATCH = _answer  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """A server that keeps what it was asked."""
    with Recorder() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_our_engine_sends_what_jmeter_sends(recorder: Recorder) -> None:
    """Methods, parameters, bodies, defaults and headers in scope: byte for byte what JMeter 5.6.3 sent for this plan.

    Recorded from `jmeter -n -t requests.jmx`, without Host and User-Agent. The header Connection is not compared: our
    engine never sends it.
    """
    for each in read_plan(PLANS / "requests.jmx").studies:
        record = drive(
            LoadOrder(
                target=f"http://127.0.0.1:{recorder.server_port}",
                seed=1,
                operations=tuple(operation_order(operation) for operation in each.study.operation),
                load=load_order(each.study.load[0]),
                connect_timeout_ns=NS_PER_S,
                response_timeout_ns=NS_PER_S,
                samples=None,
            )
        )
        assert record.failures == {}
    by_jmeter = [json.loads(line) for line in (PLANS / "requests.sent.jsonl").read_text("utf-8").splitlines()]
    for each in by_jmeter:
        each["headers"] = [[name, value] for name, value in each["headers"] if name != "connection"]
    assert recorder.asked == by_jmeter


CHECKS = [
    (response_assertion("200"), Check(status=(200,))),
    (response_assertion("200", "201", kind=40), Check(status=(200, 201))),
    (response_assertion("20[01]", kind=1), Check(status=(200, 201))),
    (response_assertion("404", assume_success=True), Check(status=(404,))),
    (response_assertion(r"2\d\d", kind=1), Check()),
    (response_assertion("200", kind=16), Check(status=(200,))),
    (size_assertion(6710), Check(size_bytes=6710)),
    (response_assertion("ok", field="response_data"), Check(sha256=hashlib.sha256(b"ok").hexdigest())),
]


@pytest.mark.parametrize(("written", "check"), CHECKS)
@pytest.mark.parametrize("is_own", [True, False])
def test_assertions_are_checks(tmp_path: Path, written: str, check: Check, is_own: bool) -> None:
    """Response and Size Assertions are checks, whether they stand below their request or beside it."""
    requests = http(below=written) if is_own else http() + written
    assert only(read(tmp_path, plan(group(requests)))).operation[0].check == check


TEXTS = [
    ("/u/${__intSum(${__threadNum},-1)}", "/u/{{user}}"),
    ("/i/${__jm__Thread Group__idx}", "/i/{{iteration}}"),
    ("/c/${__counter(TRUE,)}", "/c/{{iteration}}"),
    ("/r/${__Random(1,9)}/${__Random(-5,${high},)}", "/r/{{random_int:1:9}}/{{random_int:-5:20}}"),
    ("/h/${__RandomString(8,0123456789abcdef)}", "/h/{{random_hex:8}}"),
    ("/v/${path}", "/v/a/20"),
]


@pytest.mark.parametrize(("written", "path"), TEXTS)
def test_variables_are_put_in_and_functions_are_templates(tmp_path: Path, written: str, path: str) -> None:
    """Variables, also such that are made of others, are replaced; functions with a template of ours become it."""
    defined = variables(path="a/${high}")
    imported = read(tmp_path, plan(group(http(path=written)), defined, variables={"high": "20"}))
    assert only(imported).operation[0].path == path


def test_a_body_with_functions_is_a_template(tmp_path: Path) -> None:
    """A body that changes from request to request is a template, a form's values included."""
    imported = read(
        tmp_path,
        plan(
            group(
                http("raw", "POST", "/", (None, '{"n": ${__Random(1,9)}}', False)),
                http("form", "POST", "/", ("n", "${__Random(1,9)} a", True)),
            )
        ),
    )
    raw, form = (each.body for each in only(imported).operation)
    assert raw == Body(template='{"n": {{random_int:1:9}}}')
    assert form == Body(template="n={{random_int:1:9}}+a")


def test_a_variable_that_jmeter_draws_once_is_no_template(tmp_path: Path) -> None:
    """JMeter works a user-defined variable out at the start, so a random one cannot become a new draw each time."""
    imported = read(tmp_path, plan(group(http("kept"), http("b", path="/${n}")), variables={"n": "${__Random(1,9)}"}))
    assert said(imported, "left out") == [
        "HTTP Request: its path is not known beforehand: ${n}, which JMeter draws once at the start"
    ]


def test_a_file_that_is_the_body_is_named(tmp_path: Path) -> None:
    """A file without a parameter's name is the body; it is named by its whole path, and its type is sent."""
    (tmp_path / "payload.json").write_text("{}")
    file = text("File.path", "payload.json") + text("File.paramname", "") + text("File.mimetype", "application/json")
    files = f'<elementProp name="HTTPsampler.Files" elementType="HTTPFileArgs"><collectionProp \
name="HTTPFileArgs.files"><elementProp name="" elementType="HTTPFileArg">{file}</elementProp></collectionProp>\
</elementProp></HTTPSamplerProxy>'
    imported = read(tmp_path, plan(group(http(method="POST"))).replace("</HTTPSamplerProxy>", files))
    (operation,) = only(imported).operation
    assert operation.body == Body(file=str(tmp_path / "payload.json"))
    assert operation.headers == {"Content-Type": "application/json"}


ADDRESSES = [
    ("http://example.org", "http://example.org:80", "/"),
    ("http://example.org:8080?a=b", "http://example.org:8080", "/?a=b"),
    ("http://[::1]:81/c/d?e#f", "http://[::1]:81", "/c/d?e"),
]


@pytest.mark.parametrize(("written", "target", "path"), ADDRESSES)
def test_a_whole_address_in_the_path_is_the_target(tmp_path: Path, written: str, target: str, path: str) -> None:
    """JMeter then asks that address, whatever server the request names."""
    study = only(read(tmp_path, plan(group(http(path=written)))))
    assert (study.stacks, study.operation[0].path) == ((f"target={target}",), path)


def test_defaults_that_are_never_used_change_nothing(tmp_path: Path) -> None:
    """Defaults of another branch are not in force."""
    controller = element("GenericController", "Simple Controller", below=defaults(path="/other") + http("in", path=""))
    imported = read(tmp_path, plan(group(controller, http("out", path=""))))
    assert [each.path for each in only(imported).operation] == ["/other", "/"]
