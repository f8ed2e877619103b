# SPDX-License-Identifier: Apache-2.0
"""The checks of `bancada doctor`."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.host import cpu_checks, system_checks
from bancada.host.check import Check, Finding
from bancada.host.checks import run_checks
from bancada.host.cpu_checks import Clock, Steal, Turbo
from bancada.host.noise import CpuTimes
from bancada.host.system_checks import Backlog, Disk, OpenFiles, Ports
from bancada.host.tool_checks import Engine, Program
from tests.host.conftest import EmptyHost


def test_every_check_of_this_host_gives_a_finding(tmp_path: Path) -> None:
    """All of them, for real: each says what it found and why it matters, and each warning what to do."""
    results = run_checks(tmp_path / "results")
    names = [result.name for result in results]
    assert len(set(names)) == len(names)
    assert {"CPUs", "memory", "disk", "open files", "timers", "load engine", "java 25"} <= set(names)
    for result in results:
        assert result.found
        assert result.why
        assert result.advice or result.status in ("ok", "unknown")
    assert not (tmp_path / "results").exists()


def test_a_check_that_the_system_refuses_is_unknown() -> None:
    """Neither fine nor failed."""

    class Refused(Check):
        name = "refused"
        why = "a sandbox may forbid anything"

        def look(self) -> Finding:
            raise PermissionError(1, "Operation not permitted")

    result = Refused().result()
    assert result.status == "unknown"
    assert "not permitted" in result.found


@pytest.mark.parametrize(("steal", "status"), [(0, "ok"), (4, "ok"), (6, "warn"), (900, "warn")])
def test_stolen_time_above_half_a_percent_is_warned_of(steal: int, status: str) -> None:
    """Of all time since boot."""
    result = Steal(lambda: CpuTimes(busy=100, idle=900 - steal, steal=steal)).result()
    assert result.status == status


def test_unreadable_cpu_times_are_unknown() -> None:
    """Never "nothing stolen"."""
    assert Steal(lambda: None).result().status == "unknown"
    assert Steal(lambda: CpuTimes(0, 0, 0)).result().status == "unknown"


@pytest.mark.parametrize(
    ("text", "status"), [("tsc", "ok"), ("arch_sys_counter", "ok"), ("hpet", "warn"), ("", "unknown")]
)
def test_slow_clocks_are_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, status: str) -> None:
    """Those outside of the CPU."""
    (tmp_path / "clock").write_text(text)
    monkeypatch.setattr(cpu_checks, "CLOCKSOURCE", tmp_path / "clock")
    assert Clock().result().status == status


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("no_turbo", "0", "warn"),
        ("no_turbo", "1", "ok"),
        ("boost", "1", "warn"),
        ("boost", "0", "ok"),
        ("x", "", "unknown"),
    ],
)
def test_turbo_is_read_from_either_switch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, status: str
) -> None:
    """Intel's driver counts the other way round; without a switch it is unknown."""
    monkeypatch.setattr(Turbo, "places", ((tmp_path / "no_turbo", "0"), (tmp_path / "boost", "1")))
    (tmp_path / name).write_text(text)
    assert Turbo().result().status == status


@pytest.mark.parametrize(
    ("range_", "reuse", "status"),
    [
        ("32768\t60999\n", "2\n", "ok"),
        ("32768\t60999\n", "1\n", "ok"),
        ("32768\t60999\n", "0\n", "warn"),
        ("50000\t60999\n", "2\n", "warn"),
        ("32768\t60999\n", None, "ok"),
        (None, None, "unknown"),
    ],
)
def test_ports_must_suffice_for_the_largest_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, range_: str | None, reuse: str | None, status: str
) -> None:
    """Ten thousand users, twice."""
    (tmp_path / "ipv4").mkdir()
    for name, text in (("ip_local_port_range", range_), ("tcp_tw_reuse", reuse)):
        if text is not None:
            (tmp_path / "ipv4" / name).write_text(text)
    monkeypatch.setattr(system_checks, "NET", tmp_path)
    assert Ports().result().status == status


def test_a_short_queue_of_connections_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """128 was the kernel's default for long."""
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "somaxconn").write_text("128\n")
    monkeypatch.setattr(system_checks, "NET", tmp_path)
    result = Backlog().result()
    assert (result.status, result.found) == ("warn", "at most 128")


def test_the_limit_of_open_files_is_the_hard_one() -> None:
    """In a process whose limit was lowered for real."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert OpenFiles().result().found in (f"at most {hard:,}", "no limit")
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 1024))\n"
        "from bancada.host.system_checks import OpenFiles; print(OpenFiles().result())"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "status='warn'" in told
    assert "at most 1,024" in told


def test_the_disk_of_a_folder_that_is_yet_to_be_made_is_looked_at(tmp_path: Path) -> None:
    """That of the nearest folder above it."""
    result = Disk(tmp_path / "not" / "yet").result()
    assert result.status in ("ok", "warn", "fail")
    assert str(tmp_path / "not" / "yet") in result.found


def test_a_missing_tool_is_a_warning_with_the_command_that_installs_it(empty_host: EmptyHost) -> None:
    """Only stacks that need it are affected."""
    result = Program("node", 20, "stacks in JavaScript").result()
    assert (result.name, result.status) == ("node 20", "warn")
    assert "node 20 or newer" in result.found
    assert result.advice is not None
    empty_host.program("bin/node", "v24.1.0")
    assert Program("node", 20, "stacks in JavaScript").result().status == "ok"


def test_a_missing_engine_is_a_failure(empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it nothing can be measured; beside Python it is found first."""
    monkeypatch.setattr(sys, "executable", str(empty_host.root / "venv" / "bin" / "python"))
    assert Engine().result().status == "fail"
    engine = empty_host.program("venv/bin/bancada-engine")
    assert (Engine().result().status, Engine().result().found) == ("ok", str(engine))
