# SPDX-License-Identifier: Apache-2.0
"""A database server under guard, from its start to its end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from bancada.errors import ServiceError, StorageError
from bancada.model.service import ServiceSource
from bancada.process.guarded import Command, Ended, Guarded
from bancada.services.database import Database
from bancada.services.failures import did_not_start, log_tail
from bancada.services.ordinary_user import RunAs
from bancada.services.product import Product

READY_LIMIT_S = 90
ASK_AGAIN_S = 0.01
GRACE_S = 60.0
"""For an orderly end: of a new template, or when the bench was killed; else a server is ended at once."""


class Recipe(Protocol):
    """How one server, of this host or in a container, is initialised, started and ended."""

    @property
    def product(self) -> Product:
        """Which database it is."""

    @property
    def source(self) -> ServiceSource:
        """Where the server came from."""

    @property
    def detail(self) -> str:
        """Its path or image."""

    @property
    def run_as(self) -> RunAs:
        """Who runs it and owns its data."""

    def key(self) -> str:
        """Changes with everything on which a data directory depends."""

    def initialise(self, data: Path) -> None:
        """Make a data directory that holds our user and our empty database at the latest once the server has started.

        Raises UnavailableError, or StorageError.
        """

    def start(self, data: Path, port: int, cpus: Sequence[int]) -> Start:
        """How the server is started on these data, and ended."""


class Start(Protocol):
    """How one server is started and ended once."""

    @property
    def command(self) -> Command:
        """What is executed."""

    def pid(self, program: Guarded) -> int | None:
        """The server's process."""

    def how(self, ended: Ended) -> str:
        """How the server ended, in words."""

    def end(self, program: Guarded) -> None:
        """End the server at once: its data are of no use any more."""


class AskedService:
    """What can be asked of any service: this much is the same for one of ours and one of somebody else's."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def env(self) -> Mapping[str, str]:
        """Its address as a system under test gets it: SQL_URL (without credentials), SQL_USER, SQL_PASSWORD."""
        return self.database.login.env

    def apply(self, schema: Path) -> None:
        """Execute a file of SQL statements. Raises ServiceError, or StorageError if its disk is full."""
        try:
            statements = schema.read_text(encoding="utf-8")
        except OSError as error:
            raise ServiceError(f"cannot read the database's schema: {error.strerror}", where=str(schema)) from error
        try:
            self.database.execute(statements)
        except ServiceError as error:
            advice = f"correct {schema.name}, or its dialect: {self.database.login.product}"
            raise ServiceError(error.what, where=f"{schema}, executed at {error.where}", advice=advice) from error

    def empty(self, tables: Sequence[str]) -> None:
        """Remove all rows and restart generated keys. Raises ServiceError, also if another table refers to one."""
        self.database.empty(tables)

    def count(self, table: str) -> int:
        """The number of rows. Raises ServiceError."""
        return self.database.count(table)


class OwnService(AskedService):
    """A server that we have started."""

    def __init__(self, start: Start, program: Guarded, database: Database, log: Path) -> None:
        super().__init__(database)
        self._start = start
        self._program = program
        self._log = log
        self.pid: int | None = None

    def still_runs(self) -> bool:
        """Whether it has not ended by itself."""
        return self._program.poll() is None

    def ended(self) -> str | None:
        """How it ended by itself, as in `signal 9`; None while it runs."""
        ended = self._program.poll()
        return None if ended is None else self._start.how(ended)

    def log_tail(self) -> str:
        """The last of what it wrote."""
        return log_tail(self._log)

    def end(self) -> None:
        """End it at once: its data are of no use any more."""
        self._start.end(self._program)

    def wait_ready(self) -> None:
        """Wait until it lets our user in. Raises ServiceError, AddressError or StorageError if it never does."""
        login = self.database.login
        deadline = time.monotonic() + READY_LIMIT_S
        while True:
            try:
                self.database.version()
            except (ServiceError, StorageError) as error:
                if (ended := self.ended()) is not None:
                    raise did_not_start(login.product, ended, self._log, login.port) from error
                if time.monotonic() > deadline:
                    raise ServiceError(
                        f"{login.product} did not answer within {READY_LIMIT_S} s: {error.what}", where=str(self._log)
                    ) from error
                time.sleep(ASK_AGAIN_S)
            else:
                self.pid = self._start.pid(self._program)
                return


@contextmanager
def running(start: Start, database: Database, log: Path) -> Iterator[OwnService]:
    """Start a server, wait until it answers as `database`, and end it on leaving.

    Raises ServiceError, AddressError or StorageError if it does not answer.
    """
    with log.open("ab") as out, Guarded(start.command, stdout=out, stderr=out) as program:
        service = OwnService(start, program, database, log)
        service.wait_ready()
        yield service
    if program.left_behind is not None:
        raise ServiceError(
            f"a container could not be removed: {program.left_behind}",
            where=database.login.url,
            advice="look for it with `docker ps --all` or `podman ps --all`, among those labelled bancada",
        )
