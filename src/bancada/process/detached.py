# SPDX-License-Identifier: Apache-2.0
"""Programs that go on after the command that started them: known by their process id and their start."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

LOOK_EVERY_S = 0.05


@dataclass(frozen=True)
class Detached:
    """A process that may have ended since; its start tells it from another one that got the same id."""

    pid: int
    created: float
    """Seconds since the epoch, as psutil tells it."""

    @classmethod
    def of_this(cls) -> Self:
        """The running process itself."""
        return cls(os.getpid(), psutil.Process().create_time())

    def lives(self) -> bool:
        """Whether it still runs."""
        try:
            process = psutil.Process(self.pid)
            return process.create_time() == self.created and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    def end(self, timeout_s: float) -> bool:
        """Ask it to end, and wait; whether it has ended in time."""
        if self.lives():
            os.kill(self.pid, signal.SIGTERM)
        deadline = time.monotonic() + timeout_s
        while self.lives() and time.monotonic() < deadline:
            time.sleep(LOOK_EVERY_S)
        return not self.lives()


def detach(argv: Sequence[str], log: Path) -> tuple[Detached, subprocess.Popen[bytes]]:
    """Start a program in a session of its own; what it writes goes to `log`."""
    with log.open("wb") as out:
        started = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
    return Detached(started.pid, psutil.Process(started.pid).create_time()), started
