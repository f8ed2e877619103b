# SPDX-License-Identifier: Apache-2.0
"""Coded doubts: what the program itself finds that could make an answer wrong."""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model

Severity = Literal["high", "medium", "low"]


class CautionKind(Model):
    """An entry of the catalogue."""

    code: str
    severity: Severity
    title: str
    cause: str
    """What usually lies behind it."""
    remedy: str
    """What to do about it."""


class Caution(Model):
    """One doubt about a trial, a cell, a comparison or the run."""

    code: str
    where: str
    """The cell, comparison or trial in question, or `run`."""
    observation: str
    """What was seen, with figures."""

    @property
    def kind(self) -> CautionKind:
        """Its entry in the catalogue."""
        return CAUTIONS[self.code]


def _catalogue(*rows: tuple[str, Severity, str, str, str]) -> dict[str, CautionKind]:
    return {
        code: CautionKind(code=code, severity=severity, title=title, cause=cause, remedy=remedy)
        for code, severity, title, cause, remedy in rows
    }


CAUTIONS: dict[str, CautionKind] = _catalogue(
    ("imported", "high", "Measured by another program",
     "Result files do not tell whether each trial was a fresh start, with right answers, on a host of its own.",
     "Keep test plan, versions and host beside the files; or measure yourself: `bancada import plan.jmx`."),
    ("few-trials", "high", "Too few trials for the test",
     "With so few trials even the clearest difference cannot reach the wanted significance.",
     "Raise `blocks` to the number that is named."),
    ("trials-failed", "high", "Trials failed",
     "The system under test did not start, ended by itself, or gave wrong answers.",
     "Read the trial's stderr.log; do not judge a stack by the trials that it survived."),
    ("errors", "high", "Requests failed",
     "Overload, timeouts or refused connections; failed requests are often faster or slower than good ones.",
     "Look at the errors by kind; lower the load or raise the limits that they name."),
    ("engine-late", "high", "The load engine was late",
     "The engine did not get its CPU in time, so it sent requests later than intended.",
     "Give the engine CPUs of its own or lower the rate."),
    ("engine-busy", "high", "The load engine was nearly saturated",
     "The engine used most of its CPU; latencies may hold its own queueing.",
     "Give the engine more CPUs, or lower the load."),
    ("upstream-late", "high", "The central service was late",
     "It did not get its CPU in time, or more requests were open than it can serve; its delay is part of every answer.",
     "Give the engine, whose CPUs it shares, more of them; or lower the load."),
    ("not-steady", "medium", "Not steady while measured",
     "Throughput still drifted in the measured window: compilation, caches or a leak.",
     "Lengthen `warm_up`, and the measured load with it."),
    ("unequal-answers", "high", "Answers of unequal size",
     "The stacks do not send the same bytes for the same request, so they may not do the same work.",
     "Compare the answers with `bancada verify`; formatting of JSON is harmless, missing data is not."),
    ("noisy-steal", "medium", "The hypervisor took CPU time away",
     "Other virtual machines share the physical CPUs.",
     "Repeat at a quieter time or on a dedicated machine."),
    ("noisy-host", "medium", "The host was busy before the trial",
     "Other programs ran when the system under test was started.",
     "End other programs; `bancada doctor` shows what is busy."),
    ("littles-law", "medium", "Little's law does not hold",
     "Concurrency, throughput and response time contradict each other: time is lost or counted twice somewhere.",
     "Do not publish the trial before the gap is explained."),
    ("not-pinned", "medium", "System under test and engine share CPUs",
     "They take CPU time from each other, so that the faster stack also meets more load from the engine.",
     "Use a host with two CPUs or more on which affinity may be set."),
    ("shared-host", "low", "Everything on one machine",
     "Load goes over loopback; network, interrupts and caches are shared between engine and system under test.",
     "For absolute figures repeat the study with the service on another machine, given by its address."),
    ("few-cpus", "low", "One CPU for the system under test",
     "Garbage collection and compilation compete with the requests for the only CPU.",
     "Use a host with more CPUs if the service will have more in production."),
    ("probe-missing", "low", "A probe was not available",
     "The host does not offer the source, or the service was started by somebody else.",
     "See the reason beside the probe."),
    ("outlier", "low", "A trial far from the others",
     "Something disturbed the trial, or the stack has two modes.",
     "It is shown and kept; look at its plots before you explain it away."),
    ("bytes-mismatch", "medium", "Bytes do not add up",
     "Answers × size is not what was received: answers differ in size between requests.",
     "Look for answers that depend on time or state."),
    ("mean-above-max", "high", "A mean above its maximum",
     "The figures contradict each other; an error of arithmetic or transcription.",
     "Do not use the figure."),
)  # fmt: skip
