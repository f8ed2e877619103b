# SPDX-License-Identifier: Apache-2.0
"""Debian's packages: what apt could install, and installing it where we may."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from bancada.errors import ToolMissingError
from bancada.host.versions import parse_version


def is_debian() -> bool:
    """Whether this system's packages come from apt."""
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def may_install() -> bool:
    """Whether we are root on such a system."""
    return is_debian() and os.geteuid() == 0


def candidate(package: str) -> tuple[int, ...] | None:
    """The version that apt would install or has installed, or None if it knows no such package."""
    if not is_debian():
        return None
    asked = subprocess.run(
        ["apt-cache", "policy", package],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "LC_ALL": "C"},
    )
    for line in asked.stdout.splitlines():
        key, _, value = line.strip().partition(": ")
        if key == "Candidate":
            return parse_version(value.partition(":")[2] if ":" in value else value)
    return None


def refresh() -> None:
    """Fetch the lists of packages anew; without network the old ones stay."""
    subprocess.run(["apt-get", "update", "-q"], capture_output=True, check=False, timeout=600)


def install(*packages: str) -> None:
    """Install packages; raises ToolMissingError with the end of apt's message if that fails."""
    done = subprocess.run(
        ["apt-get", "install", "-q", "-y", "--no-install-recommends", *packages],
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
    if done.returncode != 0:
        raise ToolMissingError(
            f"apt-get could not install {' '.join(packages)}",
            where="\n".join(done.stderr.strip().splitlines()[-5:]),
            advice="repair apt's sources or the network, and start again",
        )
