# SPDX-License-Identifier: Apache-2.0
"""Share the CPUs out among the system under test, its services and the load engine.

An engine that competes for the CPUs of the system it measures adds its own waiting to the latencies. Threads of one
core share its caches and execution units, so a core is never split between the two.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from bancada.host.system_files import parse_cpu_list, read_text
from bancada.model.host import Pinning

CPU_FOLDER = Path("/sys/devices/system/cpu")
CORES_FOR_ONE_OF_THE_ENGINE = 3
"""The engine gets one core in three: it needs less than the system that it loads, and says when that was too little."""


CORES_FOR_OWN_SERVICES = 4
"""Fewer cores than this are too few to set one aside for services: they share those of the system under test."""


def plan_pinning(mode: Literal["auto", "off"], *, services: bool = False) -> Pinning:
    """Which CPUs the system under test, the engine, and services if there are any, get on this host.

    Only CPUs that this process may use count: its affinity mask holds what the kernel, a container's cpuset and
    taskset(1) left of the host's.
    """
    if not hasattr(os, "sched_getaffinity"):
        every = tuple(range(os.cpu_count() or 1))
        return _shared(every, "this operating system does not let a program choose its CPUs")
    allowed = tuple(sorted(os.sched_getaffinity(0)))
    if mode == "off":
        return _shared(allowed, "pinning is switched off")
    return share_out(allowed, {cpu: core_of(cpu) for cpu in allowed}, services=services)


def core_of(cpu: int, folder: Path = CPU_FOLDER) -> tuple[int, ...]:
    """All hardware threads of the core that `cpu` is one of; only itself where the topology is not told."""
    text = read_text(folder / f"cpu{cpu}" / "topology" / "thread_siblings_list")
    try:
        return parse_cpu_list(text) if text else (cpu,)
    except ValueError:
        return (cpu,)


def share_out(allowed: Iterable[int], core_by_cpu: Mapping[int, tuple[int, ...]], *, services: bool = False) -> Pinning:
    """Give whole cores to the engine, about a third of them and at least one, and the others to the system under test.

    With a single core that has several threads each gets threads of it, which is better than sharing all of them.
    Services get half of what the engine leaves, or share it with the system under test where cores are few: that is
    how a database on the application's own server is placed, and the engine stays undisturbed.
    """
    allowed = tuple(sorted(allowed))
    if len(allowed) < 2:
        return _shared(allowed, "there is only one CPU, which both must share")
    cores: dict[tuple[int, ...], list[int]] = {}
    for cpu in allowed:
        cores.setdefault(core_by_cpu[cpu], []).append(cpu)
    groups = list(cores.values()) if len(cores) > 1 else [[cpu] for cpu in allowed]
    engine_cores = max(1, len(groups) // CORES_FOR_ONE_OF_THE_ENGINE)
    # The last ones: interrupts and the system's own work prefer the first, and the engine must not be disturbed.
    sut, engine = groups[:-engine_cores], groups[-engine_cores:]
    serving = sut
    if services and len(groups) >= CORES_FOR_OWN_SERVICES:
        half = (len(sut) + 1) // 2
        sut, serving = sut[:half], sut[half:]
    return Pinning(
        pinned=True,
        sut_cpus=_flat(sut),
        engine_cpus=_flat(engine),
        service_cpus=_flat(serving) if services else (),
    )


def _flat(groups: list[list[int]]) -> tuple[int, ...]:
    return tuple(sorted(cpu for group in groups for cpu in group))


def _shared(cpus: tuple[int, ...], reason: str) -> Pinning:
    return Pinning(pinned=False, sut_cpus=cpus, engine_cpus=cpus, reason=reason)
