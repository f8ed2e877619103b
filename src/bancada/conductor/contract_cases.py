# SPDX-License-Identifier: Apache-2.0
"""Requests drawn from a contract, the same for every stack, so that their answers can be compared."""

from __future__ import annotations

import random
import warnings
from typing import Any

import hypothesis
import requests
import schemathesis
from schemathesis.core.result import Ok

from bancada.model.operation import Body, Operation
from bancada.model.scenario import Scenario


def contract_cases(scenario: Scenario, examples: int) -> dict[str, Operation]:
    """Valid requests for what the scenario asks, drawn from its contract: at most `examples` each, always the same.

    Keys are names for messages, such as `POST /sort #7`. Operations that only the contract has (health, say) may answer
    as they like and are left out, as is everything if there is no contract.
    """
    asked = {(operation.method, operation.path) for operation in scenario.operation}
    cases: dict[str, Operation] = {}
    if scenario.contract is None:
        return cases
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        schema = schemathesis.openapi.from_path(scenario.contract)
        for found in schema.get_all_operations():
            operation: Any = found.ok() if isinstance(found, Ok) else None
            if operation is not None and (operation.method.upper(), operation.path) in asked:
                for number, case in enumerate(_draw(operation, examples), start=1):
                    name = f"{operation.method.upper()} {operation.path} #{number}"
                    cases[name] = _as_operation(name, case)
    return cases


def _draw(operation: Any, examples: int) -> list[Any]:  # noqa: ANN401 (schemathesis does not type its operations)
    drawn: list[Any] = []

    @hypothesis.seed(1)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy())
    def collect(case: Any) -> None:  # noqa: ANN401
        drawn.append(case)

    state = random.getstate()
    try:
        collect()
    finally:
        random.setstate(state)
    return drawn


def _as_operation(name: str, case: Any) -> Operation:  # noqa: ANN401
    request = case.as_transport_kwargs(base_url="http://localhost")
    prepared = requests.Request(**request).prepare()
    body = prepared.body
    text = body.decode() if isinstance(body, bytes) else body
    headers = {key: value for key, value in prepared.headers.items() if key.lower() == "content-type"}
    return Operation.model_construct(
        name=name,
        method=case.method.upper(),
        path=prepared.path_url,
        headers=headers,
        body=Body(text=text) if text is not None else None,
    )
