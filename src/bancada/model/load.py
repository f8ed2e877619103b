# SPDX-License-Identifier: Apache-2.0
"""When a scenario is asked: users that wait for answers (closed load), or arrivals that do not (open load)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from bancada.model.base import NS_PER_S, DurationNs, Model, PositiveDurationNs

Rate = Annotated[float, Field(ge=0, le=1_000_000)]


class ClosedLoad(Model):
    """Users as JMeter's thread group has them: each sends its next request when the last one was answered."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    users: Annotated[int, Field(ge=1, le=50_000)]
    ramp_up: DurationNs = 0
    """Time in which the users start one after the other."""
    iterations: Annotated[int, Field(ge=1)] | None = None
    """How often each user walks through the operations; else `duration`."""
    duration: PositiveDurationNs | None = None
    """How long users go on; else `iterations`."""
    think: DurationNs = 0
    """Pause of a user between an answer and its next request."""

    @model_validator(mode="after")
    def _one_end(self) -> ClosedLoad:
        if (self.iterations is None) == (self.duration is None):
            raise ValueError("needs either iterations or duration, and not both")
        return self


class Segment(Model):
    """A stretch of an open load in which the rate is flat or changes evenly."""

    duration: PositiveDurationNs
    rate: Rate | None = None
    """Requests per second, when flat."""
    from_rate: Rate | None = None
    to_rate: Rate | None = None

    @model_validator(mode="after")
    def _flat_or_slanted(self) -> Segment:
        flat, slanted = self.rate is not None, self.from_rate is not None and self.to_rate is not None
        if flat == slanted or (flat and (self.from_rate is not None or self.to_rate is not None)):
            raise ValueError("needs either rate, or from_rate and to_rate")
        return self

    @property
    def ends(self) -> tuple[float, float]:
        """Rates at its beginning and its end, per second."""
        if self.rate is not None:
            return self.rate, self.rate
        return self.from_rate or 0.0, self.to_rate or 0.0


class OpenLoad(Model):
    """Arrivals at instants that are fixed beforehand, whatever the server does."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    rate: Annotated[Rate, Field(gt=0)] | None = None
    """Requests per second over `duration`; else `segments`."""
    duration: PositiveDurationNs | None = None
    segments: tuple[Segment, ...] = ()
    """Ramps and steps, one after the other."""
    arrivals: Literal["constant", "poisson"] = "constant"
    connections: Annotated[int, Field(ge=1, le=50_000)] = 1000
    """Most requests under way at once; one that finds no connection waits, and the wait counts."""

    @model_validator(mode="after")
    def _one_shape(self) -> OpenLoad:
        simple = self.rate is not None and self.duration is not None
        if simple == bool(self.segments) or (self.segments and (self.rate is not None or self.duration is not None)):
            raise ValueError("needs either rate and duration, or segments")
        return self

    @property
    def shape(self) -> tuple[Segment, ...]:
        """The load as segments."""
        if self.segments:
            return self.segments
        assert self.duration is not None
        return (Segment(duration=self.duration, rate=self.rate),)

    @property
    def duration_ns(self) -> int:
        """How long requests arrive."""
        return sum(segment.duration for segment in self.shape)

    @property
    def requests(self) -> int:
        """Arrivals to expect."""
        return round(sum(sum(each.ends) / 2 * each.duration / NS_PER_S for each in self.shape))


def _kind(value: object) -> str:
    fields = value if isinstance(value, dict) else vars(value)
    return "closed" if "users" in fields or not {"rate", "segments"} & fields.keys() else "open"


LoadProfile = Annotated[
    Annotated[ClosedLoad, Tag("closed")] | Annotated[OpenLoad, Tag("open")],
    Discriminator(_kind),
]
