# SPDX-License-Identifier: Apache-2.0
"""One load against an address, outside any study."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bancada.engine.drive import drive
from bancada.engine.wire import LoadOrder, ProgressEvent, load_order, operation_order
from bancada.model.base import NS_PER_S
from bancada.model.load import ClosedLoad, LoadProfile, OpenLoad
from bancada.model.measure import LoadRecord
from bancada.model.operation import Operation

CONNECT_TIMEOUT_NS = 10 * NS_PER_S
RESPONSE_TIMEOUT_NS = 30 * NS_PER_S


@dataclass(frozen=True)
class AdhocLoad:
    """What to ask, when, and where to keep single requests."""

    target: str
    operation: Operation
    profile: LoadProfile
    warm_up_ns: int
    seed: int
    samples: Path | None


def run_adhoc(adhoc: AdhocLoad, on_progress: Callable[[ProgressEvent], None]) -> LoadRecord:
    """Warm up if asked to, then load; returns the record of the load alone."""
    if adhoc.warm_up_ns:
        drive(_order(adhoc, warm_up_profile(adhoc.profile, adhoc.warm_up_ns), adhoc.seed + 1, None))
    return drive(_order(adhoc, adhoc.profile, adhoc.seed, adhoc.samples), on_progress=on_progress)


def warm_up_profile(profile: LoadProfile, duration_ns: int) -> ClosedLoad | OpenLoad:
    """The load as it begins, for `duration_ns`: users start at the pace of the measured load's ramp.

    Without the ramp ten thousand users would all connect in one instant, which the measured load never asks.
    """
    if isinstance(profile, ClosedLoad):
        begun = min(1.0, duration_ns / profile.ramp_up) if profile.ramp_up else 1.0
        return ClosedLoad(
            name="warm-up",
            users=max(1, math.ceil(profile.users * begun)),
            ramp_up=min(profile.ramp_up, duration_ns),
            duration=duration_ns,
            think=profile.think,
        )
    return OpenLoad(
        name="warm-up",
        rate=profile.requests / (profile.duration_ns / NS_PER_S),
        duration=duration_ns,
        arrivals=profile.arrivals,
        connections=profile.connections,
    )


def _order(adhoc: AdhocLoad, profile: ClosedLoad | OpenLoad, seed: int, samples: Path | None) -> LoadOrder:
    return LoadOrder(
        target=adhoc.target,
        seed=seed,
        operations=(operation_order(adhoc.operation),),
        load=load_order(profile),
        connect_timeout_ns=CONNECT_TIMEOUT_NS,
        response_timeout_ns=RESPONSE_TIMEOUT_NS,
        samples=str(samples.resolve()) if samples else None,
    )
