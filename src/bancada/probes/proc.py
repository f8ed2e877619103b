# SPDX-License-Identifier: Apache-2.0
"""Read processes from Linux's /proc: what a tree of them uses."""

from __future__ import annotations

import os
from pathlib import Path

TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
AVAILABLE = Path("/proc/self/stat").exists()


def tree(root: int) -> list[int]:
    """Process ids of `root` and all its descendants that live."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields is not None:
                parents[int(entry.name)] = int(fields[1])
    found = [root] if root in parents else []
    for pid in found:
        found += [other for other, parent in parents.items() if parent == pid]
    return found


def cpu_ns(pid: int) -> int | None:
    """CPU time of a process and of its children that have ended, in ns at clock-tick resolution; None if it is gone."""
    fields = _stat(pid)
    return None if fields is None else sum(map(int, fields[11:15])) * TICK_NS


def threads(pid: int) -> int | None:
    """Number of a process's threads; None if it is gone."""
    fields = _stat(pid)
    return None if fields is None else int(fields[17])


def rss_bytes(pid: int) -> int | None:
    """Resident memory of a process, shared pages included; None if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
    except (OSError, IndexError):
        return None


def steal_ns() -> int | None:
    """CPU time that the hypervisor took from all CPUs since boot (proc(5), /proc/stat); None if it is not told."""
    try:
        with Path("/proc/stat").open(encoding="ascii") as file:
            fields = file.readline().split()
        return int(fields[8]) * TICK_NS
    except (OSError, IndexError, ValueError):
        return None


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on, so that proc(5)'s field 3 is number 0 here."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()
