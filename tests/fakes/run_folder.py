# SPDX-License-Identifier: Apache-2.0
"""A complete run folder whose truth is known: samples are drawn from distributions that the caller sets.

By hand: `python -m tests.fakes.run_folder OUT` writes a run of 4 systems under test x 2 loads x 5 blocks.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.host import HostFacts, HostNoise, Pinning
from bancada.model.load import ClosedLoad, OpenLoad
from bancada.model.measure import ProbeReport
from bancada.model.operation import Operation
from bancada.model.run import RunManifest
from bancada.model.scenario import Scenario
from bancada.model.stack import Stack, StackByUrl, StackVariant, SystemUnderTest, Variant
from bancada.model.study import Study
from bancada.model.trial import (
    BuildRecord,
    Cell,
    ExitRecord,
    TrialFailure,
    TrialPlan,
    TrialRecord,
)
from bancada.store import layout
from bancada.store.write import RunWriter
from tests.fakes.drawn import STARTED_UNIX_NS, FakeBench, FakeSut, draw_probes, draw_samples, summarise

__all__ = ["DEMO_LOADS", "DEMO_OPERATIONS", "DEMO_SUTS", "FakeBench", "FakeSut", "make_run"]

PROBES = ("cpu_ns", "rss_bytes", "threads", "processes", "steal_ns")


DEMO_SUTS = (
    FakeSut("spring-mvc:jar", latency_ms=5.2, cpu_ms=0.9, rss_mib=310, threads=46, startup_ms=2300),
    FakeSut("spring-mvc:virtual", latency_ms=5.18, cpu_ms=0.92, rss_mib=305, threads=24, startup_ms=2350),
    FakeSut("quarkus-rest:jar", latency_ms=4.1, cpu_ms=0.6, rss_mib=190, threads=28, startup_ms=1150, body_bytes=830),
    FakeSut("node-fastify:node", latency_ms=3.2, cpu_ms=0.5, rss_mib=95, threads=11, startup_ms=320, errors=0.004),
)
DEMO_LOADS: tuple[ClosedLoad | OpenLoad, ...] = (
    ClosedLoad(name="20 users", users=20, ramp_up=200 * NS_PER_MS, iterations=50),
    OpenLoad(name="500/s", rate=500, duration=2 * NS_PER_S, arrivals="poisson"),
)
QUIET = FakeBench()
DEMO_OPERATIONS = {"sort 3": 0.6, "sort 300": 1.0}


def make_run(
    folder: Path,
    *,
    suts: Sequence[FakeSut] = DEMO_SUTS,
    blocks: int = 5,
    loads: Sequence[ClosedLoad | OpenLoad] = DEMO_LOADS,
    operations: Mapping[str, float] = DEMO_OPERATIONS,
    seed: int = 1,
    bench: FakeBench = QUIET,
    finished: int | None = None,
    **study: Any,
) -> Path:
    """Write a run folder and return it.

    `operations` gives each operation's response time relative to the system's own; `finished` stops after so many
    trials, as a kill would; `study` sets further fields of the study (`metric`, `margin`, `factors`…).
    """
    asked = tuple(Operation(name=each, path=f"/{each.replace(' ', '/')}") for each in operations)
    settings = {"study": "demo", "question": "Which of these stacks answers fastest?", **study}
    stacks = tuple(sut.label for sut in suts)
    the_study = Study(operation=asked, stacks=stacks, blocks=blocks, load=tuple(loads), seed=seed, **settings)
    manifest = _manifest(folder.name, the_study, suts, bench)
    writer = RunWriter(folder)
    writer.manifest(manifest)
    world = _World(manifest, {sut.label: sut for sut in suts}, dict(operations), bench, seed)
    for plan in manifest.order[:finished]:
        _write_trial(writer, world, plan)
    writer.close()
    return folder


@dataclass(frozen=True)
class _World:
    manifest: RunManifest
    suts: dict[str, FakeSut]
    operations: dict[str, float]
    bench: FakeBench
    seed: int

    def load(self, name: str) -> ClosedLoad | OpenLoad:
        return next(each for each in self.manifest.study.load if each.name == name)

    def scale(self, plan: TrialPlan, rng: np.random.Generator) -> float:
        """Median response time of this trial in nanoseconds: the system's own x its block's x its trial's factor."""
        sut = self.suts[plan.cell.sut]
        block = np.random.default_rng([self.seed, 1_000_000 + plan.block]).normal(0, sut.between / 2)
        odd = sut.odd_factor if plan.block == sut.odd_block else 1.0
        return float(sut.latency_ms * NS_PER_MS * odd * np.exp(block + rng.normal(0, sut.between)))


