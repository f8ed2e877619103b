# SPDX-License-Identifier: Apache-2.0
"""A small replication with its paper, and runs of its parts with a truth that the test sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bancada.analysis.replication.judge import judge
from bancada.model.base import NS_PER_MS
from bancada.model.judgement import Judgement, Judgements
from bancada.model.load import ClosedLoad
from bancada.model.paper import Paper
from bancada.model.replication import Replication, Scale
from bancada.store.read import Run, read_run
from tests.fakes.run_folder import FakeSut, make_run

FEW = ClosedLoad(name="few users", users=4, iterations=20, ramp_up=4 * NS_PER_MS)
MANY = ClosedLoad(name="many users", users=8, iterations=20, ramp_up=8 * NS_PER_MS)
ONCE = ClosedLoad(name="first answer", users=1, iterations=1)
OPERATIONS = {"sort-3": 1.0, "sort-300": 1.5}
JAR, NATIVE = "spring-jpa:jar", "spring-jpa:native"

MakeRun = Callable[..., Run]
Judged = Callable[..., Judgements]


def cell(sut: str, load: str = FEW.name, operation: str | None = None) -> dict[str, Any]:
    """A claim's cell."""
    return {"sut": sut, "load": load, "operation": operation}


def pair(of: dict[str, Any], against: dict[str, Any]) -> dict[str, Any]:
    """Two cells to be compared."""
    return {"of": of, "against": against}


FASTER = pair(cell(NATIVE), cell(JAR))


def claim(name: str = "native-faster", **fields: Any) -> dict[str, Any]:
    """A claim of the part `sort`: the native executable takes less time than the jar."""
    plain = {"claim": name, "text": "Native is faster.", "source": "Table 1", "part": "sort"}
    return plain | {"pairs": [FASTER], "expect": {"below": 1}} | fields


def replication_of(*claims: dict[str, Any]) -> Replication:
    """A replication with these claims and the parts `sort` and `start-up`."""
    loads = {"quick": [FEW, MANY], "paper": [FEW, MANY, ClosedLoad(name="paper only", users=9, iterations=1)]}
    scale = {name: {"blocks": 8, "warm_up": "0s", "load": load} for name, load in loads.items()}
    start = {name: {"blocks": 8, "warm_up": "0s", "load": [ONCE]} for name in loads}
    part = {"question": "Which?", "scenario": "sort", "stacks": [JAR, NATIVE]}
    return Replication.model_validate(
        {
            "replication": "somebody-2020",
            "title": "A title",
            "question": "Which?",
            "reference": "Somebody (2020)",
            "paper": "paper.toml",
            "part": [
                {**part, "part": "sort", "scale": scale},
                {**part, "part": "start-up", "scale": start, "metric": "startup_ns"},
            ],
            "claim": claims,
        }
    )


def row(name: str, mean_ms: float, **fields: Any) -> dict[str, Any]:
    """A printed row of a sound table: 80 requests, one KB each way a request, a median of 0.8 times the mean."""
    plain = {"row": name, "requests": 80, "mean_ms": mean_ms, "median_ms": 0.8 * mean_ms, "max_ms": 3 * mean_ms}
    return plain | {"throughput_per_s": 10.0, "received_kb_per_s": 10.0, "sent_kb_per_s": 10.0} | fields


def dashboard_row(name: str, mean_ms: float, **fields: Any) -> dict[str, Any]:
    """A printed row of a sound dashboard: half of the requests take the mean, the others within a tenth of it."""
    shares = {"min_ms": 0.9, "median_ms": 1.0, "p90_ms": 1.02, "p95_ms": 1.05, "p99_ms": 1.08, "max_ms": 1.1}
    times = {column: share * mean_ms for column, share in shares.items()}
    return row(name, mean_ms) | times | {"failed": 0, "error_percent": "0.00", "apdex": 1.0} | fields


def table(number: str, *rows: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A printed table of systems under test under 4 users with 20 iterations."""
    place = {"table": number, "machine": "Mac", "part": "sort", "load": FEW.name, "row": rows}
    return place | {"users": 4, "iterations": 20, "requests_per_iteration": 1} | fields


def paper_of(*tables: dict[str, Any], **fields: Any) -> Paper:
    """A paper with these tables; Table 1 of two systems under test unless told otherwise."""
    given = tables or (table("1", row(JAR, 100.0), row(NATIVE, 80.0)),)
    return Paper.model_validate({"paper": "somebody-2020", "table": given, **fields})


@pytest.fixture
def made(tmp_path: Path) -> MakeRun:
    """Make a run of the part `sort`: two systems under test, the second takes `ratio` times as long as the first."""

    def make(ratio: float = 0.7, name: str = "run", **settings: Any) -> Run:
        suts = (FakeSut(JAR, latency_ms=10.0), FakeSut(NATIVE, latency_ms=10.0 * ratio))
        asked = {"suts": suts, "loads": (FEW, MANY), "operations": OPERATIONS, "blocks": 8, **settings}
        return read_run(make_run(tmp_path / name, **asked))

    return make


@pytest.fixture
def judged(made: MakeRun) -> Judged:
    """The judgements of claims on a run made so."""

    def of(*claims: dict[str, Any], scale: Scale = "quick", paper: Paper | None = None, **settings: Any) -> Judgements:
        return judge(replication_of(*claims), paper or paper_of(), scale, {"sort": made(**settings)}, {})

    return of


def only(judgements: Judgements) -> Judgement:
    """The one judgement of a replication with one claim."""
    (found,) = judgements.claims
    return found
