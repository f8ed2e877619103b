# SPDX-License-Identifier: Apache-2.0
"""Checks of the programs that stacks, services and reports need."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from bancada.errors import ToolMissingError
from bancada.host.check import Check, CheckResult, Finding
from bancada.host.containers import find_container_engine
from bancada.host.tools import find_tool

ENGINE = "bancada-engine"
NEEDED_FOR = (
    ("java", 25, "stacks in Java and Kotlin are built and run with a JDK"),
    ("mvn", "3.8", "stacks in Java and Kotlin are built with Maven"),
    ("node", 20, "stacks in JavaScript run on Node.js"),
    ("npm", 10, "stacks in JavaScript are built with npm"),
    ("native-image", 25, "variants that are native executables are built with GraalVM; others do without it"),
    ("chromium", 0, "only the tests of the report look at it in a browser"),
)


class Program(Check):
    """A tool is there, in a version that is new enough."""

    def __init__(self, tool: str, least: int | str, why: str) -> None:
        self.tool = tool
        self.least = least
        self.needed_for = why

    def look(self) -> Finding:
        """Search every place for it."""
        try:
            tool = find_tool(self.tool, self.least)
        except ToolMissingError as missing:
            return Finding("warn", missing.what, missing.advice)
        return Finding("ok", f"{tool.version} ({tool.path})")

    def result(self) -> CheckResult:
        """The finding, named after the tool."""
        finding = self.look()
        name = f"{self.tool} {self.least}" if self.least else self.tool
        return CheckResult(name, finding.status, finding.found, self.needed_for, finding.advice)


class Containers(Check):
    """A container engine answers."""

    name = "container engine"
    why = "variants and services that run in containers need Docker or Podman; others do without it"

    def look(self) -> Finding:
        """Ask Docker, then Podman, or the one that the user chose."""
        try:
            engine = find_container_engine()
        except ToolMissingError as missing:
            return Finding("warn", missing.what, missing.advice)
        return Finding("ok", f"{engine.name} {engine.version} ({engine.path})")


class Engine(Check):
    """The load engine is installed."""

    name = "load engine"
    why = "nothing can be measured without it"

    def look(self) -> Finding:
        """Beside this Python, where the launcher puts it, then on the PATH."""
        beside = Path(sys.executable).with_name(ENGINE)
        found = str(beside) if beside.exists() else shutil.which(ENGINE)
        if found is None:
            return Finding(
                "fail", f"searched {beside}; {ENGINE} on the PATH", "start Bancada with ./bancada, which builds it"
            )
        return Finding("ok", found)


def tool_checks() -> tuple[Check, ...]:
    """One for each program."""
    return (Engine(), *(Program(tool, least, why) for tool, least, why in NEEDED_FOR), Containers())
