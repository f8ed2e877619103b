# SPDX-License-Identifier: Apache-2.0
"""How busy the host is with other things.

All figures come from Linux' `/proc` (proc_stat(5), proc_loadavg(5)); where a figure is not to be had it is None.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bancada.host.system_files import read_text
from bancada.model.base import NS_PER_S

PROC_STAT = Path("/proc/stat")


@dataclass(frozen=True)
class CpuTimes:
    """CPU time of all CPUs since boot, in clock ticks."""

    busy: int
    """User, nice, system, interrupts and what guests used."""
    idle: int
    """Idle and waiting for disks."""
    steal: int
    """Wanted, but given to somebody else by the hypervisor."""


def read_cpu_times(stat: Path = PROC_STAT) -> CpuTimes | None:
    """The host's CPU times so far, or None if they cannot be read.

    The columns are user, nice, system, idle, iowait, irq, softirq, steal; the two that follow count guests a second
    time and are left out.
    """
    text = read_text(stat)
    fields = text.splitlines()[0].split() if text else []
    if len(fields) < 9 or fields[0] != "cpu":
        return None
    user, nice, system, idle, io_wait, irq, soft_irq, steal = (int(field) for field in fields[1:9])
    return CpuTimes(busy=user + nice + system + irq + soft_irq, idle=idle + io_wait, steal=steal)


def load_average() -> float | None:
    """Runnable tasks, averaged over the last minute."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return None


def busy_share(
    seconds: float,
    *,
    sleep: Callable[[float], None] = time.sleep,
    read: Callable[[], CpuTimes | None] = read_cpu_times,
) -> float | None:
    """Share (0 to 1) of all CPUs' time that was in use or stolen during the next `seconds`."""
    before = read()
    sleep(seconds)
    after = read()
    if before is None or after is None:
        return None
    used = (after.busy + after.steal) - (before.busy + before.steal)
    passed = used + after.idle - before.idle
    # On some kernels the time waited for disks can go backwards (proc_stat(5)).
    return min(1.0, max(0.0, used / passed)) if passed > 0 else None


def steal_ns(read: Callable[[], CpuTimes | None] = read_cpu_times) -> int | None:
    """CPU time that the hypervisor took from this host since boot, of all CPUs together, in nanoseconds."""
    times = read()
    return None if times is None else times.steal * NS_PER_S // os.sysconf("SC_CLK_TCK")
