# SPDX-License-Identifier: Apache-2.0
"""Whole runs against services whose truth is known: two that are the same, and two of which one is slower."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Listening

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
Bancada = Callable[..., subprocess.CompletedProcess[str]]
RUNS = 10

STUDY = """
study    = "known"
question = "Which delay is shorter?"
blocks   = 6
warm_up  = "100ms"
[[operation]]
name = "get"
path = "/"
[[load]]
name     = "10 users"
users    = 10
duration = "400ms"
"""


def decided(bancada: Bancada, folder: Path, seed: int, a: str, b: str) -> list[dict[str, Any]]:
    """Run the study once and return the comparisons by the decisive metric."""
    path = folder / f"{seed}.toml"
    path.write_text(f"seed = {seed}\n{STUDY}")
    ended = bancada("run", path, "--stack", f"a={a}", "--stack", f"b={b}", "--results", folder / f"r{seed}")
    assert ended.returncode == 0, ended.stderr
    (run,) = (folder / f"r{seed}").iterdir()
    comparisons: list[dict[str, Any]] = json.loads((run / "summary.json").read_text())["comparisons"]
    return [each for each in comparisons if each["decisive"]]


def test_the_same_service_twice_is_not_told_apart(
    bancada: Bancada, upstream: Callable[..., Listening], tmp_path: Path
) -> None:
    """A/A: of ten runs with six blocks at most one calls one of two identical services better or worse."""
    address = upstream("--delay", "10ms").address
    verdicts = [decided(bancada, tmp_path, seed, address, address)[0]["verdict"] for seed in range(RUNS)]
    assert sum(verdict in {"better", "worse"} for verdict in verdicts) <= 1, verdicts


def test_a_fifth_more_delay_is_always_seen(
    bancada: Bancada, upstream: Callable[..., Listening], tmp_path: Path
) -> None:
    """12 ms against 10 ms: *worse* in each of ten runs, and the interval of the ratio holds 1.2."""
    short, long = upstream("--delay", "10ms").address, upstream("--delay", "12ms").address
    for seed in range(RUNS):
        (comparison,) = decided(bancada, tmp_path, seed, short, long)
        assert comparison["verdict"] == "worse"
        assert comparison["ratio"]["low"] <= 1.2 <= comparison["ratio"]["high"], comparison["ratio"]
