# SPDX-License-Identifier: Apache-2.0
"""The words: what finding a service needs, what is offered then, and what runs during a trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from bancada.model.service import ServiceFacts


@dataclass(frozen=True)
class Needs:
    """What finding a service may use."""

    cache: Path
    """The project's cache; fetched programs go to `services` in it."""
    mvn: str | None
    """Path of Maven, or None if this host has none."""
    java_env: Mapping[str, str]
    """Environment for Maven, such as JAVA_HOME."""
    container: str | None
    """Path of docker or podman, or None if this host has neither."""
    say: Callable[[str], None]
    """Told before something is fetched."""


class RunningService(Protocol):
    """A service that is up."""

    @property
    def env(self) -> Mapping[str, str]:
        """Its address as a system under test gets it: SQL_URL (without credentials), SQL_USER, SQL_PASSWORD; or
        UPSTREAM_URL.
        """

    @property
    def pid(self) -> int | None:
        """Its process, or None if that is not ours or not known."""

    def still_runs(self) -> bool:
        """Whether it has not ended by itself."""

    def ended(self) -> str | None:
        """How it ended by itself, as in `signal 9`; None while it runs or where that cannot be known."""

    def log_tail(self) -> str:
        """The last of what it wrote, empty where there is no log of ours."""


@runtime_checkable
class RunningDatabase(RunningService, Protocol):
    """A database that is up."""

    def apply(self, schema: Path) -> None:
        """Execute a file of SQL statements. Raises ServiceError, or StorageError if its disk is full."""

    def empty(self, tables: Sequence[str]) -> None:
        """Remove all rows and restart generated keys. Raises ServiceError, also if another table refers to one."""

    def count(self, table: str) -> int:
        """The number of rows. Raises ServiceError."""


class Offer(Protocol):
    """A service as it was found for a run."""

    @property
    def facts(self) -> ServiceFacts:
        """Which one it is and where it came from."""

    def up(
        self, folder: Path, *, cpus: Sequence[int] = (), port: int | None = None
    ) -> AbstractContextManager[RunningService]:
        """A fresh service that answers when the context is entered and is gone when it is left; a database is empty.

        Its data are in `folder/data` until then, its log stays in `folder/service.log`. Without `port` a free one is
        found. Raises ServiceError if it cannot be brought up, AddressError if the port is taken, StorageError if the
        disk is full.
        """


class DatabaseOffer(Offer, Protocol):
    """A database as it was found for a run."""

    def up(
        self, folder: Path, *, cpus: Sequence[int] = (), port: int | None = None
    ) -> AbstractContextManager[RunningDatabase]:
        """A fresh, empty database, as `Offer.up` has it."""


class UnavailableError(Exception):
    """A source will not do, and why; the next one is tried. Never shown itself."""
