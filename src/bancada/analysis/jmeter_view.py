# SPDX-License-Identifier: Apache-2.0
"""A run as JMeter's dashboard would print it, so that figures can be compared with those of published studies.

The statistics of each trial are those that `jmeter -g` makes of the trial's exported JTL (`stats/jmeter.py`); a cell
has their mean over its trials. Ours stand beside them: they differ where JMeter counts failed requests, cuts times to
milliseconds, starts its clock when a request is sent, and looks back 20 000 samples only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from statistics import fmean

import polars as pl

from bancada.analysis.trials import cells_of, read_samples
from bancada.jmeter.samples import seen_by_jmeter
from bancada.model.findings import Estimate, Findings
from bancada.model.jmeter_view import JMETER_FIGURES, JMeterRow
from bancada.model.trial import Cell
from bancada.stats.jmeter import JMeterStatistics, jmeter_statistics
from bancada.store.read import Run, StoredTrial

COLUMNS = ("sent_ns", "done_ns", "operation", "failure", "bytes_in", "bytes_out")

Statistics = dict[str | None, JMeterStatistics]
"""By operation; None is the Total."""


def jmeter_view(run: Run, findings: Findings) -> tuple[JMeterRow, ...]:
    """For each cell its Total and, where it has several, each operation. Raises RunError if a file is damaged."""
    ours = {(each.cell.label, each.operation, each.metric): each for each in findings.estimates}
    operations = [each.name for each in run.manifest.scenario.operation]
    rows: list[JMeterRow] = []
    for cell in cells_of(run.manifest):
        trials = [
            statistics
            for trial in run.trials
            if trial.record.plan.cell.label == cell.label and trial.record.failure is None
            for statistics in [trial_statistics(trial)]
            if statistics
        ]
        shown = (None, *(operations if len(operations) > 1 else ()))
        rows += [_row(cell, operation, trials, ours) for operation in shown]
    return tuple(rows)


def trial_statistics(trial: StoredTrial) -> Statistics:
    """What the dashboard prints of one trial: Total and each operation; empty if it has no sample.

    Raises RunError if a file is damaged.
    """
    samples, load = read_samples(trial, COLUMNS), trial.record.load
    if samples is None or load is None or samples.is_empty():
        return {}
    seen = seen_by_jmeter(samples, started_unix_ns=load.started_unix_ns, ordered=in_jmeters_order(trial))
    parts = seen.partition_by("operation", as_dict=True)
    return {None: _statistics(seen)} | {str(key[0]): _statistics(part) for key, part in parts.items()}


def in_jmeters_order(trial: StoredTrial) -> bool:
    """Whether the trial's samples came from a JTL and have its order of rows."""
    return trial.record.load is not None and trial.record.load.engine.name == "jmeter"


def _statistics(seen: pl.DataFrame) -> JMeterStatistics:
    return jmeter_statistics(
        seen["start_ms"].to_numpy(),
        seen["elapsed_ms"].to_numpy(),
        seen["passed"].to_numpy(),
        _sum(seen["bytes_in"]),
        _sum(seen["bytes_out"]),
    )


def _sum(column: pl.Series) -> int | None:
    return None if column.null_count() else int(column.sum())


def _row(
    cell: Cell,
    operation: str | None,
    trials: Sequence[Statistics],
    ours: dict[tuple[str, str | None, str], Estimate],
) -> JMeterRow:
    told = [asdict(each[operation]) for each in trials if operation in each]
    return JMeterRow(
        cell=cell,
        operation=operation,
        n=len(told),
        jmeter={name: _mean([each[name] for each in told]) for name in JMETER_FIGURES},
        ours={
            name: None if estimate.mean is None else estimate.mean * figure.scale
            for name, figure in JMETER_FIGURES.items()
            if (estimate := ours.get((cell.label, operation, figure.ours or "")))
        },
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None
