# SPDX-License-Identifier: Apache-2.0
"""A container engine that works, with a store of images that is the tests' own, and a base image with Java."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bancada.catalog.stacks import read_stack
from bancada.errors import ToolMissingError
from bancada.host.containers import find_container_engine
from bancada.host.tools import find_tool, tool_env
from bancada.model.base import NS_PER_S
from bancada.model.stack import StackVariant
from bancada.process.container_engine import ContainerEngine, ContainerEngineError
from bancada.sut.workshop import Workshop
from tests.conftest import PROJECT

BASE_SCRIPT = PROJECT / "scripts" / "base-image.sh"
STACK = Path(__file__).with_name("stack")
STORAGE = '[storage]\ndriver = "overlay"\ngraphroot = "{0}/images"\nrunroot = "{0}/state"\n'
# What Podman sets by itself needs CAP_SYS_RESOURCE and an uncommon layout of control groups does not suit crun.
SETTINGS = """
[containers]
default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
[network]
network_backend = "netavark"
"""


@dataclass(frozen=True)
class EngineForTests:
    """An engine, the environment in which it works, and the name of a base image that it has."""

    engine: ContainerEngine
    env: dict[str, str]
    base: str


@pytest.fixture(scope="session")
def engine_for_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineForTests]:
    """Found once and given a base image with Java; skips if there is no engine that can run a container."""
    try:
        tool = find_container_engine()
    except ToolMissingError as missing:
        pytest.skip(missing.what)
    engine = ContainerEngine("podman" if tool.name == "podman" else "docker", tool.path)
    folder = tmp_path_factory.mktemp("engine")
    java = find_tool("java", 21)
    base = "localhost/bancada-tests/base:java"
    with pytest.MonkeyPatch.context() as patch:
        env = _working(engine, folder, patch)
        make_base(engine, base, java.home)
    yield EngineForTests(engine, env, base)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        _forget(engine, folder)


def _working(engine: ContainerEngine, folder: Path, patch: pytest.MonkeyPatch) -> dict[str, str]:
    """The settings with which the engine runs a container: as few as possible; set in the environment already."""
    env: dict[str, str] = {}
    attempts = [env]
    if engine.name == "podman":
        (folder / "storage.conf").write_text(STORAGE.format(folder))
        (folder / "containers.conf").write_text(_settings())
        env = {"CONTAINERS_STORAGE_CONF": str(folder / "storage.conf")}
        attempts = [env, {**env, "CONTAINERS_CONF": str(folder / "containers.conf")}]
    problem = ""
    for attempt in attempts:
        for name, value in attempt.items():
            patch.setenv(name, value)
        try:
            plain = "localhost/bancada-tests/base:plain"
            make_base(engine, plain)
            engine.ask("run", "--rm", "--publish", "127.0.0.1::80", plain, _loader(), "--version")
        except (ContainerEngineError, subprocess.CalledProcessError) as error:
            problem = str(error)
        else:
            return attempt
    pytest.skip(f"{engine.name} cannot run containers here: {problem}")


def _settings() -> str:
    def least(limit: int) -> int:
        _, hard = resource.getrlimit(limit)
        return 32_768 if hard == resource.RLIM_INFINITY else min(hard, 32_768)

    return SETTINGS.format(files=least(resource.RLIMIT_NOFILE), processes=least(resource.RLIMIT_NPROC))


def _loader() -> str:
    """The one program in a base image without Java."""
    shell = shutil.which("sh")
    assert shell is not None
    listed = subprocess.run(["ldd", shell], capture_output=True, text=True, check=True).stdout
    return next(word for word in listed.split() if "/ld-" in word)


def _forget(engine: ContainerEngine, folder: Path) -> None:
    for image in engine.ask("images", "--quiet", "--filter", "reference=localhost/bancada*/*").split():
        subprocess.run([engine.path, "rmi", "--force", image], capture_output=True, check=False)
    shutil.rmtree(folder, ignore_errors=True)


def make_base(engine: ContainerEngine, name: str, java_home: Path | None = None) -> None:
    """Make a base image of this host's files."""
    arguments = [str(BASE_SCRIPT), str(engine.path), name, *([str(java_home)] if java_home else [])]
    subprocess.run(arguments, capture_output=True, check=True, timeout=240)


@pytest.fixture
def container_engine(engine_for_tests: EngineForTests, monkeypatch: pytest.MonkeyPatch) -> Iterator[ContainerEngine]:
    """An engine that works in this test; no container of ours may be there when the test has ended."""
    for name, value in {**engine_for_tests.env, "BANCADA_CONTAINER_ENGINE": str(engine_for_tests.engine.path)}.items():
        monkeypatch.setenv(name, value)
    yield engine_for_tests.engine
    assert containers(engine_for_tests.engine) == []


def containers(engine: ContainerEngine) -> list[str]:
    """Names of all containers that we have made, running or not."""
    return engine.ask("ps", "--all", "--filter", "label=bancada", "--format", "{{.Names}}").split()


@pytest.fixture
def workshop(container_engine: ContainerEngine, engine_for_tests: EngineForTests, tmp_path: Path) -> Workshop:
    """A workshop with its own cache, whose images start from the base with Java."""
    tools = {"java": find_tool("java", 21)}
    paths = {name: str(tool.path) for name, tool in tools.items()}
    return Workshop(
        cache=tmp_path / "cache",
        tools=paths,
        tool_versions={name: tool.version for name, tool in tools.items()},
        env=tool_env(paths),
        timeout_ns=120 * NS_PER_S,
        notify=lambda _: None,
        container_engine=container_engine,
        base_image=engine_for_tests.base,
    )


def boxed(variant: str, folder: Path = STACK) -> StackVariant:
    """A variant of the stack beside this file, or of a copy of it."""
    stack, _ = read_stack(str(folder))
    return StackVariant(stack=stack, variant=variant, folder=str(folder))
