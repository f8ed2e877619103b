# SPDX-License-Identifier: Apache-2.0
"""The Python side of the contract with the load engine; the Rust side tests the same golden documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bancada.engine.wire import ENGINE_EVENT, LoadOrder, load_order, operation_order
from bancada.model.load import ClosedLoad, OpenLoad, Segment
from bancada.model.operation import Body, Check, Operation
from tests.conftest import PROJECT

CONTRACTS = PROJECT / "contracts"


def golden(pattern: str) -> list[Path]:
    """Golden documents whose names match."""
    return sorted((CONTRACTS / "golden").glob(pattern))


def content(path: Path) -> Any:
    """A JSON file's content."""
    return json.loads(path.read_text(encoding="utf-8"))


def schema(name: str) -> Any:
    """One of the contract's schemas."""
    return content(CONTRACTS / f"{name}.schema.json")


ORDERS = schema("load-order")
VALIDATOR = jsonschema.Draft202012Validator(ORDERS)


@pytest.mark.parametrize("path", golden("load-order-*.json"), ids=lambda path: path.stem)
def test_golden_orders_are_ours(path: Path) -> None:
    """Every golden order fits the schema and is one that we could have written."""
    jsonschema.validate(content(path), ORDERS)
    LoadOrder.model_validate(content(path))


@pytest.mark.parametrize("path", golden("load-event-*.json"), ids=lambda path: path.stem)
def test_golden_events_are_understood(path: Path) -> None:
    """Every golden event fits the schema and is read."""
    jsonschema.validate(content(path), schema("load-event"))
    ENGINE_EVENT.validate_python(content(path))


@pytest.mark.parametrize("path", golden("bad-load-event-*.json"), ids=lambda path: path.stem)
def test_bad_events_fit_no_schema(path: Path) -> None:
    """What the engine must never say is outside the schema."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content(path), schema("load-event"))


def test_an_event_with_an_unknown_field_is_refused() -> None:
    """An engine of another version is noticed rather than half understood."""
    event = content(CONTRACTS / "golden" / "load-event-started.json") | {"surprise": 1}
    with pytest.raises(ValidationError):
        ENGINE_EVENT.validate_python(event)


rates = st.floats(0.1, 1e5, allow_nan=False)
durations = st.integers(1, 10**12)
loads = st.one_of(
    st.builds(
        ClosedLoad,
        name=st.just("x"),
        users=st.integers(1, 50_000),
        ramp_up=st.integers(0, 10**12),
        iterations=st.integers(1, 10**6),
        think=st.integers(0, 10**12),
    ),
    st.builds(ClosedLoad, name=st.just("x"), users=st.integers(1, 50_000), duration=durations),
    st.builds(
        OpenLoad, name=st.just("x"), rate=rates, duration=durations, arrivals=st.sampled_from(["constant", "poisson"])
    ),
    st.builds(
        OpenLoad,
        name=st.just("x"),
        segments=st.lists(
            st.builds(Segment, duration=durations, from_rate=rates, to_rate=rates), min_size=1, max_size=3
        ).map(tuple),
    ),
)
bodies = st.one_of(
    st.none(),
    st.builds(Body, text=st.text(max_size=20)),
    st.builds(Body, file=st.just("/a/b.json")),
    st.builds(Body, template=st.just("{{user}}")),
)
checks = st.builds(
    Check,
    status=st.lists(st.integers(200, 599), max_size=3).map(tuple),
    size_bytes=st.none() | st.integers(0, 10**9),
    sha256=st.none() | st.just("ab" * 32),
)
operations = st.builds(Operation, name=st.just("op"), path=st.just("/x"), body=bodies, check=checks)


@given(load=loads, operation=operations, seed=st.integers(0, 2**48))
def test_every_order_that_we_write_fits_the_schema(load: Any, operation: Operation, seed: int) -> None:
    """Whatever a study says, the engine is asked in the contract's terms."""
    order = LoadOrder(
        target="http://127.0.0.1:8080",
        seed=seed,
        operations=(operation_order(operation),),
        load=load_order(load),
        connect_timeout_ns=1,
        response_timeout_ns=1,
        samples=None,
    )
    VALIDATOR.validate(json.loads(order.model_dump_json()))
