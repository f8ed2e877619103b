# SPDX-License-Identifier: Apache-2.0
"""The systems under one load and one setting of the factors, as the study's decisive metric judges them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.analysis.words import condition
from bancada.model.findings import Bounds, Comparison, Estimate, Verdict
from bancada.model.study import Study
from bancada.model.trial import Cell

OPPOSITE: dict[Verdict, Verdict] = {"better": "worse", "worse": "better"}


@dataclass(frozen=True)
class Panel:
    """What is known of one condition."""

    condition: str
    """Load and factors."""
    suts: tuple[str, ...]
    """In the study's order."""
    estimates: dict[str, Estimate]
    """The decisive metric of each system."""
    comparisons: dict[tuple[str, str], Comparison]
    """By (a, b)."""

    @property
    def known(self) -> tuple[str, ...]:
        """Systems of which there is a value."""
        return tuple(sut for sut in self.suts if self.estimates[sut].n)

    @property
    def unbeaten(self) -> tuple[str, ...]:
        """Known systems than which no other is better."""
        return tuple(sut for sut in self.known if not self.beaten_by(sut))

    @property
    def winner(self) -> str | None:
        """The system that is better than every other known one, if there is one."""
        for sut in self.known:
            others = [other for other in self.known if other != sut]
            if others and all(self.verdict(sut, other) == "better" for other in others):
                return sut
        return None

    @property
    def others(self) -> tuple[str, ...]:
        """The known systems but the winner."""
        return tuple(sut for sut in self.known if sut != self.winner)

    def beaten_by(self, sut: str) -> list[str]:
        """The systems that are better than this one."""
        return [other for other in self.known if other != sut and self.verdict(other, sut) == "better"]

    def verdict(self, sut: str, other: str) -> Verdict:
        """About `sut`, judged against `other`, in whichever order they were compared."""
        if (other, sut) in self.comparisons:
            return self.comparisons[other, sut].verdict
        verdict = self.comparisons[sut, other].verdict
        return OPPOSITE.get(verdict, verdict)

    def ratio(self, sut: str, other: str) -> Bounds | None:
        """`sut` ÷ `other`; an interval of a ratio is symmetric on the log scale, so its reciprocal is the other's."""
        if (other, sut) in self.comparisons:
            return self.comparisons[other, sut].ratio
        found = self.comparisons[sut, other].ratio
        if found is None or found.low is None or found.high is None:
            return found and Bounds(point=1 / found.point, low=None, high=None)
        return Bounds(point=1 / found.point, low=1 / found.high, high=1 / found.low)

    def trials(self, sut: str, other: str) -> str:
        """`n = 5 trials each`, or of each."""
        backwards = (sut, other) in self.comparisons
        found = self.comparisons[(sut, other) if backwards else (other, sut)]
        n, of_other = (found.n_a, found.n_b) if backwards else (found.n_b, found.n_a)
        return f"n = {n} trials each" if n == of_other else f"n = {n} and {of_other} trials"

    def mean(self, sut: str) -> float:
        """Estimate of a known system."""
        mean = self.estimates[sut].mean
        assert mean is not None
        return mean

    def ranked(self, suts: Sequence[str], lower_is_better: bool) -> list[str]:
        """Some known systems, the best mean first."""
        return sorted(suts, key=self.mean, reverse=not lower_is_better)


def panels_of(
    study: Study, cells: Sequence[Cell], estimates: Sequence[Estimate], comparisons: Sequence[Comparison]
) -> list[Panel]:
    """One panel for each load and setting of the factors, in the study's order."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(condition(cell), []).append(cell)
    of_cell = {each.cell.label: each for each in estimates if each.metric == study.metric and each.operation is None}
    return [
        Panel(
            name,
            tuple(cell.sut for cell in members),
            {cell.sut: of_cell[cell.label] for cell in members},
            {(each.a.sut, each.b.sut): each for each in comparisons if each.decisive and condition(each.a) == name},
        )
        for name, members in found.items()
    ]
