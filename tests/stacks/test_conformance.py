# SPDX-License-Identifier: Apache-2.0
"""The stacks with a database behind them do the same work, whichever database it is and however they are built."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.errors import ToolMissingError
from bancada.host.tools import find_tool
from bancada.store.read import read_run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
Bancada = Callable[..., subprocess.CompletedProcess[str]]

STUDY = """
study    = "first-look"
question = "Does it serve?"
scenario = "entities"
stacks   = ["{stack}:jar", "{stack}:{variant}"]
blocks   = 1
warm_up  = "0s"
[[load]]
name       = "5 users"
users      = 5
iterations = 3
"""


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """With the project's own cache, so that what takes minutes to build is built once."""
    kept = {name: value for name, value in environment.items() if name != "BANCADA_CACHE"}
    return kept | {name: os.environ[name] for name in ("BANCADA_CACHE",) if name in os.environ}


@pytest.mark.parametrize("product", ["mariadb", "mysql", "postgresql"])
def test_both_stacks_fulfil_the_contract_with_each_database(bancada: Bancada, product: str) -> None:
    """Spring Boot and Quarkus answer alike to every operation, refusal and generated request."""
    arguments = ("--scenario", "entities", "--service", product, "--examples", "3")
    ended = bancada("verify", "spring-jpa:jar", "quarkus-jpa:jar", *arguments, timeout_s=1500)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("variant", ["spring-jpa:virtual", "spring-jpa:aot", "quarkus-jpa:aot"])
def test_every_other_variant_on_the_jvm_fulfils_both_contracts(bancada: Bancada, variant: str) -> None:
    """With the database, and without one where only `sort` is asked."""
    for scenario in ("entities", "sort"):
        ended = bancada("verify", variant, "--scenario", scenario, "--examples", "2", timeout_s=1500)
        assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("stack", ["quarkus-jpa", pytest.param("spring-jpa", marks=pytest.mark.heavy)])
def test_a_native_executable_does_the_same_and_starts_faster(bancada: Bancada, tmp_path: Path, stack: str) -> None:
    """Built with GraalVM, verified, measured beside its jar; its side effects are accounted for."""
    try:
        find_tool("native-image")
    except ToolMissingError as missing:
        pytest.skip(missing.what)
    ended = bancada("verify", f"{stack}:native", "--scenario", "entities", "--examples", "5", timeout_s=3000)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(stack=stack, variant="native"))
    ended = bancada("run", study, timeout_s=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (folder,) = (tmp_path / "results").iterdir()
    trials = {trial.record.plan.cell.sut: trial.record for trial in read_run(folder).trials}
    assert all(count.rows == 15 for trial in trials.values() for count in trial.side_effects)
    jar, native = (trials[f"{stack}:{variant}"].startup_ns or 0 for variant in ("jar", "native"))
    assert 0 < native < jar
    assert json.loads((folder / "summary.json").read_text())["trials"]
