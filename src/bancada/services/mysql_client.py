# SPDX-License-Identifier: Apache-2.0
"""MariaDB and MySQL as a user sees them, through PyMySQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pymysql
from pymysql.constants import CLIENT, ER
from pymysql.cursors import Cursor

from bancada.errors import BancadaError, ServiceError
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

_UNREACHABLE = (2002, 2003, 2005, 2006, 2013)
"""Client errors from CR_CONNECTION_ERROR to CR_SERVER_LOST."""
_DISK_FULL = (1021, 1114)
"""ER_DISK_FULL, ER_RECORD_FILE_FULL."""


class MySqlDatabase:
    """A MariaDB or MySQL database."""

    def __init__(self, login: Login) -> None:
        self.login = login

    def version(self) -> str:
        """As in `11.4.5-MariaDB`."""
        with self._cursor(CONNECT_TIMEOUT_S) as cursor:
            cursor.execute("SELECT VERSION()")
            (version,) = cursor.fetchone() or ("",)
            return str(version)

    def tables(self) -> tuple[str, ...]:
        """The names of all tables, and of MariaDB's sequences, which are tables too."""
        with self._cursor() as cursor:
            cursor.execute(
                "SELECT table_name FROM information_schema.tables "
                "WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SEQUENCE') ORDER BY table_name"
            )
            return tuple(str(row[0]) for row in cursor.fetchall())

    def execute(self, statements: str) -> None:
        """Execute statements, separated by semicolons, up to the first that fails."""
        with self._cursor() as cursor:
            try:
                cursor.execute(statements)
                while cursor.nextset():
                    pass
            except pymysql.Error as error:
                if _number(error) != ER.EMPTY_QUERY:  # a comment after the last semicolon
                    raise

    def empty(self, tables: Sequence[str]) -> None:
        """Truncate the tables, whatever their order. Raises ServiceError if a table that is not named refers to one."""
        referring = [name for name in self._referring(tables) if name not in tables]
        if referring:
            raise ServiceError(
                f"cannot empty {', '.join(tables)}: foreign keys of {', '.join(referring)} refer to them",
                where=self.login.url,
                advice="empty the referring tables too",
            )
        truncations = "".join(f"TRUNCATE TABLE {_quoted(table)};" for table in tables)
        self.execute(f"SET FOREIGN_KEY_CHECKS = 0; {truncations}")

    def count(self, table: str) -> int:
        """The number of rows, counted and not estimated."""
        value = self._value(f"SELECT COUNT(*) FROM {_quoted(table)}")  # noqa: S608 (quoted)
        assert isinstance(value, int)
        return value

    def drop(self, tables: Sequence[str]) -> None:
        """Remove tables, whatever refers to them."""
        self.execute("SET FOREIGN_KEY_CHECKS = 0;" + "".join(f"DROP TABLE {_quoted(table)};" for table in tables))

    def _referring(self, tables: Sequence[str]) -> list[str]:
        if not tables:
            return []
        with self._cursor() as cursor:
            cursor.execute(
                "SELECT DISTINCT table_name FROM information_schema.referential_constraints "
                "WHERE constraint_schema = DATABASE() AND referenced_table_name IN %s",
                (tuple(tables),),
            )
            return [str(row[0]) for row in cursor.fetchall()]

    def _value(self, query: str) -> object:
        with self._cursor() as cursor:
            cursor.execute(query)
            row = cursor.fetchone()
            assert row is not None
            return row[0]

    @contextmanager
    def _cursor(self, timeout_s: int = ANSWER_TIMEOUT_S) -> Iterator[Cursor]:
        login = self.login
        try:
            with (
                pymysql.connect(
                    host=login.host,
                    port=login.port,
                    user=login.user,
                    password=login.password,
                    database=login.database,
                    charset="utf8mb4",
                    autocommit=True,
                    connect_timeout=CONNECT_TIMEOUT_S,
                    read_timeout=timeout_s,
                    write_timeout=timeout_s,
                    client_flag=CLIENT.MULTI_STATEMENTS,
                ) as connection,
                connection.cursor() as cursor,
            ):
                yield cursor
        except pymysql.Error as error:
            raise _in_plain_words(login, error) from error


def _number(error: pymysql.Error) -> int | None:
    return error.args[0] if error.args and isinstance(error.args[0], int) else None


def _in_plain_words(login: Login, error: pymysql.Error) -> BancadaError:
    number = _number(error)
    message = str(error.args[1]) if len(error.args) > 1 else str(error)
    if number in _UNREACHABLE:
        return unreachable(login, message)
    if number == ER.ACCESS_DENIED_ERROR:
        return wrong_password(login)
    if number in (ER.BAD_DB_ERROR, ER.DBACCESS_DENIED_ERROR):
        return unknown_database(login)
    if number in _DISK_FULL:
        return disk_full(login.url)
    return refused(login, message)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
