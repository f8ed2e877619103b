# SPDX-License-Identifier: Apache-2.0
"""The central service: what it answers, when, and what it tells of itself."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import time
import urllib.request
from pathlib import Path

import pytest

from bancada.engine.drive import drive
from bancada.engine.locate import locate
from bancada.engine.wire import LoadOrder, load_order, operation_order
from bancada.errors import AddressError, ServiceError
from bancada.model.base import NS_PER_S
from bancada.model.load import ClosedLoad
from bancada.model.operation import Operation
from bancada.model.upstream import Upstream
from bancada.services.upstream import RunningUpstream, find_upstream


def _answer(service: RunningUpstream) -> bytes:
    with urllib.request.urlopen(service.env["UPSTREAM_URL"] + "/any/path") as answer:
        body: bytes = answer.read()
    return body


def _wait_until_ended(service: RunningUpstream) -> None:
    deadline = time.monotonic() + 10
    while service.still_runs() and time.monotonic() < deadline:
        time.sleep(0.01)


def test_it_answers_with_its_file_after_its_delay(tmp_path: Path) -> None:
    """Not before the delay is over, byte for byte, on any path; afterwards it tells how many and how late."""
    page = tmp_path / "page.html"
    page.write_text("<p>Ação à distância</p>", encoding="utf-8")
    offer = find_upstream(locate(), Upstream(delay="50ms", body_file=str(page), content_type="text/html"))
    with offer.up(tmp_path) as service:
        begun = time.monotonic()
        assert _answer(service) == page.read_bytes()
        assert time.monotonic() - begun >= 0.05
        assert service.record is None
    assert service.record is not None
    assert service.record.requests == 1
    assert service.record.lateness_ns.count == 1
    assert service.record.cpu_ns > 0
    assert "answers after 50ms with page.html" in offer.facts.detail


@pytest.mark.parametrize(
    ("size", "content_type"), [(0, None), (1, "application/json"), (6600, None), (300, "application/json")]
)
def test_a_body_of_a_given_size_is_the_one_that_is_checked_for(
    tmp_path: Path, size: int, content_type: str | None
) -> None:
    """What the model says that the answer will be is what the engine's server answers."""
    upstream = Upstream(body_bytes=size, content_type=content_type)
    with find_upstream(locate(), upstream).up(tmp_path) as service:
        answer = _answer(service)
    assert len(answer) == size
    assert hashlib.sha256(answer).digest() == hashlib.sha256(upstream.body).digest()


def test_a_killed_central_service_says_so(tmp_path: Path) -> None:
    """It has ended by itself, by signal 9, and has nothing to tell."""
    with find_upstream(locate(), Upstream(body_bytes=1)).up(tmp_path) as service:
        assert service.pid is not None
        os.kill(service.pid, signal.SIGKILL)
        _wait_until_ended(service)
        assert service.ended() == "signal 9"
    assert service.record is None


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    """Nobody else's server is taken for the central service."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(AddressError, match=str(port)),
            find_upstream(locate(), Upstream(body_bytes=1)).up(tmp_path, port=port),
        ):
            pytest.fail("the port is taken")


def test_a_program_that_is_no_engine_is_refused(tmp_path: Path) -> None:
    """One plain error, before any trial."""
    with pytest.raises(ServiceError, match="cannot be had"):
        find_upstream(tmp_path / "nothing-here", Upstream(body_bytes=1))


@pytest.mark.slow
def test_ten_thousand_requests_may_be_open_at_once(tmp_path: Path) -> None:
    """All of them wait together, none is refused, and the central service is late by no part of what they wait."""
    users, delay_ns = 10_000, 4 * NS_PER_S
    with find_upstream(locate(), Upstream(delay="4s", body_bytes=6600)).up(tmp_path) as service:
        order = LoadOrder(
            target=service.env["UPSTREAM_URL"],
            seed=1,
            operations=(operation_order(Operation(name="page", path="/")),),
            load=load_order(ClosedLoad(name="load", users=users, ramp_up=3 * NS_PER_S, iterations=1)),
            connect_timeout_ns=10 * NS_PER_S,
            response_timeout_ns=30 * NS_PER_S,
            samples=None,
        )
        record = drive(order)
    assert (record.latency_ns.count, record.failures, record.connections_opened) == (users, {}, users)
    assert service.record is not None
    assert service.record.requests == users
    assert service.record.lateness_ns.mean is not None
    assert service.record.lateness_ns.mean < delay_ns / 100
