# SPDX-License-Identifier: Apache-2.0
"""Where the tools that stacks need may be on a host."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from bancada.catalog.places import cache

JAVA_FOLDERS = (
    ("/usr/lib/jvm", "*"),
    ("/Library/Java/JavaVirtualMachines", "*/Contents/Home"),
    ("/opt/homebrew/opt", "openjdk*"),
    ("~/.sdkman/candidates/java", "*"),
)


def tools_folder() -> Path:
    """Where Bancada puts the tools that it fetches itself."""
    return cache() / "tools"


def places(name: str) -> Iterator[tuple[str, Path]]:
    """Every place where a tool is looked for, as words for it and the program there, the most specific place first.

    Only the pattern of a folder that holds several versions is resolved; whether a program exists is not looked at.
    """
    match name:
        case "java":
            yield from _java_homes("java", "JAVA_HOME")
        case "native-image":
            yield from _java_homes("native-image", "GRAALVM_HOME", "JAVA_HOME")
        case "mvn":
            yield from _named("mvn", "MAVEN_HOME", "M2_HOME")
            yield from _on_path("mvn")
            yield from _matching("~/.sdkman/candidates/maven", "*/bin/mvn")
            yield from _matching(tools_folder(), "apache-maven-*/bin/mvn")
        case "node" | "npm":
            yield from _on_path(name)
            yield from _matching("~/.nvm/versions/node", f"*/bin/{name}")
            yield from _matching(tools_folder(), f"node-*/bin/{name}")
        case "chromium":
            for program in ("chromium", "chromium-browser", "google-chrome"):
                yield from _on_path(program)
            yield from _matching("/Applications", "Chromium.app/Contents/MacOS/Chromium")
        case _:
            yield from _on_path(name)


def _java_homes(program: str, *variables: str) -> Iterator[tuple[str, Path]]:
    yield from _named(program, *variables)
    for folder, pattern in JAVA_FOLDERS:
        yield from _matching(folder, f"{pattern}/bin/{program}")
    yield from _matching(tools_folder(), f"jdk*/bin/{program}")
    for words, found in _on_path(program):
        # Through Debian's alternatives and SDKMAN's links to the JDK itself, which JAVA_HOME must name.
        yield words, found.resolve()


def _named(program: str, *variables: str) -> Iterator[tuple[str, Path]]:
    for variable in variables:
        if folder := os.environ.get(variable):
            yield f"{variable}={folder}", Path(folder) / "bin" / program


def _on_path(program: str) -> Iterator[tuple[str, Path]]:
    found = shutil.which(program)
    yield f"{program} on the PATH", Path(found) if found else Path("/nonexistent") / program
    for folder in os.get_exec_path():
        other = shutil.which(program, path=folder)
        if other and other != found:
            yield f"{program} on the PATH", Path(other)


def _matching(folder: str | Path, pattern: str) -> Iterator[tuple[str, Path]]:
    base = Path(folder).expanduser()
    matches = sorted(base.glob(pattern))
    for match in matches:
        yield str(match), match
    if not matches:
        yield str(base / pattern), base / pattern
