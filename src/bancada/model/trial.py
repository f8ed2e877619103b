# SPDX-License-Identifier: Apache-2.0
"""The unit of replication: one freshly started system under test, under one load profile."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from bancada.errors import FailureKind
from bancada.model.base import Model
from bancada.model.host import HostNoise
from bancada.model.measure import LoadRecord, ProbeReport
from bancada.model.stack import Network
from bancada.model.upstream import UpstreamRecord


class Cell(Model):
    """What is compared: a system under test, a load profile, and a value of each factor."""

    sut: str
    load: str
    factors: dict[str, str] = {}

    @property
    def label(self) -> str:
        """How readers see it."""
        return " · ".join([self.sut, self.load, *(f"{name}={value}" for name, value in self.factors.items())])

    @property
    def slug(self) -> str:
        """The label as part of a file name."""
        return re.sub(r"[^a-z0-9]+", "-", self.label.lower()).strip("-")


class TrialPlan(Model):
    """What to do: trial `number` (from 1), in its block and cell."""

    number: int
    block: int
    cell: Cell
    seed: int

    @property
    def folder(self) -> str:
        """Name of its folder in the run."""
        return f"{self.number:04d}-{self.cell.slug}"


class TrialFailure(Model):
    """How a trial failed; a stack that fails is a result, not an accident of the bench."""

    kind: FailureKind
    message: str
    log_tail: str = ""
    """Last lines that the system under test wrote."""


class BuildRecord(Model):
    """What was built for a system under test."""

    digest: str
    """SHA-256 over sources, commands and tool versions."""
    duration_ns: int | None
    """How long the build took; None if it is not known."""
    artefact_bytes: int | None
    cached: bool
    """Whether it had been built before this run."""
    image_bytes: int | None = None
    """Size of its container image, base included; None if it has none or the engine does not tell."""


class ExitRecord(Model):
    """How the system under test ended."""

    code: int | None
    signal: int | None
    asked: bool
    """Whether we had asked it to."""


class SideEffectCount(Model):
    """What an operation's accepted requests left behind in the measured load."""

    operation: str
    table: str
    accepted: int
    """Requests that the system under test answered as accepted."""
    unanswered: int
    """Requests without an answer: nobody can tell whether they were carried out."""
    rows: int
    """Rows counted in the table after the load; it was empty before."""

    @property
    def accounted(self) -> bool:
        """Whether every row comes from an accepted request, or may come from an unanswered one."""
        return self.accepted <= self.rows <= self.accepted + self.unanswered


class TrialRecord(Model):
    """What happened in one trial."""

    version: Literal[1] = 1
    plan: TrialPlan
    failure: TrialFailure | None
    started_unix_ns: int
    phases_ns: dict[str, int]
    """Duration of each phase that was entered, in order."""
    startup_ns: int | None
    """From exec to the first correct answer; None for a service that we did not start."""
    load: LoadRecord | None
    """The measured load; None if it was not reached."""
    probes: tuple[ProbeReport, ...] = ()
    noise: HostNoise
    exit: ExitRecord | None
    body_bytes: dict[str, int] = Field(default_factory=dict)
    """Size of the right answer to each operation, seen before the load."""
    network: Network | None = None
    """Network of the system under test's container; None if it does not run in one."""
    ready_rss_bytes: int | None = None
    """Memory of its process tree just after the first correct answer; None if unknown."""
    side_effects: tuple[SideEffectCount, ...] = ()
    upstream: UpstreamRecord | None = None
    """What the central service told; None where there is none, or where it is not ours."""
