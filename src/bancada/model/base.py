# SPDX-License-Identifier: Apache-2.0
"""What all of the model shares: frozen, closed to unknown fields, and the few units that files are written in."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000

_DURATION_NS = {"us": 1_000, "ms": NS_PER_MS, "s": NS_PER_S, "min": 60 * NS_PER_S, "h": 3600 * NS_PER_S}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")


class Model(BaseModel):
    """A frozen record that refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def parse_duration(value: object) -> int:
    """A duration such as `"500ms"`, `"2s"`, `"1.5min"` in nanoseconds; whole numbers are taken as nanoseconds.

    Raises ValueError for anything else, a bare number in a string included: a time without unit is a trap.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None or match[2] not in _DURATION_NS:
        raise ValueError(
            f'is not a duration; write a number and one of {", ".join(_DURATION_NS)}, as in "500ms" or "2s"'
        )
    return round(float(match[1]) * _DURATION_NS[match[2]])


def parse_share(value: object) -> float:
    """A share such as `"3%"` as a fraction (0.03); a bare fraction between 0 and 1 is taken as it is."""
    if isinstance(value, float):
        return value
    match = _PERCENT.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError('is not a share; write a percentage, as in "3%"')
    return float(match[1]) / 100


DurationNs = Annotated[
    int,
    BeforeValidator(parse_duration, json_schema_input_type=str | int),
    Field(ge=0, le=7 * 24 * 3600 * NS_PER_S, description='a duration, as in "500ms", "2s", "1.5min"'),
]
PositiveDurationNs = Annotated[DurationNs, Field(gt=0)]
Share = Annotated[
    float,
    BeforeValidator(parse_share, json_schema_input_type=str | float),
    Field(gt=0, lt=1, description='a share, as in "3%"'),
]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=60)]
