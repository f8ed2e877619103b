# SPDX-License-Identifier: Apache-2.0
"""Find out what a reader must know of this host to judge or repeat a run."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import psutil

from bancada.host.system_files import read_text
from bancada.model.host import HostFacts

CPU_FOLDER = Path("/sys/devices/system/cpu")
DMI_FOLDER = Path("/sys/class/dmi/id")


def host_facts(tools: Mapping[str, str]) -> HostFacts:
    """What is known of this host; `tools` are the versions of the tools in use, by name."""
    return HostFacts(
        hostname=platform.node(),
        os=operating_system(),
        kernel=f"{platform.system()} {platform.release()}",
        architecture=platform.machine(),
        cpu_model=cpu_model(),
        cpus=usable_cpus(),
        memory_bytes=psutil.virtual_memory().total,
        virtualization=virtualization(),
        governor=governor(),
        tools=dict(tools),
    )


def operating_system() -> str:
    """Name and version, as in "Debian GNU/Linux 12 (bookworm)" or "macOS 15.1"."""
    if platform.system() == "Darwin":
        return f"macOS {platform.mac_ver()[0]}"
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def usable_cpus() -> int:
    """Number of CPUs that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_model(cpuinfo: Path = Path("/proc/cpuinfo")) -> str | None:
    """The CPU's name, or None where it is not told (many ARM kernels)."""
    text = read_text(cpuinfo)
    if text is None:
        return platform.processor() or None
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() in ("model name", "Model", "cpu model"):
            return value.strip() or None
    return None


def governor(folder: Path = CPU_FOLDER) -> str | None:
    """The frequency governors of all CPUs, or None where the kernel does not set frequencies."""
    names = {read_text(path) for path in folder.glob("cpu[0-9]*/cpufreq/scaling_governor")}
    return ", ".join(sorted(name for name in names if name)) or None


def virtualization() -> str | None:
    """The hypervisor and container technology that this host runs under, "none" on bare metal, None if unknown."""
    told = _ask_systemd()
    if told is not None:
        return told
    container = "docker" if Path("/.dockerenv").exists() else None
    if Path("/run/.containerenv").exists():
        container = "podman"
    return _join(_hypervisor(), container)


def _ask_systemd() -> str | None:
    program = shutil.which("systemd-detect-virt")
    if program is None:
        return None
    machine, container = (
        subprocess.run([program, kind], capture_output=True, text=True, check=False, timeout=10).stdout.strip()
        for kind in ("--vm", "--container")
    )
    return _join(machine or None, None if container == "none" else container or None)


def _hypervisor() -> str | None:
    cpuinfo = read_text("/proc/cpuinfo")
    if cpuinfo is None:
        return None
    vendor = read_text(DMI_FOLDER / "sys_vendor")
    # x86 CPUs have a flag for "a hypervisor is present" (CPUID leaf 1, ECX bit 31); others do not tell.
    if " hypervisor" in cpuinfo:
        return vendor or "a hypervisor"
    return "none" if "flags" in cpuinfo else None


def _join(machine: str | None, container: str | None) -> str | None:
    if container is None:
        return machine
    return f"{container} on {machine}" if machine not in (None, "none") else container
