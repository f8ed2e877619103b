# SPDX-License-Identifier: Apache-2.0
"""MySQL: the server of this host, or the one of Debian's packages in a private folder.

Systems under test reach it without TLS. Its accounts use `caching_sha2_password`, whose first login over such a
connection needs the server's public key; the bench's own login, before any of theirs, puts the account into the
server's cache, so that their drivers need not be told to ask for that key.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from bancada.services.database import DATABASE, PASSWORD, USER, Database, Login
from bancada.services.debian import unpack_package
from bancada.services.fetch import kept
from bancada.services.mariadb import OUR_USER
from bancada.services.mysql_client import MySqlDatabase
from bancada.services.product import (
    MAX_CONNECTIONS,
    Image,
    Server,
    on_path,
    readable_file,
    run_to_initialise,
    version_line,
)
from bancada.services.service import Needs, UnavailableError

PACKAGES = ("mysql-server-core", "mysql-server-core-8.4", "mysql-server-core-8.0")
"""As Debian's unstable release and Ubuntu's releases call the server without its service."""
KEPT = ("usr/sbin/mysqld", "usr/lib/*-linux-gnu*", "usr/lib/mysql", "usr/lib64", "usr/share/mysql*", "usr/share/doc")
"""What is needed of the packages and what they depend on."""


class MySql:
    """MySQL."""

    name = "mysql"
    refuses_root = False
    end_signal = signal.SIGKILL

    @property
    def image(self) -> Image:
        """The official image of the long-term release."""
        return Image(
            name=os.environ.get("BANCADA_MYSQL_IMAGE", "mysql:8.4"),
            data="/var/lib/mysql",
            env={
                "MYSQL_DATABASE": DATABASE,
                "MYSQL_USER": USER,
                "MYSQL_PASSWORD": PASSWORD,
                "MYSQL_RANDOM_ROOT_PASSWORD": "1",
            },
        )

    def on_path(self) -> Server:
        """A `mysqld` that is not MariaDB's."""
        for program in on_path("mysqld"):
            said = version_line([str(program)])
            if "MariaDB" in said:
                raise UnavailableError(f"{program} is MariaDB's")
            return Server("path", str(program), (str(program),), program.resolve().parent.parent, said)
        raise UnavailableError("there is no mysqld on this host")

    def fetched(self, needs: Needs) -> Server:
        """From Debian's packages, which need not be installed: the server brings its own loader and C library."""

        def fill(folder: Path) -> Path:
            return unpack_package(PACKAGES, KEPT, folder, name="mysql", say=needs.say)

        root = kept(needs.cache, "mysql-[0-9]*", fill)
        loaders = sorted(root.glob("usr/lib/*/ld-linux-*.so.*"))
        if not loaders:
            raise UnavailableError(f"there is no loader of programs in {root}")
        libraries = f"{loaders[0].parent}:{root / 'usr/lib/mysql/private'}"
        program = root / "usr" / "sbin" / "mysqld"
        argv = (str(loaders[0]), "--library-path", libraries, str(program))
        return Server("cache", str(program), argv, root / "usr", version_line(argv))

    def initialise(self, server: Server, data: Path, prefix: Sequence[str]) -> None:
        """System tables, our user and our database in one go."""
        with readable_file(OUR_USER) as statements:
            run_to_initialise(
                [
                    *prefix,
                    *server.argv,
                    *self.place(server, data),
                    "--initialize-insecure",
                    f"--init-file={statements}",
                    *_redo_log(),
                ]
            )

    def place(self, server: Server, data: Path) -> list[str]:
        """The socket is named relative to the data, so that its path stays under the kernel's limit of 107 bytes."""
        return [
            "--no-defaults",
            f"--basedir={server.base}",
            f"--datadir={data}",
            "--socket=server.sock",
            "--pid-file=server.pid",
            "--secure-file-priv=",
            *(("--user=root",) if os.geteuid() == 0 else ()),
        ]

    def settings(self, port: int) -> list[str]:
        """What differs from the product's defaults.

        The loopback only; no TLS, and no X protocol, which would want a second port; more connections; no questions to
        name servers; and a redo log of 32 MiB instead of 100, which is copied for every trial. Commits are as durable
        as by default: `innodb_flush_log_at_trx_commit` = 1, with a binary log and `sync_binlog` = 1.
        """
        return [
            f"--port={port}",
            "--bind-address=127.0.0.1",
            "--tls-version=",
            "--mysqlx=OFF",
            f"--max-connections={MAX_CONNECTIONS}",
            "--skip-name-resolve",
            *_redo_log(),
        ]

    def database(self, login: Login) -> Database:
        """Talk to it."""
        return MySqlDatabase(login)


def _redo_log() -> list[str]:
    return ["--innodb-redo-log-capacity=32M"]
