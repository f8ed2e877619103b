# SPDX-License-Identifier: Apache-2.0
"""What the project ships can be read, agrees with its schemas, and is identical where it must be."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from bancada.catalog.scenarios import all_scenarios
from bancada.catalog.schemas import SCHEMAS, schema_text
from bancada.catalog.stacks import all_stacks
from bancada.catalog.studies import all_studies, read_study
from tests.conftest import PROJECT

FILES = [
    *((path, "study.schema.json") for path in sorted(PROJECT.glob("studies/*.toml"))),
    *((path, "scenario.schema.json") for path in sorted(PROJECT.glob("scenarios/*/scenario.toml"))),
    *((path, "stack.schema.json") for path in sorted(PROJECT.glob("stacks/*/stack.toml"))),
]


def test_the_schemas_are_those_of_the_model() -> None:
    """`python -m bancada.catalog.schemas` would change nothing."""
    for name, model in SCHEMAS.items():
        assert (PROJECT / "schemas" / name).read_text(encoding="utf-8") == schema_text(model)


@pytest.mark.parametrize(("path", "schema"), FILES, ids=lambda value: value.name if isinstance(value, Path) else "")
def test_every_shipped_file_fits_its_schema(path: Path, schema: str) -> None:
    """An editor that uses the schema would find nothing wrong."""
    jsonschema.validate(
        tomllib.loads(path.read_text(encoding="utf-8")),
        json.loads((PROJECT / "schemas" / schema).read_text(encoding="utf-8")),
    )


def test_everything_shipped_can_be_read() -> None:
    """All stacks, scenarios and studies, with every name that they use."""
    assert {stack.stack for stack, _ in all_stacks()} >= {"spring-mvc", "quarkus-rest", "node-fastify"}
    assert [scenario.scenario for scenario in all_scenarios()] == ["sort"]
    for study in all_studies():
        assert read_study(study.study).suts


def test_a_stack_is_named_like_its_folder() -> None:
    """Who sees `spring-mvc:jar` in a report finds `stacks/spring-mvc`."""
    for stack, folder in all_stacks():
        assert stack.stack == folder.name


def test_stacks_on_the_jvm_start_with_the_same_settings() -> None:
    """Heap and collector are the same for all, so that they are not what is compared."""
    settings = {
        tuple(argument for argument in variant.start if argument.startswith("-X"))
        for stack, _ in all_stacks()
        for variant in stack.variant.values()
        if "{java}" in variant.start
    }
    assert len(settings) == 1, settings
