# SPDX-License-Identifier: Apache-2.0
"""JMeter's result files become a run with a report; what they do not tell stays unknown."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bancada.analysis.jmeter_view import trial_statistics
from bancada.cli.imports import import_
from bancada.conductor.import_run import Given, import_run
from bancada.errors import ExitCode, InputError
from bancada.jmeter.jtl import DEFAULT_COLUMNS, read_jtl, write_jtl
from bancada.model.load import ClosedLoad
from bancada.store.read import read_run
from tests.cli.test_bad_input import refused
from tests.jmeter.dashboard import statistics_of

Bancada = Callable[..., subprocess.CompletedProcess[str]]


def measured(path: Path, *, mean_ms: float, seed: int, users: int = 5, rounds: int = 40) -> Path:
    """A JTL as JMeter leaves it of so many users that ask `list` and `add` in turn, without pause."""
    rng = np.random.default_rng(seed)
    elapsed = rng.exponential(mean_ms, (users, 2 * rounds)).astype(int) + 1
    begun = 1_700_000_000_000 + 10 * np.arange(users)[:, None] + np.cumsum(elapsed, axis=1) - elapsed
    user, place = np.meshgrid(np.arange(users), np.arange(2 * rounds), indexing="ij")
    passed = rng.random(user.size) > 0.02
    table = pl.DataFrame(
        {
            "timeStamp": begun.ravel(),
            "elapsed": elapsed.ravel(),
            "label": np.where(place.ravel() % 2, "add", "list"),
            "responseCode": np.where(passed, "200", "503"),
            "threadName": [f"Thread Group 1-{each + 1}" for each in user.ravel()],
            "success": passed,
            "bytes": 900,
            "sentBytes": 120,
            "allThreads": users,
            "grpThreads": users,
            "URL": "http://10.0.0.7:8080/" + pl.Series(np.where(place.ravel() % 2, "add", "list")),
            "Latency": elapsed.ravel(),
        }
    ).sort(pl.col("timeStamp") + pl.col("elapsed"))
    texts = {"responseMessage": "", "dataType": "text", "failureMessage": ""}
    same = {name: pl.lit(value) for name, value in texts.items()}
    write_jtl(table.with_columns(**same, IdleTime=pl.lit(0), Connect=pl.lit(0)).select(DEFAULT_COLUMNS), path)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Four trials each of a fast system and of one that takes twice as long."""
    folder = tmp_path_factory.mktemp("files")
    return {
        name: [measured(folder / f"{name}-{seed}.jtl", mean_ms=mean, seed=seed) for seed in seeds]
        for name, mean, seeds in (("fast", 20.0, range(4)), ("slow", 40.0, range(4, 8)))
    }


def given(files: dict[str, list[Path]]) -> list[Given]:
    """The files with their names, block by block."""
    return [Given(name, paths[block]) for block in range(4) for name, paths in files.items()]


def imported(files: list[Given], folder: Path) -> Path:
    """A run made of these files."""
    return import_run(files, question=None, command=("bancada", "import"), results=folder)


def test_files_become_a_run_with_a_verdict_and_a_report(
    bancada: Bancada, files: dict[str, list[Path]], tmp_path: Path
) -> None:
    """Several files of a name are its trials: the slower system is found, and the doubt is said first."""
    named = [f"{each.name}={each.path}" for each in given(files)]
    ended = bancada("import", *named, "--question", "Is the new one faster?", "--out", "run")
    assert ended.returncode == 0, ended.stderr
    assert "Is the new one faster?" in ended.stdout
    assert "worse" in ended.stdout
    assert "imported" in ended.stdout
    html = (tmp_path / "run" / "report.html").read_text()
    assert "imported from 8 result files" in html
    assert "Each trial starts the system under test afresh" not in html
    assert hashlib.sha256(files["fast"][0].read_bytes()).hexdigest() in html
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert {each["cell"]["load"] for each in summary["estimates"]} == {"5 users"}
    again = bancada("compare", "run", "run")
    assert again.returncode == 0, again.stderr
    assert "result files" in again.stdout


def test_what_the_files_do_not_tell_is_unknown(files: dict[str, list[Path]], tmp_path: Path) -> None:
    """Host, pinning, start-up, memory, the engine's cost and whether it was stopped early are None, never 0."""
    run = read_run(imported(given(files), tmp_path))
    host = run.manifest.host.model_dump(exclude={"tools"})
    assert set(host.values()) == {None}
    assert run.manifest.pinning.pinned is None
    for trial in run.trials:
        record = trial.record
        assert record.load is not None
        assert (record.startup_ns, record.ready_rss_bytes, record.exit) == (None, None, None)
        assert record.load.engine.cpu_ns is None
        assert record.load.stopped_early is None
        assert record.load.lateness_ns.count == 0
        assert not any(probe.available for probe in record.probes)


def test_the_load_is_the_closed_load_that_the_files_show(files: dict[str, list[Path]], tmp_path: Path) -> None:
    """Users, rounds and ramp-up as they were; operations with the paths of their URLs; files as blocks in order."""
    manifest = read_run(imported(given(files), tmp_path)).manifest
    (load,) = manifest.study.load
    assert isinstance(load, ClosedLoad)
    assert (load.name, load.users, load.iterations, load.think) == ("5 users", 5, 40, 0)
    assert load.ramp_up == 50_000_000
    assert {each.name: each.path for each in manifest.scenario.operation} == {"list": "/list", "add": "/add"}
    assert [(plan.block, plan.cell.sut) for plan in manifest.order] == [
        (block, name) for block in (1, 2, 3, 4) for name in ("fast", "slow")
    ]
    assert [each.file for each in manifest.imported] == [each.path.name for each in given(files)]


