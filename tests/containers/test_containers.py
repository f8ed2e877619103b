# SPDX-License-Identifier: Apache-2.0
"""A variant that runs in a container: built, started, measured from outside, and gone afterwards."""

from __future__ import annotations

import dataclasses
import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bancada.errors import BuildError, NeverReadyError
from bancada.host.containers import find_container_engine
from bancada.model.base import NS_PER_S
from bancada.model.operation import Check, Operation
from bancada.model.stack import Network
from bancada.probes.sampler import Sampler
from bancada.process.container_engine import ContainerEngine
from bancada.process.ports import free_port
from bancada.sut.ask import ask
from bancada.sut.build import Built, build, source_digest
from bancada.sut.image import base_reason
from bancada.sut.ready import is_open, wait_ready
from bancada.sut.start import StartedSut, Surroundings, log_tail, started
from bancada.sut.workshop import Workshop
from tests.containers.conftest import STACK, boxed, containers

pytestmark = pytest.mark.slow

UP = Operation(name="up", path="/health", check=Check(status=(200,)))


def surroundings(folder: Path, workshop: Workshop, network: Network = "bridge") -> Surroundings:
    """What a system under test is started with: one CPU, two seconds to end."""
    return Surroundings(
        tools=workshop.tools,
        env={**workshop.env, "GREETING": "good day"},
        port=free_port(None),
        cpus=sorted(os.sched_getaffinity(0))[:1],
        grace_s=2,
        stdout=folder / "stdout.log",
        stderr=folder / "stderr.log",
        network=network,
    )


@contextmanager
def up(variant: str, built: Built, around: Surroundings) -> Iterator[StartedSut]:
    """A variant that answers."""
    with started(boxed(variant), built, around) as sut:
        wait_ready(sut.running.base_url, UP, timeout_ns=30 * NS_PER_S, still_runs=sut.still_runs)
        yield sut


def test_it_is_built_started_measured_and_gone(workshop: Workshop, tmp_path: Path) -> None:
    """The probes see the application inside, on the CPU that it was given, and not the engine's client."""
    built = build(boxed("jar-container"), workshop)
    around = surroundings(tmp_path, workshop)
    with up("jar-container", built, around) as sut:
        running = sut.settle()
        assert running.pid is not None
        assert b"java" in Path(f"/proc/{running.pid}/cmdline").read_bytes().split(b"\0")[0]
        assert os.sched_getaffinity(running.pid) == set(around.cpus)
        if running.cgroup is not None:
            assert str(running.pid) in Path(running.cgroup, "cgroup.procs").read_text().split()
        with Sampler(running) as sampler:
            for _ in range(200):
                ask(running.base_url, UP, timeout_s=5)
        series = sampler.series(0)
        assert series["rss_bytes"].min() > 20_000_000  # type: ignore[operator]
        assert series["threads"].min() > 5  # type: ignore[operator]
        assert series["cpu_ns"][-1] > series["cpu_ns"][0] > 0
        assert sut.stop() is not None
    assert not is_open(running.base_url)
    assert not Path(f"/proc/{running.pid}").exists()


@pytest.mark.parametrize(("network", "host"), [("bridge", "0.0.0.0"), ("host", "127.0.0.1")])
def test_the_container_gets_its_settings_and_nothing_of_this_host(
    workshop: Workshop, tmp_path: Path, network: Network, host: str
) -> None:
    """In either network its port is open on loopback; JAVA_HOME and PATH are not those of this host."""
    built = build(boxed("jar-container"), workshop)
    around = surroundings(tmp_path, workshop, network)
    with up("jar-container", built, around) as sut:
        told = ask(sut.running.base_url, UP, timeout_s=5).body.decode()
    assert f"HOST={host}" in told
    assert f"PORT={around.port}" in told
    assert "GREETING=good day" in told
    assert "JAVA_HOME" not in told
    assert workshop.env["JAVA_HOME"] not in told


def test_a_build_is_shared_and_an_image_made_once(workshop: Workshop, tmp_path: Path) -> None:
    """The same sources and command are built once, in a container or not; another base gives another image."""
    folder = shutil.copytree(STACK, tmp_path / "stack")
    (folder / "new.txt").write_text("other sources than those of which an image may be there already")
    plain, boxed_up = boxed("jar", folder), boxed("jar-container", folder)
    assert source_digest(plain, workshop.tool_versions) == source_digest(boxed_up, workshop.tool_versions)
    first, second, third = (build(sut, workshop) for sut in (plain, boxed_up, boxed_up))
    assert first.folder == second.folder
    assert first.image is None
    assert first.record.image_bytes is None
    assert second.image is not None
    assert third.image is not None
    assert second.image.name.startswith("localhost/bancada/boxed:jar-container-")
    assert second.image.name == third.image.name
    assert [built.record.cached for built in (first, second, third)] == [False, False, True]
    assert first.record.digest != second.record.digest == third.record.digest
    assert second.record.image_bytes is not None
    assert second.record.image_bytes > 50_000_000
    assert second.record.duration_ns == third.record.duration_ns
    assert second.record.duration_ns > first.record.duration_ns  # type: ignore[operator]
    other = dataclasses.replace(workshop, base_image="localhost/bancada-tests/base:plain")
    assert build(boxed_up, other).record.digest != second.record.digest


