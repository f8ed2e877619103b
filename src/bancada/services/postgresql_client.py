# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL as a user sees it, through pg8000."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pg8000.exceptions  # type: ignore[import-untyped]  # it has no type hints
import pg8000.native  # type: ignore[import-untyped]

from bancada.errors import BancadaError
from bancada.services.database import (
    ANSWER_TIMEOUT_S,
    CONNECT_TIMEOUT_S,
    Login,
    refused,
    unknown_database,
    unreachable,
    wrong_password,
)
from bancada.services.failures import disk_full

# Codes: PostgreSQL 17 documentation, appendix A.
_WRONG_PASSWORD = ("28P01", "28000")
_UNKNOWN_DATABASE = "3D000"
_DISK_FULL = "53100"
_RELATIONS = (
    "SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ({kinds}) "
    "AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i', 'e')) ORDER BY 1"
)
"""Relations of some kinds that no other one owns, as a column owns the sequence of its keys."""


class PostgreSqlDatabase:
    """A PostgreSQL database; tables are those of the schema that comes first on the search path."""

    def __init__(self, login: Login) -> None:
        self.login = login

    def version(self) -> str:
        """As in `17.6`."""
        return str(self._rows("SHOW server_version", CONNECT_TIMEOUT_S)[0][0])

    def tables(self) -> tuple[str, ...]:
        """The names of all tables, and of sequences that stand alone."""
        return self._relations("'r', 'p', 'S'")

    def execute(self, statements: str) -> None:
        """Execute statements, separated by semicolons, as one transaction."""
        self._rows(statements)

    def empty(self, tables: Sequence[str]) -> None:
        """Truncate the tables together. PostgreSQL refuses if a table that is not named refers to one."""
        if tables:
            self._rows(f"TRUNCATE TABLE {_listed(tables)} RESTART IDENTITY")

    def count(self, table: str) -> int:
        """The number of rows, counted and not estimated."""
        value = self._rows(f"SELECT COUNT(*) FROM {_quoted(table)}")[0][0]  # noqa: S608 (quoted)
        assert isinstance(value, int)
        return value

    def drop(self, tables: Sequence[str]) -> None:
        """Remove tables and sequences, with whatever depends on them."""
        sequences = [name for name in self._relations("'S'") if name in tables]
        for kind, names in (("TABLE", [name for name in tables if name not in sequences]), ("SEQUENCE", sequences)):
            if names:
                self._rows(f"DROP {kind} {_listed(names)} CASCADE")

    def _relations(self, kinds: str) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self._rows(_RELATIONS.format(kinds=kinds)))

    def _rows(self, statement: str, timeout_s: int = ANSWER_TIMEOUT_S) -> list[list[Any]]:
        with self._connection(timeout_s) as connection:
            return list(connection.run(statement) or [])

    @contextmanager
    def _connection(self, timeout_s: int) -> Iterator[Any]:
        login = self.login
        try:
            with (
                # pg8000 does not close a socket of its own if the server refuses the login.
                socket.create_connection((login.host, login.port), CONNECT_TIMEOUT_S) as wire,
                pg8000.native.Connection(
                    login.user,
                    sock=wire,
                    database=login.database,
                    password=login.password,
                    timeout=timeout_s,
                ) as connection,
            ):
                wire.settimeout(timeout_s)
                yield connection
        except pg8000.exceptions.DatabaseError as error:
            raise _in_plain_words(login, error) from error
        except (pg8000.exceptions.InterfaceError, OSError) as error:
            raise unreachable(login, str(error.__cause__ or error)) from error


def _in_plain_words(login: Login, error: Exception) -> BancadaError:
    said = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
    code, message = said.get("C"), ". ".join(str(said[key]) for key in ("M", "D") if key in said) or str(error)
    if code in _WRONG_PASSWORD:
        return wrong_password(login)
    if code == _UNKNOWN_DATABASE:
        return unknown_database(login)
    if code == _DISK_FULL:
        return disk_full(login.url)
    return refused(login, message)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(_quoted, names))
