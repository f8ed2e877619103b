# SPDX-License-Identifier: Apache-2.0
"""Stand between the bench and a program that it starts, and end the program's whole tree when the bench goes.

    python -I -S guard.py CONTROL REPORT GRACE_S CPUS CGROUP CLIENT -- command…

CONTROL and REPORT are file descriptors. The guard reads CONTROL: a line, or its end (the bench has gone, however
suddenly), makes it end the tree: SIGTERM first, SIGKILL to whatever is left after GRACE_S seconds. It writes one JSON
line to REPORT when the command is executed, and one when it has ended. CPUS is a comma-separated list or `-`, CGROUP
a folder of cgroup v2 or `-`. Only the standard library is used, so that it starts in a few milliseconds.

CLIENT is `-`, or tells of a command that is the client of a daemon, whose work is nobody's child here: a JSON object
with two commands. `stop` is run in place of SIGTERM, `remove` when the client has ended, however it did; if that fails
a line on REPORT says so. The client itself gets no signal unless nothing else helps: killed in the middle of a start,
Podman leaves a network behind that it does not know of any more.

On Linux the guard is a *child subreaper* (prctl(2)), so a program that detaches itself is still found. Elsewhere only
the command's process group can be ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LINUX = sys.platform == "linux"
COMMAND_LIMIT_S = 30
"""A daemon that does not answer a client within this time will not do so at all."""
CLIENT_GRACE_S = 5
"""How long a client may take to see that its work has ended."""
CLIENT_LIMIT_S = 3 * COMMAND_LIMIT_S + CLIENT_GRACE_S
"""The most that all this adds to the grace."""


def main(argv: list[str]) -> None:
    """Run the command and watch over it until it has ended."""
    control, report, grace_s = int(argv[0]), int(argv[1]), float(argv[2])
    cpus = [] if argv[3] == "-" else [int(cpu) for cpu in argv[3].split(",")]
    cgroup = None if argv[4] == "-" else Path(argv[4])
    client: dict[str, list[str]] | None = None if argv[5] == "-" else json.loads(argv[5])
    for descriptor in (control, report):
        os.set_inheritable(descriptor, False)
    if LINUX:
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC) if LINUX else os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    heard, told = os.pipe()  # closed by a successful exec: the end of what the child has to tell
    child = os.fork()
    if child == 0:
        _become(argv[7:], cpus, cgroup, told)
    os.close(told)
    if _announce(child, heard, report):
        _watch(child, control, report, woken, grace_s, client)
    if cgroup is not None:
        _remove(cgroup)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _become(command: list[str], cpus: list[int], cgroup: Path | None, told: int) -> None:
    for restored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(restored, signal.SIG_DFL)
    try:
        os.setsid()
        if LINUX:
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if cpus:
            os.sched_setaffinity(0, cpus)
        if cgroup is not None:
            (cgroup / "cgroup.procs").write_text("0")
        os.write(told, b"%d\n" % time.monotonic_ns())
        os.execvp(command[0], command)
    except OSError as error:
        os.write(told, f"{error.strerror}: {error.filename or command[0]}".encode())
        os._exit(127)


def _announce(child: int, heard: int, report: int) -> bool:
    """Tell the bench that the command is executed and since when, or why it is not."""
    with os.fdopen(heard, "rb") as words:
        instant, _, problem = words.read().decode(errors="replace").partition("\n")
    if problem or not instant.isdigit():
        _tell(report, event="failed", message=problem or instant)
        os.waitpid(child, 0)
        return False
    _tell(report, event="started", pid=child, monotonic_ns=int(instant))
    return True


def _tell(report: int, **message: object) -> None:
    with contextlib.suppress(OSError):  # the bench may have gone; CONTROL's end says so too
        os.write(report, json.dumps(message).encode() + b"\n")


def _watch(
    child: int, control: int, report: int, woken: int, grace_s: float, client: dict[str, list[str]] | None
) -> None:
    if not _ended(child, report, woken, control):
        _end(child, report, woken, grace_s, client)
    if client is not None and (problem := run_command(client["remove"])):
        _tell(report, event="left", message=problem)
    # The command has gone: what it left behind goes at once.
    _kill_all(child)


def _ended(child: int, report: int, woken: int, control: int | None, limit_s: float | None = None) -> bool:
    """Wait for the command's end; False if CONTROL or the limit came first."""
    until = None if limit_s is None else time.monotonic() + limit_s
    while True:
        left_s = None if until is None else max(0.0, until - time.monotonic())
        ready, _, _ = select.select([woken] if control is None else [woken, control], [], [], left_s)
        if woken in ready:
            os.read(woken, 4096)
            if _reap(child, report):
                return True
        elif control in ready or not ready:
            return False


def _end(child: int, report: int, woken: int, grace_s: float, client: dict[str, list[str]] | None) -> None:
    if client is None:
        _signal_group(child, signal.SIGTERM)
        if _ended(child, report, woken, None, grace_s):
            return
    else:
        until = time.monotonic() + grace_s + COMMAND_LIMIT_S
        while time.monotonic() < until:  # what is not quite started yet cannot be stopped yet
            run_command(client["stop"], limit_s=until - time.monotonic())
            if _ended(child, report, woken, None, 0.2):
                return
        run_command(client["remove"])
        if _ended(child, report, woken, None, CLIENT_GRACE_S):
            return
    _signal_group(child, signal.SIGKILL)
    while not _ended(child, report, woken, None, 60):
        _signal_group(child, signal.SIGKILL)


def _reap(child: int, report: int) -> bool:
    ended = False
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        if pid == child:
            ended = True
            code = os.waitstatus_to_exitcode(status)
            _tell(
                report,
                event="ended",
                code=code if code >= 0 else None,
                signal=-code if code < 0 else None,
                monotonic_ns=time.monotonic_ns(),
            )


def run_command(command: list[str], limit_s: float = COMMAND_LIMIT_S) -> str | None:
    """Run a command of the client's; what is wrong if it failed, else None."""
    import subprocess  # only here: it takes longer to load than all the rest

    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=limit_s,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    words = done.stderr.decode(errors="replace").strip()
    return None if done.returncode == 0 else words or f"exit code {done.returncode}"


def _signal_group(leader: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, number)


def _kill_all(leader: int) -> None:
    _signal_group(leader, signal.SIGKILL)
    while LINUX:
        left = _descendants()
        if not left:
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _descendants() -> list[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = [os.getpid()]
    for pid in found:
        found += [other for other, parent in parents.items() if parent == pid]
    return found[1:]


def _remove(cgroup: Path) -> None:
    for _ in range(100):
        try:
            cgroup.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)  # the kernel lets go of the last process a moment after it was reaped
        else:
            return


if __name__ == "__main__":
    main(sys.argv[1:])
