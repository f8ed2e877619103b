# SPDX-License-Identifier: Apache-2.0
"""Control groups (cgroup v2) for single programs, where this host lets us make them."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

_numbers = itertools.count(1)


def mount_point() -> Path | None:
    """Where cgroup v2 is mounted, or None if it is not."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    except OSError:
        return None
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        if after.startswith("cgroup2 "):
            return Path(before.split()[4])
    return None


def own_group(mount: Path) -> Path:
    """The group that this process is in."""
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        if line.startswith("0::"):
            return mount / line[3:].lstrip("/")
    return mount


def make_group(name: str) -> tuple[Path | None, str]:
    """A new group under the root, else under our own group, in which a program can be put.

    Returns its folder and an empty string, or None and the reason why there is none. The guard removes it.
    """
    mount = mount_point()
    if mount is None:
        return None, "cgroup v2 is not mounted"
    reason = ""
    for parent in dict.fromkeys((mount, own_group(mount))):
        folder = parent / f"bancada-{os.getpid()}-{next(_numbers)}-{name}"
        try:
            folder.mkdir()
        except OSError as error:
            reason = f"cannot make a group in {parent}: {error.strerror}"
            continue
        if os.access(folder / "cgroup.procs", os.W_OK) and (folder / "cpu.stat").exists():
            return folder, ""
        folder.rmdir()
        reason = f"groups in {parent} cannot be used"
    return None, reason
