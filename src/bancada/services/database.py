# SPDX-License-Identifier: Apache-2.0
"""Talking to a database as its user: the verbs, and the errors in plain words. No message holds a password."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bancada.errors import ServiceError

CONNECT_TIMEOUT_S = 5
ANSWER_TIMEOUT_S = 60
USER = "bancada"
PASSWORD = "bancada"  # noqa: S105 (of servers that listen on the loopback for one trial and hold nothing)
DATABASE = "bancada"


@dataclass(frozen=True)
class Login:
    """Where a database is and who asks."""

    product: str
    host: str
    port: int
    user: str = USER
    password: str = field(default=PASSWORD, repr=False)
    database: str = DATABASE

    @property
    def url(self) -> str:
        """The address without credentials."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.product}://{host}:{self.port}/{self.database}"

    @property
    def env(self) -> dict[str, str]:
        """The address and the credentials as a system under test gets them."""
        return {"SQL_URL": self.url, "SQL_USER": self.user, "SQL_PASSWORD": self.password}


class Database(Protocol):
    """A database as its user sees it. Every verb connects anew; it raises ServiceError, or StorageError if full."""

    @property
    def login(self) -> Login:
        """Where it is."""

    def version(self) -> str:
        """What the server calls itself."""

    def tables(self) -> tuple[str, ...]:
        """The names of all tables and sequences."""

    def execute(self, statements: str) -> None:
        """Execute statements, separated by semicolons, up to the first that fails."""

    def empty(self, tables: Sequence[str]) -> None:
        """Remove all rows of the tables and restart their generated keys."""

    def count(self, table: str) -> int:
        """The number of rows of a table."""

    def drop(self, tables: Sequence[str]) -> None:
        """Remove tables and sequences."""


def unreachable(login: Login, reason: str) -> ServiceError:
    """Nothing answers there."""
    return ServiceError(
        f"nothing answers at {login.host}:{login.port}: {reason}",
        where=login.url,
        advice="start the database, or correct the host and the port in its URL",
    )


def wrong_password(login: Login) -> ServiceError:
    """The server does not let the user in."""
    return ServiceError(
        f"the database refuses the user {login.user!r} or the password",
        where=login.url,
        advice="correct them in the URL, or give the password in the environment variable SQL_PASSWORD",
    )


def unknown_database(login: Login) -> ServiceError:
    """The server has no such database, or does not show it to the user."""
    return ServiceError(
        f"there is no database {login.database!r}, or {login.user!r} may not use it",
        where=login.url,
        advice=f"create an empty database {login.database!r} and grant {login.user!r} all rights on it",
    )


def refused(login: Login, message: str) -> ServiceError:
    """The server understood, and said no."""
    return ServiceError(f"the database refuses what it was asked: {message}", where=login.url)
