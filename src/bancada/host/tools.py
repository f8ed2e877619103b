# SPDX-License-Identifier: Apache-2.0
"""Find the tools that stacks are built and started with: JDK, Maven, Node.js, GraalVM, container engines."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bancada.errors import ToolMissingError
from bancada.host import apt
from bancada.host.system_files import read_text
from bancada.host.tool_places import places
from bancada.host.versions import format_version, is_at_least, parse_version

_COLOURS = re.compile("\x1b\\[[0-9;]*m")  # Maven's, whose numbers are no version
CHOSEN_BY_THE_USER = ("JAVA_HOME=", "GRAALVM_HOME=")
VERSION_COMMANDS = {
    # A container engine is of use only if its daemon answers too.
    "docker": ("info", "--format", "{{.ServerVersion}}"),
    "podman": ("info", "--format", "{{.Version.Version}}"),
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
BREW_PACKAGES = {
    "java": "openjdk@{least}",
    "mvn": "maven",
    "node": "node",
    "npm": "node",
    "native-image": "--cask graalvm-jdk@{least}",
    "docker": "--cask docker",
    "podman": "podman",
    "chromium": "--cask chromium",
}
BROKEN = "does not work"
ELSEWHERE = {
    "java": "sdk install java {least}-tem",
    "mvn": "sdk install maven",
    "node": "nvm install --lts",
    "npm": "nvm install --lts",
    "native-image": "sdk install java {least}-graalce",
}


@dataclass(frozen=True)
class Tool:
    """A program of this host, and its version."""

    name: str
    path: Path
    version: str

    @property
    def home(self) -> Path:
        """The folder of the distribution that it belongs to, as JAVA_HOME or GRAALVM_HOME names it."""
        return self.path.parent.parent


@dataclass(frozen=True)
class _Look:
    """What was at one place."""

    place: str
    path: Path
    version: tuple[int, ...] | None
    problem: str | None


def find_tool(name: str, least: int | str = 0) -> Tool:
    """The tool, in at least that version.

    A JDK or GraalVM that JAVA_HOME or GRAALVM_HOME names is taken if it is new enough; else one of exactly the major
    version asked for, since builds are tried with that, else the newest. Of other tools the first on the PATH.

    Raises ToolMissingError that lists every place searched, and names the command that installs the tool.
    """
    wanted = parse_version(str(least)) or (0,)
    looks = list(_look_everywhere(name, wanted))
    fit = [look for look in looks if look.problem is None]
    if not fit:
        raise ToolMissingError(
            f"{name}{f' {least} or newer' if least else ''} is needed and was not found",
            where="searched " + "; ".join(dict.fromkeys(f"{look.place} ({look.problem})" for look in looks)),
            advice=_advice(name, wanted, looks),
        )
    best = min(fit, key=lambda look: _preference(look, wanted)) if name in ("java", "native-image") else fit[0]
    return Tool(name=name, path=best.path, version=format_version(best.version or (0,)))


def tool_env(tools: Mapping[str, str]) -> dict[str, str]:
    """Environment in which the tools, by name and path, find each other: JAVA_HOME, GRAALVM_HOME and PATH."""
    env: dict[str, str] = {}
    for name, variable in (("java", "JAVA_HOME"), ("native-image", "GRAALVM_HOME")):
        if name in tools:
            env[variable] = str(Path(tools[name]).parent.parent)
    # npm starts `node` by its name, and build scripts start `java`. What the PATH gives already needs no change of it.
    folders = [
        str(Path(tools[name]).parent)
        for name in ("node", "java")
        if name in tools and shutil.which(name) != tools[name]
    ]
    if folders:
        env["PATH"] = os.pathsep.join([*folders, os.environ.get("PATH", os.defpath)])
    return env


def install_command(name: str, least: tuple[int, ...]) -> str:
    """The one command that installs the tool on this system, as far as its packages are new enough."""
    major = str(least[0] or 25)
    if platform.system() == "Darwin" and name in BREW_PACKAGES:
        return f"brew install {BREW_PACKAGES[name].format(least=major)}"
    package = DEBIAN_PACKAGES.get(name, "").format(least=major)
    if package and is_at_least(apt.candidate(package) or (-1,), least):
        return f"sudo apt-get install {package}"
    if name in ELSEWHERE:
        return ELSEWHERE[name].format(least=major)
    return f"with your system's packages, {name} {format_version(least)} or newer"


def _advice(name: str, least: tuple[int, ...], looks: list[_Look]) -> str:
    broken = [look for look in looks if (look.problem or "").startswith(BROKEN)]
    repair = f"repair {broken[0].path} (is its daemon running?), or " if broken else ""
    return f"{repair}install it: {install_command(name, least)}"


def _look_everywhere(name: str, least: tuple[int, ...]) -> Iterator[_Look]:
    seen: set[Path] = set()
    for place, path in places(name):
        program = path.resolve()
        if program not in seen:
            seen.add(program)
            yield _look(name, place, path, least)


def _look(name: str, place: str, path: Path, least: tuple[int, ...]) -> _Look:
    if not os.access(path, os.X_OK):
        return _Look(place, path, None, "not there")
    if name == "java" and not os.access(path.with_name("javac"), os.X_OK):
        return _Look(place, path, None, "without javac")
    version, problem = read_version(name, path)
    if version is not None and not is_at_least(version, least):
        problem = f"version {format_version(version)}"
    return _Look(place, path, version, problem)


def read_version(name: str, path: Path) -> tuple[tuple[int, ...] | None, str | None]:
    """A program's version and None, or None and the reason why it could not be found out."""
    if name == "java":
        # Each JDK has this file; starting Java takes a second on a busy host.
        for line in (read_text(path.parent.parent / "release") or "").splitlines():
            if line.startswith("JAVA_VERSION="):
                return parse_version(line), None
    command = [str(path), *VERSION_COMMANDS.get(name, ("--version",))]
    try:
        asked = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
            env=_beside(path),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, f"does not run: {error}"
    if asked.returncode != 0:
        said = (asked.stderr or asked.stdout).strip().splitlines()
        return None, f"{BROKEN}: {said[-1] if said else f'exit code {asked.returncode}'}"
    version = parse_version(_COLOURS.sub("", asked.stdout))
    return version, None if version else "tells no version"


def _beside(path: Path) -> dict[str, str]:
    # npm starts `node` by its name, and the one beside it is the right one.
    return {**os.environ, "PATH": os.pathsep.join([str(path.parent), os.environ.get("PATH", os.defpath)])}


def _preference(look: _Look, wanted: tuple[int, ...]) -> tuple[bool, bool, tuple[int, ...]]:
    version = look.version or (0,)
    newest_first = tuple(-part for part in version)
    return not look.place.startswith(CHOSEN_BY_THE_USER), version[0] != wanted[0], newest_first
