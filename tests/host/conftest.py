# SPDX-License-Identifier: Apache-2.0
"""A host of which only what a test puts there can be found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from bancada.host import tool_places


@dataclass(frozen=True)
class EmptyHost:
    """Folders of a host without tools."""

    root: Path

    def program(self, path: str, says: str = "", exit_code: int = 0) -> Path:
        """Put a program there that says something; `path` is below the host's root."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\nprintf '%b\\n' '{says}'\nexit {exit_code}\n")
        file.chmod(0o755)
        return file

    def jdk(self, path: str, version: str, *, compiler: bool = True) -> Path:
        """Put a JDK there, and return its folder."""
        self.program(f"{path}/bin/java", f'openjdk version "{version}"')
        if compiler:
            self.program(f"{path}/bin/javac")
        (self.root / path / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\n')
        return self.root / path


@pytest.fixture
def empty_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EmptyHost:
    """PATH, HOME, the folder for JDKs and our cache are the test's own; the variables that name tools are not set."""
    for variable in ("JAVA_HOME", "GRAALVM_HOME", "MAVEN_HOME", "M2_HOME", "BANCADA_CONTAINER_ENGINE"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BANCADA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tool_places, "JAVA_FOLDERS", ((str(tmp_path / "jvm"), "*"), ("~/.sdkman/candidates/java", "*")))
    return EmptyHost(tmp_path)


@pytest.fixture
def usual_path() -> str:
    """The PATH before the test took it away."""
    return os.environ["PATH"]
