# SPDX-License-Identifier: Apache-2.0
"""A server of this host, installed or fetched."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.process.guarded import Command, Ended, Guarded
from bancada.services.ordinary_user import RunAs, ordinary_user
from bancada.services.product import Product, Server
from bancada.services.running import GRACE_S


class LocalServer:
    """How a server program is initialised, started and ended."""

    def __init__(self, product: Product, server: Server) -> None:
        self.product = product
        self.server = server
        self.source = server.source
        self.detail = server.detail
        self.run_as = ordinary_user() if product.refuses_root else RunAs()

    def key(self) -> str:
        """The program's version, and who owns the data."""
        return f"{self.server.source} {self.server.says} {self.run_as.owner}"

    def initialise(self, data: Path) -> None:
        """Make a data directory with our user and our empty database. Raises UnavailableError, or StorageError."""
        self.product.initialise(self.server, data, self.run_as.prefix)

    def start(self, data: Path, port: int, cpus: Sequence[int]) -> LocalStart:
        """How the server is started on these data."""
        argv = (
            *self.run_as.prefix,
            *self.server.argv,
            *self.product.place(self.server, data),
            *self.product.settings(port),
        )
        return LocalStart(
            Command(argv, cwd=data, env={"LC_ALL": "C"}, cpus=cpus, grace_s=GRACE_S), self.product.end_signal
        )


@dataclass(frozen=True)
class LocalStart:
    """How one server of this host is started and ended."""

    command: Command
    end_signal: signal.Signals

    def pid(self, program: Guarded) -> int:
        """The server's process: what is put before it executes it in its own place."""
        return program.pid

    def how(self, ended: Ended) -> str:
        """How the server ended."""
        return str(ended)

    def end(self, program: Guarded) -> None:
        """End the server at once."""
        program.signal(self.end_signal)
