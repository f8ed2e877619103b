# SPDX-License-Identifier: Apache-2.0
"""Find and read scenarios, and resolve the files that operations name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from bancada.catalog.places import find_folder, names_in
from bancada.catalog.toml import read_toml
from bancada.errors import InputError
from bancada.model.operation import Operation
from bancada.model.scenario import Scenario
from bancada.model.upstream import Upstream

MARKER = "scenario.toml"


def all_scenarios() -> list[Scenario]:
    """Every shipped scenario, by name."""
    return [read_scenario(name) for name in names_in("scenarios", MARKER)]


def read_scenario(given: str) -> Scenario:
    """The scenario that a name or a path stands for, with absolute paths in place of relative ones."""
    folder = find_folder(given, "scenarios", MARKER)
    scenario = read_toml(folder / MARKER, Scenario)
    where = str(folder / MARKER)
    contract = scenario.contract
    if contract is not None:
        contract = _existing(folder, contract, where, "contract")
    resolved = scenario.model_copy(
        update={
            "contract": contract,
            "sql_schema": {
                product: _existing(folder, file, where, f"sql_schema.{product}")
                for product, file in scenario.sql_schema.items()
            },
            "upstream": resolve_upstream(scenario.upstream, folder, where),
            "operation": resolve_files(scenario.operation, folder, where),
            "refusal": resolve_files(scenario.refusal, folder, where),
        }
    )
    return with_upstream(resolved, None)


def resolve_files(operations: Iterable[Operation], folder: Path, where: str) -> tuple[Operation, ...]:
    """The operations with the files that they name as absolute paths.

    Raises InputError for a file that is not there; `where` is the file in which the operations stand.
    """
    return tuple(_resolved(operation, folder, where) for operation in operations)


def resolve_upstream(upstream: Upstream | None, folder: Path, where: str) -> Upstream | None:
    """The central service with its body's file as an absolute path. Raises InputError for a file that is not there."""
    if upstream is None or upstream.body_file is None:
        return upstream
    return upstream.model_copy(update={"body_file": _existing(folder, upstream.body_file, where, "upstream.body_file")})


def with_upstream(scenario: Scenario, instead: Upstream | None) -> Scenario:
    """The scenario with `instead` over its central service, and with the answer's size and digest in its checks."""
    if scenario.upstream is None:
        return scenario
    upstream = instead.over(scenario.upstream) if instead is not None else scenario.upstream
    body = upstream.body
    answer = {"size_bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    operations = tuple(
        each.model_copy(update={"check": each.check.model_copy(update=answer)}) if each.check.upstream_body else each
        for each in scenario.operation
    )
    return scenario.model_copy(update={"upstream": upstream, "operation": operations})


def _resolved(operation: Operation, folder: Path, where: str) -> Operation:
    key = f"operation {operation.name}"
    body, check = operation.body, operation.check
    if body is not None:
        files = {name: getattr(body, name) for name in ("file", "template_file") if getattr(body, name)}
        body = body.model_copy(
            update={name: _existing(folder, file, where, f"{key}, body.{name}") for name, file in files.items()}
        )
    if check.json_file is not None:
        found = _existing(folder, check.json_file, where, f"{key}, check.json_file")
        check = check.model_copy(update={"json_file": found})
    return operation.model_copy(update={"body": body, "check": check})


def _existing(folder: Path, file: str, where: str, key: str) -> str:
    path = (folder / file).resolve()
    if not path.is_file():
        raise InputError(f"{key} names a file that is not there: {path}", where=where)
    return str(path)
