# SPDX-License-Identifier: Apache-2.0
"""The launcher's comparison of versions, on which hangs which Rust is taken."""

from __future__ import annotations

import subprocess

import pytest

from tests.launcher.conftest import PROJECT


@pytest.mark.parametrize(
    ("version", "least", "enough"),
    [
        ("1.88.0", "1.88", True),  # the same
        ("1.95.0", "1.88", True),
        ("1.100.0", "1.88", True),  # numbers, not letters
        ("2.0.0", "1.88", True),
        ("1.87.9", "1.88", False),
        ("1.9.0", "1.88", False),
        ("0.66.0", "1.88", False),  # as Debian 12 counts its own cargo
        ("1.85.1", "1.88.2", False),
    ],
)
def test_versions_are_compared_by_number(version: str, least: str, enough: bool) -> None:
    """Major and minor decide."""
    script = f'. "{PROJECT}/scripts/setup-tools.sh"; at_least "$1" "$2"'
    done = subprocess.run(["sh", "-euc", script, "sh", version, least], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert (done.returncode == 0) is enough


def test_rustups_compilers_are_found_beside_cargo_when_home_is_another(tmp_path: object) -> None:
    """An empty HOME has no .rustup; that of the user who installed the cargo on the PATH is taken."""
    script = f'. "{PROJECT}/scripts/setup-tools.sh"; find_rustup_home "$1"; echo "${{RUSTUP_HOME:-none}}"'
    folder = f"{tmp_path}/user"
    subprocess.run(["mkdir", "-p", f"{folder}/.rustup", f"{folder}/.cargo/bin"], check=True)
    env = {"HOME": f"{tmp_path}/empty", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        ["sh", "-euc", script, "sh", f"{folder}/.cargo/bin/cargo"], capture_output=True, text=True, check=True, env=env
    )
    assert done.stdout.strip() == f"{folder}/.rustup"
