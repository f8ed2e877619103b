# SPDX-License-Identifier: Apache-2.0
"""The life of a trial as an expected log, the failures included: real processes, the real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.catalog.studies import read_study
from bancada.conductor.prepare import prepare
from bancada.conductor.run import conduct, new_manifest
from bancada.model.events import Event, LoadProgressed, PhaseEntered, TrialEnded
from bancada.store.read import Run

StudyFile = Callable[..., Path]


@pytest.fixture
def log_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Path], tuple[list[str], Run]]:
    """Carry a study out; what the observers were told, and the run."""
    monkeypatch.setenv("BANCADA_CACHE", str(tmp_path / "cache"))

    def carry_out(study: Path) -> tuple[list[str], Run]:
        log: list[str] = []

        def note(event: Event) -> None:
            if isinstance(event, PhaseEntered):
                log.append(event.phase)
            elif isinstance(event, TrialEnded):
                log.append(f"ended: {event.record.failure.kind if event.record.failure else 'completed'}")
            elif not isinstance(event, LoadProgressed):
                log.append(type(event).__name__)

        bench = prepare(read_study(str(study)), note)
        return log, conduct(bench, new_manifest(bench, ["test"]), tmp_path / "results" / "run")

    return carry_out


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("good", ["start", "conform", "warm-up", "measure", "stop", "ended: completed"]),
        ("never-ready", ["start", "ended: never-ready"]),
        ("ends-at-once", ["start", "ended: never-ready"]),
        ("lenient", ["start", "conform", "stop", "ended: nonconforming"]),
        ("crashes", ["start", "conform", "measure", "stop", "ended: crashed"]),
    ],
)
def test_a_trial_goes_as_far_as_its_system_under_test(
    log_of: Callable[[Path], tuple[list[str], Run]], study: StudyFile, variant: str, expected: list[str]
) -> None:
    """Each phase is entered once and in order; a failure skips what follows, but never the stop and the record."""
    path = study(variant, load="iterations = 50")
    if "warm-up" not in expected:
        path.write_text(path.read_text().replace('warm_up  = "100ms"', 'warm_up  = "0s"'))
    log, run = log_of(path)
    assert log == ["RunStarted", "TrialStarted", *expected, "RunEnded"]
    assert run.complete
    (trial,) = run.trials
    assert list(trial.record.phases_ns) == [phase for phase in expected if phase in trial.record.phases_ns]
    assert (trial.folder / "stderr.log").exists()


def test_blocks_follow_each_other_and_every_trial_is_a_fresh_process(
    log_of: Callable[[Path], tuple[list[str], Run]], study: StudyFile
) -> None:
    """Trials run in the order of the plan, and each has its own start-up."""
    _, run = log_of(study("good", "slow", blocks=2))
    assert [trial.record.plan.number for trial in run.trials] == [1, 2, 3, 4]
    assert [trial.record.plan.block for trial in run.trials] == [1, 1, 2, 2]
    startups = {trial.record.startup_ns for trial in run.trials}
    assert None not in startups
    assert len(startups) == 4
