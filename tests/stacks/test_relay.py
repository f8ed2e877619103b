# SPDX-License-Identifier: Apache-2.0
"""A relay hands on exactly what the central service answered: every stack does, and one that does not is caught."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.errors import ExitCode
from bancada.store.read import StoredTrial, read_run
from tests.conftest import PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
Bancada = Callable[..., subprocess.CompletedProcess[str]]
FAKE = PROJECT / "tests" / "fakes" / "relay"
STACKS = (
    "spring-mvc:jar",
    "spring-mvc:virtual",
    "kotlin-coroutines:jar",
    "quarkus-rest:jar",
    "quarkus-rest:reactive",
    "quarkus-rest:virtual",
    "node-fastify:node",
)

STUDY = """
study    = "pages"
question = "Is it the same page?"
scenario = "relay"
stacks   = [{stacks}]
blocks   = 1
warm_up  = "0s"
[upstream]
delay = "5ms"
[[load]]
name       = "4 users"
users      = 4
iterations = 10
[timeouts]
ready = "3s"
"""


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """With the project's own cache, so that what takes minutes to build is built once."""
    kept = {name: value for name, value in environment.items() if name != "BANCADA_CACHE"}
    return kept | {name: os.environ[name] for name in ("BANCADA_CACHE",) if name in os.environ}


@pytest.fixture
def pages(tmp_path: Path) -> Callable[..., Path]:
    """Write a study of the fake relay's variants, and return its path."""

    def write(*variants: str) -> Path:
        path = tmp_path / "pages.toml"
        path.write_text(STUDY.format(stacks=", ".join(f'"{FAKE}:{each}"' for each in variants)))
        return path

    return write


def trials_in(folder: Path) -> dict[str, StoredTrial]:
    """The trials of the only run, by variant."""
    (results,) = (folder / "results").iterdir()
    return {trial.record.plan.cell.sut.partition(":")[2]: trial for trial in read_run(results).trials}


def test_every_stack_hands_on_the_same_bytes(bancada: Bancada) -> None:
    """All seven answer alike: the page, the refusals, and whatever else is generated from the contract."""
    ended = bancada("verify", *STACKS, "--scenario", "relay", "--examples", "2", timeout_s=1500)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for stack in STACKS:
        assert stack in ended.stdout


def test_another_page_fails_verification(bancada: Bancada, pages: Callable[..., Path]) -> None:
    """A shorter page, one without line ends and one of the same size are named; the right one is not."""
    wrong = {"another-page": "300 bytes", "joins-lines": "6[0-9]{3} bytes", "garbles": "another body"}
    study = pages(*wrong, "good")  # the right one last: it is no majority that decides
    ended = bancada("verify", "--study", study, "--examples", "1")
    assert ended.returncode == ExitCode.NONCONFORMING, ended.stdout + ended.stderr
    for variant, answered in wrong.items():
        assert re.search(f"fake-relay:{variant} .*answered {answered}", ended.stdout), ended.stdout
    assert "fake-relay:good " not in ended.stdout.partition("compared")[2]


def test_another_page_fails_verification_of_a_scenario_by_name(bancada: Bancada) -> None:
    """Without a study too, and with nobody to compare it with."""
    ended = bancada("verify", f"{FAKE}:garbles", "--scenario", "relay", "--examples", "1")
    assert ended.returncode == ExitCode.NONCONFORMING, ended.stdout + ended.stderr


def test_another_page_fails_a_trial_before_it_is_timed(
    bancada: Bancada, pages: Callable[..., Path], tmp_path: Path
) -> None:
    """What the study's first round needed: the trial of the stack with the other page has no figures."""
    ended = bancada("run", pages("good", "another-page"))
    assert ended.returncode == ExitCode.NO_RESULT, ended.stderr
    trials = trials_in(tmp_path)
    failure = trials["another-page"].record.failure
    assert failure is not None
    assert "answered 300 bytes, not 6554" in failure.message
    assert trials["another-page"].record.load is None
    assert trials["good"].record.failure is None
    upstream = trials["good"].record.upstream
    assert upstream is not None
    assert upstream.requests >= 80  # users × iterations × operations: no answer came from a store of its own


def test_another_page_under_load_is_an_error_of_each_request(
    bancada: Bancada, pages: Callable[..., Path], tmp_path: Path
) -> None:
    """A stack that was right while it was examined is found out by every answer's size and digest."""
    assert bancada("run", pages("tires")).returncode == 0
    load = trials_in(tmp_path)["tires"].record.load
    assert load is not None
    assert load.requests == 80
    assert list(load.failures) == ["digest"]
    assert load.failures["digest"] >= 70  # the first ten answers were right; some of them were for conforming
