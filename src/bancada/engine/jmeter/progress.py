# SPDX-License-Identifier: Apache-2.0
"""How far JMeter is, from the JTL that it is writing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from bancada.engine.jmeter.template import USERS
from bancada.engine.wire import ProgressEvent
from bancada.model.base import NS_PER_MS

# The columns threadName, dataType and success of a row: the thread group's name is ours, so nothing else looks so.
_ROW = re.compile(rf",{USERS} 1-\d+,(?:text|bin|),(true|false),".encode())
_FIRST = re.compile(rb"^(\d{13}),", re.MULTILINE)
_THREADS = re.compile(rb',(\d+),(\d+),"?http.*,\d+,\d+,\d+\s*$')


@dataclass
class Tail:
    """The end of a file that grows."""

    path: Path
    expected_requests: int | None
    requests: int = 0
    failures: int = 0
    active_users: int = 0
    first_unix_ms: int | None = None
    """When the first request that was recorded began."""
    _read: int = 0

    def read(self) -> None:
        """Take in the whole lines that were added since."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._read)
                added = file.read()
        except FileNotFoundError:
            return
        lines = added[: added.rfind(b"\n") + 1]
        self._read += len(lines)
        if self.first_unix_ms is None and (first := _FIRST.search(lines)):
            self.first_unix_ms = int(first[1])
        successes = _ROW.findall(lines)
        self.requests += len(successes)
        self.failures += successes.count(b"false")
        if threads := _THREADS.search(lines[lines.rstrip().rfind(b"\n") + 1 :]):
            self.active_users = int(threads[2])

    def event(self, now_unix_ns: int) -> ProgressEvent | None:
        """What is known; None before the first request was answered."""
        if self.first_unix_ms is None:
            return None
        return ProgressEvent(
            event="progress",
            elapsed_ns=max(0, now_unix_ns - self.first_unix_ms * NS_PER_MS),
            requests=self.requests,
            failures=self.failures,
            active_users=self.active_users,
            expected_requests=self.expected_requests,
        )
