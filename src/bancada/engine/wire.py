# SPDX-License-Identifier: Apache-2.0
"""What crosses to the load engine and back: the Python mirror of the schemas in `contracts/`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from bancada.model.base import Model
from bancada.model.load import ClosedLoad, OpenLoad
from bancada.model.measure import LoadRecord
from bancada.model.operation import Operation

PROGRESS_INTERVAL_NS = 250_000_000


class ClosedOrder(Model):
    """Users that wait for their answers."""

    kind: Literal["closed"] = "closed"
    users: int
    ramp_up_ns: int
    iterations: int | None
    duration_ns: int | None
    think_ns: int


class SegmentOrder(Model):
    """A stretch whose rate is linear in time."""

    from_per_s: float
    to_per_s: float
    duration_ns: int


class OpenOrder(Model):
    """Arrivals at fixed instants."""

    kind: Literal["open"] = "open"
    segments: tuple[SegmentOrder, ...]
    spacing: Literal["even", "poisson"]
    connections: int


class LoadOrder(Model):
    """One load for the engine to carry out."""

    version: Literal[1] = 1
    target: str
    seed: int
    operations: tuple[dict[str, Any], ...]
    load: ClosedOrder | OpenOrder
    connect_timeout_ns: int
    response_timeout_ns: int
    samples: str | None
    progress_interval_ns: int = PROGRESS_INTERVAL_NS
    workers: int | None = None


class StartedEvent(Model):
    """The load begins: its zero on both clocks."""

    event: Literal["started"]
    unix_ns: int
    monotonic_ns: int


class ProgressEvent(Model):
    """How far the load is."""

    event: Literal["progress"]
    elapsed_ns: int
    requests: int
    failures: int
    active_users: int
    expected_requests: int | None


class ErrorEvent(Model):
    """Nothing was or could be measured."""

    event: Literal["error"]
    kind: str
    message: str


class RecordEvent(LoadRecord):
    """The load is over."""

    event: Literal["record"]

    def record(self) -> LoadRecord:
        """The record alone."""
        return LoadRecord.model_validate(self.model_dump(exclude={"event"}))


EngineEvent = Annotated[StartedEvent | ProgressEvent | ErrorEvent | RecordEvent, Field(discriminator="event")]
ENGINE_EVENT: TypeAdapter[EngineEvent] = TypeAdapter(EngineEvent)


def load_order(profile: ClosedLoad | OpenLoad) -> ClosedOrder | OpenOrder:
    """A load profile as the engine takes it."""
    if isinstance(profile, ClosedLoad):
        return ClosedOrder(
            users=profile.users,
            ramp_up_ns=profile.ramp_up,
            iterations=profile.iterations,
            duration_ns=profile.duration,
            think_ns=profile.think,
        )
    segments = tuple(
        SegmentOrder(from_per_s=each.ends[0], to_per_s=each.ends[1], duration_ns=each.duration)
        for each in profile.shape
    )
    spacing: Literal["even", "poisson"] = "poisson" if profile.arrivals == "poisson" else "even"
    return OpenOrder(segments=segments, spacing=spacing, connections=profile.connections)


def operation_order(operation: Operation) -> dict[str, Any]:
    """An operation as the engine takes it."""
    check = operation.check.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"upstream_body"})
    return {
        "name": operation.name,
        "method": operation.method,
        "path": operation.path,
        "headers": operation.headers,
        "body": operation.body.model_dump(exclude_none=True) if operation.body else None,
        "check": check,
    }
