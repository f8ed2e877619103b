# SPDX-License-Identifier: Apache-2.0
"""Give the load engine one order, listen to it, and bring its record back."""

from __future__ import annotations

import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from bancada.engine.locate import locate
from bancada.engine.wire import ENGINE_EVENT, EngineEvent, ErrorEvent, LoadOrder, ProgressEvent, RecordEvent
from bancada.errors import BancadaError, EngineError, PlanError, StorageError
from bancada.model.measure import LoadRecord
from bancada.process.guarded import Command, Guarded

POLL_S = 0.1


def drive(
    order: LoadOrder,
    *,
    cpus: Sequence[int] = (),
    on_progress: Callable[[ProgressEvent], None] = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> LoadRecord:
    """Carry out `order` and return what the engine recorded.

    `should_stop` is asked about ten times a second; once it says so, the engine ends early and its record says it.
    Raises EngineError (the engine is missing, or could not measure), PlanError (this host cannot carry the load out) or
    StorageError (samples cannot be written).
    """
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as complaints:
        told.write(order.model_dump_json().encode())
        told.seek(0)
        command = Command([str(locate()), "drive"], cwd=Path.cwd(), cpus=cpus, grace_s=15)
        with Guarded(command, stdin=told, stdout=subprocess.PIPE, stderr=complaints) as engine:
            assert engine.stdout is not None
            lines = _lines(engine.stdout)
            record = _listen(lines, engine, on_progress, should_stop)
            if record is None:
                ended = engine.wait(timeout_s=5)
                complaints.seek(0)
                said = complaints.read()[-2000:].decode(errors="replace").strip()
                raise EngineError(f"the load engine ended without a record ({ended}): {said or 'no message'}")
            return record


def _lines(stdout: IO[bytes]) -> queue.Queue[bytes | None]:
    """The engine's lines as they come; None at their end."""
    lines: queue.Queue[bytes | None] = queue.Queue()

    def read() -> None:
        try:
            for line in stdout:
                lines.put(line)
        except ValueError:
            pass  # closed by us while the engine was being stopped
        lines.put(None)

    threading.Thread(target=read, daemon=True, name="engine-output").start()
    return lines


def _listen(
    lines: queue.Queue[bytes | None],
    engine: Guarded,
    on_progress: Callable[[ProgressEvent], None],
    should_stop: Callable[[], bool],
) -> LoadRecord | None:
    asked = False
    while True:
        try:
            line = lines.get(timeout=POLL_S)
        except queue.Empty:
            line = b""
        if line is None:
            return None
        event = _event(line) if line.strip() else None
        if isinstance(event, RecordEvent):
            return event.record()
        if isinstance(event, ErrorEvent):
            raise _error(event)
        if isinstance(event, ProgressEvent):
            on_progress(event)
        if not asked and should_stop():
            engine.signal(signal.SIGTERM)
            asked = True


def _event(line: bytes) -> EngineEvent:
    try:
        return ENGINE_EVENT.validate_json(line)
    except ValidationError as error:
        raise EngineError(
            "the load engine said something that this version does not understand",
            where=line[:200].decode(errors="replace"),
            advice="engine and bench must be of one version: start through ./bancada, which builds both",
        ) from error


def _error(event: ErrorEvent) -> BancadaError:
    if event.kind == "samples":
        return StorageError(
            f"cannot write results: {event.message}",
            advice="free some space or name another folder with --results; finished trials are kept",
        )
    if event.kind == "order":
        return PlanError(f"this load cannot be carried out here: {event.message}", advice="change the study's [[load]]")
    return EngineError(f"the load engine could not measure ({event.kind}): {event.message}")
