# SPDX-License-Identifier: Apache-2.0
"""A published study run again: its parts, each a study at two scales, and its claims as testable sentences."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from bancada.model.base import DurationNs, Model, Name, PositiveDurationNs, Share
from bancada.model.load import LoadProfile
from bancada.model.metric import METRICS
from bancada.model.paper import Expectation, PrintedPair
from bancada.model.service import ServiceKind
from bancada.model.study import ServiceChoices, Study, Timeouts
from bancada.model.upstream import Upstream

Scale = Literal["quick", "paper"]
"""`paper`: the study's own loads; `quick`: the same questions in minutes, for a first look."""

_OF_THE_PART = ("part", "scale")


class PartScale(Model):
    """How much of a part is run."""

    blocks: Annotated[int, Field(ge=1, le=1000)]
    """Trials of each cell."""
    warm_up: DurationNs
    load: Annotated[tuple[LoadProfile, ...], Field(min_length=1)]
    """Loads have the same names in both scales; one may have loads that the other has not."""
    timeouts: Timeouts | None = None
    """In place of the part's."""


class Part(Model):
    """One experiment of the published study. What is not written has the default of a study."""

    part: Name
    question: Annotated[str, Field(min_length=1)]
    scenario: str
    only: tuple[str, ...] = ()
    stacks: Annotated[tuple[str, ...], Field(min_length=1)]
    """`stack:variant`."""
    metric: str = "latency_mean_ns"
    """The metric that its claims are about."""
    services: dict[ServiceKind, ServiceChoices] = {}
    factors: dict[str, tuple[str, ...]] = {}
    upstream: Upstream | None = None
    base_image: str | None = None
    seed: int = 1
    margin: Share = 0.03
    alpha: Share = 0.05
    apdex_satisfied: PositiveDurationNs | None = None
    apdex_tolerated: PositiveDurationNs | None = None
    pin: Literal["auto", "off"] = "auto"
    timeouts: Timeouts = Timeouts()
    scale: dict[Scale, PartScale]

    @model_validator(mode="after")
    def _consistent(self) -> Part:
        if set(self.scale) != {"quick", "paper"}:
            raise ValueError("needs both [part.scale.quick] and [part.scale.paper]")
        if self.metric not in METRICS:
            raise ValueError(f"has an unknown metric {self.metric!r}; known: {', '.join(METRICS)}")
        return self

    @property
    def loads(self) -> set[str]:
        """Names of the loads of either scale."""
        return {load.name for scale in self.scale.values() for load in scale.load}

    def study(self, replication: str, scale: Scale) -> Study:
        """The part as a study of its own, named `<replication>-<part>`."""
        written = {name: getattr(self, name) for name in self.model_fields_set if name not in _OF_THE_PART}
        chosen = self.scale[scale]
        if chosen.timeouts is not None:
            written["timeouts"] = chosen.timeouts
        return Study(
            study=f"{replication}-{self.part}",
            blocks=chosen.blocks,
            warm_up=chosen.warm_up,
            load=chosen.load,
            **{name: value for name, value in written.items() if value is not None},
        )


class ClaimCell(Model):
    """What a claim compares: a system under test under a load, in one operation or in all together."""

    sut: str
    load: str
    operation: str | None = None
    factors: dict[str, str] = {}
    """Needed only where the part varies something else."""


class ClaimPair(Model):
    """Two cells whose ratio of ÷ against the claim is about."""

    of: ClaimCell
    against: ClaimCell

    @property
    def within_trials(self) -> bool:
        """Whether both are operations of the same trials, so that each trial has a ratio of its own."""
        return self._place(self.of) == self._place(self.against)

    @staticmethod
    def _place(cell: ClaimCell) -> tuple[object, ...]:
        return cell.sut, cell.load, tuple(sorted(cell.factors.items()))


class Claim(Model):
    """A sentence that the replication can confirm, contradict or leave undecided."""

    claim: Name
    text: Annotated[str, Field(min_length=1)]
    """One plain sentence."""
    source: str
    """Where the paper says it, as in `Tables 3 and 10, section 3.2`."""
    part: str
    metric: str | None = None
    """None: the part's."""
    pairs: Annotated[tuple[ClaimPair, ...], Field(min_length=1)]
    """Of several pairs the geometric mean of the ratios is judged."""
    expect: Expectation
    """What the ratio of ÷ against is said to be."""
    published: tuple[PrintedPair, ...] = ()
    """The printed figures that give the same ratio: as many as there are pairs, for one machine after the other."""
    growth: tuple[str, ...] = ()
    """Names of the means that the paper prints for the same ratio."""
    added: bool = False
    """Whether the claim is ours and not the paper's."""

    @model_validator(mode="after")
    def _consistent(self) -> Claim:
        if len({pair.within_trials for pair in self.pairs}) > 1:
            raise ValueError("mixes pairs within trials with pairs of different trials")
        sides = [side for pair in self.pairs for side in (pair.of, pair.against)]
        if any(side in sides[:index] for index, side in enumerate(sides)):
            raise ValueError("names the same cell twice")
        if len(self.published) % len(self.pairs):
            raise ValueError("needs as many published pairs as pairs, or a multiple of it")
        if self.metric is not None and self.metric not in METRICS:
            raise ValueError(f"has an unknown metric {self.metric!r}; known: {', '.join(METRICS)}")
        return self


class Replication(Model):
    """A replication file: parts × scales, and claims."""

    replication: Name
    title: str
    question: Annotated[str, Field(min_length=1)]
    reference: str
    """The published study, as one cites it."""
    paper: str
    """File with its printed figures, relative to this one."""
    alpha: Share = 0.05
    """Chance that is accepted of even one false *confirmed* or *contradicted* over all claims."""
    part: Annotated[tuple[Part, ...], Field(min_length=1)]
    claim: Annotated[tuple[Claim, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _consistent(self) -> Replication:
        for names, thing in (([p.part for p in self.part], "[[part]]"), ([c.claim for c in self.claim], "[[claim]]")):
            if len(set(names)) < len(names):
                raise ValueError(f"has two {thing} of the same name")
        parts = {part.part: part for part in self.part}
        mistakes = [mistake for claim in self.claim for mistake in _mistakes(claim, parts.get(claim.part))]
        if mistakes:
            raise ValueError("; ".join(mistakes))
        return self

    def named(self, part: str) -> Part:
        """The part of that name. Raises KeyError if there is none."""
        for each in self.part:
            if each.part == part:
                return each
        raise KeyError(part)

    def study(self, part: str, scale: Scale) -> Study:
        """A part as a study. Raises KeyError for a part that it does not have."""
        return self.named(part).study(self.replication, scale)


def _mistakes(claim: Claim, part: Part | None) -> list[str]:
    """What a claim names that its part does not have."""
    if part is None:
        return [f"claim {claim.claim} names the unknown part {claim.part!r}"]
    cells = [cell for pair in claim.pairs for cell in (pair.of, pair.against)]
    unknown = sorted({cell.load for cell in cells} - part.loads) + sorted({cell.sut for cell in cells} - {*part.stacks})
    return [f"claim {claim.claim} names {name!r}, which part {part.part} does not have" for name in unknown]
