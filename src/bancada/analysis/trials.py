# SPDX-License-Identifier: Apache-2.0
"""Each finished trial of a run, reduced to its metrics and checks; samples are read once and let go."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from bancada.analysis.checks import TrialChecks, check_trial
from bancada.analysis.metrics import (
    engine_metrics,
    measured_window,
    operation_metrics,
    request_metrics,
    resource_metrics,
)
from bancada.errors import RunError
from bancada.model.load import LoadProfile
from bancada.model.run import RunManifest
from bancada.model.study import Study
from bancada.model.trial import Cell, TrialRecord
from bancada.store import layout
from bancada.store.read import Run, StoredTrial

COLUMNS = ("intended_ns", "done_ns", "user", "operation", "failure", "bytes_in", "bytes_out", "body_bytes")
"""The samples' columns that the analysis needs; the others stay on disk."""


@dataclass(frozen=True)
class MeasuredTrial:
    """One trial as numbers."""

    record: TrialRecord
    metrics: dict[str, float] = field(default_factory=dict)
    """By the metric's name; a metric that is not known is absent. Empty if the trial failed."""
    operations: dict[str, dict[str, float]] = field(default_factory=dict)
    """The same for each operation alone."""
    checks: TrialChecks | None = None
    """What the samples say of their own soundness; None if the trial failed."""

    @property
    def cell(self) -> Cell:
        """What was tried."""
        return self.record.plan.cell

    @property
    def completed(self) -> bool:
        """Whether it counts as a value; a failed trial counts as a failure."""
        return self.record.failure is None


def measured_trials(run: Run) -> tuple[MeasuredTrial, ...]:
    """Every finished trial in its order. Raises RunError if a file is damaged."""
    return tuple(measure(trial, run.manifest.study) for trial in run.trials)


def measure(trial: StoredTrial, study: Study) -> MeasuredTrial:
    """One trial as numbers; a failed trial has none. Raises RunError if a file is damaged."""
    record = trial.record
    if record.failure is not None:
        return MeasuredTrial(record)
    seen = {"startup_ns": record.startup_ns, "rss_ready_bytes": record.ready_rss_bytes}
    beside = {name: float(value) for name, value in seen.items() if value is not None}
    if record.load is not None:
        beside |= engine_metrics(record.load.engine)
    samples = read_samples(trial)
    window = None if samples is None else measured_window(samples)
    if samples is None or window is None:
        return MeasuredTrial(record, beside)
    passed = samples["failure"].null_count()
    metrics = request_metrics(samples, window, study) | resource_metrics(trial.probes(), window, passed) | beside
    checks = check_trial(record, samples, window, load_named(study, record.plan.cell.load))
    return MeasuredTrial(record, metrics, operation_metrics(samples, window, study), checks)


def read_samples(trial: StoredTrial, columns: tuple[str, ...] = COLUMNS) -> pl.DataFrame | None:
    """Some columns of a trial's samples, or None if its load was not reached. Raises RunError if they are damaged."""
    if trial.record.load is None:
        return None
    path = trial.folder / layout.SAMPLES
    try:
        return pl.scan_parquet(path).select(columns).with_columns(_compact(columns)).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RunError(
            f"a results file is damaged or from another version: {str(error).splitlines()[0]}",
            where=str(path),
            advice="remove the trial's folder and go on with `bancada run --resume`",
        ) from error


def _compact(columns: tuple[str, ...]) -> list[pl.Expr]:
    """Text that repeats in millions of rows is kept once."""
    return [pl.col(name).cast(pl.Categorical) for name in ("operation", "failure") if name in columns]


def load_named(study: Study, name: str) -> LoadProfile:
    """The study's load profile of that name."""
    return next(load for load in study.load if load.name == name)


def cells_of(manifest: RunManifest) -> tuple[Cell, ...]:
    """The planned cells, in the study's order: by system under test, then load, then factors as they are written."""
    suts = [sut.label for sut in manifest.suts]
    loads = [load.name for load in manifest.study.load]

    def rank(cell: Cell) -> tuple[int, ...]:
        factors = (values.index(cell.factors[name]) for name, values in manifest.study.varied.items())
        return suts.index(cell.sut), loads.index(cell.load), *factors

    return tuple(sorted({plan.cell.label: plan.cell for plan in manifest.order}.values(), key=rank))
