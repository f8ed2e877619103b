# SPDX-License-Identifier: Apache-2.0
"""Find the container engine of this host: Docker if it answers, else Podman."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from bancada.errors import ToolMissingError
from bancada.host.tools import Tool, install_command, read_version
from bancada.host.versions import format_version

CHOICE = "BANCADA_CONTAINER_ENGINE"
"""Environment variable with which the user names one: `docker`, `podman`, or a path."""
ENGINES = ("docker", "podman")


def find_container_engine() -> Tool:
    """The engine that the user chose, else the first that answers, named `docker` or `podman` by how it is to be used.

    Raises ToolMissingError that says for each why it was not taken. Takes up to a second.
    """
    chosen = os.environ.get(CHOICE)
    problems = []
    for candidate in (chosen,) if chosen else ENGINES:
        found = shutil.which(candidate)
        if found is None:
            problems.append(f"{candidate}: not on the PATH")
            continue
        name = _which_of_them(Path(found))
        version, problem = read_version(name, Path(found))
        if version is not None:
            return Tool(name=name, path=Path(found), version=format_version(version))
        problems.append(f"{candidate}: {problem}")
    raise ToolMissingError(
        f"no container engine answers ({'; '.join(problems)})",
        where=f"{CHOICE}={chosen}" if chosen else "the PATH",
        advice=f"start its daemon, or install one: {install_command('podman', (0,))}",
    )


def _which_of_them(path: Path) -> str:
    """Podman is often installed under Docker's name; what it says of itself is the truth."""
    try:
        said = subprocess.run(
            [str(path), "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    return "podman" if "podman" in f"{path.name} {said}".lower() else "docker"
