# SPDX-License-Identifier: Apache-2.0
"""`bancada replicate`: a published study in miniature, run, judged, interrupted, and judged again from its folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bancada.errors import ExitCode
from tests.conftest import FAKE_STACK, PROJECT

Bancada = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.timeout(300)


def project_with_the_miniature(folder: Path) -> Path:
    """A project whose only replication is the miniature."""
    (folder / "stacks").mkdir(parents=True)
    (folder / "stacks" / "fake").symlink_to(FAKE_STACK)
    (folder / "scenarios").symlink_to(PROJECT / "scenarios")
    shutil.copytree(PROJECT / "tests" / "fakes" / "replication", folder / "studies")
    return folder


@pytest.fixture
def home(environment: dict[str, str], tmp_path: Path) -> Path:
    """That project, and commands that work in it."""
    home = project_with_the_miniature(tmp_path / "home")
    environment["BANCADA_HOME"] = str(home)
    return home


@dataclass(frozen=True)
class Done:
    """A replication that was carried out."""

    folder: Path
    said: str

    @property
    def claims(self) -> dict[str, dict[str, Any]]:
        """The judgements by claim."""
        told = json.loads((self.folder / "judgements.json").read_text())
        return {claim["claim"]: claim for claim in told["claims"]}

    @property
    def page(self) -> str:
        """Its report."""
        return (self.folder / "report.html").read_text()


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The miniature, carried out once for all tests that look at its outcome."""
    place = tmp_path_factory.mktemp("mini")
    home = project_with_the_miniature(place / "home")
    environment = {**os.environ, "BANCADA_HOME": str(home), "BANCADA_CACHE": str(place / "cache"), "COLUMNS": "200"}
    command = [sys.executable, "-m", "bancada", "replicate", "mini"]
    ended = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=250, check=False
    )
    assert ended.returncode == 0, ended.stderr
    (folder,) = (place / "results").iterdir()
    return Done(folder, ended.stdout)


def test_claims_are_judged(done: Done) -> None:
    """A true claim is confirmed, a false one contradicted, one about a skipped stack undecided with the reason."""
    assert {name: claim["verdict"] for name, claim in done.claims.items()} == {
        "slow-is-slower": "confirmed",
        "slow-is-faster": "contradicted",
        "absent": "undecided",
    }
    assert "native-image-of-the-future" in done.claims["absent"]["reason"]
    assert "3 claims at scale quick: 1 confirmed, 1 contradicted, 1 undecided." in done.said
    assert "skipped, because native-image-of-the-future" in done.page
    assert 'href="delays/report.html"' in done.page
    assert (done.folder / "delays" / "report.html").is_file()


def test_the_published_figures_stand_beside_the_measured_ones(done: Done) -> None:
    """Four times as long, as printed; and the printed median above its maximum is among the slips."""
    (published,) = done.claims["slow-is-slower"]["published"]
    assert published["ratio"]["point"] == pytest.approx(4)
    assert "Abacus" in done.page
    assert "median" in done.page.partition('id="paper"')[2].partition("</ul>")[0]


def test_an_interrupted_replication_goes_on(bancada: Bancada, done: Done, home: Path, tmp_path: Path) -> None:
    """What is missing is done by `--resume`; when nothing is missing, there is nothing to go on with."""
    folder = shutil.copytree(done.folder, tmp_path / "results" / done.folder.name)
    trials = sorted((folder / "delays" / "trials").iterdir())
    shutil.rmtree(trials[-1])
    before = {trial: trial.stat().st_mtime_ns for trial in trials[:-1]}
    ended = bancada("replicate", home / "studies" / "mini.toml", "--resume")
    assert ended.returncode == 0, ended.stderr
    assert len(list((folder / "delays" / "trials").iterdir())) == len(trials)
    assert before == {trial: trial.stat().st_mtime_ns for trial in trials[:-1]}
    assert bancada("replicate", "mini", "--resume").returncode == ExitCode.NOT_FOUND


def test_a_replication_is_judged_again_from_its_folder(bancada: Bancada, done: Done, tmp_path: Path) -> None:
    """`bancada report FOLDER` writes the page and the judgements anew, without measuring."""
    folder = shutil.copytree(done.folder, tmp_path / "results" / done.folder.name)
    (folder / "judgements.json").unlink()
    (folder / "report.html").unlink()
    ended = bancada("report", folder)
    assert ended.returncode == 0, ended.stderr
    assert Done(folder, "").claims == done.claims
    assert (folder / "report.html").is_file()


@pytest.mark.usefixtures("home")
def test_a_part_can_be_chosen_and_must_exist(bancada: Bancada) -> None:
    """A part that the replication does not have is named, with those that it has."""
    ended = bancada("replicate", "mini", "--part", "delay")
    assert ended.returncode == ExitCode.NOT_FOUND
    assert "known: delays" in ended.stderr
    assert bancada("replicate", "minimum").returncode == ExitCode.NOT_FOUND


@pytest.mark.usefixtures("home")
def test_an_engine_must_exist(bancada: Bancada) -> None:
    """An unknown load engine is refused with the nearest name, before anything is built."""
    ended = bancada("replicate", "mini", "--engine", "jmetr")
    assert ended.returncode == ExitCode.INPUT
    assert 'did you mean "jmeter"?' in ended.stderr


def test_a_claim_about_something_else_is_a_mistake(bancada: Bancada, home: Path) -> None:
    """A claim that names a load which its part does not have is refused before anything is built."""
    path = home / "studies" / "mini.toml"
    path.write_text(
        path.read_text().replace(
            '"fake:good", load = "2 users" } }]\npublished', '"fake:good", load = "3 users" } }]\npublished'
        )
    )
    ended = bancada("replicate", "mini")
    assert ended.returncode == ExitCode.INPUT
    assert "3 users" in ended.stderr
    assert str(path) in ended.stderr
