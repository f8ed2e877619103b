# SPDX-License-Identifier: Apache-2.0
"""One request and what its answer must be."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from bancada.model.base import Model

Status = Annotated[int, Field(ge=200, le=599)]


def _as_list(value: object) -> object:
    return value if isinstance(value, list | tuple) else [value]


class Body(Model):
    """What a request carries: exactly one of the four. Files are named relative to the file that names them."""

    text: str | None = None
    file: str | None = None
    template: str | None = None
    template_file: str | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Body:
        given = [each for each in (self.text, self.file, self.template, self.template_file) if each is not None]
        if len(given) != 1:
            raise ValueError("needs exactly one of text, file, template, template_file")
        return self


class Check(Model):
    """What the answer must be; whatever is left out is not checked, except that the status must be 200 to 299."""

    status: Annotated[tuple[Status, ...], BeforeValidator(_as_list, json_schema_input_type=int | list[int])] = ()
    size_bytes: Annotated[int, Field(ge=0)] | None = None
    json_value: JsonValue = Field(default=None, alias="json")
    json_file: str | None = None
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None
    upstream_body: bool = False
    """Whether it must be what the central service answers, byte for byte."""

    @property
    def wants_json(self) -> bool:
        """Whether the answer's JSON is compared."""
        return self.json_file is not None or self.json_value is not None


UNKNOWN_PATH = "/unknown"
"""Of an operation that is known only from a result file without URLs."""


class Operation(Model):
    """A request of the scenario, asked again and again."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    path: Annotated[str, Field(pattern="^/")]
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] = "GET"
    headers: dict[str, str] = {}
    body: Body | None = None
    check: Check = Check()