def test_the_dashboard_of_an_imported_file_is_that_of_the_file(files: dict[str, list[Path]], tmp_path: Path) -> None:
    """Nothing that JMeter prints is lost on the way: our view of the run equals the statistics of the file."""
    run = read_run(imported([Given("fast", files["fast"][0])], tmp_path))
    jtl = read_jtl(files["fast"][0])
    ours = trial_statistics(run.trials[0])
    assert ours[None] == statistics_of(jtl)
    assert ours["list"] == statistics_of(jtl, "list")


def test_files_of_different_loads_are_different_cells(tmp_path: Path) -> None:
    """Five users and nine are two load profiles of one system."""
    files = [Given("a", measured(tmp_path / f"{users}.jtl", mean_ms=9, seed=users, users=users)) for users in (5, 9)]
    manifest = read_run(imported(files, tmp_path / "results")).manifest
    assert [load.name for load in manifest.study.load] == ["5 users", "9 users"]
    assert manifest.study.blocks == 1


def test_a_file_of_which_every_request_failed_is_a_failed_trial(tmp_path: Path) -> None:
    """It yields no value, and the report says what failed."""
    path = measured(tmp_path / "a.jtl", mean_ms=9, seed=1)
    write_jtl(read_jtl(path).with_columns(success=pl.lit(value=False), responseCode=pl.lit("503")), path)
    (trial,) = read_run(imported([Given("a", path)], tmp_path / "results")).trials
    assert trial.record.failure is not None
    assert "status" in trial.record.failure.message


def test_long_and_equal_labels_stay_distinct(tmp_path: Path) -> None:
    """Labels that are URLs of two hundred letters keep their own figures under shorter names."""
    path = measured(tmp_path / "a.jtl", mean_ms=9, seed=1)
    long = "http://localhost/" + "x" * 200
    jtl = read_jtl(path).with_columns(label=pl.lit(long) + pl.col("label"))
    write_jtl(jtl, path)
    run = read_run(imported([Given("a", path)], tmp_path / "results"))
    names = [each.name for each in run.manifest.scenario.operation]
    assert len(set(names)) == 2
    assert max(map(len, names)) <= 60
    assert {trial_statistics(run.trials[0])[name].samples for name in names} == {200}


def test_one_measurement_does_not_count_twice(files: dict[str, list[Path]], tmp_path: Path) -> None:
    """The same file under two names or as two trials is refused, wherever the copy lies."""
    copy = tmp_path / "copy.jtl"
    copy.write_bytes(files["fast"][0].read_bytes())
    with pytest.raises(InputError, match="cannot count twice"):
        imported([Given("a", files["fast"][0]), Given("b", copy)], tmp_path)


BAD = [
    pytest.param("", "is empty", id="empty"),
    pytest.param("a,b\n1,2\n", "is not a JTL", id="not a JTL"),
    pytest.param("<testResults>\n", "JTL in XML", id="XML"),
    pytest.param("timeStamp,elapsed,label,success\n1,2,a\n", "3 fields", id="cut"),
    pytest.param("timeStamp,elapsed,label,success\n1,2,a,true\n", "how many users", id="no users"),
    pytest.param(
        "timeStamp,elapsed,label,responseMessage,success,allThreads\n"
        "1,2,a,Number of samples in transaction : 1,true,1\n",
        "no request",
        id="controllers only",
    ),
]


@pytest.mark.parametrize(("text", "part"), BAD)
def test_a_file_that_cannot_be_imported_is_refused_by_name(tmp_path: Path, text: str, part: str) -> None:
    """Nothing is written, and the message names the file."""
    path = tmp_path / "bad.jtl"
    path.write_text(text)
    with pytest.raises(InputError, match=part) as error:
        imported([Given("bad", path)], tmp_path / "results")
    assert str(path) in str(error.value.where)
    assert not (tmp_path / "results").exists()


def test_each_wrong_command_has_one_message(bancada: Bancada, files: dict[str, list[Path]], tmp_path: Path) -> None:
    """A missing file, equal names by chance, a folder in use, a plan beside others, an imported run to go on with."""
    refused(bancada("import", "missing.jtl"), ExitCode.NOT_FOUND, "no such file", "missing.jtl")
    one = str(files["fast"][0])
    other = tmp_path / "other" / files["fast"][0].name
    other.parent.mkdir()
    other.write_bytes(files["slow"][0].read_bytes())
    for wrong, out, part in (
        ([one, str(other)], None, 'two files would be named "fast-0"'),
        ([one], other.parent, "holds something already"),
        (["plan.jmx", one], None, "imported alone"),
    ):
        with pytest.raises(InputError, match=part):
            import_(wrong, None, out, tmp_path)
    folder = imported([Given("fast", files["fast"][0])], tmp_path / "results")
    refused(bancada("run", folder, "--resume"), ExitCode.RUN, "another program measured")
