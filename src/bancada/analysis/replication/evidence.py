# SPDX-License-Identifier: Apache-2.0
"""The trials' values behind the cells that claims name, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bancada.analysis.trials import MeasuredTrial, cells_of, measured_trials
from bancada.analysis.unknown import why_unknown
from bancada.model.replication import ClaimCell, Part, Scale
from bancada.store.read import Run


@dataclass(frozen=True)
class Sample:
    """One metric of one cell, by the trial's block."""

    values: dict[int, float] = field(default_factory=dict)
    failed: int = 0
    """Trials that failed."""
    missing: str | None = None
    """Why there is no value at all."""


class Evidence:
    """The runs of a replication's parts, each reduced to its trials' metrics when it is first asked for."""

    def __init__(self, runs: Mapping[str, Run], skipped: Mapping[str, str], scale: Scale) -> None:
        self._runs = runs
        self._skipped = skipped
        self._scale = scale
        self._trials: dict[str, tuple[MeasuredTrial, ...]] = {}

    def blocks(self, part: str) -> int | None:
        """Trials of each cell that the part's run planned; None if it was not run."""
        return self._runs[part].manifest.study.blocks if part in self._runs else None

    def sample(self, part: Part, cell: ClaimCell, metric: str) -> Sample:
        """The values of a cell. Raises RunError if a file of the run is damaged."""
        missing = self._why_not_run(part, cell)
        if missing is not None:
            return Sample(missing=missing)
        run = self._runs[part.part]
        matching = [
            each
            for each in cells_of(run.manifest)
            if (each.sut, each.load) == (cell.sut, cell.load) and cell.factors.items() <= each.factors.items()
        ]
        if len(matching) > 1:
            varied = ", ".join(sorted({name for each in matching for name in each.factors} - set(cell.factors)))
            return Sample(missing=f"the run varies {varied}, and the claim does not say which value it means")
        if not matching:
            return Sample(missing=f"{cell.sut} under {cell.load} is not part of the run")
        trials = [each for each in self._measured(part.part) if each.cell.label == matching[0].label]
        return _sample(trials, cell.operation, metric)

    def _why_not_run(self, part: Part, cell: ClaimCell) -> str | None:
        """Why there can be no trial of a cell."""
        if cell.load not in {load.name for load in part.scale[self._scale].load}:
            return f"the {self._scale} scale has no load of {cell.load}"
        skipped = {**self._skipped, **(self._runs[part.part].manifest.skipped if part.part in self._runs else {})}
        if cell.sut in skipped:
            return f"{cell.sut} was skipped: {skipped[cell.sut]}"
        if part.part in self._runs:
            return None
        reason = skipped.get(part.part)
        return f"the part {part.part} was not run" + (f": {reason}" if reason else "")

    def _measured(self, part: str) -> tuple[MeasuredTrial, ...]:
        if part not in self._trials:
            self._trials[part] = measured_trials(self._runs[part])
        return self._trials[part]


def _sample(trials: list[MeasuredTrial], operation: str | None, metric: str) -> Sample:
    figures = {
        each.record.plan.block: each.metrics if operation is None else each.operations.get(operation, {})
        for each in trials
    }
    values = {block: found[metric] for block, found in sorted(figures.items()) if metric in found}
    failed = sum(not each.completed for each in trials)
    return Sample(values, failed, None if values else why_unknown(metric, trials))
