# SPDX-License-Identifier: Apache-2.0
"""Everything that trials share: what was prepared before the first of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bancada.model.events import Event
from bancada.model.host import HostFacts, Pinning
from bancada.model.scenario import Scenario
from bancada.model.stack import StackVariant, SystemUnderTest
from bancada.model.study import Study
from bancada.sut.build import Built

Notify = Callable[[Event], None]


@dataclass(frozen=True)
class Bench:
    """A study with its stacks built, on a host that is known."""

    study: Study
    scenario: Scenario
    suts: tuple[SystemUnderTest, ...]
    """Those that take part."""
    skipped: Mapping[str, str]
    """Those left out, with the reason."""
    builds: Mapping[str, Built]
    """By label; services that somebody else runs have none."""
    tools: Mapping[str, str]
    env: Mapping[str, str]
    host: HostFacts
    pinning: Pinning
    notify: Notify

    def sut(self, label: str) -> SystemUnderTest:
        """The system under test of that label."""
        return next(each for each in self.suts if each.label == label)

    def ready_path(self, label: str) -> str | None:
        """The path that tells whether it is ready, if its stack says so."""
        sut = self.sut(label)
        return sut.stack.ready if isinstance(sut, StackVariant) else None
