# SPDX-License-Identifier: Apache-2.0
"""What is asked of a stack: the contract, and the operations in their order."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from bancada.model.base import Model, Name
from bancada.model.operation import Operation
from bancada.model.service import ServiceKind
from bancada.model.upstream import Upstream


class SideEffect(Model):
    """What each accepted request of an operation leaves behind: one row in a table."""

    operation: str
    table: Annotated[str, Field(pattern="^[a-z_]+$")]


class Scenario(Model):
    """What a stack is asked to do; read from `scenarios/<name>/scenario.toml` or written into a study."""

    scenario: Name
    title: str
    contract: str | None = None
    """OpenAPI file that `bancada verify` tests against, or None where there is none."""
    services: tuple[ServiceKind, ...] = ()
    sql_schema: dict[str, str] = {}
    """File of SQL statements that make the tables, by the database product."""
    upstream: Upstream | None = None
    """The central service, where `services` has one."""
    side_effect: tuple[SideEffect, ...] = ()
    """Counted after the load: as many rows as accepted requests, nothing more."""
    operation: Annotated[tuple[Operation, ...], Field(min_length=1)]
    refusal: tuple[Operation, ...] = ()
    """Requests that a stack must refuse, with the status that it must refuse them with."""

    @model_validator(mode="after")
    def _central_service_is_described(self) -> Scenario:
        if ("upstream" in self.services) != (self.upstream is not None):
            raise ValueError('needs both "upstream" among its services and [upstream], or neither')
        if self.upstream is None and any(each.check.upstream_body for each in self.operation):
            raise ValueError("checks for the body of a central service, but has no [upstream]")
        return self

    @model_validator(mode="after")
    def _distinct_names(self) -> Scenario:
        names = [each.name for each in (*self.operation, *self.refusal)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"has operations of the same name: {', '.join(twice)}")
        unknown = sorted({effect.operation for effect in self.side_effect} - {each.name for each in self.operation})
        if unknown:
            raise ValueError(f"has a side_effect of operations that it does not have: {', '.join(unknown)}")
        return self
