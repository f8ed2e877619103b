# SPDX-License-Identifier: Apache-2.0
"""Everything that trials share: what was prepared before the first of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bancada.jmeter.home import JMeter
from bancada.model.events import Event
from bancada.model.host import HostFacts, Pinning
from bancada.model.scenario import Scenario
from bancada.model.service import product_of, service_label
from bancada.model.stack import StackVariant, SystemUnderTest
from bancada.model.study import ENGINE_FACTOR, Study
from bancada.services.service import Offer
from bancada.sut.build import Built

Notify = Callable[[Event], None]


def build_key(label: str, choice: str | None) -> str:
    """Under which name a build is kept that is for one database product only, wherever that is taken from."""
    return f"{label} for {product_of(choice)}" if choice else label


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
    """By label, or by label and database product where it needs a build for each; services by URL have none."""
    offers: Mapping[str, Offer]
    """Services by the label of the study's choice, as in `mariadb`."""
    tools: Mapping[str, str]
    env: Mapping[str, str]
    host: HostFacts
    pinning: Pinning
    notify: Notify
    jmeter: JMeter | None = None
    """Found if the study wants it for a load engine."""

    def sut(self, label: str) -> SystemUnderTest:
        """The system under test of that label."""
        return next(each for each in self.suts if each.label == label)

    def offer(self, kind: str, factors: Mapping[str, str]) -> Offer:
        """The service of that kind in a cell: the one that the cell varies, else the study's only one."""
        return self.offers[factors.get(kind) or service_label(self.study.services[kind][0])]  # type: ignore[index]

    def built(self, label: str, factors: Mapping[str, str]) -> Built:
        """The build of a system under test for a cell."""
        return self.builds.get(build_key(label, factors.get("sql"))) or self.builds[label]

    def engine(self, factors: Mapping[str, str]) -> str:
        """The load engine of a cell: the one that the cell varies, else the study's only one."""
        return factors.get(ENGINE_FACTOR) or self.study.engines[0]

    def service_cpus(self, kind: str) -> tuple[int, ...]:
        """CPUs of a service of that kind; none means all.

        The central service stands for a distant machine: it must not take CPU time from the system under test, and so
        it shares the engine's.
        """
        if not self.pinning.pinned:
            return ()
        return self.pinning.engine_cpus if kind == "upstream" else self.pinning.service_cpus

    def ready_path(self, label: str) -> str | None:
        """The path that tells whether it is ready, if its stack says so."""
        sut = self.sut(label)
        return sut.stack.ready if isinstance(sut, StackVariant) else None
