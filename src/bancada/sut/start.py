# SPDX-License-Identifier: Apache-2.0
"""Start a system under test and end it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.model.handle import RunningSut
from bancada.model.stack import StackVariant
from bancada.process.cgroup import make_group
from bancada.process.guarded import Command, Ended, Guarded
from bancada.sut.build import Built, fill_in

HOST = "127.0.0.1"
TAIL_BYTES = 4_000


@dataclass(frozen=True)
class Surroundings:
    """What a system under test is started with."""

    tools: Mapping[str, str]
    env: Mapping[str, str]
    port: int
    cpus: Sequence[int]
    grace_s: float
    stdout: Path
    stderr: Path


class StartedSut:
    """A system under test that we have started."""

    def __init__(self, label: str, program: Guarded, port: int, cgroup: Path | None) -> None:
        self._program = program
        self.running = RunningSut(
            label=label,
            base_url=f"http://{HOST}:{port}",
            pid=program.pid,
            cgroup=str(cgroup) if cgroup else None,
            started_monotonic_ns=program.started_monotonic_ns,
        )

    def still_runs(self) -> bool:
        """Whether it has not ended by itself."""
        return self._program.poll() is None

    def ended(self) -> Ended | None:
        """How it ended by itself, or None while it runs."""
        return self._program.poll()

    def stop(self) -> Ended | None:
        """End it with its whole process tree."""
        return self._program.stop()


@contextmanager
def started(sut: StackVariant, built: Built, around: Surroundings) -> Iterator[StartedSut]:
    """Start `sut` and end it on leaving. Raises ToolMissingError if its command cannot be executed."""
    cgroup, _ = make_group(sut.stack.stack)
    command = Command(
        fill_in(sut.chosen.start, {**around.tools, "port": str(around.port)}),
        cwd=built.folder,
        env={**around.env, **sut.chosen.env, "PORT": str(around.port), "HOST": HOST},
        cpus=around.cpus,
        cgroup=cgroup,
        grace_s=around.grace_s,
    )
    with (
        around.stdout.open("wb") as stdout,
        around.stderr.open("wb") as stderr,
        Guarded(command, stdout=stdout, stderr=stderr) as program,
    ):
        yield StartedSut(sut.label, program, around.port, cgroup)


def log_tail(around: Surroundings) -> str:
    """The last of what the system under test wrote, from stderr or else from stdout."""
    for log in (around.stderr, around.stdout):
        text = log.read_bytes()[-TAIL_BYTES:].decode(errors="replace").strip() if log.exists() else ""
        if text:
            return text
    return ""
