# SPDX-License-Identifier: Apache-2.0
"""Every error that a user can meet, and the exit code of each.

    BancadaError
    ├── InputError             a study, stack or scenario file, or an option, says something wrong
    │   ├── NotFoundError      a named stack, scenario, study or run does not exist
    │   └── PlanError          the parts are right, but cannot make an experiment
    ├── ToolMissingError       a JDK, Maven, Node… that a stack needs is not on this host
    ├── BuildError             a stack did not build
    ├── SutError               a system under test did not do its part
    │   ├── NeverReadyError    it did not answer in time
    │   ├── CrashedError       it ended by itself
    │   ├── NonconformingError it does not fulfil the scenario's contract
    │   ├── LoadFailedError    the load ended without anything to measure
    │   └── UnaccountedError   the side effects are not those of the requests that it accepted
    ├── ServiceError           a database or broker could not be brought up, or ended by itself
    ├── AddressError           a port is taken, or an address cannot be reached
    ├── StorageError           results cannot be written: disk full, folder read-only
    ├── EngineError            the load engine is missing or could not measure
    ├── RunError               a results folder is damaged, unfinished or of another version
    └── InterruptedRunError    Ctrl-C or a signal; finished trials are kept

A message has three parts: what happened, where (file, key, line; command; address), and what to do about it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

FailureKind = Literal[
    "never-ready", "crashed", "nonconforming", "load-failed", "unaccounted", "service-failed", "address-taken"
]
"""How a trial can fail."""


class ExitCode(IntEnum):
    """What the process says when it ends; documented in `docs/exit-codes.md`."""

    SUCCESS = 0
    WORSE = 1
    USAGE = 2
    INPUT = 3
    NOT_FOUND = 4
    PLAN = 5
    TOOL_MISSING = 6
    BUILD = 7
    NEVER_READY = 8
    CRASHED = 9
    NONCONFORMING = 10
    ADDRESS = 11
    STORAGE = 12
    ENGINE = 13
    RUN = 14
    NO_RESULT = 15
    UNFIT_HOST = 16
    SERVICE = 17
    UNACCOUNTED = 18
    BUG = 70
    INTERRUPTED = 130


class BancadaError(Exception):
    """An expected failure: `what` happened, `where`, and the `advice` that helps."""

    exit_code: ExitCode = ExitCode.BUG

    def __init__(self, what: str, *, where: str | None = None, advice: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.advice = advice


class InputError(BancadaError):
    """A file or an option says something wrong; `what` may hold several mistakes, one a line."""

    exit_code = ExitCode.INPUT


class NotFoundError(InputError):
    """A named stack, scenario, study or run does not exist."""

    exit_code = ExitCode.NOT_FOUND


class PlanError(InputError):
    """The parts are right, but cannot make an experiment."""

    exit_code = ExitCode.PLAN


class ToolMissingError(BancadaError):
    """A tool that a stack or the bench needs is not on this host."""

    exit_code = ExitCode.TOOL_MISSING


class BuildError(BancadaError):
    """A stack did not build."""

    exit_code = ExitCode.BUILD


class SutError(BancadaError):
    """A system under test did not do its part; in a trial this is a result, elsewhere an error."""

    kind: FailureKind


class NeverReadyError(SutError):
    """The system under test did not answer rightly in time."""

    exit_code = ExitCode.NEVER_READY
    kind: FailureKind = "never-ready"


class CrashedError(SutError):
    """The system under test ended by itself."""

    exit_code = ExitCode.CRASHED
    kind: FailureKind = "crashed"


class NonconformingError(SutError):
    """The system under test does not fulfil the scenario's contract."""

    exit_code = ExitCode.NONCONFORMING
    kind: FailureKind = "nonconforming"


class LoadFailedError(SutError):
    """The load ended without anything to measure."""

    exit_code = ExitCode.NO_RESULT
    kind: FailureKind = "load-failed"


class UnaccountedError(SutError):
    """The side effects are not those of the requests that the system under test accepted."""

    exit_code = ExitCode.UNACCOUNTED
    kind: FailureKind = "unaccounted"


class ServiceError(BancadaError):
    """A database or broker could not be brought up, could not be asked, or ended by itself."""

    exit_code = ExitCode.SERVICE


class AddressError(BancadaError):
    """A port is taken, or an address cannot be reached."""

    exit_code = ExitCode.ADDRESS


class StorageError(BancadaError):
    """Results cannot be written: the disk is full or the folder read-only."""

    exit_code = ExitCode.STORAGE


class EngineError(BancadaError):
    """The load engine is missing or could not measure."""

    exit_code = ExitCode.ENGINE


class RunError(BancadaError):
    """A results folder is damaged, unfinished or of another version."""

    exit_code = ExitCode.RUN


class NoResultError(BancadaError):
    """Every trial of a cell failed, so that there is nothing to compare."""

    exit_code = ExitCode.NO_RESULT


class InterruptedRunError(BancadaError):
    """Ctrl-C or a signal stopped the work; finished trials are kept."""

    exit_code = ExitCode.INTERRUPTED
