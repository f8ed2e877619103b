# SPDX-License-Identifier: Apache-2.0
"""What a check of the host is, and what it says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

Status = Literal["ok", "warn", "fail", "unknown"]
"""`warn`: measurements are worse for it; `fail`: nothing can be measured; `unknown`: it could not be found out."""


@dataclass(frozen=True)
class Finding:
    """What a check saw just now."""

    status: Status
    found: str
    advice: str | None = None
    """What to do about it; None if nothing needs to be done."""


@dataclass(frozen=True)
class CheckResult:
    """A line of `bancada doctor`."""

    name: str
    status: Status
    found: str
    why: str
    """Why it matters to measurements."""
    advice: str | None


class Check(ABC):
    """One source of noise, or one thing that is needed.

    After pyperf's `_system.py`, where each source of noise is a class that says whether it applies and shows itself.
    """

    name: ClassVar[str]
    why: ClassVar[str]

    @abstractmethod
    def look(self) -> Finding:
        """Look at the host now; takes at most a few seconds and changes nothing."""

    def result(self) -> CheckResult:
        """The finding with its name and why it matters; "unknown" if the system refused to answer."""
        try:
            finding = self.look()
        except OSError as error:
            finding = Finding("unknown", f"could not be found out: {error}")
        return CheckResult(self.name, finding.status, finding.found, self.why, finding.advice)
