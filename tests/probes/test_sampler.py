# SPDX-License-Identifier: Apache-2.0
"""Probes measure real processes rightly."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from bancada.model.handle import RunningSut
from bancada.probes.sampler import Sampler
from bancada.process.cgroup import make_group
from bancada.process.guarded import Command, Guarded

BURN = """
import subprocess, sys, time
kept = bytearray(80_000_000)
kept[::4096] = b"x" * len(kept[::4096])
child = "import time\\nend = time.process_time() + 0.4\\nwhile time.process_time() < end: pass\\ntime.sleep(60)"
subprocess.Popen([sys.executable, "-c", child])
end = time.process_time() + 0.4
while time.process_time() < end: pass
time.sleep(60)
"""


@pytest.mark.parametrize("with_group", [True, False])
def test_cpu_and_memory_of_the_whole_tree_are_seen(tmp_path: Path, with_group: bool) -> None:
    """A parent and a child that burn 0.4 s each, and 80 MB: by control group and by /proc alike."""
    group, reason = make_group("probe") if with_group else (None, "")
    if with_group and group is None:
        pytest.skip(reason)
    with Guarded(Command([sys.executable, "-c", BURN], cwd=tmp_path, cgroup=group)) as program:
        sut = RunningSut(label="burner", base_url="", pid=program.pid, cgroup=str(group) if group else None)
        begun = time.monotonic_ns()
        with Sampler(sut) as sampler:
            time.sleep(2.5)
    series = sampler.series(begun)
    greatest = {name: max(value for value in series[name].to_list() if value is not None) for name in series.columns}
    cpu_s = greatest["cpu_ns"] / 1e9
    assert 0.8 <= cpu_s < 1.6  # beside the two burns: two interpreters start and touch 80 MB
    assert 80e6 < greatest["rss_bytes"] < 160e6
    assert greatest["processes"] == 2
    assert greatest["threads"] >= 2
    assert series.height >= 30
    assert (series["at_ns"].diff().drop_nulls() > 0).all()
    source = next(report.source for report in sampler.reports if report.name == "cpu_ns")
    assert source == ("cgroup v2 cpu.stat" if with_group else "/proc")


def test_a_service_of_somebody_else_has_no_probes_and_says_why() -> None:
    """What cannot be measured is unavailable with a reason, and never 0."""
    with Sampler(RunningSut(label="theirs", base_url="http://127.0.0.1:1", pid=None)) as sampler:
        time.sleep(0.2)
    series = sampler.series(0)
    reports = {report.name: report for report in sampler.reports}
    for name in ("cpu_ns", "rss_bytes", "threads"):
        assert not reports[name].available
        assert "somebody else" in (reports[name].reason or "")
        assert series[name].null_count() == series.height
