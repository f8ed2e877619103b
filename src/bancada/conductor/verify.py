# SPDX-License-Identifier: Apache-2.0
"""Prove that stacks do the same work: the contract for each, and equal answers to equal requests among all."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bancada.conductor.bench import Bench
from bancada.conductor.contract_cases import contract_cases
from bancada.conductor.serving import ServiceFailed, serving
from bancada.conductor.starting import FailedToStart, standing
from bancada.design.plan import combinations
from bancada.errors import SutError
from bancada.model.operation import Operation
from bancada.process.guarded import Command, Guarded
from bancada.sut.ask import ask, first_of, is_literal, mistake

ASK_TIMEOUT_S = 30
CONTRACT_TIMEOUT_S = 600
EXCLUDED_CHECKS = "unsupported_method"
"""What a framework says to methods that the contract does not mention is the framework's own matter."""


@dataclass
class Verification:
    """What was asked of whom, and every mistake."""

    scenario: str
    contract: str | None
    asked: dict[str, int] = field(default_factory=dict)
    """Requests with a known answer, by label."""
    generated: dict[str, str] = field(default_factory=dict)
    """What schemathesis said in the end, by label."""
    compared: int = 0
    """Requests whose answers were compared among the stacks."""
    mistakes: list[tuple[str, str]] = field(default_factory=list)
    """Label and what is wrong."""


CONFIGURATION = """
# A request that fits its schema may still name a parent that is not there, or a code that is there already.
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "409", "422"]
"""
"""Of schemathesis; a status that the contract does not document is a mistake all the same."""

Answers = dict[str, tuple[int, object]]


def verify_all(bench: Bench, examples: int) -> Verification:
    """Verify every system under test of the bench; `examples` generated requests per operation and kind.

    Where the study names several databases, that is done with each. Raises ServiceError if one fails.
    """
    result = Verification(bench.scenario.scenario, bench.scenario.contract)
    cases = contract_cases(bench.scenario, examples)
    for factors in combinations(bench.study):
        answers = {
            _label(sut.label, factors): _verify_one(bench, sut.label, factors, cases, result, examples)
            for sut in bench.suts
        }
        _compare(result, answers)
    return result


def _label(sut: str, factors: Mapping[str, str]) -> str:
    return " · ".join([sut, *(f"{name}={value}" for name, value in factors.items())])


def _verify_one(
    bench: Bench,
    sut: str,
    factors: Mapping[str, str],
    cases: Mapping[str, Operation],
    result: Verification,
    examples: int,
) -> Answers:
    label = _label(sut, factors)
    answers: Answers = {}
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder)
        try:
            with serving(bench, factors, logs) as served, standing(bench, sut, factors, logs, served) as up:
                answers = _questions(bench, result, label, up.running.base_url)
                answers |= dict(_generated(cases, up.running.base_url))
                _contract(bench, result, label, up.running.base_url, examples)
                served.check("while the contract was verified")
        except FailedToStart as failed:
            result.mistakes.append((label, f"{failed.reason.what}\n{failed.tail}".strip()))
        except ServiceFailed as failed:
            raise failed.reason from failed
        except SutError as error:
            result.mistakes.append((label, error.what))
    return answers


def _questions(bench: Bench, result: Verification, label: str, base_url: str) -> Answers:
    answers: Answers = {}
    asked = [each for each in map(first_of, (*bench.scenario.operation, *bench.scenario.refusal)) if is_literal(each)]
    for operation in asked:
        found = _ask(result, label, base_url, operation)
        if found is not None and operation.name in {each.name for each in bench.scenario.operation}:
            answers[operation.name] = found
    result.asked[label] = len(asked)
    return answers


def _ask(result: Verification, label: str, base_url: str, operation: Operation) -> tuple[int, object] | None:
    try:
        answer = ask(base_url, operation, ASK_TIMEOUT_S)
    except (OSError, http.client.HTTPException) as error:
        result.mistakes.append((label, f"{operation.name}: no answer: {error or type(error).__name__}"))
        return None
    wrong = mistake(operation, answer)
    if wrong is not None:
        result.mistakes.append((label, f"{operation.name}: {wrong}"))
        return None
    return answer.status, _content(answer.body)


def _generated(cases: Mapping[str, Operation], base_url: str) -> Iterator[tuple[str, tuple[int, object]]]:
    for name, operation in cases.items():
        try:
            answer = ask(base_url, operation, ASK_TIMEOUT_S)
        except (OSError, http.client.HTTPException) as error:
            yield name, (0, f"no answer: {error}")
            continue
        # What a refusal says may differ; that it refuses may not.
        yield name, (answer.status, _content(answer.body) if answer.status < http.client.BAD_REQUEST else None)


def _content(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError:
        return body


def _contract(bench: Bench, result: Verification, label: str, base_url: str, examples: int) -> None:
    if bench.scenario.contract is None:
        return
    argv = [sys.executable, "-m", "schemathesis.cli", "--config-file", "configuration.toml"]
    argv += ["run", bench.scenario.contract, "--url", base_url]
    argv += ["--exclude-checks", EXCLUDED_CHECKS, "--mode", "all", "--max-examples", str(examples), "--no-color"]
    argv += ["--seed", str(bench.study.seed), "--generation-database", "none"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "configuration.toml").write_text(CONFIGURATION)
        command = Command(argv, cwd=Path(folder))
        with Guarded(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as program:
            assert program.stdout is not None
            said = program.stdout.read().decode(errors="replace")
            ended = program.wait(CONTRACT_TIMEOUT_S)
    if ended is None or ended.code != 0:
        result.mistakes.append((label, f"generated requests ({ended}):\n{_failures(said)}"))
    else:
        result.generated[label] = _summary(said)


def _failures(said: str) -> str:
    _, found, failures = said.partition("= FAILURES =")
    text = failures if found else said
    return re.sub(r"={5,}", "", text).strip()[-3000:]


def _summary(said: str) -> str:
    cases = re.search(r"(\d+) generated", said)
    return f"{cases[1]} generated requests" if cases else "generated requests"


def _compare(result: Verification, answers: Mapping[str, Answers]) -> None:
    labels = list(answers)
    if len(labels) < 2:
        return
    first, *others = labels
    for name, expected in answers[first].items():
        result.compared += 1
        for other in others:
            found = answers[other].get(name)
            if found is not None and found != expected:
                result.mistakes.append(
                    (other, f"{name}: answers otherwise than {first}: {_short(found)} instead of {_short(expected)}")
                )


def _short(answer: tuple[int, object]) -> str:
    status, content = answer
    text = json.dumps(content) if not isinstance(content, bytes) else repr(content)
    return f"status {status}, {text[:100]}"
