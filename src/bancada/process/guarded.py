# SPDX-License-Identifier: Apache-2.0
"""A program under guard: started with its own CPUs and control group, ended with its whole tree."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from bancada.errors import ToolMissingError
from bancada.process.guard import CLIENT_LIMIT_S, run_command

_GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True)
class Ended:
    """How a program ended: its exit code, or the signal that ended it."""

    code: int | None
    signal: int | None
    monotonic_ns: int

    def __str__(self) -> str:
        return f"exit code {self.code}" if self.signal is None else f"signal {self.signal}"


@dataclass(frozen=True)
class ClientOfDaemon:
    """How to end what a program has started at a daemon."""

    stop: Sequence[str]
    """Run in place of SIGTERM, until it succeeds; allows the grace before it kills."""
    remove: Sequence[str]
    """Run when the program has ended, whatever ended it or us; succeeds if there is nothing left to remove."""


@dataclass(frozen=True)
class Command:
    """What to start, and with what."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to this process's own environment."""
    cpus: Sequence[int] = ()
    """CPUs that it may use; none named means all that we may use."""
    cgroup: Path | None = None
    grace_s: float = 10.0
    """Time between asking it to end and ending it."""
    client: ClientOfDaemon | None = None
    """Given if the program only speaks for something that is not in its process tree, such as a container."""


class Guarded:
    """A running program. Leaving the context ends it; so does the end of this process, however it comes."""

    def __init__(
        self,
        command: Command,
        *,
        stdin: IO[Any] | int = subprocess.DEVNULL,
        stdout: IO[Any] | int = subprocess.DEVNULL,
        stderr: IO[Any] | int = subprocess.DEVNULL,
    ) -> None:
        """Start the command. Raises ToolMissingError if it cannot be executed."""
        control_read, self._control = os.pipe()
        self._report, report_write = os.pipe()
        arguments = [
            str(control_read),
            str(report_write),
            str(command.grace_s),
            ",".join(map(str, command.cpus)) or "-",
            str(command.cgroup or "-"),
            json.dumps(asdict(command.client)) if command.client else "-",
        ]
        try:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_GUARD), *arguments, "--", *command.argv],
                cwd=command.cwd,
                env={**os.environ, **command.env},
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=(control_read, report_write),
                start_new_session=True,
            )
        finally:
            os.close(control_read)
            os.close(report_write)
        self._buffer = b""
        self._ended: Ended | None = None
        self._grace_s = command.grace_s
        self._client = command.client
        self.left_behind: str | None = None
        """Why what it started at a daemon could not be removed, known after `stop`; None if it could."""
        first = self._next_message(timeout_s=30)
        if first is None or first["event"] == "failed":
            self.stop()
            reason = first["message"] if first else "it could not be started"
            raise ToolMissingError(f"cannot execute {command.argv[0]}: {reason}", where=" ".join(command.argv))
        self.pid = int(first["pid"])
        self.started_monotonic_ns = int(first["monotonic_ns"])

    @property
    def stdin(self) -> IO[Any] | None:
        """The program's standard input, if it was asked for with PIPE."""
        return self._guard.stdin

    @property
    def stdout(self) -> IO[Any] | None:
        """The program's standard output, if it was asked for with PIPE."""
        return self._guard.stdout

    def poll(self) -> Ended | None:
        """How the program ended, or None while it runs."""
        return self.wait(timeout_s=0)

    def wait(self, timeout_s: float | None) -> Ended | None:
        """Wait for the program's end; None if it still runs after `timeout_s` seconds (None: wait for ever)."""
        if self._ended is None:
            message = self._next_message(timeout_s)
            if message is not None and message["event"] == "ended":
                self._ended = Ended(message["code"], message["signal"], message["monotonic_ns"])
        return self._ended

    def signal(self, number: int) -> None:
        """Send a signal to the program alone (not to its tree), if it still runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def ask_to_end(self) -> None:
        """Begin to end the program and everything that it started, without waiting; may be called from any thread."""
        control, self._control = self._control, -1
        if control >= 0:
            os.close(control)

    def stop(self) -> Ended | None:
        """End the program and everything that it started; how it ended, or None if that is not known."""
        self.ask_to_end()
        try:
            self._guard.wait(timeout=self._grace_s + 15 + (CLIENT_LIMIT_S if self._client else 0))
        except subprocess.TimeoutExpired:
            self._guard.kill()  # its children have asked the kernel to die with it
            self._guard.wait()
        if self._report >= 0:
            self.wait(timeout_s=0)
            self._hear_of_removal()
            os.close(self._report)
            self._report = -1
        for stream in (self._guard.stdin, self._guard.stdout):
            if stream is not None:
                stream.close()
        return self._ended

    def _hear_of_removal(self) -> None:
        if self._guard.returncode != 0 and self._client is not None:
            self.left_behind = run_command(list(self._client.remove))  # the guard was killed, and could not
        elif (message := self._next_message(timeout_s=0)) is not None and message["event"] == "left":
            self.left_behind = message["message"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _next_message(self, timeout_s: float | None) -> dict[str, Any] | None:
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while b"\n" not in self._buffer:
            if self._report < 0:
                return None
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([self._report], [], [], left)[0]:
                return None
            received = os.read(self._report, 4096)
            if not received:
                return None
            self._buffer += received
        line, _, self._buffer = self._buffer.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message
