# SPDX-License-Identifier: Apache-2.0
"""Load engines side by side: engines whose readings are known to agree, to differ, or to leave it open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bancada.analysis.compare import Side
from bancada.analysis.findings import find
from bancada.analysis.instrument_words import instruments_in_words
from bancada.analysis.instruments import AGREED, instruments_of
from bancada.model.findings import EngineReading, Estimate, Findings, InstrumentComparison
from bancada.model.load import ClosedLoad
from bancada.model.metric import ENGINE_METRICS
from bancada.model.operation import Operation
from bancada.model.study import Study
from bancada.model.trial import Cell
from bancada.store.read import read_run
from tests.analysis.conftest import USERS
from tests.fakes.engines import ENGINES, TWO_ENGINES, measure_by_jmeter
from tests.fakes.run_folder import FakeBench, FakeSut, make_run

A, B = FakeSut("a:jar"), FakeSut("b:jar", latency_ms=7.0)
STEADY = (100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8, 100.1)


def side_by_side(first: Sequence[float], other: Sequence[float], blocks: int = 8) -> list[EngineReading]:
    """JMeter's readings by each metric, where all metrics have the same values."""
    study = Study(
        study="two",
        question="?",
        operation=(Operation(name="get", path="/"),),
        stacks=("a:jar",),
        blocks=blocks,
        load=(ClosedLoad(name="1 user", users=1, iterations=5),),
        engines=ENGINES,
    )
    cells = [Cell(sut="a:jar", load="1 user", factors={"engine": engine}) for engine in ENGINES]
    values = dict(zip([cell.label for cell in cells], (first, other), strict=True))

    def side(cell: Cell, _: str) -> Side:
        return Side(cell, dict(enumerate(values[cell.label], 1)))

    nothing: dict[str, Any] = dict.fromkeys(("low", "high", "sd", "minimum", "q1", "median", "q3", "maximum"))
    estimates = [
        Estimate(cell=cell, metric=metric, operation=None, n=0, values=(), mean=None, **nothing)
        for cell in cells
        for metric in (*AGREED, *ENGINE_METRICS)
    ]
    return [each.readings[1] for each in instruments_of(study, cells, side, estimates)]


@pytest.mark.parametrize(
    ("factor", "agreement"),
    [
        (1.0, "agree"),  # the same
        (1.02, "agree"),  # surely more, and surely within 3 %
        (0.98, "agree"),
        (1.10, "differ"),
        (0.85, "differ"),
    ],
)
def test_engines_agree_within_the_margin_and_differ_beyond_it(factor: float, agreement: str) -> None:
    """The ratio's whole interval decides, whichever way is better; it is other ÷ first."""
    for reading in side_by_side(STEADY, [value * factor for value in STEADY])[: len(AGREED)]:
        assert reading.agreement == agreement
        assert reading.ratio is not None
        assert reading.ratio.point == pytest.approx(factor)


def test_readings_that_scatter_are_undecided() -> None:
    """Twice as much in one trial and half as much in the next prove neither agreement nor difference."""
    other = [value * (2.0 if place % 2 else 0.5) for place, value in enumerate(STEADY)]
    assert {each.agreement for each in side_by_side(STEADY, other)[: len(AGREED)]} == {"undecided"}


def test_with_three_trials_no_difference_is_claimed() -> None:
    """No exact test can reach 5 % then, however far apart the readings are."""
    found = side_by_side(STEADY[:3], [2 * value for value in STEADY[:3]], blocks=3)
    assert {each.agreement for each in found[: len(AGREED)]} == {"undecided"}


def test_an_engine_without_a_value_is_undecided() -> None:
    """What was not measured neither agrees nor differs."""
    reading = side_by_side(STEADY, [])[0]
    assert (reading.agreement, reading.ratio) == ("undecided", None)


def test_costs_are_told_as_ratios_and_never_judged() -> None:
    """Ten times the CPU time is a fact about the engine, not a disagreement."""
    for reading in side_by_side(STEADY, [10 * value for value in STEADY])[len(AGREED) :]:
        assert reading.ratio is not None
        assert reading.ratio.point == pytest.approx(10)
        assert reading.agreement is None


def found_by_both(folder: Path, suts: Sequence[FakeSut] = (A, B), blocks: int = 8, **jmeter: Any) -> Findings:
    """A study by both engines, JMeter's trials as `measure_by_jmeter` makes them."""
    make_run(folder, suts=suts, blocks=blocks, loads=(USERS,), operations={"sort": 1.0}, **TWO_ENGINES)
    return find(read_run(measure_by_jmeter(folder, **jmeter)))


