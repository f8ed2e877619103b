# SPDX-License-Identifier: Apache-2.0
"""Checks of memory, disk and the kernel's limits."""

from __future__ import annotations

import resource
from pathlib import Path

import psutil

from bancada.host.check import Check, Finding
from bancada.host.system_files import read_int, read_text
from bancada.process.cgroup import make_group

GIB = 1024**3
USERS = 10_000
"""The largest number of users in the shipped studies; each has a connection of its own."""
NET = Path("/proc/sys/net")
REUSE: dict[int | None, str] = {0: "off", 1: "on", 2: "on for loopback"}
"""Values of tcp_tw_reuse (Linux, ip-sysctl)."""


def gib(size_bytes: int) -> str:
    """A size as it is shown."""
    return f"{size_bytes / GIB:.1f} GiB"


class Memory(Check):
    """Memory is free."""

    name = "memory"
    why = "a system under test that must swap or is killed tells nothing about its stack"

    def look(self) -> Finding:
        """What could be given to new programs without swapping."""
        memory = psutil.virtual_memory()
        found = f"{gib(memory.available)} of {gib(memory.total)} available"
        if memory.available < GIB / 2:
            return Finding("fail", found, "end other programs; half a GiB is the least that a JVM and the engine need")
        if memory.available < 2 * GIB:
            return Finding("warn", found, "end other programs; native builds need 4 to 10 GiB")
        return Finding("ok", found)


class Swap(Check):
    """Nothing is swapped out."""

    name = "swap"
    why = "pages that come back from disk cost milliseconds at random moments"

    def look(self) -> Finding:
        """How much is in use."""
        swap = psutil.swap_memory()
        if swap.total == 0:
            return Finding("ok", "none")
        found = f"{gib(swap.used)} of {gib(swap.total)} in use"
        return Finding("warn", found, "sudo swapoff -a") if swap.used > GIB // 100 else Finding("ok", found)


class Disk(Check):
    """Results can be written."""

    name = "disk"
    why = "single requests are kept: a run of an hour can write a gigabyte"

    def __init__(self, results: Path) -> None:
        self.results = results

    def look(self) -> Finding:
        """The space of the results folder, or of the nearest folder above that exists."""
        folder = next(place for place in (self.results, *self.results.absolute().parents) if place.exists())
        free = psutil.disk_usage(str(folder)).free
        found = f"{gib(free)} free for {self.results}"
        if free < GIB / 10:
            return Finding("fail", found, "free some space, or name another results folder")
        return Finding("warn", found, "free some space") if free < GIB else Finding("ok", found)


class OpenFiles(Check):
    """Every user can have a connection."""

    name = "open files"
    why = f"each user's connection is an open file at both of its ends, and studies have up to {USERS:,} users"
    least = USERS + 500

    def look(self) -> Finding:
        """The hard limit: the engine raises its own soft limit to it."""
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard == resource.RLIM_INFINITY or hard >= self.least:
            return Finding("ok", "no limit" if hard == resource.RLIM_INFINITY else f"at most {hard:,}")
        advice = f'put "* hard nofile {4 * USERS}" into /etc/security/limits.conf; of a container, use --ulimit nofile'
        return Finding("warn", f"at most {hard:,}", advice)


class Ports(Check):
    """Every connection finds a port."""

    name = "ports for connections"
    why = "each connection to the same server takes a port of its own for a minute after it was closed (TIME-WAIT)"

    def look(self) -> Finding:
        """The range that ports are chosen from, and whether those in TIME-WAIT may be used again (ip(7), tcp(7))."""
        text = read_text(NET / "ipv4" / "ip_local_port_range")
        if text is None:
            return Finding("unknown", "this system does not tell")
        low, high = (int(part) for part in text.split())
        ports = high - low + 1
        reuse = read_int(NET / "ipv4" / "tcp_tw_reuse")
        found = f"{ports:,} ({low} to {high}), TIME-WAIT reuse {REUSE.get(reuse, 'unknown')}"
        if ports < 2 * USERS:
            return Finding("warn", found, 'sudo sysctl net.ipv4.ip_local_port_range="10000 65000"')
        return Finding("warn", found, "sudo sysctl net.ipv4.tcp_tw_reuse=1") if reuse == 0 else Finding("ok", found)


class Backlog(Check):
    """Connections that come at once are not turned away."""

    name = "queue of new connections"
    why = "when many users arrive at once, those that find the queue full wait a second and more before they try again"
    least = 1024

    def look(self) -> Finding:
        """The kernel's bound on what a server may ask for in listen(2)."""
        found = read_int(NET / "core" / "somaxconn")
        if found is None:
            return Finding("unknown", "this system does not tell")
        short = found < self.least
        advice = f"sudo sysctl net.core.somaxconn={4 * self.least}" if short else None
        return Finding("warn" if short else "ok", f"at most {found:,}", advice)


class ControlGroups(Check):
    """A system under test can have a control group."""

    name = "control groups"
    why = "a group counts the CPU time of processes that have ended too; without one they are watched by sampling"

    def look(self) -> Finding:
        """Make one, and remove it."""
        folder, reason = make_group("doctor")
        if folder is None:
            return Finding("warn", reason, "run as root, or under systemd-run --user --scope with delegation")
        folder.rmdir()
        return Finding("ok", f"version 2, in {folder.parent}")
