# SPDX-License-Identifier: Apache-2.0
"""Whatever is wrong, a user gets one clear message (what, where, what to do) and the exit code of its kind."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bancada.errors import ExitCode
from tests.conftest import FAKE_STACK

Bancada = Callable[..., subprocess.CompletedProcess[str]]
StudyFile = Callable[..., Path]


def refused(ended: subprocess.CompletedProcess[str], code: ExitCode, *parts: str) -> None:
    """The command ended with `code` and one message that holds all `parts`; never with a traceback."""
    said = ended.stderr
    assert ended.returncode == code, f"exit code {ended.returncode}\n{ended.stdout}\n{said}"
    assert "Traceback" not in said + ended.stdout
    assert said.count("error:") == 1, said
    for part in parts:
        assert part in said, said


TYPOS = [
    ("ramp_upp = '2s'", ExitCode.INPUT, ["unknown key load[0].ramp_upp", 'did you mean "ramp_up"?', "line 12"]),
    ("ramp_up = '2 seconds'", ExitCode.INPUT, ["load[0].ramp_up is not a duration", "500ms"]),
    ("ramp_up = '2'", ExitCode.INPUT, ["load[0].ramp_up is not a duration"]),
    ("duration = '2s'", ExitCode.INPUT, ["needs either iterations or duration, and not both"]),
    ("think = -5", ExitCode.INPUT, ["load[0].think", "greater than or equal to 0"]),
]


@pytest.mark.parametrize(("line", "code", "parts"), TYPOS)
def test_a_mistake_in_a_load_is_told_with_file_and_key(
    bancada: Bancada, study: StudyFile, line: str, code: ExitCode, parts: list[str]
) -> None:
    """A wrong key or value in [[load]] names the study file, the key, and what is allowed."""
    path = study("good", load=f"{line}\niterations = 5")
    refused(bancada("run", path), code, str(path), *parts)


def test_every_mistake_of_a_file_is_told_at_once(bancada: Bancada, study: StudyFile) -> None:
    """Two mistakes in one file give two lines in one message."""
    path = study("good", extra="blokcs = 3\nmargin = '300'")
    refused(bancada("plan", path), ExitCode.INPUT, "unknown key blokcs", 'did you mean "blocks"?', "margin")


def test_broken_toml_is_told_with_its_line(bancada: Bancada, tmp_path: Path) -> None:
    """A syntax error names the file and the line."""
    path = tmp_path / "broken.toml"
    path.write_text("study = quickstart\n")
    refused(bancada("run", path), ExitCode.INPUT, "not valid TOML", "line 1", str(path))


def test_an_unknown_metric_lists_the_known_ones(bancada: Bancada, study: StudyFile) -> None:
    """A study that asks for a metric that does not exist is told which do."""
    refused(bancada("run", study("good", extra='metric = "speed"')), ExitCode.INPUT, "'speed'", "latency_mean_ns")


def test_an_unknown_study_names_the_nearest(bancada: Bancada) -> None:
    """A mistyped study name is answered with the one that was meant."""
    refused(bancada("run", "quikstart"), ExitCode.NOT_FOUND, 'did you mean "quickstart"?')


def test_an_unknown_stack_names_the_nearest(bancada: Bancada) -> None:
    """A mistyped stack name is answered with the one that was meant."""
    refused(bancada("run", "quickstart", "--stack", "sprng-mvc:jar"), ExitCode.NOT_FOUND, 'did you mean "spring-mvc"?')


def test_an_unknown_variant_lists_the_known_ones(bancada: Bancada) -> None:
    """A variant that the stack does not have is answered with those that it has."""
    refused(bancada("run", "quickstart", "--stack", "spring-mvc:jarr"), ExitCode.NOT_FOUND, '"jar"?', "virtual")


def test_a_stack_named_twice_is_refused(bancada: Bancada, study: StudyFile) -> None:
    """Two cells of the same name could not be told apart."""
    refused(bancada("run", study("good", "good")), ExitCode.PLAN, "named twice: fake:good")


def test_a_stack_without_the_scenario_is_refused(bancada: Bancada, tmp_path: Path) -> None:
    """A stack that does not implement the scenario is found before anything is built."""
    folder = tmp_path / "other"
    folder.mkdir()
    text = (FAKE_STACK / "stack.toml").read_text().replace('["sort"]', '["relay"]')
    (folder / "stack.toml").write_text(text)
    refused(
        bancada("run", "quickstart", "--stack", f"{folder}:good"),
        ExitCode.PLAN,
        'does not implement the scenario "sort"',
        "relay",
    )


def test_a_missing_payload_is_told_with_its_key(bancada: Bancada, tmp_path: Path) -> None:
    """A file that an operation names but that is not there is found before anything runs."""
    path = tmp_path / "s.toml"
    path.write_text(
        'study = "s"\nquestion = "?"\nblocks = 1\nstacks = ["a=http://127.0.0.1:9"]\n'
        '[[operation]]\nname = "send"\npath = "/"\nmethod = "POST"\nbody = { file = "nothing.json" }\n'
        '[[load]]\nname = "l"\nusers = 1\niterations = 1\n'
    )
    refused(bancada("plan", path), ExitCode.INPUT, "operation send, body.file", "nothing.json", str(path))


def test_an_address_that_is_none_is_refused(bancada: Bancada) -> None:
    """A service is named by http://host:port, and nothing else."""
    refused(bancada("run", "own-service", "--stack", "a=localhost:80"), ExitCode.INPUT, "url")


