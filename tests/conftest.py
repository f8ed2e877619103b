# SPDX-License-Identifier: Apache-2.0
"""What all tests share: the command line as a user has it, and small studies against a real small server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest

from bancada.engine.locate import locate

PROJECT = Path(__file__).resolve().parents[1]
FAKE_STACK = PROJECT / "tests" / "fakes" / "stack"

# Time limits of single examples would only measure how busy the host is.
hypothesis.settings.register_profile("bancada", deadline=None)
hypothesis.settings.load_profile("bancada")

SMALL_STUDY = """
study    = "small"
question = "Does it work at all?"
scenario = "sort"
stacks   = [{stacks}]
blocks   = {blocks}
warm_up  = "100ms"
{extra}
[[load]]
name     = "4 users"
users    = 4
{load}
[timeouts]
ready = "5s"
stop  = "2s"
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment whose cache of builds is the test's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BANCADA_")}
    return {**kept, "BANCADA_HOME": str(PROJECT), "BANCADA_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"}


@pytest.fixture
def bancada(environment: dict[str, str], tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line: call it with arguments, get exit code and output."""

    def call(
        *arguments: object, env: Mapping[str, str] | None = None, timeout_s: float = 120
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bancada", *map(str, arguments)],
            cwd=tmp_path,
            env={**environment, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    return call


@pytest.fixture
def study(tmp_path: Path) -> Callable[..., Path]:
    """Write a small study for variants of the fake stack, and return its path."""

    def write(
        *variants: str, blocks: int = 1, load: str = "iterations = 5", extra: str = "", name: str = "small.toml"
    ) -> Path:
        stacks = ", ".join(f'"{FAKE_STACK}:{variant}"' for variant in variants)
        path = tmp_path / name
        path.write_text(SMALL_STUDY.format(stacks=stacks, blocks=blocks, load=load, extra=extra))
        return path

    return write


@dataclass(frozen=True)
class Listening:
    """A server that listens at `address` since an instant of the monotonic clock."""

    address: str
    monotonic_ns: int


@pytest.fixture
def upstream() -> Iterator[Callable[..., Listening]]:
    """The engine's own HTTP server: call it with options such as `"--delay", "5ms"`, as often as servers are wanted."""
    servers: list[subprocess.Popen[str]] = []

    def start(*options: str) -> Listening:
        server = subprocess.Popen(
            [locate(), "upstream", "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE, text=True
        )
        servers.append(server)
        assert server.stdout is not None
        event = json.loads(server.stdout.readline())
        return Listening(f"http://{event['address']}", event["monotonic_ns"])

    yield start
    for server in servers:
        server.terminate()
        server.communicate(timeout=10)
