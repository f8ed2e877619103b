# SPDX-License-Identifier: Apache-2.0
"""A study carried out on one host: everything that is known before its first trial."""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model
from bancada.model.host import HostFacts, Pinning
from bancada.model.scenario import Scenario
from bancada.model.stack import SystemUnderTest
from bancada.model.study import Study
from bancada.model.trial import BuildRecord, TrialPlan


class RunManifest(Model):
    """The content of `run.json`.

    Format history: 1, the first.
    """

    version: Literal[1] = 1
    run: str
    """Name of the run: study and start."""
    bancada_version: str
    started_unix_ns: int
    command: tuple[str, ...]
    """What was typed."""
    study: Study
    scenario: Scenario
    suts: tuple[SystemUnderTest, ...]
    skipped: dict[str, str] = {}
    """Systems under test left out, with the reason."""
    builds: dict[str, BuildRecord]
    order: tuple[TrialPlan, ...]
    host: HostFacts
    pinning: Pinning
