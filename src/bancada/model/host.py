# SPDX-License-Identifier: Apache-2.0
"""The machine that measured, and how quiet it was."""

from __future__ import annotations

from bancada.model.base import Model


class HostFacts(Model):
    """What a reader must know of the host to judge or repeat a run; None where it could not be found out."""

    hostname: str | None
    os: str | None
    kernel: str | None
    architecture: str | None
    cpu_model: str | None
    cpus: int | None
    memory_bytes: int | None
    virtualization: str | None
    governor: str | None
    tools: dict[str, str]
    """Versions of the tools in use, by name."""


class Pinning(Model):
    """Which CPUs the system under test and the engine may use, or why they share all."""

    pinned: bool | None
    """None where nobody tells."""
    sut_cpus: tuple[int, ...]
    engine_cpus: tuple[int, ...]
    reason: str | None = None
    """Why nothing is pinned."""
    service_cpus: tuple[int, ...] = ()
    """CPUs of databases and brokers; none where the scenario needs no service."""


class HostNoise(Model):
    """How busy the host was with other things."""

    load_before: float | None
    """Runnable tasks averaged over the minute before the trial (1 min load average)."""
    busy_before_share: float | None
    """Share of all CPUs in use just before the system under test was started."""
    steal_share: float | None
    """Share of the measured window that the hypervisor took away."""
