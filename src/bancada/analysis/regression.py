# SPDX-License-Identifier: Apache-2.0
"""One run judged against another: has a system become worse since?

Trials of two runs share no block, so every comparison is unpaired (rank-sum test). Between two runs lies also all else
that changed, so what is known to differ stands beside the verdicts as notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bancada.analysis.compare import compare
from bancada.analysis.findings import group, side_of
from bancada.analysis.judge_run import imported_cautions
from bancada.analysis.trials import MeasuredTrial, cells_of, load_named, measured_trials
from bancada.errors import RunError
from bancada.model.base import Model
from bancada.model.caution import Caution
from bancada.model.findings import Comparison
from bancada.model.metric import METRICS
from bancada.model.quantities import number
from bancada.model.run import RunManifest
from bancada.model.study import Study
from bancada.model.trial import Cell
from bancada.stats import smallest_p_rank_sum
from bancada.store.read import Run


class RunComparison(Model):
    """Every cell that both runs have, the later run judged against the earlier."""

    run_a: str
    run_b: str
    metric: str
    """The decisive metric, of run B's study."""
    comparisons: tuple[Comparison, ...]
    """By metric, then cell; Holm's correction covers the cells of one metric."""
    notes: tuple[str, ...]
    """What differs between the runs besides what was measured."""
    cautions: tuple[Caution, ...]

    @property
    def worse(self) -> tuple[Comparison, ...]:
        """The cells that are worse by the decisive metric."""
        return tuple(each for each in self.comparisons if each.decisive and each.verdict == "worse")

    @property
    def lost(self) -> tuple[Comparison, ...]:
        """The cells that run A could judge by the decisive metric and run B cannot, as every trial failed."""
        return tuple(each for each in self.comparisons if each.decisive and each.n_a and not each.n_b)


def compare_runs(run_a: Run, run_b: Run) -> RunComparison:
    """Run B judged against run A, in cells of the same system, load and factors, by run B's metric, margin and alpha.

    Raises RunError if the runs have no cell in common, or a file is damaged.
    """
    study = run_b.manifest.study
    earlier = {cell.label: cell for cell in cells_of(run_a.manifest)}
    cells = [cell for cell in cells_of(run_b.manifest) if cell.label in earlier]
    if not cells:
        raise RunError(
            f"the runs have no cell in common: {run_a.manifest.run} has {', '.join(earlier)}",
            where=str(run_b.folder),
            advice="compare runs of one study, or of studies with the same stacks and names of loads",
        )
    trials_a = group(cells_of(run_a.manifest), measured_trials(run_a))
    trials_b = group(cells_of(run_b.manifest), measured_trials(run_b))
    comparisons: list[Comparison] = []
    for metric in METRICS:
        pairs = [
            (side_of(earlier[cell.label], trials_a[cell.label], metric), side_of(cell, trials_b[cell.label], metric))
            for cell in cells
        ]
        comparisons += compare(metric, pairs, "rank-sum", study)
    return RunComparison(
        run_a=run_a.manifest.run,
        run_b=run_b.manifest.run,
        metric=study.metric,
        comparisons=tuple(comparisons),
        notes=tuple(_notes(run_a.manifest, run_b.manifest)),
        cautions=(
            *imported_cautions(run_a.manifest),
            *imported_cautions(run_b.manifest),
            *_few_trials([each for each in comparisons if each.decisive], study),
            *_failed(run_a.manifest, cells, trials_a),
            *_failed(run_b.manifest, cells, trials_b),
        ),
    )


def _few_trials(decisive: list[Comparison], study: Study) -> Iterator[Caution]:
    for each in decisive:
        if each.n_a and each.n_b:
            least = smallest_p_rank_sum(each.n_a, each.n_b) * len(decisive)
            if least > study.alpha:
                observation = (
                    f"with {each.n_a} and {each.n_b} trials and {len(decisive)} cells the exact rank-sum test gives "
                    f"p = {number(min(1.0, least), 3)} at best, above {study.alpha:g}"
                )
                yield Caution(code="few-trials", where=each.b.label, observation=observation)


def _failed(manifest: RunManifest, cells: list[Cell], by_cell: dict[str, list[MeasuredTrial]]) -> Iterator[Caution]:
    for cell in cells:
        trials = by_cell[cell.label]
        failures = [trial.record.failure for trial in trials if trial.record.failure is not None]
        if failures:
            observation = f"{manifest.run}: {len(failures)} of {len(trials)} trials failed: {failures[0].message}"
            yield Caution(code="trials-failed", where=cell.label, observation=observation)


def _notes(a: RunManifest, b: RunManifest) -> Iterator[str]:
    yield from _differences("host", a.host.model_dump(exclude={"tools"}), b.host.model_dump(exclude={"tools"}))
    yield from _differences("tool", a.host.tools, b.host.tools)
    yield from _differences("CPUs", a.pinning.model_dump(exclude={"reason"}), b.pinning.model_dump(exclude={"reason"}))
    yield from _differences("bancada", {"version": a.bancada_version}, {"version": b.bancada_version})
    apart = {"study", "question", "stacks", "load", "operation", "scenario"}
    yield from _differences("study", a.study.model_dump(exclude=apart), b.study.model_dump(exclude=apart))
    yield from _differences("scenario", a.scenario.model_dump(), b.scenario.model_dump())
    names = {load.name for load in a.study.load} & {load.name for load in b.study.load}
    for name in sorted(names):
        loads = (load_named(each.study, name) for each in (a, b))
        yield from _differences(f"load {name!r}", *(load.model_dump() for load in loads))
    yield from _differences("system", *({sut.label: sut.model_dump() for sut in each.suts} for each in (a, b)))
    digests = [{sut: build.digest[:12] for sut, build in each.builds.items()} for each in (a, b)]
    yield from _differences("build", *digests)
    for here, there in ((a, b), (b, a)):
        missing = [cell.label for cell in cells_of(here) if cell.label not in {each.label for each in cells_of(there)}]
        if missing:
            yield f"only in {here.run}: {', '.join(missing)}"


def _differences(what: str, a: Mapping[str, object], b: Mapping[str, object]) -> Iterator[str]:
    """`host kernel: 6.1 → 6.12`, for every key whose value differs; long values are only said to differ."""
    for key in dict.fromkeys([*a, *b]):
        before, after = a.get(key), b.get(key)
        if before != after:
            told = f"{before} → {after}"
            yield f"{what} {key}: {told if len(told) <= 120 else 'differs'}"
