# SPDX-License-Identifier: Apache-2.0
"""Databases that somebody else runs, given by URL."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import psutil
import pytest

from bancada.errors import InputError, ServiceError
from bancada.services.service import DatabaseOffer, Needs, RunningDatabase
from bancada.services.sql import find
from bancada.services.url import _login

PRODUCTS = ["mariadb", "mysql", "postgresql"]


def _url(service: RunningDatabase, password: str | None = None) -> str:
    product, _, place = service.env["SQL_URL"].partition("://")
    return f"{product}://{service.env['SQL_USER']}:{password or service.env['SQL_PASSWORD']}@{place}"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("jdbc:mysql://user:s3cret@host/db", "must begin with"),
        ("oracle://user:s3cret@host/db", "must begin with"),
        ("mysql://user:s3cret@host:many/db", "port is not a number"),
        ("mysql://user:s3cret@host", "must have a user, a host and a database"),
        ("mysql://host/db", "must have a user"),
        ("mysql://user:s3cret@host/db?useSSL=true", "nothing else"),
        ("mysql://user:s3@cret@host/db/more", "nothing else"),
    ],
)
def test_a_url_that_is_wrong_is_refused_without_showing_its_password(url: str, words: str) -> None:
    """The error says what is wrong and how to write it, and hides the password."""
    with pytest.raises(InputError, match=words) as refused:
        _login(url, PRODUCTS)
    assert "s3" not in f"{refused.value.what}{refused.value.where}{refused.value.advice}"


def test_a_url_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Special characters are percent-encoded, the port may be left out, and the password may come from elsewhere."""
    login = _login("postgresql://me:a%40b%2F@db.example/shop", PRODUCTS)
    assert (login.host, login.port, login.user, login.password, login.database) == (
        "db.example",
        5432,
        "me",
        "a@b/",
        "shop",
    )
    assert login.env == {"SQL_URL": "postgresql://db.example:5432/shop", "SQL_USER": "me", "SQL_PASSWORD": "a@b/"}
    assert "a@b/" not in repr(login)
    monkeypatch.setenv("SQL_PASSWORD", "from the environment")
    assert _login("mysql://me@[::1]/shop", PRODUCTS).password == "from the environment"
    assert _login("mysql://me@[::1]/shop", PRODUCTS).url == "mysql://[::1]:3306/shop"


@pytest.mark.parametrize("product", PRODUCTS)
def test_nothing_listening_is_said_at_once(product: str, needs: Needs) -> None:
    """A URL at which nothing listens is one error that names the address."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        with pytest.raises(ServiceError, match=f"nothing answers at 127.0.0.1:{port}") as refused:
            find(f"{product}://user:s3cret@127.0.0.1:{port}/db", needs)
    assert "s3cret" not in f"{refused.value.what}{refused.value.where}{refused.value.advice}"


@pytest.mark.parametrize("asked", ["postgres", "mysql@nowhere", "oracle"])
def test_an_unknown_product_or_source_is_refused(asked: str, needs: Needs) -> None:
    """What is not known is refused with the known ones."""
    with pytest.raises(InputError) as refused:
        find(asked, needs)
    assert "known: " in str(refused.value.advice)


def test_a_product_that_can_be_had_from_nowhere_names_every_reason(tmp_path: Path) -> None:
    """If the one source that is allowed does not do, the error says why."""
    with pytest.raises(ServiceError, match="from nowhere") as failed:
        find("mariadb@cache", Needs(tmp_path, None, {}, None, lambda _: None))
    assert "cache: " in str(failed.value.where)
    with pytest.raises(ServiceError, match="from nowhere") as failed:
        find("mariadb@container", Needs(tmp_path, None, {}, None, lambda _: None))
    assert "docker or podman" in str(failed.value.where)


@pytest.mark.slow
def test_a_given_database_is_used_and_left_empty(
    offer: DatabaseOffer, folder: Path, schema: Path, needs: Needs
) -> None:
    """Each trial finds a given database empty, and drops what came into being, in whatever order it must."""
    with offer.up(folder) as server:
        given = find(_url(server), needs)
        assert given.facts.source == "url"
        assert given.facts.product == offer.facts.product
        assert given.facts.version == offer.facts.version
        assert given.facts.detail == server.env["SQL_URL"]
        for _ in range(2):
            with given.up(folder) as service:
                service.apply(schema)
                assert (service.count("author"), service.count("book")) == (2, 3)
                service.empty(["book", "author"])
                assert service.count("book") == 0
                assert service.env == server.env
                assert service.pid is None
                assert service.still_runs()
                assert service.ended() is None


@pytest.mark.slow
def test_a_given_database_that_goes_away_is_noticed(offer: DatabaseOffer, folder: Path, needs: Needs) -> None:
    """Of a given database only its silence tells that it has gone; it cannot be left empty then, which is an error."""
    with offer.up(folder) as server, contextlib.ExitStack() as stack:
        service = stack.enter_context(find(_url(server), needs).up(folder))
        assert service.still_runs()
        assert server.pid is not None
        process = psutil.Process(server.pid)
        process.kill()
        psutil.wait_procs([process], timeout=30)
        assert not service.still_runs()
        assert service.log_tail() == ""
        with pytest.raises(ServiceError, match="nothing answers"):
            stack.close()


@pytest.mark.slow
def test_a_database_with_tables_is_refused(offer: DatabaseOffer, folder: Path, schema: Path, needs: Needs) -> None:
    """Whoever gives the URL of a database in use loses nothing, neither at the look nor at a trial."""
    with offer.up(folder) as server:
        given = find(_url(server), needs)
        server.apply(schema)
        with pytest.raises(InputError, match="already has tables: author, book"):
            find(_url(server), needs)
        with pytest.raises(InputError, match="already has tables"), given.up(folder):
            pytest.fail("it is not empty")
        assert server.count("book") == 3


@pytest.mark.slow
def test_a_wrong_password_is_one_plain_error(offer: DatabaseOffer, folder: Path, needs: Needs) -> None:
    """Wrong passwords and unknown databases say what to correct, and show no password."""
    with offer.up(folder) as server:
        with pytest.raises(ServiceError, match="refuses the user 'bancada' or the password") as refused:
            find(_url(server, "s3cret"), needs)
        assert "s3cret" not in f"{refused.value.what}{refused.value.where}{refused.value.advice}"
        with pytest.raises(ServiceError, match="no database 'nowhere'"):
            find(_url(server).removesuffix("bancada") + "nowhere", needs)


@pytest.mark.slow
def test_a_url_that_names_the_wrong_product_is_refused(offer: DatabaseOffer, folder: Path, needs: Needs) -> None:
    """MariaDB is not taken for MySQL nor MySQL for MariaDB: a run would name the wrong one."""
    other = {"mariadb": "mysql", "mysql": "mariadb"}.get(offer.facts.product)
    if other is None:
        pytest.skip("PostgreSQL speaks a protocol of its own")
    with offer.up(folder) as server, pytest.raises(InputError, match=f"is not {other}"):
        find(_url(server).replace(f"{offer.facts.product}://", f"{other}://"), needs)
