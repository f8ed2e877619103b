# SPDX-License-Identifier: Apache-2.0
"""What must be the same in two stacks, so that they differ only where their frameworks do."""

from __future__ import annotations

import re

import pytest

from bancada.catalog.stacks import all_stacks
from tests.conftest import PROJECT

ENTITIES = ("Address", "Category", "Customer", "Item", "Order", "Product")
HEAP_AND_COLLECTOR = ["-Xmx512m", "-XX:+UseG1GC"]


@pytest.mark.parametrize("name", ENTITIES)
def test_entities_are_the_same_file(name: str) -> None:
    """Spring Boot and Quarkus map the six tables with the very same classes."""
    spring, quarkus = (
        (PROJECT / "stacks" / stack / "src/main/java/bancada/shop" / f"{name}.java").read_text()
        for stack in ("spring-jpa", "quarkus-jpa")
    )
    assert spring == quarkus


def test_every_jvm_gets_the_same_heap_and_collector() -> None:
    """`stacks/README.md` promises it of every variant that starts a JVM."""
    commands = {
        f"{stack.stack}:{name}": list(variant.start)
        for stack, _ in all_stacks()
        for name, variant in stack.variant.items()
        if "java" in variant.start[0]
    }
    assert commands
    for label, command in commands.items():
        assert [each for each in command if each in HEAP_AND_COLLECTOR] == HEAP_AND_COLLECTOR, label


def test_pools_of_connections_have_the_same_size() -> None:
    """Twenty connections at most, in both frameworks' own words."""
    sizes = {
        stack: re.findall(rf"^{key}\s*=\s*(\d+)", (PROJECT / "stacks" / stack / path).read_text(), re.MULTILINE)
        for stack, key, path in (
            (
                "spring-jpa",
                r"spring\.datasource\.hikari\.maximum-pool-size",
                "src/main/resources/application.properties",
            ),
            ("quarkus-jpa", r"quarkus\.datasource\.jdbc\.max-size", "src/main/resources/application.properties"),
        )
    }
    assert sizes == {"spring-jpa": ["20"], "quarkus-jpa": ["20"]}
