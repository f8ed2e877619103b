# SPDX-License-Identifier: Apache-2.0
"""A server in a container, through the command `docker` or `podman`.

Not through the library testcontainers, which speaks to the engine's API socket: podman opens none unless it is told to,
and a library would not know the guard, which removes the container even if the bench is killed. The container shares
the host's network, so that a request takes the same way as to a server of this host.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.model.service import ServiceSource
from bancada.process.container_engine import ContainerEngine, ContainerEngineError
from bancada.process.guarded import ClientOfDaemon, Command, Ended, Guarded
from bancada.services.ordinary_user import RunAs
from bancada.services.product import Product
from bancada.services.running import GRACE_S
from bancada.services.service import Needs, UnavailableError

PULL_LIMIT_S = 300
KILLED_BY_SIGNAL = 128
"""Engines report signal N as exit code 128 + N."""


class ContainerServer:
    """How a server of an image is initialised and started."""

    source: ServiceSource = "container"

    def __init__(self, product: Product, engine: ContainerEngine, image_id: str) -> None:
        self.product = product
        self.detail = product.image.name
        self.run_as = RunAs()
        self._engine = engine
        self._image_id = image_id

    def key(self) -> str:
        """The image's digest."""
        return f"container {self._image_id}"

    def initialise(self, data: Path) -> None:
        """Nothing but the folder: the image's own script makes everything when it finds it empty."""
        data.mkdir()

    def start(self, data: Path, port: int, cpus: Sequence[int]) -> ContainerStart:
        """`run` in the foreground; the guard stops and removes the container by its name, whatever ends the bench."""
        engine, image, name = self._engine, self.product.image, f"bancada-{self.product.name}-{secrets.token_hex(8)}"
        argv = [str(engine.path), "run", "--rm", f"--name={name}", "--label=bancada", "--pull=never", "--network=host"]
        argv += ["--security-opt=label=disable"]  # SELinux would not let it see a folder of ours
        argv += [f"--volume={data}:{image.data}", *(f"--env={key}={value}" for key, value in image.env.items())]
        if os.geteuid() != 0:
            argv += [f"--user={os.geteuid()}:{os.getegid()}"]  # so that the data are ours
            argv += ["--userns=keep-id"] if engine.name == "podman" else []
        if cpus:
            argv += [f"--cpuset-cpus={','.join(map(str, cpus))}"]
        client = ClientOfDaemon(engine.stop_command(name, GRACE_S), engine.remove_command(name))
        command = Command([*argv, image.name, *self.product.settings(port)], cwd=data, grace_s=GRACE_S, client=client)
        return ContainerStart(command, engine, name)


@dataclass(frozen=True)
class ContainerStart:
    """How one container is started and ended."""

    command: Command
    engine: ContainerEngine
    name: str

    def pid(self, program: Guarded) -> int | None:  # noqa: ARG002 (that is only the client)
        """The server's process on this host, or None if the engine runs in another machine."""
        with contextlib.suppress(ContainerEngineError):
            first = self.engine.first_process(self.name)
            return first[0] if first else None
        return None

    def how(self, ended: Ended) -> str:
        """How the server ended."""
        if ended.code is not None and ended.code > KILLED_BY_SIGNAL:
            return f"signal {ended.code - KILLED_BY_SIGNAL}"
        return str(ended)

    def end(self, program: Guarded) -> None:
        """End the server at once; the client ends with it."""
        if program.poll() is None:
            with contextlib.suppress(ContainerEngineError):  # the guard tries again, and says what is left
                self.engine.ask("kill", self.name)


def in_container(product: Product, needs: Needs) -> ContainerServer:
    """The product's image, pulled if the engine does not have it. Raises UnavailableError."""
    if needs.container is None:
        raise UnavailableError("there is no docker or podman on this host")
    path = Path(needs.container)
    engine = ContainerEngine("podman" if "podman" in path.name else "docker", path)
    image = product.image.name
    try:
        engine.ask("info")
        if not engine.exists(image):
            needs.say(f"pulling the container image {image} with {engine.name}")
            engine.ask("pull", image, timeout_s=PULL_LIMIT_S)
        image_id = engine.ask("image", "inspect", "--format", "{{.Id}}", image)
    except ContainerEngineError as error:
        raise UnavailableError(f"{engine.name}: {error}") from error
    return ContainerServer(product, engine, image_id)
