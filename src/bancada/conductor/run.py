# SPDX-License-Identifier: Apache-2.0
"""The trials in their order: each saved the moment it ends, so that a killed run loses at most one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bancada import __version__
from bancada.conductor.bench import Bench
from bancada.conductor.trial import run_trial
from bancada.design.plan import expected_ns, plan
from bancada.errors import RunError
from bancada.model.events import RunEnded, RunStarted, TrialEnded, TrialStarted
from bancada.model.host import Pinning
from bancada.model.run import RunManifest
from bancada.model.service import without_password
from bancada.model.study import Study
from bancada.model.trial import TrialPlan, TrialRecord
from bancada.store.read import Run, read_run
from bancada.store.write import RunWriter


def new_manifest(bench: Bench, command: Sequence[str]) -> RunManifest:
    """Everything known before the first trial."""
    now = time.time_ns()
    stamp = datetime.fromtimestamp(now / 1e9, tz=UTC).strftime("%Y%m%d-%H%M%S")
    return RunManifest(
        run=f"{bench.study.study}-{stamp}",
        bancada_version=__version__,
        started_unix_ns=now,
        command=tuple(map(without_password, command)),
        study=_without_secrets(bench.study),
        scenario=bench.scenario,
        suts=bench.suts,
        skipped=dict(bench.skipped),
        builds={label: built.record for label, built in bench.builds.items()},
        services={label: offer.facts for label, offer in bench.offers.items()},
        order=plan(bench.study, [sut.label for sut in bench.suts]),
        host=bench.host,
        pinning=bench.pinning,
    )


def _without_secrets(study: Study) -> Study:
    """The study without the passwords of services that somebody else runs."""
    safe = {kind: tuple(map(without_password, asked)) for kind, asked in study.services.items()}
    return study.model_copy(update={"services": safe})


def check_resumable(bench: Bench, run: Run) -> None:
    """Raise RunError if going on would mix two different experiments."""
    earlier, now = run.manifest.builds, bench.builds
    changed = [
        label for label, record in earlier.items() if label not in now or now[label].record.digest != record.digest
    ]
    reason = None
    if run.manifest.host.hostname != bench.host.hostname:
        reason = f"the run was begun on the host {run.manifest.host.hostname}, this is {bench.host.hostname}"
    elif run.manifest.bancada_version != __version__:
        reason = f"the run was begun with Bancada {run.manifest.bancada_version}, this is {__version__}"
    elif changed:
        reason = f"the sources of {', '.join(changed)} have changed since the run was begun"
    if reason:
        raise RunError(f"cannot resume: {reason}", where=str(run.folder), advice="start the study anew")


def conduct(bench: Bench, manifest: RunManifest, folder: Path) -> Run:
    """Carry out all trials of `manifest` that `folder` does not hold yet, and return the run as it stands then."""
    writer = RunWriter(folder)
    try:
        writer.discard_partial()
        writer.manifest(manifest)
        done = {trial.record.plan.number for trial in read_run(folder).trials}
        todo = [each for each in manifest.order if each.number not in done]
        clock = Clock(manifest.study, todo)
        bench.notify(
            RunStarted(manifest=manifest, folder=str(folder), done=len(done), expected_ns=clock.remaining_ns())
        )
        with _on_cpus(bench.pinning):
            for trial in todo:
                _one(bench, trial, writer, clock, len(manifest.order))
    finally:
        writer.close()
    run = read_run(folder)
    failed = sum(trial.record.failure is not None for trial in run.trials)
    bench.notify(RunEnded(completed=len(run.trials) - failed, failed=failed))
    return run


def _one(bench: Bench, trial: TrialPlan, writer: RunWriter, clock: Clock, trials: int) -> None:
    bench.notify(TrialStarted(plan=trial, trials=trials))
    record, series = run_trial(bench, trial, writer.begin(trial))
    writer.finish(record, series)
    clock.finished(record)
    bench.notify(TrialEnded(record=record, remaining_ns=clock.remaining_ns()))


class Clock:
    """How long the remaining trials will take: as planned, until trials of the same load have shown it."""

    def __init__(self, study: Study, todo: Sequence[TrialPlan]) -> None:
        self._study = study
        self._todo = list(todo)
        self._taken_ns: dict[str, list[int]] = {}

    def finished(self, record: TrialRecord) -> None:
        """Learn from a trial."""
        self._todo = [trial for trial in self._todo if trial.number != record.plan.number]
        if record.failure is None:
            self._taken_ns.setdefault(record.plan.cell.load, []).append(sum(record.phases_ns.values()))

    def remaining_ns(self) -> int:
        """Expected time of what is left."""
        return sum(self._expected_ns(trial.cell.load) for trial in self._todo)

    def _expected_ns(self, load: str) -> int:
        seen = self._taken_ns.get(load)
        return sum(seen) // len(seen) if seen else expected_ns(self._study, load)


@contextmanager
def _on_cpus(pinning: Pinning) -> Iterator[None]:
    """Keep the bench itself off the CPUs of the system under test."""
    if not pinning.pinned:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, pinning.engine_cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
