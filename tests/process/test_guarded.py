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
from bancada.process import guarded
from bancada.process.cgroup import make_group
from bancada.process.guarded import ClientOfDaemon, Command, Guarded

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


@pytest.fixture
def daemon(tmp_path: Path) -> ClientOfDaemon:
    """What a client started is a file; to stop it fails the first time, as if it did not run yet."""
    (tmp_path / "container").touch()
    stop = "echo stop >>told; test -e tried || { touch tried; exit 1; }; touch stopped"
    return ClientOfDaemon(["sh", "-c", stop], ["sh", "-c", "echo remove >>told; rm container"])


CLIENT = ["sh", "-c", "trap 'touch signalled' TERM; until test -e stopped; do sleep 0.05; done; exit 7"]


def test_a_client_is_ended_through_its_daemon(tmp_path: Path, daemon: ClientOfDaemon) -> None:
    """It gets no signal, is stopped as often as it takes, and what it started is removed when it has ended."""
    program = Guarded(Command(CLIENT, cwd=tmp_path, client=daemon))
    ended = program.stop()
    assert ended is not None
    assert ended.code == 7
    assert program.left_behind is None
    assert (tmp_path / "told").read_text().split() == ["stop", "stop", "remove"]
    assert not (tmp_path / "container").exists()
    assert not (tmp_path / "signalled").exists()


def test_what_a_client_started_is_removed_when_it_ends_by_itself(tmp_path: Path, daemon: ClientOfDaemon) -> None:
    """Without being stopped before."""
    with Guarded(Command(["sh", "-c", "exit 3"], cwd=tmp_path, client=daemon)) as program:
        assert program.wait(timeout_s=10) is not None
    assert (tmp_path / "told").read_text().split() == ["remove"]


def test_a_killed_bench_removes_what_a_client_started(tmp_path: Path, daemon: ClientOfDaemon) -> None:
    """The guard does it, since the bench cannot."""
    code = (
        "import time, pathlib\nfrom bancada.process.guarded import ClientOfDaemon, Command, Guarded\n"
        f"client = ClientOfDaemon({list(daemon.stop)!r}, {list(daemon.remove)!r})\n"
        f"p = Guarded(Command({CLIENT!r}, cwd=pathlib.Path('.'), client=client))\nprint(flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE) as bench:
        assert bench.stdout is not None
        bench.stdout.readline()
        bench.kill()
    deadline = time.monotonic() + 10
    while (tmp_path / "container").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_killed_guard_leaves_it_to_the_bench(tmp_path: Path, daemon: ClientOfDaemon) -> None:
    """When the bench stops the program it removes what the guard could not."""
    program = Guarded(Command(["sleep", MARK], cwd=tmp_path, client=daemon))
    os.kill(int(Path(f"/proc/{program.pid}/stat").read_text().rpartition(")")[2].split()[1]), signal.SIGKILL)
    wait_for_sleepers(0)
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        program.stop()
    finally:
        os.chdir(here)
    assert not (tmp_path / "container").exists()


def test_what_could_not_be_removed_is_told(tmp_path: Path) -> None:
    """With the words of the command that failed."""
    client = ClientOfDaemon(["true"], ["sh", "-c", "echo no such daemon >&2; exit 1"])
    program = Guarded(Command(["sh", "-c", "exit 0"], cwd=tmp_path, client=client))
    program.wait(timeout_s=10)
    program.stop()
    assert program.left_behind == "no such daemon"


def test_a_client_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked through the daemon in vain."""
    guard = tmp_path / "guard.py"
    text = Path(guarded.__file__).with_name("guard.py").read_text()
    guard.write_text(text.replace("COMMAND_LIMIT_S = 30", "COMMAND_LIMIT_S = 1").replace("CE_S = 5", "CE_S = 0.1"))
    monkeypatch.setattr(guarded, "_GUARD", guard)
    client = ClientOfDaemon(["false"], ["true"])
    with Guarded(Command(["sleep", MARK], cwd=tmp_path, grace_s=0.1, client=client)) as program:
        ended = program.stop()
    assert ended is not None
    assert ended.signal == signal.SIGKILL
    wait_for_sleepers(0)
