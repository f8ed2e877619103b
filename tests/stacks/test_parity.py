# SPDX-License-Identifier: Apache-2.0
"""What must be the same in two stacks, so that they differ only where their frameworks do."""

from __future__ import annotations

import re

import pytest

from bancada.catalog.stacks import all_stacks
from tests.conftest import PROJECT

ENTITIES = ("Address", "Category", "Customer", "Item", "Order", "Product")
STACKS = PROJECT / "stacks"
HEAP_AND_COLLECTOR = ["-Xmx1g", "-XX:+UseG1GC"]


@pytest.mark.parametrize("name", ENTITIES)
def test_entities_are_the_same_file(name: str) -> None:
    """Spring Boot and Quarkus map the six tables with the very same classes."""
    spring, quarkus = (
        (STACKS / stack / "src/main/java/bancada/shop" / f"{name}.java").read_text()
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
        stack: re.findall(rf"^{key}\s*=\s*(\d+)", (STACKS / stack / path).read_text(), re.MULTILINE)
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


RELAY_LIMITS: dict[str, dict[str, tuple[str, ...]]] = {
    "spring-mvc": {
        "src/main/resources/application.properties": (
            r"^spring\.http\.clients\.connect-timeout=(5s)$",
            r"^spring\.http\.clients\.read-timeout=(30s)$",
        ),
        "src/main/java/bancada/relay/ConnectionConfiguration.java": (
            r"MOST_CONNECTIONS = (2_000);",
            r"setMaxConnTotal\((MOST_CONNECTIONS)\)\.setMaxConnPerRoute\(MOST_CONNECTIONS\)",
        ),
    },
    "kotlin-coroutines": {
        "src/main/resources/application.properties": (
            r"^spring\.http\.clients\.connect-timeout=(5s)$",
            r"^spring\.http\.clients\.read-timeout=(30s)$",
        ),
        "src/main/kotlin/bancada/relay/ConnectionConfiguration.kt": (
            r"MOST_CONNECTIONS = (2_000)$",
            r"\.maxConnections\((MOST_CONNECTIONS)\)",
        ),
    },
    "quarkus-rest": {
        "src/main/resources/application.properties": (
            r"^quarkus\.rest-client\.central-service\.connect-timeout=(5000)$",
            r"^quarkus\.rest-client\.central-service\.read-timeout=(30000)$",
            r"^quarkus\.rest-client\.central-service\.connection-pool-size=(2000)$",
        ),
    },
    "node-fastify": {
        "relay/relay.js": (
            r"connectTimeout: (5_000),",
            r"headersTimeout: (30_000),",
            r"bodyTimeout: (30_000),",
            r"connections: (2000),",
        ),
    },
}
"""Five and thirty seconds, and two thousand connections, in each framework's own words."""


def test_every_relay_has_limits_that_are_compared() -> None:
    """A stack that is added to the scenario must be added here."""
    relays = {stack.stack for stack, _ in all_stacks() if "relay" in stack.scenarios}
    assert relays == RELAY_LIMITS.keys()


@pytest.mark.parametrize("stack", RELAY_LIMITS)
def test_relays_wait_as_long_on_as_many_connections(stack: str) -> None:
    """Whoever may wait longer or on more connections would do other work under the same load."""
    for file, patterns in RELAY_LIMITS[stack].items():
        text = (STACKS / stack / file).read_text()
        for pattern in patterns:
            assert len(re.findall(pattern, text, re.MULTILINE)) == 1, f"{stack}/{file}: {pattern}"


@pytest.mark.parametrize("stack", [stack.stack for stack, _ in all_stacks() if "pool" in stack.setting])
def test_pools_of_threads_are_200_unless_set(stack: str) -> None:
    """Tomcat's and Quarkus' own default, so that a study that sets nothing compares like with like."""
    (setting,) = (each.setting["pool"] for each, _ in all_stacks() if each.stack == stack)
    assert setting.default == "200"
