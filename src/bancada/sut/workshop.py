# SPDX-License-Identifier: Apache-2.0
"""What builds need beside the sources, and one command of a build: every line told and logged, in limited time."""

from __future__ import annotations

import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.errors import BuildError
from bancada.model.base import NS_PER_S
from bancada.model.events import BuildOutput, BuildStarted, Event
from bancada.model.stack import StackVariant
from bancada.process.container_engine import ContainerEngine
from bancada.process.guarded import Command, Guarded

TAIL_LINES = 20


@dataclass(frozen=True)
class Workshop:
    """What builds need beside the sources."""

    cache: Path
    """Folder that keeps builds."""
    tools: Mapping[str, str]
    """Placeholders of commands: `java` → its path…"""
    tool_versions: Mapping[str, str]
    env: Mapping[str, str]
    """Environment of builds and starts, such as JAVA_HOME."""
    timeout_ns: int
    notify: Callable[[Event], None]
    container_engine: ContainerEngine | None = None
    """Makes images; without one variants that need it cannot be built."""
    base_image: str | None = None
    """Image that every image starts from, in place of the one that its stack names."""


def carry_out(sut: StackVariant, argv: Sequence[str], workshop: Workshop, folder: Path, log: Path) -> None:
    """Run a command of a build in `folder`. Raises BuildError with the end of its output; `log` has all of it."""
    workshop.notify(BuildStarted(label=sut.label, command=" ".join(argv)))
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    command = Command(argv, cwd=folder, env=workshop.env)
    with (
        log.open("w", encoding="utf-8") as file,
        Guarded(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as building,
        _time_limit(building, workshop.timeout_ns) as expired,
    ):
        assert building.stdout is not None
        for raw in building.stdout:
            line = raw.decode(errors="replace").rstrip()
            file.write(line + "\n")
            tail.append(line)
            workshop.notify(BuildOutput(label=sut.label, line=line))
        ended = building.wait(timeout_s=30)
    if expired.is_set():
        raise _failed(sut, f"did not build within {workshop.timeout_ns / NS_PER_S:g} s", log, tail)
    if ended is None or ended.code != 0:
        raise _failed(sut, f"did not build ({ended or 'no exit code'})", log, tail)


@contextmanager
def _time_limit(building: Guarded, timeout_ns: int) -> Iterator[threading.Event]:
    """End `building` when its time is up; the event tells that it was."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        building.ask_to_end()

    timer = threading.Timer(timeout_ns / NS_PER_S, expire)
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()


def _failed(sut: StackVariant, what: str, log: Path, tail: deque[str]) -> BuildError:
    shown = "\n".join(f"    {line}" for line in tail if line.strip())
    return BuildError(
        f"{sut.label} {what}; the build's last lines:\n{shown}",
        where=str(log),
        advice=f"mend {sut.folder} or the build command in its stack.toml, then run again",
    )
