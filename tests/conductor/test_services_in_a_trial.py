# SPDX-License-Identifier: Apache-2.0
"""Databases behind trials: fresh and empty, counted after the load, and named as the cause when they fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from bancada.errors import ExitCode
from bancada.store.read import Run, read_run
from tests.conftest import PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
Bancada = Callable[..., subprocess.CompletedProcess[str]]
LEDGER = PROJECT / "tests" / "fakes" / "ledger"

STUDY = """
study    = "notes"
question = "Are notes kept?"
scenario = "{scenario}"
stacks   = [{stacks}]
blocks   = {blocks}
warm_up  = "200ms"
{extra}
[[load]]
name       = "5 users"
users      = 5
{load}
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With the programs of the tests' own Python on the PATH, and the project's cache, which keeps databases."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("BANCADA_") or name == "BANCADA_CACHE"
    }
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {
        **kept,
        "PATH": path,
        "BANCADA_HOME": str(PROJECT),
        "BANCADA_DATA": str(tmp_path / "data"),
        "COLUMNS": "200",
    }


@pytest.fixture
def notes(tmp_path: Path) -> Callable[..., Path]:
    """Write a study of the ledger."""

    def write(*variants: str, blocks: int = 1, load: str = "iterations = 10", extra: str = "") -> Path:
        stacks = ", ".join(f'"{LEDGER}:{variant}"' for variant in variants)
        path = tmp_path / "notes.toml"
        path.write_text(
            STUDY.format(scenario=LEDGER / "scenario", stacks=stacks, blocks=blocks, load=load, extra=extra)
        )
        return path

    return write


def the_run(tmp_path: Path) -> Run:
    """The only run of the test."""
    (folder,) = (tmp_path / "results").iterdir()
    return read_run(folder)


def servers_in(folder: Path) -> Iterator[psutil.Process]:
    """Database servers whose data are in a folder."""
    for process in psutil.process_iter(["cmdline"]):
        if any(str(folder) in argument for argument in process.info["cmdline"] or ()) and "maria" in process.name():
            yield process


def test_rows_are_counted_after_the_load(bancada: Bancada, notes: Callable[..., Path], tmp_path: Path) -> None:
    """Fifty inserts into an empty table leave fifty rows, whatever conforming and warming up had left there."""
    ended = bancada("run", notes("good", blocks=2), "--service", "mysql", timeout_s=400)
    assert ended.returncode == 0, ended.stderr
    run = the_run(tmp_path)
    counts = [count for trial in run.trials for count in trial.record.side_effects]
    assert [(each.table, each.accepted, each.unanswered, each.rows) for each in counts] == [("notes", 50, 0, 50)] * 2
    assert run.manifest.services["mysql"].product == "mysql"
    assert "as many as accepted requests" in (run.folder / "report.html").read_text()


def test_several_databases_are_varied_like_a_factor(
    bancada: Bancada, notes: Callable[..., Path], tmp_path: Path
) -> None:
    """Each database makes a cell of its own, and stands in the report with where it came from."""
    ended = bancada("run", notes("good"), "--service", "mariadb", "--service", "postgresql", timeout_s=400)
    assert ended.returncode == 0, ended.stderr
    run = the_run(tmp_path)
    assert {trial.record.plan.cell.factors["sql"] for trial in run.trials} == {"mariadb", "postgresql"}
    assert all(count.rows == 50 for trial in run.trials for count in trial.record.side_effects)
    assert "Service postgresql" in (run.folder / "report.html").read_text()


@pytest.mark.parametrize("variant", ["forgets", "doubles"])
def test_a_stack_that_miscounts_fails_its_trial(
    bancada: Bancada, notes: Callable[..., Path], tmp_path: Path, variant: str
) -> None:
    """Fewer or more rows than accepted requests is a failed trial that says how many there were."""
    ended = bancada("run", notes(variant, "good"), timeout_s=400)
    assert ended.returncode == ExitCode.NO_RESULT
    failures = {trial.record.plan.cell.sut: trial.record.failure for trial in the_run(tmp_path).trials}
    failure = failures[f"ledger:{variant}"]
    assert failure is not None
    assert failure.kind == "unaccounted"
    assert "rows after 50 accepted requests of insert" in failure.message
    assert failures["ledger:good"] is None


