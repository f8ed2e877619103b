# SPDX-License-Identifier: Apache-2.0
"""Reading trials as numbers."""

from __future__ import annotations

import pytest

from bancada.analysis.trials import cells_of, measure, measured_trials
from bancada.errors import RunError
from bancada.store import layout
from tests.analysis.conftest import MakeRun
from tests.fakes.run_folder import FakeSut


def test_cells_come_in_the_order_of_the_study(made: MakeRun) -> None:
    """By system as listed, then by factors as written, whatever order the blocks were shuffled into."""
    run = made(suts=(FakeSut("z:jar"), FakeSut("a:jar")), factors={"POOL": ("20", "10")}, blocks=2, seed=3)
    assert [(cell.sut, cell.factors["POOL"]) for cell in cells_of(run.manifest)] == [
        ("z:jar", "20"),
        ("z:jar", "10"),
        ("a:jar", "20"),
        ("a:jar", "10"),
    ]


def test_a_failed_trial_has_neither_metrics_nor_checks(made: MakeRun) -> None:
    """Not even a start-up time, although it may have started."""
    (trial,) = measured_trials(made(suts=(FakeSut("a:jar", failed_blocks=(1,)),), blocks=1))
    assert (trial.completed, trial.metrics, trial.operations, trial.checks) == (False, {}, {}, None)


def test_damaged_samples_are_an_error_that_names_the_file(made: MakeRun) -> None:
    """Not an empty trial."""
    run = made(suts=(FakeSut("a:jar"),), blocks=1)
    (run.trials[0].folder / layout.SAMPLES).write_bytes(b"PAR1 not really")

    with pytest.raises(RunError) as caught:
        measure(run.trials[0], run.manifest.study)
    assert caught.value.where == str(run.trials[0].folder / layout.SAMPLES)


def test_missing_samples_are_an_error(made: MakeRun) -> None:
    """A completed trial has samples; without them the folder is damaged."""
    run = made(suts=(FakeSut("a:jar"),), blocks=1)
    (run.trials[0].folder / layout.SAMPLES).unlink()
    with pytest.raises(RunError):
        measure(run.trials[0], run.manifest.study)
