# SPDX-License-Identifier: Apache-2.0
"""A copy of this project, as somebody has it who has just fetched it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SHIPPED = ("bancada", "scripts", "src", "crates", "contracts", "studies", "scenarios", "stacks")
FILES = ("pyproject.toml", "README.md", "requirements.txt", "requirements-dev.txt", "Cargo.toml", "Cargo.lock")
# The engine that these tests build measures nothing, so its compiler may leave out what takes longest.
QUICK_BUILD = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0"}
NOT_SHIPPED = shutil.ignore_patterns("node_modules", "target", "__pycache__")


@dataclass(frozen=True)
class Copy:
    """A copy of the project, and the environment in which it is started."""

    folder: Path
    env: dict[str, str]
    cache: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cache", self.folder / ".bancada")

    def start(
        self, *arguments: str, launcher: Path | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Start it as a user does."""
        return self._run([str(launcher or self.folder / "bancada"), *arguments], cwd, {})

    def set_up(self, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Only what the launcher does before it runs the command."""
        return self._run([str(self.folder / "scripts" / "setup.sh")], None, env or {})

    def _run(self, command: list[str], cwd: Path | None, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=cwd or "/",
            env={**self.env, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=900,
        )

    def begin(self, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start it in a session of its own, and do not wait."""
        return subprocess.Popen(
            [str(self.folder / "bancada"), "--help"],
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def forget(self) -> None:
        """Remove everything that was set up; what cargo compiled is kept, outside of the copy."""
        shutil.rmtree(self.cache, ignore_errors=True)


def copy_project(folder: Path) -> None:
    """What somebody gets who fetches the project."""
    folder.mkdir(parents=True)
    for name in SHIPPED:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, folder / name, ignore=NOT_SHIPPED)
        elif (PROJECT / name).exists():
            shutil.copy2(PROJECT / name, folder / name)
    for name in FILES:
        shutil.copy2(PROJECT / name, folder / name)


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    """One copy for all tests, each of which says what state it needs; no HOME and no settings of ours."""
    root = tmp_path_factory.mktemp("launcher")
    copy_project(root / "a copy")
    (root / "home").mkdir()
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("BANCADA_", "VIRTUAL_ENV", "UV_"))
    }
    env = {**kept, **QUICK_BUILD, "HOME": str(root / "home"), "CARGO_TARGET_DIR": str(root / "target")}
    yield Copy(root / "a copy", env)
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def ready(fresh: Copy) -> Copy:
    """The copy, set up."""
    done = fresh.set_up()
    assert done.returncode == 0, done.stderr
    return fresh
