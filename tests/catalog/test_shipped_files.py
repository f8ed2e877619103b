# SPDX-License-Identifier: Apache-2.0
"""What the project ships can be read, agrees with its schemas, and is identical where it must be."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from bancada.catalog.replications import all_replications, read_replication, replication_files
from bancada.catalog.scenarios import all_scenarios
from bancada.catalog.schemas import SCHEMAS, schema_text
from bancada.catalog.stacks import all_stacks
from bancada.catalog.studies import all_studies, read_study, study_files
from bancada.design.plan import plan
from bancada.model.replication import Scale
from tests.conftest import PROJECT

FILES = [
    *((path, "study.schema.json") for path in study_files()),
    *((path, "scenario.schema.json") for path in sorted(PROJECT.glob("scenarios/*/scenario.toml"))),
    *((path, "stack.schema.json") for path in sorted(PROJECT.glob("stacks/*/stack.toml"))),
    *((path, "replication.schema.json") for path in replication_files()),
    *((path, "paper.schema.json") for path in sorted(PROJECT.glob("studies/*/paper.toml"))),
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
    assert [scenario.scenario for scenario in all_scenarios()] == ["entities", "relay", "sort"]
    for study in all_studies():
        assert read_study(study.study).suts


@pytest.mark.parametrize("scale", ["quick", "paper"])
@pytest.mark.parametrize("replication", [each.replication for each in all_replications()])
def test_every_part_of_a_replication_plans_at_either_scale(replication: str, scale: Scale) -> None:
    """Every name that it uses is there, and every cell has a trial in each block."""
    found = read_replication(replication)
    for part in found.replication.part:
        resolved = found.part(part.part, scale)
        labels = [sut.label for sut in resolved.suts]
        assert labels == list(part.stacks)
        assert len(plan(resolved.study, labels)) == resolved.study.blocks * len(resolved.study.load) * len(labels)


def test_a_stack_is_named_like_its_folder() -> None:
    """Who sees `spring-mvc:jar` in a report finds `stacks/spring-mvc`."""
    for stack, folder in all_stacks():
        assert stack.stack == folder.name