def _manifest(name: str, study: Study, suts: Sequence[FakeSut], bench: FakeBench) -> RunManifest:
    return RunManifest(
        run=name,
        bancada_version="0.1.0",
        started_unix_ns=STARTED_UNIX_NS,
        command=("bancada", "run", study.study),
        study=study,
        scenario=Scenario(scenario="demo", title="Sort an array of numbers", operation=study.operation),
        suts=tuple(_system(sut) for sut in suts),
        builds={
            sut.label: BuildRecord(digest="0" * 64, duration_ns=8 * NS_PER_S, artefact_bytes=20_000_000, cached=False)
            for sut in suts
            if ":" in sut.label
        },
        order=_order(study),
        host=HostFacts(
            hostname="bench",
            os="Debian GNU/Linux 13",
            kernel="6.12.0",
            architecture="x86_64",
            cpu_model="Example CPU",
            cpus=bench.cpus,
            memory_bytes=16 * 2**30,
            virtualization=None,
            governor="performance",
            tools={"java": "25.0.1", "node": "20.19.0"},
        ),
        pinning=Pinning(
            pinned=bench.pinned,
            sut_cpus=bench.sut_cpus,
            engine_cpus=bench.engine_cpus,
            reason=None if bench.pinned else "the host has only one CPU",
        ),
    )


def _system(sut: FakeSut) -> SystemUnderTest:
    named, *settings = sut.label.split(",")
    stack, colon, variant = named.partition(":")
    if not colon:
        return StackByUrl(name=stack, url="http://127.0.0.1:8080")
    start = Variant(start=("./start",))
    described = Stack(stack=stack, framework=stack, language="any", scenarios=("demo",), variant={variant: start})
    chosen = dict(each.split("=") for each in settings)
    return StackVariant(stack=described, variant=variant, settings=chosen, folder=f"stacks/{stack}")


def _order(study: Study) -> tuple[TrialPlan, ...]:
    settings: list[dict[str, str]] = [{}]
    for name, values in study.varied.items():
        settings = [{**setting, name: value} for setting in settings for value in values]
    cells = [
        Cell(sut=sut, load=load.name, factors=each) for sut in study.stacks for load in study.load for each in settings
    ]
    shuffle = random.Random(study.seed)
    plans: list[TrialPlan] = []
    for block in range(1, study.blocks + 1):
        for cell in shuffle.sample(cells, len(cells)):
            number = len(plans) + 1
            plans.append(TrialPlan(number=number, block=block, cell=cell, seed=study.seed * 1000 + number))
    return tuple(plans)


def _write_trial(writer: RunWriter, world: _World, plan: TrialPlan) -> None:
    sut, rng = world.suts[plan.cell.sut], np.random.default_rng([world.seed, plan.number])
    folder = writer.begin(plan)
    (folder / layout.STDOUT).write_text(f"{sut.label} is ready\n")
    (folder / layout.STDERR).write_text("")
    ours = ":" in sut.label
    startup_ns = int(sut.startup_ms * NS_PER_MS * np.exp(rng.normal(0, 0.03))) if ours else None
    record = _record(world, plan, startup_ns)
    if plan.block in sut.failed_blocks:
        (folder / layout.STDERR).write_text("java.lang.OutOfMemoryError: Java heap space\n")
        message = "ended by itself with exit code 1 while it was measured"
        tail = "java.lang.OutOfMemoryError: Java heap space"
        failure = TrialFailure(kind=sut.failure, message=message, log_tail=tail)
        writer.finish(replace_fields(record, failure=failure, phases_ns={"start": startup_ns or 0}), None)
        return
    scale = world.scale(plan, rng)
    if sut.drift_blocks is not None and plan.block not in sut.drift_blocks:
        sut = replace(sut, drift=0.0)
    samples = draw_samples(world.load(plan.cell.load), sut, world.operations, scale, world.bench, rng)
    load = summarise(samples, world.load(plan.cell.load), world.bench)
    kept = samples.filter(pl.Series(rng.random(len(samples)) >= world.bench.lost_share))
    kept.write_parquet(folder / layout.SAMPLES)
    samples.head(100).write_parquet(folder / layout.WARM_UP)
    probes = draw_probes(samples, sut, world.bench, rng) if world.bench.probes and ours else None
    writer.finish(replace_fields(record, load=load), probes)


def replace_fields(record: TrialRecord, **fields: Any) -> TrialRecord:
    """The record with some fields set anew."""
    return record.model_copy(update=fields)


def _record(world: _World, plan: TrialPlan, startup_ns: int | None) -> TrialRecord:
    sut, bench, ours = world.suts[plan.cell.sut], world.bench, startup_ns is not None
    measured = bench.probes and ours
    reason = "the service was started by somebody else" if bench.probes else "this host has no /proc"
    return TrialRecord(
        plan=plan,
        failure=None,
        started_unix_ns=STARTED_UNIX_NS + plan.number * 20 * NS_PER_S,
        phases_ns={"start": startup_ns or 0, "conform": NS_PER_S // 5, "warm-up": NS_PER_S, "measure": 2 * NS_PER_S},
        startup_ns=startup_ns,
        ready_rss_bytes=int(sut.rss_mib * 0.8 * 2**20) if ours and bench.probes else None,
        load=None,
        probes=tuple(
            ProbeReport(name=name, available=True, source="/proc")
            if measured
            else ProbeReport(name=name, available=False, reason=reason)
            for name in PROBES
        ),
        noise=HostNoise(
            load_before=bench.load_before, busy_before_share=bench.busy_before_share, steal_share=bench.steal_share
        ),
        exit=ExitRecord(code=143, signal=None, asked=True) if ours else None,
        body_bytes=dict.fromkeys(world.operations, sut.body_bytes),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="folder to write the run into")
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    make_run(asked.out, blocks=asked.blocks, seed=asked.seed)
