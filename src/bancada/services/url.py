# SPDX-License-Identifier: Apache-2.0
"""A database that somebody else runs, given by its URL."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bancada.errors import BancadaError, InputError
from bancada.model.service import ServiceFacts
from bancada.services.database import Database, Login
from bancada.services.product import Product, short_version
from bancada.services.running import AskedService

PORTS = {"mariadb": 3306, "mysql": 3306, "postgresql": 5432}


class GivenService(AskedService):
    """A database that somebody else runs, while we use it."""

    pid = None

    def still_runs(self) -> bool:
        """Whether it lets us in."""
        try:
            self.database.version()
        except BancadaError:
            return False
        return True

    def ended(self) -> str | None:
        """Not known: its process is not ours."""
        return None

    def log_tail(self) -> str:
        """Nothing: its log is not ours."""
        return ""


class GivenOffer:
    """A database that somebody else runs, found empty."""

    def __init__(self, database: Database, facts: ServiceFacts) -> None:
        self.facts = facts
        self._database = database

    @contextmanager
    def up(
        self,
        folder: Path,  # noqa: ARG002 (its data and its log are elsewhere)
        *,
        cpus: Sequence[int] = (),  # noqa: ARG002
        port: int | None = None,  # noqa: ARG002
    ) -> Iterator[GivenService]:
        """The database, empty; whatever tables there are on leaving came since then, and are dropped.

        Raises ServiceError if it cannot be reached, or InputError if it is not empty.
        """
        _must_be_empty(self._database)
        try:
            yield GivenService(self._database)
        except BaseException:
            with contextlib.suppress(BancadaError):  # what happened first matters more
                self._clean()
            raise
        self._clean()

    def _clean(self) -> None:
        if tables := self._database.tables():
            self._database.drop(tables)


def given(url: str, products: Sequence[Product]) -> GivenOffer:
    """The database at `url`, as in `mysql://user:password@host:3306/name`.

    The password may also come from the environment variable SQL_PASSWORD. Raises InputError if the URL is wrong, the
    server another product, or the database not empty; ServiceError if it cannot be asked.
    """
    login = _login(url, [product.name for product in products])
    product = next(product for product in products if product.name == login.product)
    database = product.database(login)
    said = database.version()
    if login.product in ("mariadb", "mysql") and ("MariaDB" in said) != (login.product == "mariadb"):
        other = "mariadb" if login.product == "mysql" else "mysql"
        raise InputError(
            f"the database at {login.host}:{login.port} is not {login.product} but {said}",
            where=login.url,
            advice=f"begin its URL with {other}://",
        )
    _must_be_empty(database)
    facts = ServiceFacts(kind="sql", product=product.name, version=short_version(said), source="url", detail=login.url)
    return GivenOffer(database, facts)


def _must_be_empty(database: Database) -> None:
    tables = database.tables()
    if tables:
        more = ", …" if len(tables) > 3 else ""
        raise InputError(
            f"the database already has tables: {', '.join(tables[:3])}{more}",
            where=database.login.url,
            advice="give the URL of an empty database: every trial removes all rows, and drops the tables at its end",
        )


def _login(url: str, products: Sequence[str]) -> Login:
    shown = re.sub(r"//.*@", "//…@", url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _wrong(shown, "its port is not a number") from error
    if parts.scheme not in products:
        raise _wrong(shown, f"it must begin with {', '.join(f'{product}://' for product in products)}")
    name = unquote(parts.path.strip("/"))
    if not (parts.hostname and parts.username and name) or "/" in name or parts.query or parts.fragment:
        raise _wrong(shown, "it must have a user, a host and a database, and nothing else")
    password = unquote(parts.password) if parts.password is not None else os.environ.get("SQL_PASSWORD", "")
    return Login(
        product=parts.scheme,
        host=parts.hostname,
        port=port or PORTS[parts.scheme],
        user=unquote(parts.username),
        password=password,
        database=name,
    )


def _wrong(shown: str, why: str) -> InputError:
    return InputError(
        f"the database's URL is wrong: {why}", where=shown, advice="write it as mysql://user:password@host:3306/name"
    )
