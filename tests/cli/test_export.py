# SPDX-License-Identifier: Apache-2.0
"""A run's samples as JMeter's files: JMeter takes them, and prints what we say that it would print."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from bancada.analysis.jmeter_view import trial_statistics
from bancada.cli.export import export
from bancada.errors import NoResultError, NotFoundError, StorageError
from bancada.jmeter.jtl import DEFAULT_COLUMNS, read_jtl
from bancada.store.read import read_run
from tests.fakes.run_folder import FakeSut, make_run
from tests.jmeter.dashboard import assert_printed, dashboard_of

Bancada = Callable[..., subprocess.CompletedProcess[str]]
StudyFile = Callable[..., Path]


@pytest.mark.slow
def test_jmeter_prints_of_an_exported_trial_what_our_view_says(
    bancada: Bancada, study: StudyFile, tmp_path: Path
) -> None:
    """A real run, exported, through `jmeter -g`: Total and each operation equal our view to the last digit."""
    assert bancada("run", study("good", load="iterations = 30")).returncode == 0
    ended = bancada("export", "--jtl")
    assert ended.returncode == 0, ended.stderr
    (folder,) = tmp_path.glob("results/*")
    (trial,) = read_run(folder).trials
    path = folder / "jtl" / f"{trial.record.plan.folder}.jtl"
    jtl = read_jtl(path)
    assert jtl.columns == list(DEFAULT_COLUMNS)
    assert set(jtl["allThreads"]) <= {1, 2, 3, 4}
    ours = {label or "Total": figures for label, figures in trial_statistics(trial).items()}
    assert len(ours) == 5
    assert_printed(dashboard_of(path, tmp_path / "dashboard"), ours)


def test_one_file_is_written_for_each_trial_that_was_measured(bancada: Bancada, tmp_path: Path) -> None:
    """Files are named as the trials' folders; a failed trial has none, and that is said."""
    run = make_run(tmp_path / "run", suts=(FakeSut("good:jar"), FakeSut("bad:jar", failed_blocks=(1,))), blocks=2)
    ended = bancada("export", "--jtl", run, "--out", tmp_path / "out")
    assert ended.returncode == 0, ended.stderr
    measured = {trial.record.plan.folder for trial in read_run(run).trials if trial.record.load}
    assert {path.stem for path in (tmp_path / "out").iterdir()} == measured
    assert f"{tmp_path / 'out'}: 6; trials without samples: 2" in ended.stderr


def test_the_figures_are_shown_beside_ours_on_request(bancada: Bancada, tmp_path: Path) -> None:
    """`bancada report --jmeter` prints the dashboard's figures of each cell, and what makes them differ."""
    run = make_run(tmp_path / "run", suts=(FakeSut("good:jar"),), blocks=2)
    ended = bancada("report", run, "--jmeter")
    assert ended.returncode == 0, ended.stderr
    assert "as JMeter would print it" in ended.stdout
    assert "last 20 000 samples only" in ended.stdout


def test_there_is_one_message_where_nothing_can_be_exported(tmp_path: Path) -> None:
    """No format, no run, no measured trial, no place to write: each its own error."""
    bad = make_run(tmp_path / "bad", suts=(FakeSut("bad:jar", failed_blocks=(1,)),), blocks=1)
    good = make_run(tmp_path / "good", suts=(FakeSut("good:jar"),), blocks=1)
    (tmp_path / "file").write_text("")
    with pytest.raises(typer.BadParameter, match="--jtl"):
        export(str(good), jtl=False, out=None, results=tmp_path)
    for run, out, error in (
        ("nothing", None, NotFoundError),
        (str(bad), None, NoResultError),
        (str(good), tmp_path / "file", StorageError),
    ):
        with pytest.raises(error):
            export(run, jtl=True, out=out, results=tmp_path)
