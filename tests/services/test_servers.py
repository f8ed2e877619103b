# SPDX-License-Identifier: Apache-2.0
"""Real MariaDB, MySQL and PostgreSQL servers: fresh, empty, counted, ended, and blamed when they fail."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from bancada.errors import AddressError, ServiceError, StorageError
from bancada.services import ordinary_user
from bancada.services.database import Login
from bancada.services.failures import did_not_start
from bancada.services.mysql_client import MySqlDatabase
from bancada.services.postgresql_client import PostgreSqlDatabase
from bancada.services.service import DatabaseOffer, Needs, RunningDatabase
from bancada.services.sql import find

pytestmark = pytest.mark.slow


def _database(service: RunningDatabase, **other: object) -> MySqlDatabase | PostgreSqlDatabase:
    product, _, place = service.env["SQL_URL"].partition("://")
    settings = {"host": "127.0.0.1", "port": int(place.split(":")[1].split("/")[0]), **other}
    login = Login(product, **settings)  # type: ignore[arg-type]
    return PostgreSqlDatabase(login) if product == "postgresql" else MySqlDatabase(login)


def _wait_until(condition: Callable[[], bool], limit_s: float = 30) -> bool:
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_a_server_is_fresh_and_empty_every_time(offer: DatabaseOffer, folder: Path, schema: Path) -> None:
    """What one trial leaves in the database, the next one does not find."""
    for _ in range(2):
        with offer.up(folder) as service:
            assert _database(service).tables() == ()
            service.apply(schema)
            assert (service.count("author"), service.count("book")) == (2, 3)


def test_facts_name_the_version_and_where_it_came_from(offer: DatabaseOffer, needs: Needs) -> None:
    """The facts say which server stood behind a run."""
    facts = offer.facts
    assert facts.kind == "sql"
    assert facts.source == "cache"
    assert facts.version.split(".")[0].isdigit()
    assert str(needs.cache.absolute()) in facts.detail
    assert Path(facts.detail).is_file()


def test_up_takes_little_time(
    offer: DatabaseOffer, folder: Path, record_property: Callable[[str, object], None]
) -> None:
    """A server is up in seconds; how many is recorded, for it depends on what else the host does."""
    started = time.monotonic()
    with offer.up(folder):
        up_s = time.monotonic() - started
    record_property("up_s", up_s)
    sys.stdout.write(f"{offer.facts.product} {offer.facts.version}: up in {up_s:.2f} s\n")
    assert up_s < 60


def test_emptying_restarts_generated_keys(offer: DatabaseOffer, folder: Path, schema: Path) -> None:
    """After emptying there are no rows, and the next one has the key 1, as in a new table."""
    with offer.up(folder) as service:
        service.apply(schema)
        service.empty(["author", "book"])
        assert (service.count("author"), service.count("book")) == (0, 0)
        insert = folder / "insert.sql"
        insert.write_text("INSERT INTO author (name) VALUES ('new'); INSERT INTO book (author_id) VALUES (1);")
        service.apply(insert)
        assert (service.count("author"), service.count("book")) == (1, 1)


def test_emptying_heeds_foreign_keys(offer: DatabaseOffer, folder: Path, schema: Path) -> None:
    """A table to which another one refers is not emptied behind that one's back."""
    with offer.up(folder) as service:
        service.apply(schema)
        with pytest.raises(ServiceError, match="book"):
            service.empty(["author"])
        assert (service.count("author"), service.count("book")) == (2, 3)
        service.empty(["book"])
        assert (service.count("author"), service.count("book")) == (2, 0)


def test_a_wrong_statement_and_a_missing_table_are_errors(offer: DatabaseOffer, folder: Path) -> None:
    """What the server refuses is said with its own words, and with the file it stands in."""
    wrong = folder / "wrong.sql"
    wrong.write_text("CREATE TABLE fine (id INT); SELECT nonsense; CREATE TABLE never (id INT);")
    with offer.up(folder) as service:
        with pytest.raises(ServiceError, match="nonsense") as refused:
            service.apply(wrong)
        assert "wrong.sql" in str(refused.value.where)
        assert "never" not in _database(service).tables()
        with pytest.raises(ServiceError, match="missing"):
            service.count("missing")


def test_the_system_under_test_gets_an_address_without_credentials(offer: DatabaseOffer, folder: Path) -> None:
    """The address names product, host, port and database; user and password come beside it."""
    with offer.up(folder) as service:
        assert service.env["SQL_URL"].startswith(f"{offer.facts.product}://127.0.0.1:")
        assert service.env["SQL_URL"].endswith("/bancada")
        assert "@" not in service.env["SQL_URL"]
        assert service.env["SQL_USER"]
        assert service.env["SQL_PASSWORD"]