def test_a_killed_database_is_named_as_the_cause(
    environment: dict[str, str], notes: Callable[..., Path], tmp_path: Path
) -> None:
    """The server of the first trial is killed under load: that trial fails with the cause, the others go on."""
    study = notes("good", blocks=3, load='duration = "3s"')
    command = [sys.executable, "-m", "bancada", "run", str(study)]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as running:
        deadline = time.monotonic() + 120
        victim = None
        while victim is None and time.monotonic() < deadline:
            time.sleep(0.2)
            victim = next(servers_in(tmp_path / "data"), None)
        assert victim is not None
        partial = tmp_path / "results"
        while not list(partial.glob("*/trials/.*/samples.parquet")) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.5)
        victim.kill()
        _, said = running.communicate(timeout=200)
        assert running.returncode == 0, said
    run = the_run(tmp_path)
    first, *others = (trial.record.failure for trial in run.trials)
    assert first is not None
    assert first.kind == "service-failed"
    assert "mariadb ended by itself (signal 9)" in first.message
    assert others == [None, None]
    assert not list(servers_in(tmp_path / "data"))


def test_a_full_disk_is_named_as_the_cause(bancada: Bancada, notes: Callable[..., Path], tmp_path: Path) -> None:
    """Where the data do not fit, each trial fails with that cause, and the run says that nothing came of it."""
    small = tmp_path / "small"
    small.mkdir()
    if (
        os.geteuid()
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", small], check=False).returncode
    ):
        pytest.skip("a small file system can only be mounted by root")
    try:
        ended = bancada("run", notes("good", blocks=2), env={"BANCADA_DATA": str(small)}, timeout_s=400)
    finally:
        subprocess.run(["umount", small], check=True)
    assert ended.returncode == ExitCode.NO_RESULT
    assert "Traceback" not in ended.stderr
    kinds = {(trial.record.failure.kind if trial.record.failure else None) for trial in the_run(tmp_path).trials}
    messages = " ".join(trial.record.failure.message for trial in the_run(tmp_path).trials if trial.record.failure)
    assert kinds == {"service-failed"}
    assert "disk" in messages or "space" in messages


def test_a_wrong_password_is_one_message_without_it(bancada: Bancada, notes: Callable[..., Path]) -> None:
    """A URL with a wrong password is refused before anything is measured, and the password is not shown."""
    up = bancada("services", "up", "mariadb", timeout_s=300)
    try:
        assert up.returncode == 0, up.stderr
        url = next(line.split("=", 1)[1] for line in up.stdout.splitlines() if line.startswith("export SQL_URL="))
        wrong = url.replace("://", "://bancada:hunter2@")
        ended = bancada("run", notes("good"), "--service", wrong)
    finally:
        down = bancada("services", "down")
    assert ended.returncode == ExitCode.SERVICE, ended.stderr
    assert "hunter2" not in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr
    assert "mariadb" in down.stderr
    status = bancada("services", "status")
    assert "no service is up" in status.stdout


def test_a_given_database_serves_and_is_left_empty(
    bancada: Bancada, notes: Callable[..., Path], tmp_path: Path
) -> None:
    """The URL of a running database is used trial after trial; the run's folder does not keep its password."""
    up = bancada("services", "up", "postgresql", timeout_s=300)
    try:
        exported = dict(
            line.removeprefix("export ").split("=", 1) for line in up.stdout.splitlines() if line.startswith("export ")
        )
        url = exported["SQL_URL"].replace("://", f"://{exported['SQL_USER']}:{exported['SQL_PASSWORD']}@")
        ended = bancada("run", notes("good", blocks=2), "--service", url, timeout_s=200)
    finally:
        bancada("services", "down", "postgresql")
    assert ended.returncode == 0, ended.stderr
    run = the_run(tmp_path)
    assert all(count.accounted for trial in run.trials for count in trial.record.side_effects)
    assert run.manifest.study.services["sql"][0].count("@") == 1
    assert f":{exported['SQL_PASSWORD']}@" not in json.dumps(json.loads((run.folder / "run.json").read_text()))


def test_verify_asks_with_each_database(bancada: Bancada) -> None:
    """`verify` brings a fresh database up for each product that is named."""
    services = ("--service", "mariadb", "--service", "postgresql")
    ended = bancada("verify", f"{LEDGER}:good", "--scenario", LEDGER / "scenario", *services, timeout_s=300)
    assert ended.returncode == 0, ended.stderr
    assert "sql=mariadb" in ended.stdout
    assert "sql=postgresql" in ended.stdout


def test_an_unknown_product_is_refused(bancada: Bancada, notes: Callable[..., Path]) -> None:
    """A product that nobody knows is an error in the option, with the known ones."""
    ended = bancada("run", notes("good"), "--service", "oracle")
    assert ended.returncode == ExitCode.INPUT
    assert "mariadb, mysql, postgresql" in ended.stderr
