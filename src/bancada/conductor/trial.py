# SPDX-License-Identifier: Apache-2.0
"""One trial from top to bottom: start, conform, warm up, measure, stop, record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import polars as pl

from bancada.conductor.bench import Bench
from bancada.conductor.orders import conform_order, measure_order, warm_up_order
from bancada.conductor.serving import Served, ServiceFailed, serving, unaccounted
from bancada.conductor.starting import FailedToStart, Standing, standing
from bancada.engine.drive import drive
from bancada.engine.jmeter.drive import drive_with_jmeter
from bancada.engine.wire import LoadOrder, ProgressEvent
from bancada.errors import AddressError, CrashedError, LoadFailedError, NonconformingError, SutError
from bancada.host.noise import busy_share, load_average
from bancada.model.base import NS_PER_S
from bancada.model.events import LoadProgressed, Phase, PhaseEntered
from bancada.model.host import HostNoise
from bancada.model.load import ClosedLoad, LoadProfile
from bancada.model.measure import LoadRecord, ProbeReport
from bancada.model.stack import Network
from bancada.model.trial import ExitRecord, SideEffectCount, TrialFailure, TrialPlan, TrialRecord
from bancada.model.upstream import UpstreamRecord
from bancada.probes.sampler import Sampler, rss_now
from bancada.store import layout

QUIET_S = 0.2
"""How long the host is watched before a start, to see whether it is busy with something else."""


@dataclass
class Course:
    """What is known of a trial so far; a trial that fails is recorded as far as it came."""

    plan: TrialPlan
    folder: Path
    started_unix_ns: int = field(default_factory=time.time_ns)
    phases_ns: dict[str, int] = field(default_factory=dict)
    startup_ns: int | None = None
    body_bytes: dict[str, int] = field(default_factory=dict)
    ready_rss_bytes: int | None = None
    network: Network | None = None
    side_effects: tuple[SideEffectCount, ...] = ()
    load: LoadRecord | None = None
    probes: tuple[ProbeReport, ...] = ()
    series: pl.DataFrame | None = None
    upstream: UpstreamRecord | None = None
    exit: ExitRecord | None = None
    failure: TrialFailure | None = None


def run_trial(bench: Bench, plan: TrialPlan, folder: Path) -> tuple[TrialRecord, pl.DataFrame | None]:
    """Carry out one trial; what the engine and the system under test write goes to `folder`.

    Returns the record and the probes' series. A system under test that fails is a result and is in the record; raises
    only what makes all further trials pointless: EngineError, StorageError, ToolMissingError.
    """
    course = Course(plan, folder)
    load_before, busy_before = load_average(), busy_share(QUIET_S)
    try:
        with _served(bench, course) as served:
            _stages(bench, course, served)
        course.upstream = served.upstream
    except FailedToStart as failed:
        course.failure = _failure(failed.reason, failed.tail)
    except ServiceFailed as failed:
        where = f" ({failed.reason.where})" if failed.reason.where else ""
        course.failure = TrialFailure(kind="service-failed", message=failed.reason.what + where, log_tail=failed.tail)
    except AddressError as error:
        course.failure = TrialFailure(kind="address-taken", message=f"{error.what}: {error.advice}")
    record = TrialRecord(
        plan=plan,
        failure=course.failure,
        started_unix_ns=course.started_unix_ns,
        phases_ns=course.phases_ns,
        startup_ns=course.startup_ns,
        load=course.load,
        probes=course.probes,
        noise=HostNoise(
            load_before=load_before, busy_before_share=busy_before, steal_share=_steal_share(bench, course)
        ),
        exit=course.exit,
        body_bytes=course.body_bytes,
        ready_rss_bytes=course.ready_rss_bytes,
        network=course.network,
        side_effects=course.side_effects,
        upstream=course.upstream,
    )
    return record, course.series


@contextmanager
def _served(bench: Bench, course: Course) -> Iterator[Served]:
    """The services of the trial, up and with empty tables."""
    with ExitStack() as stack:
        if bench.scenario.services:
            with _phase(bench, course, "services"):
                served = stack.enter_context(serving(bench, course.plan.cell.factors, course.folder))
        else:
            served = Served(bench.scenario)
        yield served


def _stages(bench: Bench, course: Course, served: Served) -> None:
    cell = course.plan.cell
    begun = time.monotonic_ns()
    bench.notify(PhaseEntered(phase="start", expected_ns=None))
    with _blaming(served), standing(bench, cell.sut, cell.factors, course.folder, served) as sut:
        course.startup_ns = sut.startup_ns
        course.network = sut.ours.network if sut.ours else None
        course.ready_rss_bytes = rss_now(sut.running)
        course.phases_ns["start"] = time.monotonic_ns() - begun
        try:
            with _phase(bench, course, "conform"):
                _conform(bench, course, sut)
                served.empty()
            if bench.study.warm_up:
                with _phase(bench, course, "warm-up", bench.study.warm_up):
                    _warm_up(bench, course, sut, served)
                    served.empty()
            with _phase(bench, course, "measure", _expected_ns(_profile(bench, course))):
                _measure(bench, course, sut, served)
        except SutError as error:
            served.check(f"while {course.plan.cell.sut} was at work")
            course.failure = _failure(error, sut.log_tail())
        with _phase(bench, course, "stop"):
            _stop(course, sut)


@contextmanager
def _blaming(served: Served) -> Iterator[None]:
    """A service that has ended is the cause of whatever its system under test did then."""
    try:
        yield
    except FailedToStart:
        served.check("while the system under test was starting")
        raise


@contextmanager
def _phase(bench: Bench, course: Course, phase: Phase, expected_ns: int | None = None) -> Iterator[None]:
    bench.notify(PhaseEntered(phase=phase, expected_ns=expected_ns))
    begun = time.monotonic_ns()
    try:
        yield
    finally:
        course.phases_ns[phase] = time.monotonic_ns() - begun


def _conform(bench: Bench, course: Course, sut: Standing) -> None:
    """Same work is proved before it is timed: each operation and each refusal once, checked by the engine."""
    samples = course.folder / "conform.parquet"
    drive(conform_order(bench.study, bench.scenario, sut.running.base_url, samples), cpus=_engine_cpus(bench))
    rows = pl.read_parquet(samples)
    samples.unlink()
    wrong = rows.filter(pl.col("failure").is_not_null())
    if not sut.still_runs():
        raise _crashed(sut, "while it was asked once for each operation")
    if not wrong.is_empty():
        said = "; ".join(
            f"{row['operation']}: {row['failure']}" + (f" (status {row['status']})" if row["status"] else "")
            for row in wrong.iter_rows(named=True)
        )
        raise NonconformingError(
            f"does not fulfil the scenario's contract: {said}",
            where=sut.running.base_url,
            advice=f"`bancada verify {course.plan.cell.sut}` shows the answers",
        )
    asked = {operation.name for operation in bench.scenario.operation}
    course.body_bytes = {
        row["operation"]: row["body_bytes"] for row in rows.iter_rows(named=True) if row["operation"] in asked
    }


def _warm_up(bench: Bench, course: Course, sut: Standing, served: Served) -> None:
    samples = course.folder / layout.WARM_UP
    order = warm_up_order(
        bench.study, bench.scenario, _profile(bench, course), sut.running.base_url, course.plan.seed, samples
    )
    _drive_watching(bench, sut, order, served)
    served.check("while warming up")
    if not sut.still_runs():
        raise _crashed(sut, "while warming up")


def _measure(bench: Bench, course: Course, sut: Standing, served: Served) -> None:
    profile = _profile(bench, course)
    samples = course.folder / layout.SAMPLES
    order = measure_order(bench.study, bench.scenario, profile, sut.running.base_url, course.plan.seed, samples)
    with Sampler(sut.running) as sampler:
        course.load = _drive_watching(bench, sut, order, served, bench.engine(course.plan.cell.factors))
    course.probes = sampler.reports
    assert course.load.started_monotonic_ns is not None, "an engine tells its zero"
    course.series = sampler.series(course.load.started_monotonic_ns)
    served.check(f"after {course.load.requests} requests")
    if not sut.still_runs():
        raise _crashed(sut, f"after {course.load.requests} requests")
    if course.load.stopped_early:
        raise LoadFailedError(f"the load did not end within {bench.study.timeouts.load / NS_PER_S:.0f} s")
    if course.load.latency_ns.count == 0:
        raise LoadFailedError(f"no request succeeded: {_counted(course.load.failures)}")
    course.side_effects = served.account(samples)
    wrong = unaccounted(course.side_effects)
    if wrong is not None:
        raise wrong


def _drive_watching(
    bench: Bench, sut: Standing, order: LoadOrder, served: Served, engine: str = "bancada"
) -> LoadRecord:
    """Carry out an order; all engines meet a system that Bancada's own has warmed up."""
    deadline = time.monotonic_ns() + bench.study.timeouts.load

    def should_stop() -> bool:
        return not (sut.still_runs() and served.still_run()) or time.monotonic_ns() > deadline

    carry_out = drive
    if engine == "jmeter":
        assert bench.jmeter is not None
        folder = Path(order.samples or "").parent / layout.JMETER
        carry_out = partial(drive_with_jmeter, jmeter=bench.jmeter, folder=folder)
    return carry_out(order, cpus=_engine_cpus(bench), on_progress=_forward(bench), should_stop=should_stop)