def test_a_missing_tool_lists_where_it_was_looked_for(bancada: Bancada, tmp_path: Path) -> None:
    """A JDK of the far future is looked for everywhere, and every place is named."""
    folder = tmp_path / "future"
    folder.mkdir()
    text = (FAKE_STACK / "stack.toml").read_text().replace("[variant.good]", "[requires]\njava = 99\n[variant.good]")
    (folder / "stack.toml").write_text(text)
    ended = bancada("run", "quickstart", "--stack", f"{folder}:good")
    refused(ended, ExitCode.TOOL_MISSING, "java", "99")


def test_a_failed_build_shows_its_last_lines(bancada: Bancada, study: StudyFile) -> None:
    """A stack that does not build is told with the compiler's own words and the log's place."""
    ended = bancada("run", study("good", "unbuildable"))
    refused(ended, ExitCode.BUILD, "fake:unbuildable", "missing semicolon in line 7", ".log", "exit code 1")


def test_a_start_command_that_does_not_exist_is_told(bancada: Bancada, study: StudyFile) -> None:
    """A start command that cannot be executed is named."""
    refused(bancada("run", study("unstartable")), ExitCode.TOOL_MISSING, "./no-such-program", "No such file")


def test_a_variant_whose_needs_are_not_met_is_skipped(bancada: Bancada, study: StudyFile) -> None:
    """What this host cannot run is left out with its reason; the rest is measured."""
    ended = bancada("run", study("good", "needs-much"))
    assert ended.returncode == 0, ended.stderr
    assert "skipping fake:needs-much: native-image-of-the-future is needed" in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("variant", "kind", "part"),
    [
        ("never-ready", "never-ready", "was not ready within 5 s"),
        ("ends-at-once", "never-ready", "ended before it was ready"),
        ("crashes", "crashed", "ended by itself (exit code 42)"),
        ("wrong", "never-ready", "answered other JSON than expected"),
        ("lenient", "nonconforming", "does not fulfil the scenario's contract"),
    ],
)
def test_a_stack_that_fails_is_a_result_and_no_accident(
    bancada: Bancada, study: StudyFile, variant: str, kind: str, part: str
) -> None:
    """A failing stack is recorded with its kind, the others are measured, and the exit code tells that one has none."""
    ended = bancada("run", study("good", variant, load="iterations = 50"))
    refused(ended, ExitCode.NO_RESULT, f"every trial failed of: fake:{variant}")
    assert kind in ended.stderr
    assert part in ended.stderr
    assert "[2/2]" in ended.stderr
    assert "report.html" in ended.stderr


