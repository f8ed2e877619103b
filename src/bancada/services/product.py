# SPDX-License-Identifier: Apache-2.0
"""What the database products have in common, and the shapes in which they come."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bancada.model.service import ServiceSource
from bancada.services.database import Database, Login
from bancada.services.failures import complaint, disk_full, is_disk_full, last_lines
from bancada.services.service import Needs, UnavailableError

MAX_CONNECTIONS = 300
"""More than the pools of the systems under test hold together; a refused connection would be charged to them."""
INITIALISE_LIMIT_S = 120
MORE_PLACES = ("/usr/sbin", "/usr/local/sbin", "/usr/libexec")
"""Where servers are that an ordinary user's PATH does not show."""


@dataclass(frozen=True)
class Server:
    """A server program on this host, and where it came from."""

    source: ServiceSource
    detail: str
    """Its path."""
    argv: tuple[str, ...]
    """How it is executed."""
    base: Path
    """The folder that it is installed in."""
    says: str
    """Its answer to --version."""


@dataclass(frozen=True)
class Image:
    """How a product's official container image is used."""

    name: str
    data: str
    """Where it keeps its data."""
    env: Mapping[str, str]
    """Makes it create our user and database when it has no data yet."""


class Product(Protocol):
    """A database product."""

    @property
    def name(self) -> str:
        """As in `mariadb`."""

    @property
    def refuses_root(self) -> bool:
        """Whether the server does not run as root."""

    @property
    def end_signal(self) -> signal.Signals:
        """What ends the server fastest without leaving shared memory behind; its data are of no use any more."""

    @property
    def image(self) -> Image:
        """Its container image."""

    def on_path(self) -> Server:
        """The server that is installed on this host. Raises UnavailableError."""

    def fetched(self, needs: Needs) -> Server:
        """The server in the project's cache, fetched if it is not there. Raises UnavailableError."""

    def initialise(self, server: Server, data: Path, prefix: Sequence[str]) -> None:
        """Make a data directory with our user and our empty database. Raises UnavailableError, or StorageError.

        `prefix` is put before every program.
        """

    def place(self, server: Server, data: Path) -> list[str]:
        """Options that tell the server of this host where things are."""

    def settings(self, port: int) -> list[str]:
        """Options that are the same wherever the server comes from."""

    def database(self, login: Login) -> Database:
        """Talk to it."""


def on_path(*names: str) -> list[Path]:
    """Programs of these names on the PATH and where servers usually are, in that order."""
    path = os.pathsep.join((os.environ.get("PATH", ""), *MORE_PLACES))
    return [Path(found) for name in names if (found := shutil.which(name, path=path))]


def version_line(argv: Sequence[str]) -> str:
    """What a server answers to --version. Raises UnavailableError if it cannot be executed."""
    try:
        done = subprocess.run([*argv, "--version"], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"{argv[0]} cannot be executed: {error}") from error
    if done.returncode != 0:
        raise UnavailableError(f"{argv[0]} cannot be executed: {last_lines(done.stderr, 1)}")
    return done.stdout.strip()


def short_version(said: str) -> str:
    """The number in a server's name for itself: `11.4.5` of `11.4.5-MariaDB-log`."""
    found = re.search(r"\d+(?:\.\d+)+", said)
    return found[0] if found else said


@contextmanager
def readable_file(text: str) -> Iterator[str]:
    """The path of a file with `text` that every user of this host may read, for the time of the context."""
    with tempfile.NamedTemporaryFile("w", prefix="bancada-") as file:
        file.write(text)
        file.flush()
        Path(file.name).chmod(0o644)
        yield file.name


def run_to_initialise(argv: Sequence[str], *, stdin: str = "") -> None:
    """Run a program that makes a data directory. Raises UnavailableError with what it said, or StorageError."""
    try:
        done = subprocess.run(
            argv,
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            cwd="/",  # which every user may enter
            env={**os.environ, "LC_ALL": "C"},
            check=False,
            timeout=INITIALISE_LIMIT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"cannot make a data directory: {error}") from error
    if done.returncode != 0:
        said = done.stdout + done.stderr
        if is_disk_full(said):
            raise disk_full(" ".join(argv))
        raise UnavailableError(f"{Path(argv[0]).name} cannot make a data directory: {complaint(said)}")