def test_two_servers_do_not_meet(offer: DatabaseOffer, tmp_path: Path, schema: Path) -> None:
    """Two servers of one product at the same time have each their own tables."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    with offer.up(one) as first, offer.up(other) as second:
        first.apply(schema)
        assert first.count("author") == 2
        assert _database(second).tables() == ()


def test_only_the_loopback_is_listened_on(offer: DatabaseOffer, folder: Path) -> None:
    """A server that is open for a moment is not open to the network, and has one port only."""
    with offer.up(folder) as service:
        assert service.pid is not None
        connections = psutil.Process(service.pid).net_connections("tcp")
        listening = {(each.laddr.ip, each.laddr.port) for each in connections if each.status == "LISTEN"}
        assert {ip for ip, _ in listening} == {"127.0.0.1"}
        assert len(listening) == 1


def test_commits_are_durable(offer: DatabaseOffer, folder: Path) -> None:
    """The products' own durability is not traded for speed: every commit is flushed."""
    with offer.up(folder) as service:
        database = _database(service)
        if isinstance(database, MySqlDatabase):
            assert database._value("SELECT @@innodb_flush_log_at_trx_commit") == 1
            assert database._value("SELECT @@max_connections") == 300
        else:
            assert database._rows("SHOW fsync") == [["on"]]
            assert database._rows("SHOW synchronous_commit") == [["on"]]
            assert database._rows("SHOW max_connections") == [["300"]]


def test_the_log_is_kept_and_the_data_are_not(offer: DatabaseOffer, folder: Path) -> None:
    """After a trial its folder holds the server's log, and nothing else of it."""
    with offer.up(folder) as service:
        assert (folder / "data").is_dir()
        assert service.log_tail()
    assert [path.name for path in folder.iterdir()] == ["service.log"]


def test_nothing_runs_after_the_end(offer: DatabaseOffer, folder: Path) -> None:
    """Leaving the context ends the server and all its processes."""
    with offer.up(folder) as service:
        assert service.pid is not None
        tree = [psutil.Process(service.pid), *psutil.Process(service.pid).children(recursive=True)]
        assert service.still_runs()
        assert service.ended() is None
    assert not any(each.is_running() for each in tree)


def test_a_killed_server_says_so(offer: DatabaseOffer, folder: Path) -> None:
    """A server that is killed has ended by itself, by signal 9, and what is asked of it is an error."""
    with offer.up(folder) as service:
        assert service.pid is not None
        os.kill(service.pid, signal.SIGKILL)
        assert _wait_until(lambda: not service.still_runs())
        assert service.ended() == "signal 9"
        with pytest.raises(ServiceError, match="nothing answers"):
            service.count("author")


def test_an_error_inside_ends_the_server_too(offer: DatabaseOffer, folder: Path) -> None:
    """What goes wrong in a trial passes through, and the server is gone."""
    pids: list[int | None] = []

    def fail(pid: int | None) -> None:
        pids.append(pid)
        raise RuntimeError("a trial failed")

    with pytest.raises(RuntimeError, match="a trial failed"), offer.up(folder) as service:
        fail(service.pid)
    assert pids[0] is not None
    assert not psutil.pid_exists(pids[0])


PARENT = """
import sys, time
from pathlib import Path
from bancada.services.service import Needs
from bancada.services.sql import find
cache, product, folder = sys.argv[1:]
with find(product + "@cache", Needs(Path(cache), None, {}, None, print)).up(Path(folder)) as service:
    print(service.pid, flush=True)
    time.sleep(600)
"""


def test_a_killed_bench_leaves_no_server(offer: DatabaseOffer, needs: Needs, tmp_path: Path) -> None:
    """Even SIGKILL to the bench ends the server with all its processes."""
    command = [sys.executable, "-c", PARENT, str(needs.cache), offer.facts.product, str(tmp_path)]
    bench = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert bench.stdout is not None
    server = psutil.Process(int(bench.stdout.readline()))
    tree = [server, *server.children(recursive=True)]
    bench.kill()
    bench.communicate(timeout=30)
    assert _wait_until(lambda: not any(each.is_running() for each in tree))


def test_a_taken_port_is_refused(offer: DatabaseOffer, folder: Path) -> None:
    """A port that another program listens on is an error that names it, before anything is started."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(AddressError, match=str(port)), offer.up(folder, port=port):
            pytest.fail("the port is taken")


def test_a_wanted_port_is_used(offer: DatabaseOffer, folder: Path) -> None:
    """The server listens on the port that is asked for."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with offer.up(folder, port=port) as service:
        assert f":{port}/" in service.env["SQL_URL"]


