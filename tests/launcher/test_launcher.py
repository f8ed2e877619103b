# SPDX-License-Identifier: Apache-2.0
"""The launcher in a real copy of the project: first start, later starts, and whatever can go wrong in between."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.launcher.conftest import Copy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

OVERHEAD_LIMIT_S = 0.06


def test_the_first_start_says_each_step_and_then_runs_the_command(fresh: Copy) -> None:
    """From nothing but the sources to an answer, with every step told on stderr and none on stdout."""
    fresh.forget()
    done = fresh.start("--help")
    assert done.returncode == 0, done.stderr
    assert "Usage: bancada" in done.stdout
    assert "bancada: " not in done.stdout
    steps = [line for line in done.stderr.splitlines() if line.startswith("bancada: ") and "done in" not in line]
    assert [step.split()[1] for step in steps] == ["first", "making", "fetching", "installing", "building"]
    assert (fresh.cache / "venv" / "bin" / "bancada-engine").stat().st_size > 500_000


def test_a_later_start_says_nothing_and_costs_next_to_nothing(ready: Copy) -> None:
    """Comparing dates takes less than 60 ms; the least of twenty is its cost, the others are what else the host did."""
    took_s = []
    for _ in range(20):
        began = time.monotonic()
        done = ready.set_up()
        took_s.append(time.monotonic() - began)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert min(took_s) < OVERHEAD_LIMIT_S


def test_it_starts_from_anywhere_through_symbolic_links(ready: Copy, tmp_path: Path) -> None:
    """A relative link to an absolute link finds the project, and the command stays in the caller's folder."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "absolute").symlink_to(ready.folder / "bancada")
    (tmp_path / "bin" / "bancada").symlink_to("../absolute")
    done = ready.start("--help", launcher=tmp_path / "bin" / "bancada", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: bancada" in done.stdout


def test_the_commands_exit_code_is_the_launchers(ready: Copy) -> None:
    """A wrong option ends with the code for wrong usage."""
    assert ready.start("--no-such-option").returncode == 2


def test_a_changed_engine_is_built_again(ready: Copy) -> None:
    """A comment in a Rust source is enough; the start after that is quiet again."""
    source = ready.folder / "crates" / "bancada-engine" / "src" / "main.rs"
    source.write_text(source.read_text() + "\n// changed\n")
    engine = ready.cache / "venv" / "bin" / "bancada-engine"
    before = engine.stat().st_ino
    changed, again = ready.set_up(), ready.set_up()
    assert changed.returncode == 0, changed.stderr
    assert "building the load engine" in changed.stderr
    assert engine.stat().st_ino != before
    assert again.stderr == ""


def test_an_engine_that_does_not_compile_is_shown_with_the_compilers_message(ready: Copy) -> None:
    """Exit code 13, the place of the mistake, and a start that works as soon as it is repaired."""
    source = ready.folder / "crates" / "bancada-engine" / "src" / "main.rs"
    right = source.read_text()
    try:
        source.write_text(right + "\nfn broken( {}\n")
        failed = ready.set_up()
    finally:
        source.write_text(right)
    assert failed.returncode == 13
    assert "main.rs" in failed.stderr
    assert "advice:" in failed.stderr
    assert ready.set_up().returncode == 0


def test_a_set_up_that_was_killed_is_repaired_by_the_next_start(fresh: Copy) -> None:
    """Killed while packages are being put into place: the next start takes over the lock and begins anew."""
    fresh.forget()
    first = fresh.begin()
    assert first.stderr is not None
    for line in first.stderr:
        if "fetching the Python packages" in line:
            break
    time.sleep(0.3)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    assert (fresh.cache / "lock").is_symlink()
    assert not (fresh.cache / "ready").exists()
    repaired = fresh.set_up()
    assert repaired.returncode == 0, repaired.stderr
    assert "making a Python environment" in repaired.stderr
    assert not (fresh.cache / "lock").is_symlink()
    assert fresh.set_up().stderr == ""


def test_an_interrupted_set_up_leaves_no_lock_and_is_repaired(fresh: Copy) -> None:
    """Ctrl-C ends it with 130."""
    fresh.forget()
    first = fresh.begin()
    assert first.stderr is not None
    for line in first.stderr:
        if "fetching the Python packages" in line:
            break
    os.killpg(first.pid, signal.SIGINT)
    first.communicate()
    assert first.returncode in (130, -signal.SIGINT)
    assert not (fresh.cache / "lock").is_symlink()
    assert fresh.set_up().returncode == 0


def test_two_first_starts_at_once_do_not_disturb_each_other(fresh: Copy) -> None:
    """One sets up, the other waits and says for what; both answer."""
    fresh.forget()
    both = [fresh.begin(), fresh.begin()]
    said = [process.communicate(timeout=900) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    errors = sorted((error for _, error in said), key=len)
    assert "waiting for another start" in errors[0]
    assert "building" not in errors[0]
    assert "building the load engine" in errors[1]


def test_without_network_it_says_what_is_missing_and_recovers(fresh: Copy, tmp_path: Path) -> None:
    """With an empty cache and no network the packages cannot be had: exit code 6, three parts, and the log's end."""
    fresh.forget()
    failed = fresh.set_up(env={"UV_OFFLINE": "1", "UV_CACHE_DIR": str(tmp_path)})
    assert failed.returncode == 6
    for part in (
        "  | ",
        "this did not work: fetching",
        "where:",
        "requirements.txt",
        "advice: packages are fetched once",
    ):
        assert part in failed.stderr
    assert "Traceback" not in failed.stderr
    assert fresh.set_up().returncode == 0


def test_without_a_python_it_names_the_command_that_installs_one(fresh: Copy, tmp_path: Path) -> None:
    """The system's own are out of bounds, and uv may not fetch one."""
    fresh.forget()
    env = {
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_PYTHON_PREFERENCE": "only-managed",
        "UV_PYTHON_INSTALL_DIR": str(tmp_path),
    }
    failed = fresh.set_up(env=env)
    assert failed.returncode == 6
    assert "install Python 3.11 or newer: " in failed.stderr


@pytest.mark.skipif(Path("/usr/bin/cargo").exists(), reason="this host has a cargo at the system's own place")
def test_without_rust_it_names_every_place_and_the_command(fresh: Copy, tmp_path: Path) -> None:
    """No cargo on the PATH and an old one in HOME; without apt-get nothing is installed."""
    fresh.forget()
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "dirname", "readlink", "mkdir", "ln", "rm", "mv", "cat", "grep", "sed", "find", "head", "id"):
        program = shutil.which(name)
        assert program is not None
        (programs / name).symlink_to(program)
    old = tmp_path / ".cargo" / "bin" / "cargo"
    old.parent.mkdir(parents=True)
    old.write_text("#!/bin/sh\necho 'cargo 1.70.0 (ec8a8a0ca 2023-04-25)'\n")
    old.chmod(0o755)
    failed = fresh.set_up(env={"PATH": str(programs), "HOME": str(tmp_path), "CARGO_HOME": ""})
    assert failed.returncode == 6, failed.stderr
    assert f"{old} (1.70.0)" in failed.stderr
    assert "Rust 1.88 or newer is needed" in failed.stderr
    assert "sh.rustup.rs" in failed.stderr or "brew install rust" in failed.stderr


def test_a_cache_that_cannot_be_made_is_a_storage_error(fresh: Copy, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "cache").write_text("")
    failed = fresh.set_up(env={"BANCADA_CACHE": str(tmp_path / "cache")})
    assert failed.returncode == 12
    assert str(tmp_path / "cache") in failed.stderr


def test_a_lock_that_cannot_be_made_ends_the_start(fresh: Copy, tmp_path: Path) -> None:
    """Here a plain file is in the way; it must not be waited for without end."""
    (tmp_path / "lock").write_text("")
    failed = fresh.set_up(env={"BANCADA_CACHE": str(tmp_path)})
    assert failed.returncode == 12
    assert "no lock can be made" in failed.stderr
    assert f"{tmp_path}/lock" in failed.stderr


def test_a_relative_cache_is_refused(fresh: Copy) -> None:
    """It would mean another folder from each working folder."""
    failed = fresh.set_up(env={"BANCADA_CACHE": "cache"})
    assert failed.returncode == 3
    assert "absolute" in failed.stderr


def test_a_moved_project_is_set_up_anew(ready: Copy) -> None:
    """The scripts of an environment hold its path, so they would run nothing, or another project."""
    moved = Copy(ready.folder.with_name("moved"), ready.env)
    ready.folder.rename(moved.folder)
    try:
        done = moved.set_up()
        shebang = (moved.cache / "venv" / "bin" / "bancada").read_text().splitlines()[:3]
    finally:
        moved.folder.rename(ready.folder)
    assert done.returncode == 0, done.stderr
    assert "making a Python environment" in done.stderr
    assert str(moved.folder) in "".join(shebang)


def test_tools_of_development_stay_until_the_cache_is_removed(fresh: Copy) -> None:
    """A start without BANCADA_DEV does not take them away again."""
    fresh.forget()
    assert fresh.set_up(env={"BANCADA_DEV": "1"}).returncode == 0
    assert (fresh.cache / "venv" / "bin" / "pytest").exists()
    ruff = fresh.cache / "venv" / "bin" / "ruff"
    (fresh.folder / "pyproject.toml").touch()
    again = fresh.set_up()
    assert again.returncode == 0
    assert "requirements-dev.txt" in again.stderr
    assert ruff.exists()
    fresh.forget()
