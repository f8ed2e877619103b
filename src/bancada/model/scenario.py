# SPDX-License-Identifier: Apache-2.0
"""What is asked of a stack: the contract, and the operations in their order."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from bancada.model.base import Model, Name
from bancada.model.operation import Operation


class Scenario(Model):
    """What a stack is asked to do; read from `scenarios/<name>/scenario.toml` or written into a study."""

    scenario: Name
    title: str
    contract: str | None = None
    """OpenAPI file that `bancada verify` tests against, or None where there is none."""
    services: tuple[str, ...] = ()
    operation: Annotated[tuple[Operation, ...], Field(min_length=1)]
    refusal: tuple[Operation, ...] = ()
    """Requests that a stack must refuse, with the status that it must refuse them with."""

    @model_validator(mode="after")
    def _distinct_names(self) -> Scenario:
        names = [each.name for each in (*self.operation, *self.refusal)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"has operations of the same name: {', '.join(twice)}")
        return self