def _forward(bench: Bench) -> Callable[[ProgressEvent], None]:
    return lambda event: bench.notify(LoadProgressed.model_validate(event.model_dump(exclude={"event"})))


def _stop(course: Course, sut: Standing) -> None:
    if sut.ours is None:
        return
    by_itself = sut.ours.ended()
    ended = by_itself or sut.ours.stop()
    course.exit = ExitRecord(
        code=ended.code if ended else None, signal=ended.signal if ended else None, asked=by_itself is None
    )


def _crashed(sut: Standing, when: str) -> CrashedError:
    ended = sut.ours.ended() if sut.ours else None
    return CrashedError(f"ended by itself ({ended}) {when}", where=sut.running.base_url)


def _failure(error: SutError, tail: str) -> TrialFailure:
    return TrialFailure(kind=error.kind, message=error.what, log_tail=tail)


def _engine_cpus(bench: Bench) -> tuple[int, ...]:
    return bench.pinning.engine_cpus if bench.pinning.pinned else ()


def _profile(bench: Bench, course: Course) -> LoadProfile:
    return next(load for load in bench.study.load if load.name == course.plan.cell.load)


def _expected_ns(profile: LoadProfile) -> int | None:
    return profile.duration if isinstance(profile, ClosedLoad) else profile.duration_ns


def _counted(failures: dict[str, int]) -> str:
    return ", ".join(f"{count} × {kind}" for kind, count in sorted(failures.items())) or "none was sent"


def _steal_share(bench: Bench, course: Course) -> float | None:
    """Share of all CPUs' time in the measured window that the hypervisor took."""
    if course.series is None or course.series["steal_ns"].null_count() or bench.host.cpus is None:
        return None
    span_ns = int(course.series["at_ns"][-1]) - int(course.series["at_ns"][0])
    taken_ns = int(course.series["steal_ns"][-1]) - int(course.series["steal_ns"][0])
    return taken_ns / (span_ns * bench.host.cpus) if span_ns > 0 else None
