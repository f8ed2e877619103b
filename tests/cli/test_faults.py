# SPDX-License-Identifier: Apache-2.0
"""Faults by really killing and filling: no process is left behind, and no finished trial is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from bancada.errors import ExitCode
from bancada.store.read import read_run

Bancada = Callable[..., subprocess.CompletedProcess[str]]
StudyFile = Callable[..., Path]


def processes_of(folder: Path) -> list[str]:
    """Command lines of living processes that were started under `folder` (by their working directory)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                inside = str((entry / "cwd").readlink()).startswith(str(folder))
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if inside and command:
                found.append(command)
    return found


def wait_until(condition: Callable[[], bool], timeout_s: float = 30) -> None:
    """Wait for a condition, or fail."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def start(study: Path, folder: Path, environment: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a run in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", "bancada", "run", str(study)],
        cwd=folder,
        env=dict(environment),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished_trials(folder: Path) -> int:
    """How many trials are saved."""
    return len(list(folder.glob("results/*/trials/[0-9]*/trial.json")))


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, ExitCode.INTERRUPTED), (signal.SIGTERM, ExitCode.INTERRUPTED), (signal.SIGKILL, -9)],
)
def test_an_ended_bench_leaves_nothing_running_and_resumes(
    bancada: Bancada,
    study: StudyFile,
    tmp_path: Path,
    environment: dict[str, str],
    number: signal.Signals,
    code: int,
) -> None:
    """Ended in a trial, however suddenly: all processes go, finished trials stay, and --resume does the rest alone."""
    running = start(study("stubborn", blocks=3, load="duration = '2s'"), tmp_path, environment)
    wait_until(lambda: finished_trials(tmp_path) >= 1)
    wait_until(lambda: any("server.py" in each for each in processes_of(tmp_path)))
    os.kill(running.pid, number)
    _, said = running.communicate(timeout=30)
    assert running.returncode == code, said
    assert "Traceback" not in said
    assert number == signal.SIGKILL or "finished trials are kept" in said
    wait_until(lambda: not processes_of(tmp_path))
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("results/*/trials/[0-9]*/trial.json")}
    assert kept
    resumed = bancada("run", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert f"({len(kept)} are done already)" in resumed.stderr
    (folder,) = tmp_path.glob("results/*")
    assert read_run(folder).complete
    assert all(path.stat().st_mtime_ns == before for path, before in kept.items())
    assert not list(folder.glob("trials/.*"))


def test_two_benches_cannot_write_one_run(
    bancada: Bancada, study: StudyFile, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Resuming a run that is in progress elsewhere is refused."""
    running = start(study("good", blocks=4, load="duration = '1s'"), tmp_path, environment)
    try:
        wait_until(lambda: finished_trials(tmp_path) >= 1)
        second = bancada("run", "--resume")
        assert second.returncode == ExitCode.RUN, second.stderr
        assert "in progress in another process" in second.stderr
    finally:
        os.kill(running.pid, signal.SIGINT)
        running.communicate(timeout=30)


def test_a_stack_that_crashed_once_keeps_its_other_trials(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """A crash in one block is shown as a failed trial, and the cell is still estimated from the others."""
    ended = bancada("run", study("good", "crashes-sometimes", blocks=2, load="iterations = 50"))
    assert ended.returncode == 0, ended.stderr
    assert "trials-failed" in ended.stdout
    (folder,) = tmp_path.glob("results/*")
    failed = [trial.record for trial in read_run(folder).trials if trial.record.failure]
    assert [record.failure.kind for record in failed if record.failure] == ["crashed"]
    assert failed[0].failure is not None
    assert "out of luck" in failed[0].failure.log_tail, failed[0]


def test_changed_sources_cannot_be_resumed(
    bancada: Bancada, study: StudyFile, tmp_path: Path, environment: dict[str, str]
) -> None:
    """A run is never continued with other sources than it was begun with."""
    import shutil

    from tests.conftest import FAKE_STACK

    shutil.copytree(FAKE_STACK, tmp_path / "mine")
    path = study("good", blocks=4, load="duration = '1s'")
    path.write_text(path.read_text().replace(str(FAKE_STACK), str(tmp_path / "mine")))
    running = start(path, tmp_path, environment)
    wait_until(lambda: finished_trials(tmp_path) >= 1)
    os.kill(running.pid, signal.SIGINT)
    running.communicate(timeout=30)
    with (tmp_path / "mine" / "server.py").open("a") as file:
        file.write("# faster now\n")
    resumed = bancada("run", "--resume")
    assert resumed.returncode == ExitCode.RUN
    assert "sources of fake:good have changed" in resumed.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB, where this host lets us mount one."""
    place = tmp_path / "small-disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("this user may not mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_keeps_finished_trials(bancada: Bancada, study: StudyFile, small_disk: Path) -> None:
    """When the disk fills in a trial, the message names the file, and the trials before it can still be reported."""
    (small_disk / "filler").write_bytes(bytes(800_000))
    ended = bancada("run", study("good", blocks=40, load="duration = '1s'"), "--results", small_disk / "results")
    assert ended.returncode == ExitCode.STORAGE, ended.stderr
    assert "cannot write results" in ended.stderr
    assert str(small_disk) in ended.stderr
    assert "Traceback" not in ended.stderr
    (folder,) = (small_disk / "results").iterdir()
    assert read_run(folder).trials


def test_a_read_only_results_folder_is_told(bancada: Bancada, study: StudyFile, small_disk: Path) -> None:
    """A results folder that cannot be written is told before anything is measured."""
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    ended = bancada("run", study("good"), "--results", small_disk)
    assert ended.returncode == ExitCode.STORAGE, ended.stderr
    assert str(small_disk) in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_results_folder_that_is_a_file_is_told(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """A file where the results folder should be is named."""
    (tmp_path / "taken").write_text("I was here first")
    ended = bancada("run", study("good"), "--results", tmp_path / "taken")
    assert ended.returncode == ExitCode.STORAGE, ended.stderr
    assert "taken" in ended.stderr
