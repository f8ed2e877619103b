# SPDX-License-Identifier: Apache-2.0
"""Services that a person keeps up by hand: started, listed and ended by `bancada services`."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from pydantic import TypeAdapter, ValidationError

from bancada.catalog.places import cache
from bancada.conductor.bench import Notify
from bancada.conductor.prepare import find_services
from bancada.errors import NotFoundError, ServiceError
from bancada.model.load import ClosedLoad
from bancada.model.operation import Operation
from bancada.model.service import ServiceFacts
from bancada.model.study import Study
from bancada.process.detached import Detached, detach
from bancada.services.service import Offer

START_S = 120
STOP_S = 30


@dataclass(frozen=True)
class Kept:
    """A service that is kept up, as its file in the cache tells it."""

    process: Detached
    facts: ServiceFacts
    env: dict[str, str]
    """Where it listens, in the variables that stacks read."""
    log: str


_KEPT: TypeAdapter[Kept] = TypeAdapter(Kept)


def _place(product: str) -> Path:
    return cache() / "standby" / f"{product}.json"


def kept_services() -> Iterator[Kept]:
    """Every service that is up; files of those that have gone are removed."""
    for path in sorted((cache() / "standby").glob("*.json")):
        try:
            kept = _KEPT.validate_json(path.read_bytes())
        except (OSError, ValidationError):
            continue
        if kept.process.lives():
            yield kept
        else:
            path.unlink(missing_ok=True)


def find_one(asked: str, notify: Notify) -> Offer:
    """The service that `asked` names, fetched if need be. Raises ServiceError if it cannot be had."""
    study = Study(
        study="services",
        question="Is it there?",
        operation=(Operation(name="none", path="/"),),
        blocks=1,
        load=(ClosedLoad(name="none", users=1, iterations=1),),
        services={"sql": (asked,)},
    )
    (offer,) = find_services(study, notify).values()
    return offer


def keep(product: str, port: int | None) -> Kept:
    """Start a service in the background. Raises ServiceError with its last words if it does not come up in time."""
    up = {kept.facts.product: kept for kept in kept_services()}
    name = product.partition("@")[0]
    if name in up:
        return up[name]
    place = _place(name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    log = place.with_suffix(".log")
    argv = [sys.executable, "-m", "bancada", "services", "hold", product]
    process, program = detach([*argv, "--port", str(port)] if port else argv, log)
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if place.exists():
            return _KEPT.validate_json(place.read_bytes())
        if program.poll() is not None:
            raise ServiceError(f"{name} did not come up: {log.read_text(errors='replace').strip()}", where=str(log))
        time.sleep(0.05)
    process.end(STOP_S)
    raise ServiceError(f"{name} did not come up within {START_S} s", where=str(log))


def hold(product: str, port: int | None, notify: Notify) -> None:
    """Bring a service up, tell where it is in its file, and keep it until a signal comes."""
    offer = find_one(product, notify)
    stop: list[int] = []

    def asked_to_stop(number: int, _frame: FrameType | None) -> None:
        stop.append(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, asked_to_stop)
    place = _place(offer.facts.product)
    (cache() / "data").mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="standby-", dir=cache() / "data") as folder,
        offer.up(Path(folder), port=port) as service,
    ):
        kept = Kept(Detached.of_this(), offer.facts, dict(service.env), str(Path(folder) / "service.log"))
        neighbour = place.with_suffix(".new")
        neighbour.write_text(json.dumps(_KEPT.dump_python(kept, mode="json"), indent=1))
        neighbour.rename(place)
        try:
            while not stop and service.still_runs():
                time.sleep(0.2)
        finally:
            place.unlink(missing_ok=True)


def let_go(product: str | None) -> list[str]:
    """End the service of that name, or all; returns the names. Raises NotFoundError if it is not up."""
    up = {kept.facts.product: kept for kept in kept_services()}
    if product is not None and product not in up:
        raise NotFoundError(
            f"{product} is not up", where=str(_place(product)), advice="`bancada services status` shows what is up"
        )
    ended = [product] if product else list(up)
    for name in ended:
        if not up[name].process.end(STOP_S):
            raise ServiceError(f"{name} did not end within {STOP_S} s", where=f"process {up[name].process.pid}")
    return ended