def test_a_run_by_two_engines_has_them_side_by_side(tmp_path: Path) -> None:
    """Each system by each metric, with mean, interval and number of trials of both engines."""
    findings = found_by_both(tmp_path / "run", slower=1.2, cpu=12.0)

    keys = {(each.cell.label, each.metric) for each in findings.instruments}
    assert keys == {(f"{sut} · 8 users", name) for sut in ("a:jar", "b:jar") for name in (*AGREED, *ENGINE_METRICS)}
    mean, cpu = (_of(findings, "a:jar", name) for name in ("latency_mean_ns", "engine_cpu_s"))
    assert [each.engine for each in mean.readings] == ["bancada", "jmeter"]
    assert all(each.n == 8 and each.low and each.mean and each.low < each.mean for each in mean.readings)
    assert (mean.readings[0].ratio, mean.readings[0].agreement) == (None, None)
    assert mean.readings[1].agreement == "differ"
    assert cpu.readings[1].ratio is not None
    assert cpu.readings[1].ratio.point == pytest.approx(12.0)


def test_stacks_are_judged_within_one_engine_and_never_by_the_engines_cost(tmp_path: Path) -> None:
    """Comparisons stay in one condition, and their families know nothing of the engine's metrics."""
    findings = found_by_both(tmp_path / "run", blocks=5)
    assert all(each.a.factors == each.b.factors for each in findings.comparisons)
    assert not {each.metric for each in findings.comparisons} & set(ENGINE_METRICS)
    costs = [each for each in findings.estimates if each.metric in ENGINE_METRICS]
    assert len(costs) == 2 * 4
    assert all(each.n == 5 for each in costs)


def test_memory_that_the_host_does_not_tell_is_unknown(tmp_path: Path) -> None:
    """No value, no ratio, and the reason; the CPU time stands."""
    findings = found_by_both(tmp_path / "run", suts=(A,), blocks=2, rss_bytes=None)
    memory = _of(findings, "a:jar", "engine_rss_peak_bytes").readings[1]
    assert (memory.n, memory.mean, memory.ratio) == (0, None, None)
    (estimate,) = (
        each
        for each in findings.estimates
        if each.metric == "engine_rss_peak_bytes" and each.cell.factors["engine"] == "jmeter"
    )
    assert estimate.unknown == "the load engine did not tell it"
    assert "memory" not in " ".join(instruments_in_words(findings.instruments, findings.margin))


def test_one_engine_is_compared_with_nothing(tmp_path: Path) -> None:
    """Its cost is estimated all the same."""
    folder = make_run(tmp_path / "run", suts=(A,), blocks=2, loads=(USERS,), bench=FakeBench(engine_busy=0.5))
    findings = find(read_run(folder))
    assert findings.instruments == ()
    assert instruments_in_words((), 0.03) == ()
    (cpu,) = (each for each in findings.estimates if each.metric == "engine_cpu_s")
    window = next(each for each in findings.estimates if each.metric == "throughput_per_s")
    assert cpu.n == window.n == 2
    assert cpu.mean is not None
    assert cpu.mean > 0


def test_the_sentences_tell_agreement_difference_and_cost_apart(tmp_path: Path) -> None:
    """Metrics of one outcome share a sentence; a difference comes with its size and what may be behind it."""
    same = found_by_both(tmp_path / "same", slower=1.001, cpu=12.0)
    (text,) = instruments_in_words(same.instruments, same.margin)
    assert text.startswith(
        "jmeter agrees with bancada within 3 % on mean response time, p50 response time, p99 response time and "
        "throughput in each of the 2 cells."
    )
    assert "jmeter took 12.0 times the CPU time and 34.1 times the peak memory that bancada took." in text
    assert "Where they differ" not in text

    apart = found_by_both(tmp_path / "apart", slower=1.2)
    (text,) = instruments_in_words(apart.instruments, apart.margin)
    assert "jmeter differs from bancada on mean response time (1.20 times)" in text
    assert "whole milliseconds" in text


def test_a_mixed_outcome_is_counted_cell_by_cell() -> None:
    """Two cells agree, one differs by 10 %, one is undecided."""
    outcomes = [("agree", 1.0), ("agree", 1.01), ("differ", 1.1), ("undecided", 1.3)]
    instruments = [_hand_made(f"s{place}", *outcome) for place, outcome in enumerate(outcomes)]
    (text,) = instruments_in_words(instruments, 0.05)
    assert text.startswith(
        "On mean response time, of 4 cells jmeter agrees in 2, differs in 1 (1.10 times) and is undecided in 1."
    )
    assert "can show neither" in text


def _hand_made(sut: str, agreement: Any, ratio: float) -> InstrumentComparison:
    facts = {"n": 5, "mean": 1.0, "low": 0.9, "high": 1.1}
    judged = {"ratio": {"point": ratio, "low": None, "high": None}, "agreement": agreement}
    readings = [{"engine": "bancada", **facts}, {"engine": "jmeter", **facts, **judged}]
    return InstrumentComparison.model_validate(
        {"cell": {"sut": sut, "load": "1 user"}, "metric": "latency_mean_ns", "readings": readings}
    )


def _of(findings: Findings, sut: str, metric: str) -> InstrumentComparison:
    (found,) = (each for each in findings.instruments if each.cell.sut == sut and each.metric == metric)
    return found
