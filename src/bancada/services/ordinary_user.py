# SPDX-License-Identifier: Apache-2.0
"""Start a server that refuses to run as root, when we are root."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunAs:
    """How a program is started, and where its data may be."""

    prefix: tuple[str, ...] = ()
    """Put before the program."""
    owner: tuple[int, int] | None = None
    """User and group that own the data; None means us."""

    @contextmanager
    def data(self, folder: Path) -> Iterator[Path]:
        """Where the data may be made, in `folder` if they are ours; removed on leaving."""
        if self.owner is None:
            place = folder / "data"
            try:
                yield place
            finally:
                shutil.rmtree(place, ignore_errors=True)
        else:
            # Another user may be unable to enter `folder`, but everybody can enter the folder of temporary files.
            with tempfile.TemporaryDirectory(prefix="bancada-", ignore_cleanup_errors=True) as home:
                os.chown(home, *self.owner)
                yield Path(home) / "data"


def ordinary_user() -> RunAs:
    """As we are, unless we are root.

    Then in a user namespace (user_namespaces(7)) in which we are called `nobody`: to the system the process is root
    without capabilities, so the files remain ours. Where that is forbidden, as in most containers, `nobody` itself.
    """
    if os.geteuid() != 0:
        return RunAs()
    nobody = pwd.getpwnam("nobody")
    in_namespace = ("unshare", "--user", f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}")
    if _works(in_namespace):
        return RunAs(in_namespace)
    return RunAs(
        ("setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"),
        (nobody.pw_uid, nobody.pw_gid),
    )


def _works(prefix: tuple[str, ...]) -> bool:
    try:
        return subprocess.run([*prefix, "true"], capture_output=True, check=False, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
