# SPDX-License-Identifier: Apache-2.0
"""Build a variant once for each state of its sources: the folder's name carries a digest of everything that matters."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.errors import BuildError, StorageError
from bancada.model.base import NS_PER_S
from bancada.model.events import BuildEnded, BuildOutput, BuildStarted, Event
from bancada.model.stack import StackVariant
from bancada.model.trial import BuildRecord
from bancada.process.guarded import Command, Guarded

NOT_SOURCES = frozenset({"target", "node_modules", ".git", ".gradle", ".idea", ".vscode", "stack.toml", "README.md"})
"""Names in a stack's folder that do not change what is built."""
RECORD = "bancada-build.json"
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


@dataclass(frozen=True)
class Built:
    """A variant ready to be started."""

    folder: Path
    record: BuildRecord


def fill_in(argv: tuple[str, ...], values: Mapping[str, str]) -> list[str]:
    """The command with `{java}`, `{port}`… replaced; other braces stay."""
    filled = []
    for argument in argv:
        text = argument
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        filled.append(text)
    return filled


def build(sut: StackVariant, workshop: Workshop) -> Built:
    """Build `sut`, or find that the same sources were built before.

    Raises BuildError that shows the end of the build's log and where all of it is.
    """
    digest = source_digest(sut, workshop.tool_versions)
    folder = workshop.cache / "builds" / f"{sut.stack.stack}-{digest[:16]}"
    with _lock(folder):
        if (folder / RECORD).is_file():
            record = BuildRecord.model_validate_json((folder / RECORD).read_text())
            record = record.model_copy(update={"cached": True, "artefact_bytes": _size(folder, sut.chosen.artefact)})
            workshop.notify(BuildEnded(label=sut.label, cached=True, duration_ns=record.duration_ns))
            return Built(folder, record)
        return Built(folder, _build_anew(sut, workshop, digest, folder))


def source_digest(sut: StackVariant, tool_versions: Mapping[str, str]) -> str:
    """SHA-256 over the stack's sources, the build command and the versions of the tools that it requires."""
    digest = hashlib.sha256()
    used = {name: tool_versions.get(name) for name in sorted(sut.stack.requires)}
    digest.update(repr((sut.chosen.build, used)).encode())
    root = Path(sut.folder)
    for path in sorted(_sources(root)):
        relative = path.relative_to(root).as_posix()
        digest.update(f"\n{relative}\0{path.stat().st_mode & 0o111}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_SOURCES]
        yield from (Path(folder, name) for name in files if name not in NOT_SOURCES)


def _build_anew(sut: StackVariant, workshop: Workshop, digest: str, folder: Path) -> BuildRecord:
    # Built in the final place, because some tools write absolute paths; complete only once its record is there.
    try:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sut.folder, folder, ignore=shutil.ignore_patterns(*NOT_SOURCES))
    except OSError as error:
        raise StorageError(f"cannot copy the sources of {sut.label}: {error}", where=str(folder)) from error
    started = time.monotonic_ns()
    if sut.chosen.build is not None:
        _run_build(sut, workshop, folder)
    record = BuildRecord(
        digest=digest,
        duration_ns=time.monotonic_ns() - started,
        artefact_bytes=_size(folder, sut.chosen.artefact),
        cached=False,
    )
    (folder / RECORD).write_text(record.model_dump_json(indent=1))
    if sut.chosen.build is not None:
        workshop.notify(BuildEnded(label=sut.label, cached=False, duration_ns=record.duration_ns))
    return record


def _run_build(sut: StackVariant, workshop: Workshop, folder: Path) -> None:
    assert sut.chosen.build is not None
    argv = fill_in(sut.chosen.build, workshop.tools)
    workshop.notify(BuildStarted(label=sut.label, command=" ".join(argv)))
    log = folder.with_suffix(".log")
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


def _size(folder: Path, artefact: str | None) -> int | None:
    if artefact is None:
        return None
    path = folder / artefact
    if path.is_file():
        return path.stat().st_size
    files = [each for each in path.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files) if files else None


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Two benches that want the same build do it one after the other."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = folder.with_suffix(".lock").open("w")
    except OSError as error:
        raise StorageError(f"cannot write builds: {error.strerror}", where=str(folder.parent)) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
