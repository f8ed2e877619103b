# SPDX-License-Identifier: Apache-2.0
"""Checks of the CPUs: how many, how quiet, how steady."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from bancada.host.check import Check, Finding
from bancada.host.facts import governor, usable_cpus, virtualization
from bancada.host.noise import CpuTimes, busy_share, load_average, read_cpu_times
from bancada.host.system_files import read_text
from bancada.model.base import NS_PER_MS, NS_PER_S

WINDOW_S = 0.5
CLOCKSOURCE = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
CPU_FOLDER = Path("/sys/devices/system/cpu")
SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "refined-jiffies")


class Cpus(Check):
    """Two CPUs at least."""

    name = "CPUs"
    why = "without CPUs of their own the load engine's waiting becomes the latency of the system under test"

    def look(self) -> Finding:
        """Count what this process may use."""
        cpus = usable_cpus()
        found = f"{cpus} usable"
        return Finding("ok", found) if cpus > 1 else Finding("warn", found, "use a host with two CPUs or more")


class Affinity(Check):
    """Programs can be tied to CPUs."""

    name = "CPU affinity"
    why = "without it the engine and the system under test cannot be kept apart"

    def look(self) -> Finding:
        """Set this process's own affinity to what it is."""
        if not hasattr(os, "sched_setaffinity"):
            return Finding("warn", "this operating system has none", "measure on Linux for results to publish")
        try:
            os.sched_setaffinity(0, os.sched_getaffinity(0))
        except OSError as error:
            return Finding(
                "warn", f"cannot be set: {error.strerror}", "allow sched_setaffinity in the sandbox or container"
            )
        return Finding("ok", "can be set")


class Load(Check):
    """Nothing else is at work."""

    name = "other work"
    why = "other programs take CPU time, caches and memory bandwidth, at other moments for each stack"
    busy_limit = 0.05
    load_limit = 0.25
    """Runnable tasks for each CPU."""

    def look(self) -> Finding:
        """Watch for half a second, and ask for the last minute's average."""
        busy, load = busy_share(WINDOW_S), load_average()
        if busy is None and load is None:
            return Finding("unknown", "this system does not tell")
        told = [] if busy is None else [f"{busy:.0%} of all CPUs in use"]
        told += [] if load is None else [f"load average {load:.2f}"]
        noisy = (busy or 0) > self.busy_limit or (load or 0) > self.load_limit * usable_cpus()
        advice = "end other programs, or wait until they have finished" if noisy else None
        return Finding("warn" if noisy else "ok", ", ".join(told), advice)


class Steal(Check):
    """The hypervisor takes nothing away."""

    name = "stolen CPU time"
    why = "time that the hypervisor gives to other machines looks like latency"
    limit = 0.005

    def __init__(self, read: Callable[[], CpuTimes | None] = read_cpu_times) -> None:
        self.read = read

    def look(self) -> Finding:
        """The share since boot, which tells more of a machine than any short look."""
        times = self.read()
        total = 0 if times is None else times.busy + times.idle + times.steal
        if times is None or total == 0:
            return Finding("unknown", "this system does not tell")
        share = times.steal / total
        advice = "use a host with CPUs of its own" if share > self.limit else None
        return Finding("warn" if advice else "ok", f"{share:.2%} since boot", advice)


class Governor(Check):
    """The CPUs do not slow down when idle."""

    name = "frequency governor"
    why = "a CPU that speeds up only under load makes light loads look slow"

    def look(self) -> Finding:
        """Read every CPU's governor."""
        found = governor()
        if found is None:
            return Finding("unknown", "not set by this kernel (usual in virtual machines)")
        if found == "performance":
            return Finding("ok", found)
        return Finding("warn", found, "sudo cpupower frequency-set --governor performance")


class Turbo(Check):
    """The highest frequency does not depend on temperature."""

    name = "turbo"
    why = "boosted frequencies depend on temperature and on how many cores work, so that later trials may be slower"
    places = ((CPU_FOLDER / "intel_pstate" / "no_turbo", "0"), (CPU_FOLDER / "cpufreq" / "boost", "1"))

    def look(self) -> Finding:
        """Read the switch of Intel's driver, then that of the others."""
        for path, boosting in self.places:
            text = read_text(path)
            if text is not None:
                on = text == boosting
                other = "1" if boosting == "0" else "0"
                advice = f"echo {other} | sudo tee {path}" if on else None
                return Finding("warn" if on else "ok", "on" if on else "off", advice)
        return Finding("unknown", "not set by this kernel (usual in virtual machines)")


class Clock(Check):
    """Reading the time is cheap."""

    name = "clock source"
    why = "each request reads the clock several times; a clock outside of the CPU costs a microsecond and more"

    def look(self) -> Finding:
        """Read which one the kernel chose."""
        found = read_text(CLOCKSOURCE)
        if not found:
            return Finding("unknown", "this system does not tell")
        if found in SLOW_CLOCKS:
            return Finding("warn", found, "look in the kernel's log why it does not trust tsc")
        return Finding("ok", found)


class Timers(Check):
    """A sleeper is woken on time."""

    name = "timers"
    why = "the load engine sends each request at an intended instant, and can be no more exact than the timers"
    sleeps = 200
    sleep_s = 0.001
    limit_ns = NS_PER_MS

    def look(self) -> Finding:
        """Sleep for a millisecond many times, and see how late each ends."""
        late = sorted(self._overshoot_ns() for _ in range(self.sleeps))
        median, high = statistics.median(late), late[int(len(late) * 0.99)]
        found = f"late by {median / NS_PER_MS:.2f} ms (median), {high / NS_PER_MS:.2f} ms (99th percentile)"
        slow = median > self.limit_ns or high > 10 * self.limit_ns
        return Finding(
            "warn" if slow else "ok", found, "end other programs; a busy or virtual host wakes late" if slow else None
        )

    def _overshoot_ns(self) -> int:
        began = time.monotonic_ns()
        time.sleep(self.sleep_s)
        return time.monotonic_ns() - began - int(self.sleep_s * NS_PER_S)


class Virtualization(Check):
    """Nobody else is on the machine."""

    name = "virtualisation"
    why = "what others do on the same machine cannot be seen from here"

    def look(self) -> Finding:
        """Ask systemd, the CPU and the files that container engines leave."""
        found = virtualization()
        if found is None:
            return Finding("unknown", "could not be found out")
        if found == "none":
            return Finding("ok", "none")
        return Finding("warn", found, "measure on bare metal for results to publish")
