# SPDX-License-Identifier: Apache-2.0
"""Run a system under test in a container, and find its processes on this host.

The engine's client stays in the foreground: its exit code is the application's. The container itself is often a child
of the engine's daemon, so that it is removed by name at the end.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.model.stack import Network
from bancada.process.cgroup import mount_point
from bancada.process.guarded import ClientOfDaemon
from bancada.sut.image import ContainerImage

ADDRESS = {"bridge": "0.0.0.0", "host": "127.0.0.1"}  # noqa: S104 (inside the container; published on loopback only)
OF_THIS_HOST = frozenset({"PATH", "JAVA_HOME", "GRAALVM_HOME"})
"""Variables that name folders of this host and mean nothing in a container."""


@dataclass(frozen=True)
class Container:
    """A container that is being run."""

    image: ContainerImage
    network: Network
    name: str

    def init(self) -> tuple[int, str] | None:
        """As `ContainerEngine.first_process`."""
        return self.image.engine.first_process(self.name)

    def client(self, grace_s: float) -> ClientOfDaemon:
        """How to end it."""
        engine = self.image.engine
        return ClientOfDaemon(engine.stop_command(self.name, grace_s), engine.remove_command(self.name))


def new_container(image: ContainerImage, network: Network) -> Container:
    """A container with a name that no other has."""
    return Container(image, network, f"bancada-{secrets.token_hex(8)}")


def run_command(
    container: Container,
    start: Sequence[str],
    *,
    env: Mapping[str, str],
    port: int,
    cpus: Sequence[int],
) -> list[str]:
    """The command that runs the container in the foreground."""
    engine, network = container.image.engine, container.network
    # Nothing is kept of the output but what the client writes, and no time is given at the end: the guard has given it.
    argv = [str(engine.path), "run", "--rm", "--name", container.name, "--label", "bancada", "--pull", "never"]
    argv += ["--log-driver", "none", "--stop-timeout", "0", "--network", network]
    if engine.name == "podman":
        argv += ["--http-proxy=false"]  # Docker does not hand this host's proxy to containers either
    if network == "bridge":
        argv += ["--publish", f"127.0.0.1:{port}:{port}"]
    if cpus:
        argv += ["--cpuset-cpus", ",".join(map(str, cpus))]
    settings = {name: value for name, value in env.items() if name not in OF_THIS_HOST}
    for name, value in {**settings, "PORT": str(port), "HOST": ADDRESS[network]}.items():
        argv += ["--env", f"{name}={value}"]
    return [*argv, container.image.name, *start]


def group_of(pid: int, identity: str) -> Path | None:
    """The container's own control group of cgroup v2, or None if it has none that counts CPU time."""
    mount = mount_point()
    if mount is None:
        return None
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    inside = next((line[3:] for line in lines if line.startswith("0::")), "/")
    group = mount / inside.lstrip("/")
    # A group without the container's id in its name may hold others.
    return group if identity in inside and (group / "cpu.stat").exists() else None
