# SPDX-License-Identifier: Apache-2.0
"""The question, and how it is going to be answered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from bancada.model.base import NS_PER_S, DurationNs, Model, Name, PositiveDurationNs, Share
from bancada.model.load import LoadProfile
from bancada.model.measure import EngineName
from bancada.model.metric import METRICS
from bancada.model.operation import Operation
from bancada.model.service import PRODUCTS, ServiceChoice, ServiceKind, product_of, service_label
from bancada.model.upstream import Upstream

ENGINE_FACTOR = "engine"
"""The factor that several load engines are."""


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


ServiceChoices = Annotated[
    tuple[ServiceChoice, ...], BeforeValidator(_as_tuple, json_schema_input_type=str | list[str]), Field(min_length=1)
]


class Timeouts(Model):
    """How long to wait before giving up."""

    build: PositiveDurationNs = 1800 * NS_PER_S
    ready: PositiveDurationNs = 60 * NS_PER_S
    connect: PositiveDurationNs = 10 * NS_PER_S
    response: PositiveDurationNs = 30 * NS_PER_S
    load: PositiveDurationNs = 1800 * NS_PER_S
    stop: PositiveDurationNs = 10 * NS_PER_S


class Study(Model):
    """A study file: stacks × load profiles × factors, in blocks."""

    study: Name
    question: Annotated[str, Field(min_length=1)]
    """What the reader wants to know; the report opens with it."""
    scenario: str | None = None
    """Name of a scenario or path of its folder; or write `[[operation]]` into the study."""
    operation: tuple[Operation, ...] = ()
    only: tuple[str, ...] = ()
    """Names of the scenario's operations that are asked; all of them if left out."""
    stacks: tuple[str, ...] = ()
    """`stack:variant`, with settings `stack:variant,name=value`, or `name=http://host:port` for a service that runs
    already."""
    blocks: Annotated[int, Field(ge=1, le=1000)]
    """Trials of each cell."""
    load: Annotated[tuple[LoadProfile, ...], Field(min_length=1)]
    factors: dict[str, tuple[str, ...]] = {}
    """Settings to vary: name of the environment variable → its values."""
    services: dict[ServiceKind, ServiceChoices] = {}
    """Which product stands behind each kind of service: one, or several to vary. A name (`mariadb`), a name and where
    to take it from (`mysql@container`), or the URL of one that runs already."""
    upstream: Upstream | None = None
    """The central service, where it is to be other than the scenario's."""
    engines: Annotated[tuple[EngineName, ...], BeforeValidator(_as_tuple, json_schema_input_type=str | list[str])] = (
        "bancada",
    )
    """The load engine; several are compared with each other as instruments."""
    base_image: str | None = None
    """Image that variants in a container are built upon, in place of the one that their stack names."""
    seed: int = 1
    warm_up: DurationNs = 5 * NS_PER_S
    """How long each trial's load runs before it is measured."""
    metric: str = "latency_mean_ns"
    """The metric that answers the question; all others are shown beside it."""
    margin: Share = 0.03
    """Ratios closer to 1 than this are of no practical interest."""
    alpha: Share = 0.05
    """Chance of a false *better* or *worse* that is accepted over all comparisons of the metric."""
    apdex_satisfied: PositiveDurationNs = NS_PER_S // 2
    apdex_tolerated: PositiveDurationNs = 3 * NS_PER_S // 2
    pin: Literal["auto", "off"] = "auto"
    """Whether to give the system under test and the engine CPUs of their own."""
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """Port that the systems under test listen on; else a free one is taken."""
    timeouts: Timeouts = Timeouts()

    @model_validator(mode="after")
    def _consistent(self) -> Study:
        if (self.scenario is None) == (not self.operation):
            raise ValueError("needs either scenario or [[operation]], and not both")
        if not self.engines or len(set(self.engines)) < len(self.engines):
            raise ValueError("needs at least one engine, and each only once")
        names = [load.name for load in self.load]
        if len(set(names)) < len(names):
            raise ValueError("has two [[load]] of the same name")
        if self.apdex_tolerated < self.apdex_satisfied:
            raise ValueError("needs apdex_tolerated to be at least apdex_satisfied")
        if self.metric not in METRICS:
            raise ValueError(f"has an unknown metric {self.metric!r}; known: {', '.join(METRICS)}")
        return self

    @model_validator(mode="after")
    def _varied_things_are_known(self) -> Study:
        reserved = sorted(self.factors.keys() & {ENGINE_FACTOR, *PRODUCTS})
        if reserved:
            raise ValueError(f"has a factor named {reserved[0]}, which has a key of its own: engines, or services")
        for kind, choices in self.services.items():
            wrong = [each for each in choices if product_of(each) not in PRODUCTS[kind]]
            if wrong:
                known = ", ".join(PRODUCTS[kind])
                raise ValueError(f"names {service_label(wrong[0])} as services.{kind}, which can be: {known}")
        return self

    @property
    def varied(self) -> dict[str, tuple[str, ...]]:
        """Everything that is crossed with stacks and loads: factors, and services and engines if there are several."""
        choices: dict[str, tuple[str, ...]] = {
            kind: tuple(map(service_label, asked)) for kind, asked in self.services.items() if len(asked) > 1
        }
        engines: dict[str, tuple[str, ...]] = {ENGINE_FACTOR: self.engines} if len(self.engines) > 1 else {}
        return self.factors | choices | engines
