# SPDX-License-Identifier: Apache-2.0
"""Copy a data directory."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from bancada.errors import StorageError
from bancada.services.failures import disk_full, is_disk_full, last_lines


def copy_folder(source: Path, target: Path) -> None:
    """Make `target` an exact copy, on the disk when this returns. Raises StorageError.

    Blocks are shared where the file system can do that. Holes are filled: a server that preallocates its log counts on
    not having to find blocks when it commits. What the copy left unwritten is written now and not in the middle of a
    measurement.
    """
    if target.exists():
        shutil.rmtree(target)
    _run("cp", "-aT", "--reflink=auto", "--sparse=never", str(source), str(target))
    _run("sync", "--file-system", str(target))


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False)
    if done.returncode != 0:
        if is_disk_full(done.stderr):
            raise disk_full(command[-1])
        raise StorageError(f"cannot copy a database's data: {last_lines(done.stderr, 1)}", where=command[-1])