def test_a_port_that_only_the_server_finds_taken_is_an_address_error(
    offer: DatabaseOffer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a port is lost between the look and the start, the server's own words are understood."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        monkeypatch.setattr("bancada.services.template.free_port", lambda _: holder.getsockname()[1])
        with pytest.raises(AddressError, match="TIME-WAIT"), offer.up(folder):
            pytest.fail("the port is taken")


def test_a_server_keeps_to_its_cpus(offer: DatabaseOffer, folder: Path) -> None:
    """The server runs on the CPUs that it is given."""
    cpu = min(os.sched_getaffinity(0))
    with offer.up(folder, cpus=[cpu]) as service:
        assert service.pid is not None
        assert os.sched_getaffinity(service.pid) == {cpu}


def test_a_wrong_password_is_refused_in_plain_words(offer: DatabaseOffer, folder: Path) -> None:
    """A wrong password and an unknown database are errors of their own, and show no password."""
    with offer.up(folder) as service:
        for other, words in (({"password": "s3cret"}, "password"), ({"database": "nowhere"}, "nowhere")):
            with pytest.raises(ServiceError, match=words) as refused:
                _database(service, **other).version()
            assert "s3cret" not in f"{refused.value.what}{refused.value.where}{refused.value.advice}"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 20 MB."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "bancada-test", str(disk)], check=False)
    if mounted.returncode != 0:
        pytest.skip("this host does not let us mount a small disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_said_to_be_full(offer: DatabaseOffer, small_disk: Path) -> None:
    """A disk on which the data do not fit is reported as full, and left as it was."""
    with pytest.raises(StorageError, match="disk full"), offer.up(small_disk):
        pytest.fail("the data cannot fit")
    assert not list(small_disk.iterdir())


def test_a_disk_that_fills_while_a_server_is_made_is_said_to_be_full(
    offer: DatabaseOffer, small_disk: Path, needs: Needs
) -> None:
    """A cache on a full disk is a StorageError, and keeps nothing half made."""
    (small_disk / "services").mkdir()
    for program in (needs.cache / "services").glob(f"{offer.facts.product}-*"):
        (small_disk / "services" / program.name).symlink_to(program.absolute())
    with pytest.raises(StorageError, match=r"full|No space"):
        find(f"{offer.facts.product}@cache", Needs(small_disk, None, {}, None, lambda _: None))
    assert not list((small_disk / "services").glob("template-*"))
    assert not list((small_disk / "services").glob(".making-*"))


def test_a_server_that_does_not_start_shows_its_log(
    offer: DatabaseOffer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last words of a server that gives up are in the error, with the path of its log."""
    product = offer._recipe.product  # type: ignore[attr-defined]
    monkeypatch.setattr(type(product), "settings", lambda _, port: ["--no-such-option", str(port)])
    with pytest.raises(ServiceError, match="no-such-option") as failed, offer.up(folder):
        pytest.fail("it cannot start")
    assert str(folder / "service.log") in str(failed.value.where)


@pytest.mark.skipif(os.geteuid() != 0, reason="only for root there is a user to change to")
def test_without_user_namespaces_postgresql_runs_as_nobody(
    needs: Needs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where root may make no user namespace, PostgreSQL runs as the user nobody, from a folder that it may enter."""
    probe = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "ls", str(needs.cache / "services")]
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        pytest.skip(f"the user nobody may not enter {needs.cache}")
    monkeypatch.setattr(ordinary_user, "_works", lambda _: False)
    with find("postgresql@cache", needs).up(tmp_path) as service:
        assert service.pid is not None
        assert psutil.Process(service.pid).username() == "nobody"
    assert not psutil.pid_exists(service.pid)
    assert [path.name for path in tmp_path.iterdir()] == ["service.log"]


def test_a_server_that_ends_before_it_answers_is_named_with_how_it_ended(tmp_path: Path) -> None:
    """Without a cause that we know, the error says how the server ended and quotes the log."""
    (tmp_path / "service.log").write_text("one\ntwo\nAborting\n")
    error = did_not_start("mysql", "signal 6", tmp_path / "service.log", 65_000)
    assert isinstance(error, ServiceError)
    assert "signal 6" in error.what
    assert "Aborting" in error.what


def test_mysql_knows_our_user_before_a_system_under_test_comes(
    fetched: Callable[[str], DatabaseOffer], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account is in MySQL's cache, so that a driver logs in without TLS and without the server's public key."""

    def never(*_: object) -> bytes:
        raise AssertionError("the server asked for the password in full")

    with fetched("mysql").up(folder) as service:
        monkeypatch.setattr("pymysql._auth.sha2_rsa_encrypt", never)
        assert _database(service).version().startswith(fetched("mysql").facts.version)
        with pytest.raises(AssertionError, match="in full"):
            _database(service, password="another").version()


@pytest.mark.parametrize("product", ["mariadb", "mysql", "postgresql"])
def test_an_installed_server_is_used_with_data_of_its_own(product: str, needs: Needs, folder: Path) -> None:
    """A server of this host is started beside whatever else it does here."""
    try:
        offer = find(f"{product}@path", needs)
    except ServiceError as missing:
        if "there is no" in str(missing.where):
            pytest.skip(str(missing.where))
        raise
    assert offer.facts.source == "path"
    with offer.up(folder) as service:
        assert _database(service).tables() == ()
