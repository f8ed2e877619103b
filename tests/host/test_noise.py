# SPDX-License-Identifier: Apache-2.0
"""How busy the host is."""

from __future__ import annotations

import multiprocessing
import os
import sys
from pathlib import Path

import pytest

from bancada.host.noise import CpuTimes, busy_share, load_average, read_cpu_times, steal_ns

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")


def between(before: CpuTimes | None, after: CpuTimes | None) -> float | None:
    """The busy share that two looks at the CPUs' times give."""
    looks = iter((before, after))
    return busy_share(0, sleep=lambda _: None, read=lambda: next(looks))


@pytest.mark.parametrize(
    ("after", "share"),
    [
        (CpuTimes(busy=130, idle=1070, steal=0), 0.3),
        (CpuTimes(busy=100, idle=1100, steal=0), 0.0),
        (CpuTimes(busy=120, idle=1060, steal=20), 0.4),  # stolen time was wanted, so it is no idleness
        (CpuTimes(busy=200, idle=990, steal=0), 1.0),  # idle time that goes backwards, as iowait can
        (CpuTimes(busy=100, idle=1000, steal=0), None),  # no time has passed
        (None, None),
    ],
)
def test_busy_share_is_what_was_not_idle(after: CpuTimes | None, share: float | None) -> None:
    """Used and stolen over all time between two looks; None where that cannot be said."""
    assert between(CpuTimes(busy=100, idle=1000, steal=0), after) == (share if share is None else pytest.approx(share))


def test_guests_time_is_counted_once(tmp_path: Path) -> None:
    """The kernel adds guests' time to user and nice, and tells it again in the last two columns."""
    stat = tmp_path / "stat"
    stat.write_text("cpu  10 20 30 400 50 6 7 8 9 9\ncpu0 1 2 3 4 5 6 7 8 9 9\n")
    assert read_cpu_times(stat) == CpuTimes(busy=73, idle=450, steal=8)


@pytest.mark.parametrize("text", ["", "cpu 1 2 3\n", "something else\n"])
def test_what_is_no_table_of_times_is_unknown(tmp_path: Path, text: str) -> None:
    """Never zero."""
    stat = tmp_path / "stat"
    stat.write_text(text)
    assert read_cpu_times(stat) is None
    assert read_cpu_times(tmp_path / "missing") is None


def test_stolen_time_is_in_nanoseconds() -> None:
    """Ticks of the kernel's clock, of which there are SC_CLK_TCK in a second."""
    ticks = os.sysconf("SC_CLK_TCK")
    assert steal_ns(lambda: CpuTimes(busy=0, idle=0, steal=3 * ticks)) == 3_000_000_000
    assert steal_ns(lambda: None) is None


@linux_only
def test_a_working_process_is_seen() -> None:
    """With every CPU kept busy, nearly everything is."""
    workers = [
        multiprocessing.get_context("spawn").Process(target=_spin, daemon=True) for _ in range(os.cpu_count() or 1)
    ]
    for worker in workers:
        worker.start()
    try:
        busy_share(1.0)  # until they have started
        share = busy_share(0.5)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()
    assert share is not None
    assert share > 0.8


@linux_only
def test_the_hosts_own_figures_can_be_read() -> None:
    """On Linux each of them is there."""
    load, stolen = load_average(), steal_ns()
    assert load is not None
    assert load >= 0
    assert stolen is not None
    assert stolen >= 0


def _spin() -> None:
    while True:
        pass
