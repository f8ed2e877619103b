# SPDX-License-Identifier: Apache-2.0
"""JSON Schemas of the files that people write, so that editors can complete and check them.

`python -m bancada.catalog.schemas` writes them to `schemas/`; a test sees to it that they are up to date.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel

from bancada.catalog.places import home
from bancada.model.paper import Paper
from bancada.model.replication import Replication
from bancada.model.scenario import Scenario
from bancada.model.stack import Stack
from bancada.model.study import Study

SCHEMAS: dict[str, type[BaseModel]] = {
    "study.schema.json": Study,
    "scenario.schema.json": Scenario,
    "stack.schema.json": Stack,
    "replication.schema.json": Replication,
    "paper.schema.json": Paper,
}


def schema_text(model: type[BaseModel]) -> str:
    """The JSON Schema of a file that is read as `model`."""
    return json.dumps(model.model_json_schema(by_alias=True), indent=1, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> None:
    """Write all schemas into `folder`."""
    folder.mkdir(exist_ok=True)
    for name, model in SCHEMAS.items():
        (folder / name).write_text(schema_text(model), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(home() / "schemas")
