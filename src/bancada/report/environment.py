# SPDX-License-Identifier: Apache-2.0
"""The environment of a run in words: what a reader must know of the host, the builds and the probes."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.model import quantities as fmt
from bancada.model.host import Pinning
from bancada.model.run import RunManifest
from bancada.model.service import ServiceFacts, ServiceSource
from bancada.model.stack import StackByFile, StackByUrl, SystemUnderTest
from bancada.store.read import Run


@dataclass(frozen=True)
class SystemRow:
    """How a system under test was built and started."""

    name: str
    framework: str
    language: str
    start: str
    build: str
    artefact: str
    digest: str


@dataclass(frozen=True)
class ProbeRow:
    """In how many trials a probe could measure, and where from or why not."""

    name: str
    available: int
    trials: int
    notes: str


def environment(manifest: RunManifest) -> tuple[tuple[str, str], ...]:
    """Name and text of each fact about the host."""
    host = manifest.host
    if manifest.imported:
        return (
            ("Host", "unknown: the trials come from result files of another program"),
            *((f"Trial {each.trial}", f"{each.file}, SHA-256 {each.sha256}") for each in manifest.imported),
            ("Bancada", manifest.bancada_version),
        )
    return (
        ("Host", f"{host.hostname}, {host.os}, kernel {host.kernel}, {host.architecture}"),
        ("CPU", f"{host.cpu_model or fmt.UNKNOWN}, {host.cpus} CPUs"),
        ("Memory", fmt.size(host.memory_bytes)),
        ("Virtualization", host.virtualization or "none found"),
        ("Frequency governor", host.governor or fmt.UNKNOWN),
        ("Pinning", _pinning(manifest.pinning)),
        *((f"Service {name}", _service(facts)) for name, facts in manifest.services.items()),
        ("Bancada", manifest.bancada_version),
        *((name, version) for name, version in sorted(host.tools.items())),
    )


_SOURCES: dict[ServiceSource, str] = {
    "url": "run by somebody else",
    "container": "in a container",
    "path": "a program of this host",
    "cache": "fetched into the project's cache",
    "engine": "our own, on the load engine's CPUs",
}


def _service(facts: ServiceFacts) -> str:
    passed = f"; not taken: {'; '.join(facts.passed_over)}" if facts.passed_over else ""
    return f"{facts.product} {facts.version}, {_SOURCES[facts.source]} ({facts.detail}){passed}"


def _pinning(pinning: Pinning) -> str:
    if not pinning.pinned:
        return f"none: {pinning.reason or 'no reason recorded'}"
    services = f", services on {_cpus(pinning.service_cpus)}" if pinning.service_cpus else ""
    return f"system under test on {_cpus(pinning.sut_cpus)}{services}, load engine on {_cpus(pinning.engine_cpus)}"


def _cpus(cpus: tuple[int, ...]) -> str:
    return f"CPU{'s' if len(cpus) > 1 else ''} {', '.join(map(str, cpus))}"


def systems(manifest: RunManifest) -> tuple[SystemRow, ...]:
    """A row for each system under test."""
    return tuple(_system(manifest, sut) for sut in manifest.suts)


def _system(manifest: RunManifest, sut: SystemUnderTest | StackByFile) -> SystemRow:
    if isinstance(sut, StackByFile):
        unknown, asked = fmt.UNKNOWN, f", asked at {sut.address}" if sut.address else ""
        return SystemRow(sut.label, unknown, unknown, f"measured elsewhere{asked}", "not ours", unknown, unknown)
    if isinstance(sut, StackByUrl):
        unknown = fmt.UNKNOWN
        return SystemRow(sut.label, unknown, unknown, f"runs already at {sut.url}", "not ours", unknown, unknown)
    # A stack that needs a build for each database has several; they differ in that alone.
    build = next((built for name, built in manifest.builds.items() if name.partition(" for ")[0] == sut.label), None)
    return SystemRow(
        name=sut.label,
        framework=sut.stack.framework,
        language=sut.stack.language,
        start=" ".join([*(f"{name}={value}" for name, value in sut.chosen.env.items()), *sut.chosen.start]),
        build="none" if build is None else "cached" if build.duration_ns is None else fmt.duration(build.duration_ns),
        artefact=fmt.size(build.artefact_bytes if build else None),
        digest=build.digest if build else fmt.UNKNOWN,
    )


def probes(run: Run) -> tuple[ProbeRow, ...]:
    """A row for each probe, over all trials that had it."""
    reports = [report for trial in run.trials for report in trial.record.probes]
    rows = []
    for name in dict.fromkeys(report.name for report in reports):
        own = [report for report in reports if report.name == name]
        notes = dict.fromkeys(note for report in own for note in (report.source, report.reason) if note)
        rows.append(ProbeRow(name, sum(report.available for report in own), len(own), "; ".join(notes) or fmt.UNKNOWN))
    return tuple(rows)
