# SPDX-License-Identifier: Apache-2.0
"""The probes: each says whether it is available for a system under test, and if so yields one figure at a look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bancada.model.handle import RunningSut
from bancada.model.measure import ProbeReport
from bancada.probes import proc

NOT_OURS = "its processes are not known: somebody else started the service, or it runs in another machine"
NO_PROC = "this host has no /proc"


@dataclass(frozen=True)
class Probe:
    """One figure: `read(pids)` looks at the tree's processes; without `read` it is not available, and says why."""

    name: str
    report: ProbeReport
    read: Callable[[list[int]], int | None] | None = None


def probes_for(sut: RunningSut) -> tuple[Probe, ...]:
    """All probes, available or not, for this system under test."""
    return (
        _cpu(sut),
        _of_tree(sut, "rss_bytes", proc.rss_bytes),
        _of_tree(sut, "threads", proc.threads),
        _of_tree(sut, "processes", lambda _: 1),
        _steal(),
    )


def pids_of(sut: RunningSut) -> list[int]:
    """The processes of its tree: from its control group, which also knows what detached itself, else by parentage."""
    if sut.cgroup is not None:
        try:
            return [int(pid) for pid in Path(sut.cgroup, "cgroup.procs").read_text(encoding="ascii").split()]
        except OSError:
            pass
    return proc.tree(sut.pid) if sut.pid is not None else []


def _cpu(sut: RunningSut) -> Probe:
    if sut.cgroup is not None and cgroup_cpu_ns(sut.cgroup) is not None:
        cgroup = sut.cgroup
        report = ProbeReport(name="cpu_ns", available=True, source="cgroup v2 cpu.stat")
        return Probe("cpu_ns", report, lambda _: cgroup_cpu_ns(cgroup))
    return _of_tree(sut, "cpu_ns", proc.cpu_ns)


def cgroup_cpu_ns(cgroup: str) -> int | None:
    """CPU time of everything that ever ran in the group, in ns at µs resolution."""
    try:
        first = Path(cgroup, "cpu.stat").read_text(encoding="ascii").splitlines()[0]
    except (OSError, IndexError):
        return None
    name, _, value = first.partition(" ")
    return int(value) * 1000 if name == "usage_usec" else None


def _of_tree(sut: RunningSut, name: str, of_process: Callable[[int], int | None]) -> Probe:
    if sut.pid is None:
        return Probe(name, ProbeReport(name=name, available=False, reason=NOT_OURS))
    if not proc.AVAILABLE:
        return Probe(name, ProbeReport(name=name, available=False, reason=NO_PROC))

    def read(pids: list[int]) -> int | None:
        values = [value for pid in pids if (value := of_process(pid)) is not None]
        return sum(values) if values else None

    return Probe(name, ProbeReport(name=name, available=True, source="/proc"), read)


def _steal() -> Probe:
    if proc.steal_ns() is None:
        return Probe("steal_ns", ProbeReport(name="steal_ns", available=False, reason=NO_PROC))
    report = ProbeReport(name="steal_ns", available=True, source="/proc/stat")
    return Probe("steal_ns", report, lambda _: proc.steal_ns())
