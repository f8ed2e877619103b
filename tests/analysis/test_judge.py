# SPDX-License-Identifier: Apache-2.0
"""Each caution appears when it should, and only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bancada.analysis.findings import find
from bancada.model.caution import CAUTIONS, Caution
from bancada.model.findings import Findings
from bancada.model.measure import LoadRecord
from bancada.model.trial import TrialRecord
from bancada.store import layout
from bancada.store.read import Run, read_run
from tests.analysis.conftest import USERS, Judge, MakeRun
from tests.fakes.run_folder import FakeBench, FakeSut

A, B = FakeSut("a:jar"), FakeSut("b:jar", latency_ms=7.0)
ALWAYS = {"shared-host"}  # the fake bench is one machine


def sut(**truth: Any) -> dict[str, Any]:
    """Settings of a run in which the second system is not like the first."""
    return {"suts": (A, FakeSut("b:jar", **truth))}


def bench(**truth: Any) -> dict[str, Any]:
    """Settings of a run on a bench that is not as it should be."""
    return {"suts": (A, B), "bench": FakeBench(**truth)}


def codes(findings: Findings) -> set[str]:
    """The codes of all cautions."""
    return {caution.code for caution in findings.cautions}


def only(findings: Findings, code: str) -> Caution:
    """The one caution of a code."""
    (found,) = [caution for caution in findings.cautions if caution.code == code]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_a_sound_run_deserves_no_caution_but_that_of_its_one_machine(judged: Judge, seed: int) -> None:
    """Whatever chance draws."""
    assert codes(judged(suts=(A, B), seed=seed)) == ALWAYS


@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("few-trials", {"suts": (A, B), "blocks": 3}),
        ("few-trials", {"suts": (A,), "blocks": 1}),
        ("trials-failed", sut(failed_blocks=(2,))),
        ("errors", sut(errors=0.02)),
        ("engine-late", bench(lateness_ms=1.0)),
        ("engine-busy", bench(engine_busy=0.9)),
        ("not-steady", sut(drift=0.6)),
        ("unequal-answers", sut(body_bytes=1000)),
        ("noisy-steal", bench(steal_share=0.03)),
        ("noisy-host", bench(busy_before_share=0.3)),
        ("noisy-host", bench(busy_before_share=None, load_before=3.0)),
        ("littles-law", bench(lost_share=0.1)),
        ("not-pinned", bench(pinned=False, sut_cpus=(0, 1, 2, 3), engine_cpus=(0, 1, 2, 3))),
        ("few-cpus", bench(sut_cpus=(0,))),
        ("probe-missing", bench(probes=False)),
        ("outlier", sut(odd_block=2)),
        ("bytes-mismatch", bench(odd_bytes=True)),
    ],
)
def test_each_defect_deserves_its_own_caution(judged: Judge, code: str, settings: dict[str, Any]) -> None:
    """And no other."""
    assert codes(judged(**settings)) == ALWAYS | {code}


@pytest.mark.parametrize(
    "settings",
    [
        sut(errors=0.0005),
        bench(lateness_ms=0.05),
        bench(engine_busy=0.75),
        sut(drift=0.01),
        sut(drift=0.6, drift_blocks=(1, 4)),
        sut(body_bytes=818),
        bench(steal_share=0.015),
        bench(busy_before_share=0.2, load_before=30.0),
        bench(busy_before_share=None, load_before=1.9),
        bench(lost_share=0.01),
        sut(odd_block=2, odd_factor=1.05),
    ],
)
def test_what_stays_below_its_limit_deserves_none(judged: Judge, settings: dict[str, Any]) -> None:
    """An error in two thousand, 0.7 % of an answer, 1.5 % of steal… are everyday."""
    assert codes(judged(**settings)) == ALWAYS


def edited(run: Run, change: Callable[[LoadRecord], dict[str, Any]]) -> Run:
    """The run with its load records changed."""
    for trial in run.trials:
        record: TrialRecord = trial.record
        assert record.load is not None
        load = record.load.model_copy(update=change(record.load))
        (trial.folder / layout.TRIAL).write_text(record.model_copy(update={"load": load}).model_dump_json())
    return read_run(run.folder)


def test_a_mean_above_its_maximum_is_found(made: MakeRun) -> None:
    """As in a published table, where a mean of 5417 ms stands beside a maximum of 3899 ms."""

    def slip(load: LoadRecord) -> dict[str, Any]:
        operation = load.operations[0]
        wrong = operation.latency_ns.model_copy(update={"mean": 5_417e6, "max": 3_899_000_000})
        return {"operations": (operation.model_copy(update={"latency_ns": wrong}),)}

    findings = find(edited(made(suts=(A,), blocks=1), slip))
    assert codes(findings) == ALWAYS | {"few-trials", "mean-above-max"}
    assert only(findings, "mean-above-max").observation == "sort: mean 5\u202f417 ms, maximum 3\u202f899 ms"


def test_the_blocks_that_would_suffice_are_named(judged: Judge) -> None:
    """Three pairs need a p of 0.05 / 3, which four blocks cannot give: 2 / C(8, 4) = 0.0286."""
    observation = only(judged(suts=(A, B, FakeSut("c:jar")), blocks=4), "few-trials").observation
    assert "× 3 comparisons (Holm) = 0.0857 at best" in observation
    assert "take 5 blocks" in observation


def test_failures_that_leave_too_few_trials_are_a_caution_of_that_comparison(judged: Judge) -> None:
    """The plan sufficed, what is left of it does not: 2 / C(7, 2) = 0.095."""
    findings = judged(**sut(failed_blocks=(1, 2, 3)))
    caution = only(findings, "few-trials")
    assert codes(findings) == ALWAYS | {"few-trials", "trials-failed"}
    assert caution.where == "b:jar against a:jar · 8 users"
    assert "5 have a value of a:jar and 2 of b:jar" in caution.observation


def test_the_family_counts_for_what_is_left_too(judged: Judge) -> None:
    """Five against three trials could reach 2 / C(8, 3) = 0.036, but not three times over."""
    findings = judged(suts=(A, FakeSut("c:jar"), FakeSut("b:jar", failed_blocks=(1, 2))))
    few = [caution for caution in findings.cautions if caution.code == "few-trials"]
    assert {caution.where for caution in few} == {"b:jar against a:jar · 8 users", "b:jar against c:jar · 8 users"}
    assert "p = 0.0357 × 3 comparisons at best" in few[0].observation


def test_failed_trials_are_counted_by_kind(judged: Judge) -> None:
    """With the first message."""
    caution = only(judged(**sut(failed_blocks=(2, 4), failure="never-ready")), "trials-failed")
    assert caution.where == "b:jar · 8 users"
    assert caution.observation.startswith("2 of 5 trials failed: 2 × never-ready; in block 2: ended by itself")


def test_failed_requests_are_counted_by_kind(judged: Judge) -> None:
    """With their share and number."""
    caution = only(judged(**sut(errors=0.05, error_kind="connect-refused")), "errors")
    assert caution.where == "b:jar · 8 users"
    assert "% of 2400 requests failed: " in caution.observation
    assert caution.observation.endswith(" × connect-refused")


@pytest.mark.parametrize(("size", "why"), [(900, "which formatting may explain"), (6600, "too much for formatting")])
def test_unequal_answers_say_whether_formatting_may_explain_them(judged: Judge, size: int, why: str) -> None:
    """A tenth more may be white space; 6.6 KB against 0.4 KB is other data, as in a published study."""
    observation = only(judged(**sut(body_bytes=size)), "unequal-answers").observation
    assert f"sort: 812 bytes from a:jar, {size} bytes from b:jar" in observation
    assert why in observation


def test_drift_is_told_by_the_trials_in_which_it_was_seen(judged: Judge) -> None:
    """In closed load as throughput."""
    observation = only(judged(**sut(drift=0.6)), "not-steady").observation
    assert observation.startswith("throughput fell by ")
    assert observation.endswith("of its median in 5 of 5 trials")


def test_drift_in_half_of_the_trials_is_enough(judged: Judge) -> None:
    """Three of five."""
    observation = only(judged(**sut(drift=0.6, drift_blocks=(1, 2, 4))), "not-steady").observation
    assert observation.endswith("in 3 of 5 trials")


def test_what_is_said_of_every_cell_alike_is_said_once(judged: Judge) -> None:
    """A missing probe on a host is one caution, not one for each cell."""
    findings = judged(
        suts=(A, B), loads=(USERS, USERS.model_copy(update={"name": "again"})), blocks=6, bench=FakeBench(probes=False)
    )
    assert only(findings, "probe-missing").where == "run"


def test_a_service_elsewhere_is_not_on_one_machine(made: MakeRun) -> None:
    """Its address is not a loopback address."""
    run = made(suts=(FakeSut("theirs"), FakeSut("other")))
    manifest = (run.folder / layout.MANIFEST).read_text()
    (run.folder / layout.MANIFEST).write_text(manifest.replace("http://127.0.0.1:8080", "http://10.0.0.7:8080"))
    assert codes(find(read_run(run.folder))) == {"probe-missing"}


def test_looks_that_do_not_span_the_window_are_a_missing_probe(made: MakeRun) -> None:
    """The probe was there, its figures are not."""
    run = made(suts=(A,))
    for trial in run.trials:
        probes = trial.probes()
        assert probes is not None
        probes.head(12).write_parquet(trial.folder / layout.PROBES)
    caution = only(find(run), "probe-missing")
    assert caution.observation == "cpu_ns, rss_bytes, threads: its looks give no figure for the whole window"


def test_every_code_is_in_the_catalogue_and_the_gravest_come_first(judged: Judge) -> None:
    """A console that shows the first few shows the right ones."""
    findings = judged(**sut(errors=0.1, failed_blocks=(1,), odd_block=3), bench=FakeBench(steal_share=0.5))
    order = [("high", "medium", "low").index(CAUTIONS[caution.code].severity) for caution in findings.cautions]
    assert order == sorted(order)
    assert len(set(order)) == 3
