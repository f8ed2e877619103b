# SPDX-License-Identifier: Apache-2.0
"""A guarded program ends with its whole tree, whatever ends the bench."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bancada.errors import ToolMissingError
from bancada.process.cgroup import make_group
from bancada.process.guarded import Command, Guarded

MARK = "86399"  # a sleep that nobody else sleeps


def sleepers() -> list[int]:
    """Processes that sleep for our odd number of seconds."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if arguments[:2] == [b"sleep", MARK.encode()]:
                found.append(int(entry.name))
    return found


def wait_for_sleepers(count: int) -> None:
    """Wait until so many of them live."""
    deadline = time.monotonic() + 10
    while len(sleepers()) != count:
        assert time.monotonic() < deadline, f"{len(sleepers())} sleepers instead of {count}"
        time.sleep(0.02)


def test_its_whole_tree_ends_with_it(tmp_path: Path) -> None:
    """Children in the background and those that detached themselves into another session are ended too."""
    script = f"sleep {MARK} & (setsid sleep {MARK} &); sleep {MARK}"
    with Guarded(Command(["bash", "-c", script], cwd=tmp_path)) as program:
        wait_for_sleepers(3)
        assert program.poll() is None
    wait_for_sleepers(0)


def test_what_it_leaves_behind_ends_too(tmp_path: Path) -> None:
    """A program that ends by itself does not leave its children to us."""
    with Guarded(Command(["bash", "-c", f"sleep {MARK} & exit 3"], cwd=tmp_path)) as program:
        ended = program.wait(timeout_s=10)
    assert ended is not None
    assert ended.code == 3
    wait_for_sleepers(0)


def test_one_that_ignores_sigterm_is_killed_after_the_grace(tmp_path: Path) -> None:
    """A stubborn program gets SIGKILL when its time is up."""
    script = f"trap '' TERM; sleep {MARK} & while true; do wait; done"
    with Guarded(Command(["bash", "-c", script], cwd=tmp_path, grace_s=0.5)) as program:
        wait_for_sleepers(1)
        ended = program.stop()
    assert ended is not None
    assert ended.signal == signal.SIGKILL
    wait_for_sleepers(0)


def test_a_killed_bench_takes_everything_with_it(tmp_path: Path) -> None:
    """SIGKILL to the process that started it ends the program's tree."""
    code = (
        "import time, pathlib\nfrom bancada.process.guarded import Command, Guarded\n"
        f"p = Guarded(Command(['bash', '-c', 'sleep {MARK} & sleep {MARK}'], cwd=pathlib.Path('.')))\ntime.sleep(60)"
    )
    bench = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    wait_for_sleepers(2)
    bench.kill()
    bench.wait()
    wait_for_sleepers(0)


def test_a_killed_guard_takes_the_program_with_it(tmp_path: Path) -> None:
    """Even if the guard itself is killed, the kernel ends the program."""
    program = Guarded(Command(["sleep", MARK], cwd=tmp_path))
    wait_for_sleepers(1)
    os.kill(int(Path(f"/proc/{program.pid}/stat").read_text().rpartition(")")[2].split()[1]), signal.SIGKILL)
    wait_for_sleepers(0)
    program.stop()


def test_it_runs_on_the_cpus_given(tmp_path: Path) -> None:
    """Affinity is set before the program is executed, so that even its first instruction obeys it."""
    (cpu, *_) = sorted(os.sched_getaffinity(0))
    with Guarded(Command(["sleep", MARK], cwd=tmp_path, cpus=[cpu])) as program:
        assert os.sched_getaffinity(program.pid) == {cpu}


def test_it_runs_in_the_control_group_given(tmp_path: Path) -> None:
    """The program and its children are in the group, and the group is gone afterwards."""
    group, reason = make_group("test")
    if group is None:
        pytest.skip(reason)
    with Guarded(Command(["bash", "-c", f"sleep {MARK} & wait"], cwd=tmp_path, cgroup=group)) as program:
        wait_for_sleepers(1)
        inside = [int(pid) for pid in (group / "cgroup.procs").read_text().split()]
        assert {program.pid, *sleepers()} == set(inside)
    assert not group.exists()


def test_the_instant_of_its_exec_is_known(tmp_path: Path) -> None:
    """The start is told on the monotonic clock, between our own two looks at it."""
    before = time.monotonic_ns()
    with Guarded(Command(["sleep", MARK], cwd=tmp_path)) as program:
        assert before < program.started_monotonic_ns < time.monotonic_ns()


def test_a_command_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """What cannot be executed is an error that names it."""
    with pytest.raises(ToolMissingError, match="no-such-program"):
        Guarded(Command(["./no-such-program"], cwd=tmp_path))