def test_an_image_that_cannot_be_made_shows_the_engines_words(workshop: Workshop) -> None:
    """The Containerfile sees the artefact alone, so that it cannot copy a source."""
    with pytest.raises(BuildError, match=r"Sorter\.java"):
        build(boxed("unbuildable"), workshop)


def test_a_crash_in_a_container_is_known_with_its_exit_code(workshop: Workshop, tmp_path: Path) -> None:
    """The client's exit code is the application's, and its last words are in the log."""
    built = build(boxed("crashes"), workshop)
    around = surroundings(tmp_path, workshop)
    with up("crashes", built, around) as sut:
        with pytest.raises((OSError, http.client.HTTPException)):
            ask(sut.running.base_url, Operation(name="sort", method="POST", path="/sort"), timeout_s=10)
        deadline = time.monotonic() + 10
        while sut.still_runs():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        ended = sut.ended()
    assert ended is not None
    assert ended.code == 42
    assert "out of luck" in log_tail(around)


def test_what_cannot_be_started_shows_the_engines_words(workshop: Workshop, tmp_path: Path) -> None:
    """A command that the image does not have is told as the engine tells it."""
    built = build(boxed("unstartable"), workshop)
    around = surroundings(tmp_path, workshop)
    with started(boxed("unstartable"), built, around) as sut:
        with pytest.raises(NeverReadyError, match="ended before it was ready"):
            wait_ready(sut.running.base_url, UP, timeout_ns=30 * NS_PER_S, still_runs=sut.still_runs)
        with pytest.raises(NeverReadyError, match="container"):
            sut.settle()
    assert "no-such-program" in log_tail(around)


def test_one_that_ignores_sigterm_is_killed_after_the_grace(workshop: Workshop, tmp_path: Path) -> None:
    """Its container is gone too, after the two seconds and not after the engine's own ten."""
    built = build(boxed("stubborn"), workshop)
    with up("stubborn", built, surroundings(tmp_path, workshop)) as sut:
        pid = sut.settle().pid
        asked = time.monotonic()
        sut.stop()
        assert 1.9 < time.monotonic() - asked < 8
        assert not Path(f"/proc/{pid}").exists()


BENCH = """
import sys
from pathlib import Path
from bancada.process.container_engine import ContainerEngine
from bancada.process.guarded import Command, Guarded
from bancada.sut.container import new_container, run_command
from bancada.sut.image import ContainerImage
engine = ContainerEngine(sys.argv[1], Path(sys.argv[2]))
container = new_container(ContainerImage(engine, sys.argv[3], "", None, None, cached=True), "bridge")
start = ["java", "-jar", "sorter.jar", "ignore-sigterm"]
argv = run_command(container, start, env={}, port=int(sys.argv[4]), cpus=())
guarded = Guarded(Command(argv, cwd=Path.cwd(), grace_s=1, client=container.client(1)))
print("started", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("after_s", [0.0, 0.1, 0.3, None])
def test_a_killed_bench_leaves_no_container(
    container_engine: ContainerEngine, workshop: Workshop, after_s: float | None
) -> None:
    """SIGKILL in the middle of the start, or when the application answers, and it ignores SIGTERM."""
    image = build(boxed("stubborn"), workshop).image
    assert image is not None
    port = free_port(None)
    arguments = [container_engine.name, str(container_engine.path), image.name, str(port)]
    with subprocess.Popen(
        [sys.executable, "-c", BENCH, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as bench:
        assert bench.stdout is not None
        assert bench.stdout.readline() == b"started\n"
        if after_s is None:
            wait_ready(f"http://127.0.0.1:{port}", UP, timeout_ns=30 * NS_PER_S, still_runs=lambda: True)
            assert len(containers(container_engine)) == 1
        else:
            time.sleep(after_s)
        bench.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while is_open(f"http://127.0.0.1:{port}") or _guards(image.name) or containers(container_engine):
        assert time.monotonic() < deadline, containers(container_engine)
        time.sleep(0.1)
    assert _reaches_a_program_of_this_host(port)


def _reaches_a_program_of_this_host(port: int) -> bool:
    """Whether the port is this host's again: a rule that was left behind would lead to a dead address."""
    with socket.create_server(("127.0.0.1", port)) as server:
        server.settimeout(5)
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            connection, _ = server.accept()
            connection.close()
    return True


def _guards(image: str) -> list[int]:
    """Processes whose command line has the image's name: guards and clients."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if image.encode() in arguments:
                found.append(int(entry.name))
    return found


def test_a_base_image_that_cannot_be_had_is_a_reason(container_engine: ContainerEngine, workshop: Workshop) -> None:
    """One that is there is none; one that no registry has is told in the engine's words; the pull has a limit."""
    assert workshop.base_image is not None
    assert base_reason(container_engine, workshop.base_image) is None
    reason = base_reason(container_engine, "127.0.0.1:1/no/such:image", 60)
    assert reason is not None
    assert "127.0.0.1:1/no/such:image" in reason
    assert "cannot pull it" in reason
    assert "refused" in reason
    with pytest.raises(BuildError, match="cannot be put into an image"):
        build(boxed("jar-container"), dataclasses.replace(workshop, base_image="127.0.0.1:1/no/such:image"))


def test_the_engine_that_the_user_names_is_found(container_engine: ContainerEngine) -> None:
    """By its path, and it knows what kind it is."""
    tool = find_container_engine()
    assert (tool.name, tool.path) == (container_engine.name, container_engine.path)
