# SPDX-License-Identifier: Apache-2.0
"""Have JMeter carry out one order, and bring back a record like that of Bancada's own engine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.engine.jmeter.plan import write_order_as_plan
from bancada.engine.jmeter.process import JTL, LOG, SAID, Usage, ask_to_stop, command, free_port
from bancada.engine.jmeter.progress import Tail
from bancada.engine.jmeter.record import Course, record_of
from bancada.engine.wire import ClosedOrder, LoadOrder, ProgressEvent
from bancada.errors import EngineError, StorageError
from bancada.jmeter.home import JMeter
from bancada.model.base import NS_PER_S
from bancada.model.measure import LoadRecord
from bancada.process.guarded import Ended, Guarded

POLL_S = 0.1
LET_FINISH_S = 5.0
"""How long users may wait for their last answers, once the load is to end early."""


def drive_with_jmeter(
    order: LoadOrder,
    jmeter: JMeter,
    folder: Path,
    *,
    cpus: Sequence[int] = (),
    on_progress: Callable[[ProgressEvent], None] = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> LoadRecord:
    """Carry out `order` with JMeter and return what it recorded; the sibling of `bancada.engine.drive.drive`.

    The test plan, JMeter's log and its JTL stay in `folder`, which is this load's own. `should_stop` is asked about ten
    times a second; once it says so, JMeter ends early and the record says it.
    Raises PlanError (JMeter cannot carry the order out as it is), EngineError (JMeter could not measure),
    ToolMissingError (Java cannot be started) or StorageError (files cannot be written).
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / JTL).unlink(missing_ok=True)  # JMeter would go on writing it
        plan = write_order_as_plan(order, folder)
    except OSError as error:
        raise StorageError(f"cannot write results: {error}", advice="free some space") from error
    port, expected = free_port(), _expected_requests(order)
    with (
        (folder / SAID).open("wb") as said,
        Guarded(command(jmeter, plan, port, cpus), stdout=said, stderr=said) as java,
    ):
        watch = _Watch(java, Tail(folder / JTL, expected), Usage(java.pid), port, should_stop, on_progress)
        ended = watch.until_it_ends()
    watch.tail.read()
    if not watch.asked and (watch.tail.requests == 0 or ended is None or ended.code != 0):
        raise _could_not_measure(folder, ended)
    _drop_cut_line(folder / JTL)
    course = Course(
        version=jmeter.version,
        usage=watch.usage,
        recorded=watch.tail.requests,
        expected_requests=expected,
        stopped_early=watch.asked and watch.tail.requests != expected,
        cpus=len(cpus) or os.cpu_count() or 1,
        monotonic_minus_unix_ns=time.monotonic_ns() - time.time_ns(),
    )
    return record_of(order, folder / JTL, course)


@dataclass
class _Watch:
    """JMeter at work, and those who want to know of it."""

    java: Guarded
    tail: Tail
    usage: Usage
    port: int
    should_stop: Callable[[], bool]
    on_progress: Callable[[ProgressEvent], None]
    asked: bool = False
    """Whether JMeter was told to end early."""

    def until_it_ends(self) -> Ended | None:
        """How JMeter ended; None if it did not in time after it was told to."""
        limit_s, next_event_ns = float("inf"), 0
        while time.monotonic() < limit_s:
            ended = self.java.wait(POLL_S)
            now_ns = time.time_ns()
            self.usage.look(now_ns)
            self.tail.read()
            event = self.tail.event(now_ns)
            if event is not None and (ended or now_ns >= next_event_ns):
                self.on_progress(event)
                next_event_ns = now_ns + NS_PER_S // 4
            if ended is not None:
                return ended
            if not self.asked and self.should_stop():
                self.asked = True
                limit_s = time.monotonic() + (LET_FINISH_S if self.tail.requests else 0)  # it may not listen yet
                ask_to_stop(self.port)
        return None


def _expected_requests(order: LoadOrder) -> int | None:
    """How many requests the order ends after; None if it ends after a time."""
    load = order.load
    if not isinstance(load, ClosedOrder) or load.iterations is None:
        return None
    return load.users * load.iterations * len(order.operations)


def _drop_cut_line(jtl: Path) -> None:
    """Requests under way when a load is stopped are dropped; so is one whose row was being written."""
    content = jtl.read_bytes() if jtl.exists() else b""
    if content and not content.endswith(b"\n"):
        jtl.write_bytes(content[: content.rfind(b"\n") + 1])


def _could_not_measure(folder: Path, ended: Ended | None) -> EngineError:
    said = [line for name in (SAID, LOG) for line in _last_lines(folder / name)]
    return EngineError(
        f"JMeter could not measure ({ended})",
        where="\n".join([str(folder), *said]),
        advice="JVM_ARGS gives Java other flags, such as less memory: JVM_ARGS='-Xms256m -Xmx256m'",
    )


def _last_lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    return path.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-8:]
