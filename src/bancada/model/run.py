# SPDX-License-Identifier: Apache-2.0
"""A study carried out on one host: everything that is known before its first trial."""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model
from bancada.model.host import HostFacts, Pinning
from bancada.model.measure import EngineName
from bancada.model.replication import Scale
from bancada.model.scenario import Scenario
from bancada.model.service import ServiceFacts
from bancada.model.stack import StackByFile, SystemUnderTest
from bancada.model.study import Study
from bancada.model.trial import BuildRecord, TrialPlan


class ImportedFile(Model):
    """A result file of another program, which became one trial."""

    trial: int
    """The trial's number."""
    file: str
    """Its name, without its folder."""
    sha256: str


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
    suts: tuple[SystemUnderTest | StackByFile, ...]
    skipped: dict[str, str] = {}
    """Systems under test left out, with the reason."""
    builds: dict[str, BuildRecord]
    order: tuple[TrialPlan, ...]
    services: dict[str, ServiceFacts] = {}
    """By the choice's label, as in `mariadb`."""
    host: HostFacts
    pinning: Pinning
    imported: tuple[ImportedFile, ...] = ()
    """Where the trials come from, if another program measured them: then nothing of host and pinning is known."""


class ReplicationManifest(Model):
    """The content of `replication.json`: which published study was run again, at which scale, in which parts.

    Each part is a run of its own in a folder of its name. Format history: 1, the first.
    """

    version: Literal[1] = 1
    replication: str
    file: str
    """Where it was read from."""
    scale: Scale
    started_unix_ns: int
    command: tuple[str, ...]
    parts: tuple[str, ...]
    """Parts that were asked for, in their order."""
    blocks: int | None = None
    """Trials of each cell in place of what the parts say."""
    services: tuple[str, ...] = ()
    """Choices in place of what the parts say, without passwords."""
    base_image: str | None = None
    engines: tuple[EngineName, ...] = ()
    """Load engine in place of Bancada's own."""
    left_out: dict[str, str] = {}
    """Parts of which nothing could run, with the reason."""
