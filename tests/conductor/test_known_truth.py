# SPDX-License-Identifier: Apache-2.0
"""Whole runs against services whose truth is known: two that are the same, and two of which one is slower."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bancada.analysis.findings import find
from bancada.catalog.studies import Instead, read_study
from bancada.conductor.prepare import prepare
from bancada.conductor.run import conduct, new_manifest
from bancada.model.findings import Bounds, Comparison
from tests.conftest import Listening

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
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
name     = "5 users"
users    = 5
ramp_up  = "10ms"
duration = "400ms"
"""


@pytest.fixture
def awake() -> Iterator[None]:
    """Keep all CPUs out of their sleep states, whose ends would add up to 0.25 ms to every answer on a virtual machine.

    The loops run under SCHED_IDLE, so that they give way to everything else at once.
    """
    loop = "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)); os.sched_setaffinity(0, [{}])"
    command = loop + "\nwhile True: pass"
    loops = [subprocess.Popen([sys.executable, "-c", command.format(cpu)]) for cpu in os.sched_getaffinity(0)]
    yield
    for each in loops:
        each.kill()
        each.wait()


def decided(folder: Path, seed: int, a: str, b: str) -> Comparison:
    """Carry the study out once; the comparison by the decisive metric."""
    path = folder / f"{seed}.toml"
    path.write_text(f"seed = {seed}\n{STUDY}")
    bench = prepare(read_study(str(path), Instead(stacks=(f"a={a}", f"b={b}"))), lambda _: None)
    run = conduct(bench, new_manifest(bench, ["test"]), folder / f"run-{seed}")
    (decisive,) = [each for each in find(run).comparisons if each.decisive]
    return decisive


def test_the_same_service_twice_is_not_told_apart(upstream: Callable[..., Listening], tmp_path: Path) -> None:
    """A/A: of ten runs with six blocks at most one calls one of two identical services better or worse."""
    address = upstream("--delay", "10ms").address
    verdicts = [decided(tmp_path, seed, address, address).verdict for seed in range(RUNS)]
    assert sum(verdict in {"better", "worse"} for verdict in verdicts) <= 1, verdicts


@pytest.mark.usefixtures("awake")
def test_a_fifth_more_delay_is_always_seen(upstream: Callable[..., Listening], tmp_path: Path) -> None:
    """12 ms against 10 ms: *worse* in each of ten runs, with a ratio of 1.2 and a shift of 2 ms.

    Both answers take some 0.08 ms longer than the delay, over loopback and through two wake-ups, so the ratio of
    response times is nearer to 1.1985 than to 1.2: its interval is widened by half a per cent, and that of the shift by
    the 0.05 ms by which the wake-ups of two services can differ on a virtual machine.
    """
    short, long = upstream("--delay", "10ms").address, upstream("--delay", "12ms").address
    runs = [decided(tmp_path, seed, short, long) for seed in range(RUNS)]
    assert [each.verdict for each in runs] == ["worse"] * RUNS
    ratios, shifts = [
        [ends(bounds) for bounds in found] for found in ([r.ratio for r in runs], [r.shift for r in runs])
    ]
    assert all(low * 0.995 <= 1.2 <= high * 1.005 for low, high in ratios), ratios
    assert sum(low - 50_000 <= 2_000_000 <= high + 50_000 for low, high in shifts) >= 9, shifts


def ends(bounds: Bounds | None) -> tuple[float, float]:
    """Of an interval that must be there."""
    assert bounds is not None
    assert bounds.low is not None
    assert bounds.high is not None
    return bounds.low, bounds.high
