# SPDX-License-Identifier: Apache-2.0
"""What the conductor tells its observers while it works."""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model
from bancada.model.run import RunManifest
from bancada.model.trial import TrialPlan, TrialRecord

Phase = Literal["services", "start", "conform", "warm-up", "measure", "stop"]


class Remarked(Model):
    """Something is about to be done that a person should know of, such as fetching a tool."""

    text: str


class BuildStarted(Model):
    """A stack's build begins."""

    label: str
    command: str


class BuildOutput(Model):
    """A line that the build wrote."""

    label: str
    line: str


class BuildEnded(Model):
    """A stack is built, or was already."""

    label: str
    cached: bool
    duration_ns: int | None


class RunStarted(Model):
    """Everything is built; the trials begin (or go on, when `done` is not 0)."""

    manifest: RunManifest
    folder: str
    done: int
    expected_ns: int
    """How long the remaining trials are expected to take."""


class TrialStarted(Model):
    """A trial begins."""

    plan: TrialPlan
    trials: int


class PhaseEntered(Model):
    """A trial enters a phase."""

    phase: Phase
    expected_ns: int | None


class LoadProgressed(Model):
    """The engine reports how far a load is."""

    elapsed_ns: int
    requests: int
    failures: int
    active_users: int
    expected_requests: int | None


class TrialEnded(Model):
    """A trial is over and saved."""

    record: TrialRecord
    remaining_ns: int
    """How long the remaining trials are expected to take."""


class RunEnded(Model):
    """All trials are over."""

    completed: int
    failed: int


Event = (
    Remarked
    | BuildStarted
    | BuildOutput
    | BuildEnded
    | RunStarted
    | TrialStarted
    | PhaseEntered
    | LoadProgressed
    | TrialEnded
    | RunEnded
)
