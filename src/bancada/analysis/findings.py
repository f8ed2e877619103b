# SPDX-License-Identifier: Apache-2.0
"""What a run says: estimates of every cell, comparisons of every pair, failures, cautions, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bancada.analysis.answer import answer_of, limits_of
from bancada.analysis.compare import Side, compare
from bancada.analysis.instrument_words import instruments_in_words
from bancada.analysis.instruments import instruments_of
from bancada.analysis.judge import cautions_of
from bancada.analysis.metrics import BY_OPERATION
from bancada.analysis.panel import panels_of
from bancada.analysis.trials import MeasuredTrial, cells_of, measured_trials
from bancada.analysis.unknown import why_unknown
from bancada.analysis.words import condition
from bancada.model.findings import Comparison, Estimate, FailureCount, Findings, TrialSummary
from bancada.model.metric import ALL_METRICS, METRICS
from bancada.model.run import RunManifest
from bancada.model.study import Study
from bancada.model.trial import Cell
from bancada.stats import choose_test, describe
from bancada.store.read import Run


def find(run: Run) -> Findings:
    """The findings of a run as far as it has come; trials that are missing or failed are no values.

    Raises RunError if a file of the run is damaged.
    """
    manifest, study = run.manifest, run.manifest.study
    trials = measured_trials(run)
    cells = cells_of(manifest)
    by_cell = group(cells, trials)
    estimates = tuple(estimates_of(manifest, by_cell))

    def side(cell: Cell, metric: str) -> Side:
        return side_of(cell, by_cell[cell.label], metric)

    comparisons = comparisons_of(study, cells, by_cell)
    cautions = cautions_of(manifest, cells, by_cell, comparisons)
    instruments = instruments_of(study, cells, side, estimates)
    panels = panels_of(study, cells, estimates, comparisons)
    # Where several load engines ask a single system, the question is about them.
    about_engines = instruments and not comparisons
    answer = instruments_in_words(instruments, study.margin) if about_engines else answer_of(panels, study)
    return Findings(
        run=manifest.run,
        question=study.question,
        answer=" ".join([*answer, *limits_of(panels, study, cells, by_cell, cautions)]),
        metric=study.metric,
        margin=study.margin,
        alpha=study.alpha,
        blocks=study.blocks,
        trials=tuple(_summary(trial) for trial in trials),
        estimates=estimates,
        comparisons=comparisons,
        failures=tuple(count for cell in cells for count in _failures(cell, by_cell[cell.label])),
        instruments=instruments,
        cautions=cautions,
    )


def group(cells: Sequence[Cell], trials: Sequence[MeasuredTrial]) -> dict[str, list[MeasuredTrial]]:
    """The finished trials of each cell, failed ones too, by the cell's label and in order of the blocks."""
    found: dict[str, list[MeasuredTrial]] = {cell.label: [] for cell in cells}
    for trial in sorted(trials, key=lambda each: each.record.plan.block):
        found[trial.cell.label].append(trial)
    return found


def pairs_of(cells: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    """Every two systems under the same load and factors, condition by condition; the one listed earlier comes first."""
    conditions: dict[str, list[Cell]] = {}
    for cell in cells:
        conditions.setdefault(condition(cell), []).append(cell)
    return [pair for members in conditions.values() for pair in combinations(members, 2)]


def side_of(cell: Cell, trials: Sequence[MeasuredTrial], metric: str) -> Side:
    """The values of a metric in a cell's trials."""
    return Side(cell, {each.record.plan.block: each.metrics[metric] for each in trials if metric in each.metrics})


def comparisons_of(
    study: Study, cells: Sequence[Cell], by_cell: dict[str, list[MeasuredTrial]]
) -> tuple[Comparison, ...]:
    """All pairs by all metrics of stacks; the test follows from the planned blocks and pairs alone."""
    pairs = pairs_of(cells)
    if not pairs:
        return ()
    test = choose_test(study.blocks, len(pairs), study.alpha).name
    found: list[Comparison] = []
    for metric in METRICS:
        sides = {cell.label: side_of(cell, by_cell[cell.label], metric) for cell in cells}
        found += compare(metric, [(sides[a.label], sides[b.label]) for a, b in pairs], test, study)
    return tuple(found)


def estimates_of(manifest: RunManifest, by_cell: dict[str, list[MeasuredTrial]]) -> Iterator[Estimate]:
    """Every cell by every metric, then every operation by the metrics that an operation has."""
    level = 1 - manifest.study.alpha
    operations = [operation.name for operation in manifest.scenario.operation]
    for cell in cells_of(manifest):
        trials = by_cell[cell.label]
        for metric in ALL_METRICS:
            values = [each.metrics[metric] for each in trials if metric in each.metrics]
            yield _estimate(cell, metric, None, values, level, why_unknown(metric, trials))
        for operation in operations:
            for metric in BY_OPERATION:
                parts = (each.operations.get(operation, {}) for each in trials)
                values = [part[metric] for part in parts if metric in part]
                yield _estimate(cell, metric, operation, values, level, why_unknown(metric, trials))


def _estimate(
    cell: Cell, metric: str, operation: str | None, values: Sequence[float], level: float, unknown: str
) -> Estimate:
    told = describe(values, level) if values else None
    return Estimate(
        cell=cell,
        metric=metric,
        operation=operation,
        n=len(values),
        values=tuple(values),
        mean=told and told.mean,
        low=told and told.low,
        high=told and told.high,
        sd=told and told.sd,
        minimum=told and told.minimum,
        q1=told and told.q1,
        median=told and told.median,
        q3=told and told.q3,
        maximum=told and told.maximum,
        unknown=None if told else unknown,
    )


def _summary(trial: MeasuredTrial) -> TrialSummary:
    plan, failure = trial.record.plan, trial.record.failure
    return TrialSummary(
        number=plan.number,
        block=plan.block,
        cell=plan.cell,
        failed=f"{failure.kind}: {failure.message}" if failure else None,
        metrics=trial.metrics,
    )


def _failures(cell: Cell, trials: Sequence[MeasuredTrial]) -> Iterator[FailureCount]:
    """Failed requests by kind, the most frequent first, over all trials whose load was reached."""
    loads = [trial.record.load for trial in trials if trial.record.load is not None]
    counts: dict[str, int] = {}
    for load in loads:
        for kind, count in load.failures.items():
            counts[kind] = counts.get(kind, 0) + count
    failed, requests = sum(counts.values()), sum(load.requests for load in loads)
    for kind, count in sorted(counts.items(), key=lambda each: -each[1]):
        if count:
            share = count / requests
            yield FailureCount(
                cell=cell, kind=kind, count=count, share_of_failures=count / failed, share_of_requests=share
            )
