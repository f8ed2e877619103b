# SPDX-License-Identifier: Apache-2.0
"""Is this host fit to measure? Every check that `bancada doctor` makes, in the order in which it shows them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bancada.catalog.places import home
from bancada.host.check import Check, CheckResult
from bancada.host.cpu_checks import Affinity, Clock, Cpus, Governor, Load, Steal, Timers, Turbo, Virtualization
from bancada.host.system_checks import Backlog, ControlGroups, Disk, Memory, OpenFiles, Ports, Swap
from bancada.host.tool_checks import tool_checks

__all__ = ["CheckResult", "run_checks"]


def run_checks(results: Path | None = None) -> tuple[CheckResult, ...]:
    """Make every check; `results` is the folder whose disk is looked at, by default that of the project.

    Takes a few seconds. The checks of noise come one after the other and first: searching for tools is noise.
    """
    quiet: tuple[Check, ...] = (
        Load(),
        Timers(),
        Cpus(),
        Affinity(),
        Steal(),
        Governor(),
        Turbo(),
        Clock(),
        Virtualization(),
        Memory(),
        Swap(),
        Disk(results or home() / "results"),
        OpenFiles(),
        Ports(),
        Backlog(),
        ControlGroups(),
    )
    looked = [check.result() for check in quiet]
    with ThreadPoolExecutor() as pool:
        searched = list(pool.map(lambda check: check.result(), tool_checks()))
    return (*looked, *searched)
