# SPDX-License-Identifier: Apache-2.0
"""Start a system under test, as a program of this host or in a container, and end it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.errors import NeverReadyError, ToolMissingError
from bancada.model.handle import RunningSut
from bancada.model.stack import Network, StackVariant
from bancada.process.cgroup import make_group
from bancada.process.container_engine import ContainerEngineError
from bancada.process.guarded import Command, Ended, Guarded
from bancada.sut.build import Built, fill_in
from bancada.sut.container import Container, group_of, new_container, run_command

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
    network: Network = "bridge"
    """Of a container; `host` if the environment names services on loopback addresses."""


class StartedSut:
    """A system under test that we have started."""

    def __init__(self, running: RunningSut, program: Guarded, container: Container | None) -> None:
        self.running = running
        """What is known of it; before `settle`, of a container without its process and control group."""
        self._program = program
        self._container = container

    def settle(self) -> RunningSut:
        """What is known of it now that it answers.

        The process of a container is looked up here and not before, since asking the engine takes CPU time from what
        is starting. Raises NeverReadyError if the container has ended meanwhile.
        """
        if self._container is not None and self.running.pid is None:
            try:
                init = self._container.init()
            except ContainerEngineError as error:
                raise NeverReadyError(f"its container is not there: {error}", where=self.running.base_url) from error
            if init is not None:
                group = group_of(*init)
                found = {"pid": init[0], "cgroup": str(group) if group else None}
                self.running = self.running.model_copy(update=found)
        return self.running

    @property
    def network(self) -> Network | None:
        """The network of its container; None if it runs in none."""
        return self._container.network if self._container is not None else None

    def still_runs(self) -> bool:
        """Whether it has not ended by itself."""
        return self._program.poll() is None

    def ended(self) -> Ended | None:
        """How it ended by itself, or None while it runs."""
        return self._program.poll()

    def stop(self) -> Ended | None:
        """End it with its whole process tree, or its container. Raises ToolMissingError if a container is left."""
        ended = self._program.stop()
        if self._container is not None and self._program.left_behind is not None:
            remove = " ".join(self._container.image.engine.remove_command(self._container.name))
            raise ToolMissingError(
                f"a container could not be removed, and may still run: {self._program.left_behind}",
                where=self._container.name,
                advice=f"remove it: {remove}",
            )
        return ended


@contextmanager
def started(sut: StackVariant, built: Built, around: Surroundings) -> Iterator[StartedSut]:
    """Start `sut` and end it on leaving.

    Raises ToolMissingError if its command cannot be executed, or if its container cannot be removed.
    """
    if built.image is None:
        cgroup, _ = make_group(sut.stack.stack)
        container, command = None, _program_command(sut, built, around, cgroup)
    else:
        cgroup, container = None, new_container(built.image, around.network)
        command = _container_command(sut, built, around, container)
    with (
        around.stdout.open("wb") as stdout,
        around.stderr.open("wb") as stderr,
        Guarded(command, stdout=stdout, stderr=stderr) as program,
    ):
        running = RunningSut(
            label=sut.label,
            base_url=f"http://{HOST}:{around.port}",
            pid=program.pid if container is None else None,
            cgroup=str(cgroup) if cgroup else None,
            started_monotonic_ns=program.started_monotonic_ns,
        )
        ours = StartedSut(running, program, container)
        yield ours
        ours.stop()


def _program_command(sut: StackVariant, built: Built, around: Surroundings, cgroup: Path | None) -> Command:
    return Command(
        fill_in(sut.chosen.start, {**around.tools, "port": str(around.port)}),
        cwd=built.folder,
        env={**around.env, **sut.env, "PORT": str(around.port), "HOST": HOST},
        cpus=around.cpus,
        cgroup=cgroup,
        grace_s=around.grace_s,
    )


def _container_command(sut: StackVariant, built: Built, around: Surroundings, container: Container) -> Command:
    argv = run_command(
        container,
        fill_in(sut.chosen.start, {"port": str(around.port)}),
        env={**around.env, **sut.env},
        port=around.port,
        cpus=around.cpus,
    )
    return Command(argv, cwd=built.folder, grace_s=around.grace_s, client=container.client(around.grace_s))


def log_tail(around: Surroundings) -> str:
    """The last of what the system under test wrote, from stderr or else from stdout."""
    for log in (around.stderr, around.stdout):
        text = log.read_bytes()[-TAIL_BYTES:].decode(errors="replace").strip() if log.exists() else ""
        if text:
            return text
    return ""
