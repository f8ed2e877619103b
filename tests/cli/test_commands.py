# SPDX-License-Identifier: Apache-2.0
"""The commands as people use them, against real small servers and the real engine."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from bancada.errors import ExitCode
from bancada.store.read import read_run
from tests.conftest import FAKE_STACK, Listening

Bancada = Callable[..., subprocess.CompletedProcess[str]]
StudyFile = Callable[..., Path]


def test_a_run_ends_with_a_report_and_everything_beside_it(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """The first command of the README in miniature: verdicts in the terminal, and every promised file."""
    ended = bancada("run", study("good", "slow", blocks=4, load="duration = '500ms'"))
    assert ended.returncode == 0, ended.stderr
    assert "fake:slow" in ended.stdout
    assert "worse" in ended.stdout
    assert "Answer:" in ended.stdout
    (folder,) = tmp_path.glob("results/*")
    for name in ("run.json", "report.html", "summary.json", "report.md"):
        assert (folder / name).stat().st_size > 0
    assert list((folder / "tables").glob("*.csv"))
    summary = json.loads((folder / "summary.json").read_text())
    verdicts = {(each["a"]["sut"], each["b"]["sut"]): each for each in summary["comparisons"] if each["decisive"]}
    assert verdicts["fake:good", "fake:slow"]["verdict"] == "worse"
    assert verdicts["fake:good", "fake:slow"]["ratio"]["low"] > 1


def test_what_a_trial_stores_fits_together(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """Samples, record, probes and phases of a real trial agree with each other and with the study."""
    assert bancada("run", study("good", load="iterations = 20")).returncode == 0
    (folder,) = tmp_path.glob("results/*")
    (trial,) = read_run(folder).trials
    samples, probes, load = trial.samples(), trial.probes(), trial.record.load
    assert samples is not None
    assert probes is not None
    assert load is not None
    assert samples.height == load.requests == 4 * 20 * 4  # users × iterations × operations
    assert samples["user"].n_unique() == 4
    assert samples.group_by("operation").len()["len"].to_list() == [80] * 4
    assert load.bytes_in == samples["bytes_in"].sum()
    assert samples.filter(pl.col("new_connection")).height == load.connections_opened == 4
    assert (samples["sent_ns"] >= samples["intended_ns"]).all()
    assert (samples["done_ns"] >= samples["first_byte_ns"]).all()
    assert list(trial.record.phases_ns) == ["start", "conform", "warm-up", "measure", "stop"]
    assert trial.record.startup_ns is not None
    assert 20_000_000 < trial.record.startup_ns < 5_000_000_000
    assert probes["at_ns"].min() <= 0 <= samples["done_ns"].max() <= probes["at_ns"].max()  # type: ignore[operator]
    assert trial.record.exit is not None
    assert trial.record.exit.asked


def test_plan_says_whether_n_can_support_the_test(bancada: Bancada, study: StudyFile) -> None:
    """Three blocks cannot reach 0.05 with an exact Wilcoxon test, and that is said before anything runs."""
    few = bancada("plan", study("good", "slow", blocks=3))
    assert few.returncode == 0
    assert "4 blocks are needed" in few.stdout
    enough = bancada("plan", study("good", "slow", blocks=4))
    assert "A clear difference can be told" in enough.stdout


def test_every_shipped_study_plans(bancada: Bancada) -> None:
    """All studies in the project can be read, and their names resolve."""
    from bancada.catalog.studies import all_studies

    for each in all_studies():
        assert bancada("plan", each.study).returncode == 0


def test_verify_passes_what_is_right_and_names_what_is_not(bancada: Bancada) -> None:
    """A right stack passes; one that sorts the other way or takes what it should refuse does not."""
    right = bancada("verify", f"{FAKE_STACK}:good", f"{FAKE_STACK}:slow", "--examples", "10")
    assert right.returncode == 0, right.stdout + right.stderr
    assert "answers compared among all" in right.stdout
    lenient = bancada("verify", f"{FAKE_STACK}:lenient", "--examples", "10")
    assert lenient.returncode == ExitCode.NONCONFORMING
    assert "not 400" in lenient.stdout


def test_report_can_be_made_again_from_the_folder_alone(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """Reporting needs no measuring: the same folder gives the same summary."""
    assert bancada("run", study("good")).returncode == 0
    (folder,) = tmp_path.glob("results/*")
    before = (folder / "summary.json").read_text()
    (folder / "summary.json").unlink()
    assert bancada("report", folder, "--charts", "svg").returncode == 0
    assert (folder / "summary.json").read_text() == before
    assert all(chart.read_text().startswith("<svg") for chart in (folder / "charts").glob("*.svg"))
    assert len(list((folder / "charts").glob("*.svg"))) > 5


def test_compare_tells_by_its_exit_code_whether_something_got_worse(
    bancada: Bancada, tmp_path: Path, upstream: Callable[..., Listening]
) -> None:
    """The same service with more delay is worse than before; with the same delay it is not."""
    path = tmp_path / "own.toml"
    path.write_text(
        'study = "own"\nquestion = "?"\nblocks = 4\nwarm_up = "0s"\nmargin = "10%"\n'
        '[[operation]]\nname = "get"\npath = "/"\n'
        '[[load]]\nname = "4 users"\nusers = 4\nduration = "300ms"\n'
    )
    fast, slow = upstream("--delay", "5ms").address, upstream("--delay", "10ms").address
    for name, address in (("a", fast), ("b", fast), ("c", slow)):
        ended = bancada("run", path, "--stack", f"it={address}", "--results", tmp_path / name)
        assert ended.returncode == 0, ended.stderr
    (a,), (b,), (c,) = (list((tmp_path / name).iterdir()) for name in "abc")
    same, worse = bancada("compare", a, b), bancada("compare", a, c)
    assert same.returncode == 0, same.stdout + same.stderr
    assert worse.returncode == ExitCode.WORSE
    assert "worse" in worse.stdout


def test_load_closed_and_open_write_their_figures(
    bancada: Bancada, tmp_path: Path, upstream: Callable[..., Listening]
) -> None:
    """An ad-hoc load shows its figures, and writes them and every request where it is told."""
    address = upstream("--delay", "5ms", "--body-bytes", "100").address
    figures, samples = tmp_path / "f.json", tmp_path / "s.parquet"
    options = ["--users", "5", "--iterations", "20", "--json", figures, "--samples", samples]
    ended = bancada("load", f"{address}/x?y=1", *options)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(figures.read_text())
    assert told["requests"] == 100
    assert told["failures"] == {}
    assert set(told["latency_ns"]) >= {"mean", "p50", "p90", "p95", "p99", "p999", "max"}
    assert told["latency_ns"]["p50"] >= 5_000_000
    assert pl.read_parquet(samples).height == 100
    ended = bancada("load", address, "--rate", "200", "--duration", "1s", "--arrivals", "poisson", "--json", figures)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(figures.read_text())
    assert 140 < told["requests"] < 260
    assert "lateness_ns" in told


@pytest.mark.parametrize("what", ["stacks", "scenarios", "studies", "runs"])
def test_list_shows_what_there_is(bancada: Bancada, what: str) -> None:
    """Every list can be shown, an empty one too."""
    ended = bancada("list", what)
    assert ended.returncode == 0, ended.stderr
    assert {"stacks": "spring-mvc", "scenarios": "sort", "studies": "quickstart", "runs": "no runs yet"}[
        what
    ] in ended.stdout


@pytest.mark.parametrize("command", ["run", "report", "compare", "plan", "verify", "build", "load", "doctor", "list"])
def test_every_command_explains_itself(bancada: Bancada, command: str) -> None:
    """--help works everywhere, and commands with arguments show examples."""
    ended = bancada(command, "--help")
    assert ended.returncode == 0
    assert "Usage" in ended.stdout
    if command not in {"doctor", "list"}:
        assert "Examples" in ended.stdout


def test_doctor_looks_at_this_host(bancada: Bancada) -> None:
    """The host's checks run for real, and each says what it found."""
    ended = bancada("doctor")
    assert ended.returncode in {0, ExitCode.UNFIT_HOST}
    for part in ("CPUs", "load engine", "java 25", "open files"):
        assert part in ended.stdout
