# SPDX-License-Identifier: Apache-2.0
"""The central service of a relay: `bancada-engine upstream`, fresh for each trial, which tells how late it was."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bancada.errors import ServiceError
from bancada.model.service import PRODUCTS, ServiceFacts
from bancada.model.upstream import Upstream, UpstreamRecord
from bancada.process.guarded import Command, Guarded
from bancada.process.ports import free_port

HOST = "127.0.0.1"
READY_LIMIT_S = 10
TAIL_BYTES = 4_000
(PRODUCT,) = PRODUCTS["upstream"]


class RunningUpstream:
    """The central service while it is up; after its end, what it told of itself."""

    def __init__(self, program: Guarded, port: int, said: Path, complaints: Path) -> None:
        self._program = program
        self._port = port
        self._said = said
        self._complaints = complaints
        self.record: UpstreamRecord | None = None
        """How late its answers were; None before its end, and if it did not come to tell."""

    @property
    def env(self) -> Mapping[str, str]:
        """UPSTREAM_URL, without a path."""
        return {"UPSTREAM_URL": f"http://{HOST}:{self._port}"}

    @property
    def pid(self) -> int | None:
        """Its process."""
        return self._program.pid

    def still_runs(self) -> bool:
        """Whether it has not ended by itself."""
        return self._program.poll() is None

    def ended(self) -> str | None:
        """How it ended by itself; None while it runs."""
        ended = self._program.poll()
        return str(ended) if ended else None

    def log_tail(self) -> str:
        """The last of what it wrote."""
        tails = (path.read_bytes()[-TAIL_BYTES:].decode(errors="replace").strip() for path in self._files())
        return "\n".join(tail for tail in tails if tail)

    def listens(self) -> bool:
        """Whether it has said that it accepts connections."""
        return any(event.get("event") == "listening" for event in self._events())

    def stop(self) -> None:
        """End it, and keep what it tells at its end."""
        self._program.stop()
        for event in self._events():
            if event.pop("event", None) == "record":
                cost = event.pop("engine", {})
                fields = {name: event.get(name) for name in ("connections", "requests", "lateness_ns")}
                costs = {name: cost.get(name) for name in ("cpu_ns", "peak_rss_bytes")}
                try:
                    self.record = UpstreamRecord.model_validate(fields | costs)
                except ValidationError as error:
                    raise ServiceError(f"the central service told something else than its record: {error}") from error

    def _files(self) -> tuple[Path, ...]:
        return tuple(path for path in (self._complaints, self._said) if path.exists())

    def _events(self) -> Iterator[dict[str, Any]]:
        """The lines that it has completed so far."""
        for line in self._said.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue  # the last line may still be in the making
            if isinstance(event, dict):
                yield event


class UpstreamOffer:
    """The central service as a study wants it."""

    def __init__(self, engine: Path, upstream: Upstream, version: str) -> None:
        self._engine = engine
        self._upstream = upstream
        body = upstream.body_file or f"{upstream.body_bytes or 0} bytes"
        self.facts = ServiceFacts(
            kind="upstream",
            product=PRODUCT,
            version=version,
            source="engine",
            detail=f"answers after {_delay(upstream)} with {Path(body).name}, {len(upstream.body)} bytes",
        )

    @contextmanager
    def up(self, folder: Path, *, cpus: Sequence[int] = (), port: int | None = None) -> Iterator[RunningUpstream]:
        """A central service that listens; its events stay in `folder/service.log`.

        Raises ServiceError if it does not start, AddressError if `port` is taken.
        """
        chosen = free_port(port)
        said, complaints = folder / "service.log", folder / "service.err"
        command = Command(self._argv(chosen), cwd=folder, cpus=cpus)
        with (
            said.open("wb") as stdout,
            complaints.open("wb") as stderr,
            Guarded(command, stdout=stdout, stderr=stderr) as program,
        ):
            service = RunningUpstream(program, chosen, said, complaints)
            _wait(service)
            try:
                yield service
            finally:
                service.stop()

    def _argv(self, port: int) -> list[str]:
        wanted = self._upstream
        argv = [str(self._engine), "upstream", "--listen", f"{HOST}:{port}", "--delay", _delay(wanted)]
        if wanted.body_file is not None:
            argv += ["--body-file", wanted.body_file]
        else:
            argv += ["--body-bytes", str(wanted.body_bytes or 0)]
        return argv + (["--content-type", wanted.content_type] if wanted.content_type is not None else [])


def find_upstream(engine: Path, upstream: Upstream) -> UpstreamOffer:
    """The central service that a scenario describes. Raises ServiceError if the engine does not run."""
    try:
        told = subprocess.run([engine, "--version"], capture_output=True, text=True, check=True, timeout=READY_LIMIT_S)
    except (OSError, subprocess.SubprocessError) as error:
        raise ServiceError(f"the central service cannot be had: {error}", where=str(engine)) from error
    version = re.search(r"\d+(\.\d+)+", told.stdout)
    return UpstreamOffer(engine, upstream, version[0] if version else "unknown")


def _delay(upstream: Upstream) -> str:
    return upstream.delay or "0ms"


def _wait(service: RunningUpstream) -> None:
    deadline = time.monotonic() + READY_LIMIT_S
    while not service.listens():
        if not service.still_runs() or time.monotonic() > deadline:
            how = service.ended() or f"it does not listen after {READY_LIMIT_S} s"
            raise ServiceError(f"the central service did not start: {how}", where=service.log_tail())
        time.sleep(0.005)
