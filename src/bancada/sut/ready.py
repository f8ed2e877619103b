# SPDX-License-Identifier: Apache-2.0
"""Wait for the first correct answer, to the millisecond, without taking CPU time from what is starting."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from bancada.errors import NeverReadyError
from bancada.model.base import NS_PER_S
from bancada.model.operation import Check, Operation
from bancada.model.scenario import Scenario
from bancada.sut.ask import ask, is_literal, mistake

LOOK_EVERY_S = 0.001
"""A refused connection on loopback costs about 30 µs, on our CPU and not on the system under test's where pinned."""


def first_question(scenario: Scenario, ready_path: str | None) -> Operation:
    """What to ask: the scenario's first operation; the path that tells readiness if that is a template."""
    first = scenario.operation[0]
    if is_literal(first) or ready_path is None:
        return first
    return Operation(name="ready", path=ready_path, check=Check(status=(200,)))


def wait_ready(base_url: str, question: Operation, *, timeout_ns: int, still_runs: Callable[[], bool]) -> int:
    """Ask until the answer is right; returns that instant (CLOCK_MONOTONIC, ns).

    The port is tried every millisecond, and the question asked as soon as it is open. Raises NeverReadyError with the
    last thing seen if `timeout_ns` passes or `still_runs` says no.
    """
    address = urlsplit(base_url)
    place = (address.hostname or "", address.port or 80)
    deadline = time.monotonic_ns() + timeout_ns
    seen, answered = "nothing listens on the port", False
    while time.monotonic_ns() < deadline:
        if _is_open(place):
            try:
                left_s = max(0.05, (deadline - time.monotonic_ns()) / NS_PER_S)
                wrong = mistake(question, ask(base_url, question, timeout_s=left_s))
            except (OSError, http.client.HTTPException) as error:
                # A wrong answer says more than the time that ran out in the last attempt.
                if not answered:
                    seen = f"{question.method} {question.path}: no answer: {error or type(error).__name__}"
            else:
                if wrong is None:
                    return time.monotonic_ns()
                seen, answered = f"{question.method} {question.path}: {wrong}", True
        if not still_runs():
            raise NeverReadyError(f"ended before it was ready ({seen})", where=base_url)
        time.sleep(LOOK_EVERY_S)
    raise NeverReadyError(
        f"was not ready within {timeout_ns / NS_PER_S:.0f} s ({seen})",
        where=base_url,
        advice="read its stderr.log; a slow start needs a longer [timeouts] ready in the study",
    )


def is_open(base_url: str) -> bool:
    """Whether something listens there."""
    address = urlsplit(base_url)
    return _is_open((address.hostname or "", address.port or 80))


def _is_open(place: tuple[str, int]) -> bool:
    try:
        with socket.create_connection(place, timeout=1):
            return True
    except OSError:
        return False