def test_a_taken_port_is_named(bancada: Bancada, study: StudyFile) -> None:
    """A port that somebody else holds is told before the stack is started on it."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        refused(bancada("run", study("good", extra=f"port = {port}")), ExitCode.ADDRESS, f"port {port} is taken")


def test_a_service_that_is_not_there_is_told_before_anything_is_begun(bancada: Bancada, tmp_path: Path) -> None:
    """Nobody waits a minute for each trial of a service that was never started."""
    ended = bancada("run", "own-service", "--stack", "mine=http://127.0.0.1:9")
    refused(ended, ExitCode.ADDRESS, "nothing listens at http://127.0.0.1:9", "--stack mine=")
    assert not (tmp_path / "results").exists()


def test_a_damaged_run_does_not_hide_the_others_in_a_list(bancada: Bancada, tmp_path: Path) -> None:
    """`list runs` says which one is damaged, and shows the rest."""
    (tmp_path / "results" / "broken").mkdir(parents=True)
    (tmp_path / "results" / "broken" / "run.json").write_text("{")
    ended = bancada("list", "runs")
    assert ended.returncode == 0, ended.stderr
    assert "broken" in ended.stdout
    assert "damaged" in ended.stdout


def test_a_missing_engine_lists_where_it_was_looked_for(bancada: Bancada, study: StudyFile) -> None:
    """Without the load engine nothing can be measured, and it is said how to get it."""
    ended = bancada("run", study("good"), env={"BANCADA_ENGINE": "/nowhere/bancada-engine"})
    refused(ended, ExitCode.ENGINE, "/nowhere/bancada-engine", "./bancada")


def test_an_engine_of_another_version_is_told(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """Words that this version does not understand are an error, never a guess."""
    engine = tmp_path / "engine"
    engine.write_text('#!/bin/sh\necho \'{"event": "record", "version": 9}\'\n')
    engine.chmod(0o755)
    refused(bancada("run", study("good"), env={"BANCADA_ENGINE": str(engine)}), ExitCode.ENGINE, "does not understand")


def test_an_engine_that_dies_is_told(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """An engine that ends without a record is an error that carries its last words."""
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\necho out of memory >&2\nexit 9\n")
    engine.chmod(0o755)
    refused(bancada("run", study("good"), env={"BANCADA_ENGINE": str(engine)}), ExitCode.ENGINE, "out of memory")


def test_no_run_yet_is_told(bancada: Bancada) -> None:
    """Asking for a report before any run says how to get one."""
    refused(bancada("report"), ExitCode.NOT_FOUND, "no run yet", "bancada run quickstart")


def test_a_run_that_is_not_there_is_told(bancada: Bancada) -> None:
    """A mistyped run names the places searched."""
    refused(bancada("report", "results/nothing"), ExitCode.NOT_FOUND, "results/nothing")


def test_a_damaged_run_is_told(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """A results file that was cut off is named."""
    assert bancada("run", study("good")).returncode == 0
    (record,) = tmp_path.glob("results/*/trials/*/trial.json")
    record.write_text(record.read_text()[:200])
    refused(bancada("report"), ExitCode.RUN, "damaged", str(record.name))


def test_damaged_samples_are_told(bancada: Bancada, study: StudyFile, tmp_path: Path) -> None:
    """A Parquet file that was cut off is named."""
    assert bancada("run", study("good")).returncode == 0
    (samples,) = tmp_path.glob("results/*/trials/*/samples.parquet")
    samples.write_bytes(samples.read_bytes()[:100])
    refused(bancada("report"), ExitCode.RUN, "damaged", "samples.parquet")


def test_a_load_needs_users_or_a_rate(bancada: Bancada) -> None:
    """An ad-hoc load without a shape is told which shapes there are."""
    refused(bancada("load", "http://127.0.0.1:9/"), ExitCode.INPUT, "--users", "--rate")


def test_a_load_of_nobody_has_no_result(bancada: Bancada) -> None:
    """An address that refuses every connection gives its failures by kind and an exit code."""
    ended = bancada("load", "http://127.0.0.1:9/", "--users", "1", "--iterations", "2")
    refused(ended, ExitCode.NO_RESULT, "no request succeeded")
    assert "connect-refused" in ended.stdout


@pytest.mark.parametrize("arguments", [("run",), ("run", "--blocks", "x"), ("nonsense",), ("list", "nonsense")])
def test_wrong_usage_is_told_with_exit_code_two(bancada: Bancada, arguments: tuple[str, ...]) -> None:
    """Options that do not exist are the command line's own error, as everywhere."""
    ended = bancada(*arguments)
    assert ended.returncode == ExitCode.USAGE
    assert "Traceback" not in ended.stderr


STUDY_KEYS = [
    ("only = ['srot']", ExitCode.PLAN, ['no operation "srot"', "known: "]),
    ("upstream = { delay = '320ms' }", ExitCode.PLAN, ['the scenario "sort" has no central service', "key upstream"]),
    ("upstream = { delay = 'soon' }", ExitCode.INPUT, ["upstream.delay"]),
    ("engines = ['jmetr']", ExitCode.INPUT, ["engines[0]", "'bancada' or 'jmeter'"]),
    ("engines = ['bancada', 'bancada']", ExitCode.INPUT, ["needs at least one engine, and each only once"]),
    ("services = { sql = 'bancada-engine' }", ExitCode.INPUT, ["names bancada-engine as services.sql"]),
    ("services = { upstream = 'bancada-engine@cache' }", ExitCode.INPUT, ["comes with Bancada; name no source"]),
    ("factors = { engine = ['fast'] }", ExitCode.INPUT, ["has a factor named engine"]),
]


@pytest.mark.parametrize(("line", "code", "parts"), STUDY_KEYS)
def test_a_key_that_does_not_fit_the_scenario_is_told(
    bancada: Bancada, study: StudyFile, line: str, code: ExitCode, parts: list[str]
) -> None:
    """Operations, central services and engines that there are not are named before anything is built."""
    refused(bancada("plan", study("good", extra=line)), code, *parts)


def test_an_unknown_engine_is_told_with_the_nearest(bancada: Bancada, study: StudyFile) -> None:
    """`--engine jmetr` means jmeter, and says so."""
    refused(bancada("run", study("good"), "--engine", "jmetr"), ExitCode.INPUT, 'did you mean "jmeter"?')


def test_a_load_that_jmeter_cannot_carry_out_is_told_before_anything_is_built(
    bancada: Bancada, study: StudyFile
) -> None:
    """JMeter does not record when a request was due, so it gets no open load, not even one that ends in no figures."""
    path = study("good")
    path.write_text(path.read_text().replace("users    = 4\niterations = 5", "rate = 10\nduration = '1s'"))
    refused(bancada("run", path, "--engine", "jmeter"), ExitCode.PLAN, "open load", "JMeter")
