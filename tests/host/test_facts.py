# SPDX-License-Identifier: Apache-2.0
"""What is known of the host."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.host.facts import cpu_model, governor, host_facts


def test_the_facts_are_those_that_other_programs_tell() -> None:
    """Kernel and architecture as uname(1), CPUs as nproc(1)."""
    facts = host_facts({"java": "25.0.3"})
    uname = subprocess.run(["uname", "-srm"], capture_output=True, text=True, check=True).stdout.split()
    assert (facts.kernel, facts.architecture) == (" ".join(uname[:2]), uname[2])
    assert facts.tools == {"java": "25.0.3"}
    assert facts.hostname == platform.node()
    if shutil.which("nproc"):
        env = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
        assert facts.cpus == int(subprocess.run(["nproc"], capture_output=True, text=True, check=True, env=env).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_memory_is_in_bytes() -> None:
    """As the kernel tells it, in KiB."""
    told_kib = int(Path("/proc/meminfo").read_text().split()[1])
    assert host_facts({}).memory_bytes == told_kib * 1024


def test_the_cpu_is_named(tmp_path: Path) -> None:
    """The first one's name; None where there is none."""
    file = tmp_path / "cpuinfo"
    file.write_text("processor\t: 0\nmodel name\t: Old & Slow 3000\n\nprocessor\t: 1\nmodel name\t: other\n")
    assert cpu_model(file) == "Old & Slow 3000"
    file.write_text("processor\t: 0\nBogoMIPS\t: 50.00\n")
    assert cpu_model(file) is None


def test_all_governors_are_told(tmp_path: Path) -> None:
    """One slow CPU among fast ones must not be hidden; without governors it is unknown."""
    assert governor(tmp_path) is None
    for cpu, name in ((0, "performance"), (1, "powersave"), (10, "performance")):
        (tmp_path / f"cpu{cpu}" / "cpufreq").mkdir(parents=True)
        (tmp_path / f"cpu{cpu}" / "cpufreq" / "scaling_governor").write_text(f"{name}\n")
    assert governor(tmp_path) == "performance, powersave"
