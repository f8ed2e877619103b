# SPDX-License-Identifier: Apache-2.0
"""A run written is read back the same, and a trial is there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.errors import NotFoundError, RunError
from bancada.store.read import read_run
from bancada.store.write import RunWriter, write_text
from tests.fakes.run_folder import make_run


def test_a_run_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """Manifest, order and trials survive the trip to disk."""
    folder = make_run(tmp_path / "run", blocks=2)
    run = read_run(folder)
    assert run.complete
    assert [trial.record.plan for trial in run.trials] == list(run.manifest.order)
    again = tmp_path / "again"
    writer = RunWriter(again)
    writer.manifest(run.manifest)
    writer.close()
    assert read_run(again).manifest == run.manifest


def test_a_trial_in_progress_is_invisible(tmp_path: Path) -> None:
    """A trial counts only once it was finished; what a kill left of it can be removed."""
    folder = make_run(tmp_path / "run", blocks=1)
    run = read_run(folder)
    writer = RunWriter(folder)
    plan = run.manifest.order[0].model_copy(update={"number": 99})
    (writer.begin(plan) / "samples.parquet").write_bytes(b"half")
    assert len(read_run(folder).trials) == len(run.trials)
    writer.discard_partial()
    assert not list((folder / "trials").glob(".*"))
    writer.close()


def test_a_run_has_one_writer(tmp_path: Path) -> None:
    """A second writer of the same folder is refused until the first has closed."""
    writer = RunWriter(tmp_path)
    with pytest.raises(RunError, match="in progress"):
        RunWriter(tmp_path)
    writer.close()
    RunWriter(tmp_path).close()


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    """No manifest, no run."""
    with pytest.raises(NotFoundError):
        read_run(tmp_path)


def test_a_text_file_is_replaced_whole(tmp_path: Path) -> None:
    """Writing again leaves the new content and no neighbour."""
    path = tmp_path / "deep" / "a.txt"
    write_text(path, "one")
    write_text(path, "two")
    assert path.read_text() == "two"
    assert [each.name for each in path.parent.iterdir()] == ["a.txt"]
