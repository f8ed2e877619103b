# SPDX-License-Identifier: Apache-2.0
"""Ask Docker or Podman through its command line; its settings are the user's own, from the environment."""

from __future__ import annotations

import math
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


class ContainerEngineError(Exception):
    """The engine could not do it; the text is the last line that it wrote."""


@dataclass(frozen=True)
class ContainerEngine:
    """A container engine of this host."""

    name: Literal["docker", "podman"]
    """Which of the two command lines it understands, whatever its file is called."""
    path: Path

    def ask(self, *arguments: str, timeout_s: float = 60) -> str:
        """What it answers on standard output. Raises ContainerEngineError if it fails or takes too long."""
        try:
            done = subprocess.run(
                [str(self.path), *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout_s,
                check=False,
            )
        except OSError as error:
            raise ContainerEngineError(f"{self.path}: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise ContainerEngineError(f"{self.name} {arguments[0]} took longer than {timeout_s:g} s") from error
        if done.returncode != 0:
            raise ContainerEngineError(_last_line(done.stderr) or f"exit code {done.returncode}")
        return done.stdout.strip()

    def stop_command(self, container: str, grace_s: float) -> list[str]:
        """The command that asks a container to end and ends it after the grace; fails if it does not run yet."""
        return [str(self.path), "stop", "-t", str(math.ceil(grace_s)), container]

    def remove_command(self, container: str) -> list[str]:
        """The command that ends a container at once and removes it; succeeds if there is none."""
        tolerant = ["--ignore"] if self.name == "podman" else []  # Docker's --force is
        return [str(self.path), "rm", "--force", *tolerant, container]

    def first_process(self, container: str) -> tuple[int, str] | None:
        """Process id on this host of the container's first process, and the container's id.

        None where it runs in another machine, as on macOS. Raises ContainerEngineError if the container does not run.
        """
        said = self.ask("container", "inspect", "--format", "{{.State.Pid}} {{.Id}}", container)
        pid, _, identity = said.partition(" ")
        if not pid.isdigit() or not int(pid):
            raise ContainerEngineError("the container has ended")
        return (int(pid), identity) if _is_first_of_a_container(int(pid)) else None

    def exists(self, image: str) -> bool:
        """Whether the image is on this host."""
        try:
            self.ask("image", "inspect", "--format", "{{.Id}}", image)
        except ContainerEngineError:
            return False
        return True


def _is_first_of_a_container(pid: int) -> bool:
    """Whether a process of this host is number 1 in a namespace of its own; else it is one of another machine."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    numbers = next((line.split()[1:] for line in status.splitlines() if line.startswith("NSpid:")), [])
    return len(numbers) > 1 and numbers[-1] == "1"


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""
