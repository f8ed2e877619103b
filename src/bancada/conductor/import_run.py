# SPDX-License-Identifier: Apache-2.0
"""JMeter's result files become a run: a trial for each file, a system under test for each name.

Only what the files hold is taken over; the rest is unknown, and the caution `imported` says so. The load is the closed
load that the files show (`jmeter/shape.py`), and files of one name with different numbers of users are different loads.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import polars as pl

from bancada import __version__
from bancada.errors import InputError
from bancada.jmeter.jtl import read_jtl
from bancada.jmeter.samples import samples_of
from bancada.jmeter.shape import Shape, shape_of
from bancada.jmeter.summaries import UNKNOWN, failure_counts, latency_summary, operation_records
from bancada.model.base import NS_PER_MS
from bancada.model.host import HostFacts, HostNoise, Pinning
from bancada.model.load import ClosedLoad
from bancada.model.measure import EngineCost, LoadRecord, ProbeReport
from bancada.model.operation import UNKNOWN_PATH, Operation
from bancada.model.run import ImportedFile, RunManifest
from bancada.model.scenario import Scenario
from bancada.model.stack import StackByFile
from bancada.model.study import Study
from bancada.model.trial import Cell, TrialFailure, TrialPlan, TrialRecord
from bancada.store import layout
from bancada.store.write import RunWriter, storage_errors

_LONGEST_NAME = 60
_PROBES = ("cpu_ns", "rss_bytes", "threads")


@dataclass(frozen=True)
class Given:
    """A result file, and the name of the system that it measured."""

    name: str
    path: Path


@dataclass(frozen=True)
class _Read:
    """A file as it was read."""

    given: Given
    sha256: str
    started_unix_ms: int
    samples: pl.DataFrame
    paths: dict[str, str]
    """By label, where the file holds URLs."""
    address: str | None
    shape: Shape

    @property
    def load_name(self) -> str:
        """The load profile that its trial belongs to."""
        return f"{self.shape.users} user{'' if self.shape.users == 1 else 's'}"


def import_run(
    files: Sequence[Given], *, question: str | None, command: Sequence[str], results: Path, out: Path | None = None
) -> Path:
    """Read all files, write a run into `out` or else a new folder of `results`, and return the folder.

    The order of the files is that of the trials; the i-th file of a name is in block i. Raises InputError for a file
    that is no JTL, does not tell the number of users, or is given twice, or if `out` holds
    something already; StorageError if the run cannot be written.
    """
    read = [_read(each) for each in files]
    _check_distinct(read)
    manifest = _manifest(read, question, command)
    folder = out or results / manifest.run
    if folder.exists() and any(folder.iterdir()):
        raise InputError("holds something already", where=str(folder), advice="name another folder with --out")
    writer = RunWriter(folder)
    try:
        writer.manifest(manifest)
        for plan, each in zip(manifest.order, read, strict=True):
            place = writer.begin(plan)
            with storage_errors(place):
                each.samples.write_parquet(place / layout.SAMPLES)
            writer.finish(_record(plan, each), None)
    finally:
        writer.close()
    return folder


def _read(given: Given) -> _Read:
    jtl = read_jtl(given.path)
    started_unix_ms = int(jtl["timeStamp"].to_numpy().min())
    named = jtl.with_columns(pl.col("label").replace_strict(_short_names(jtl["label"])))
    samples = samples_of(named, started_unix_ms)
    if samples.is_empty():
        raise InputError("holds sums of Transaction Controllers only, and no request", where=str(given.path))
    shape = shape_of(samples, jtl)
    if shape.users is None:
        raise InputError(
            "does not tell how many users there were: it has neither threadName nor allThreads",
            where=str(given.path),
            advice="let JMeter save them: jmeter.save.saveservice.thread_name=true and .thread_counts=true",
        )
    paths, address = _addresses(named)
    return _Read(given, _digest(given.path), started_unix_ms, samples, paths, address, shape)


def _short_names(labels: pl.Series) -> dict[str, str]:
    """Each label as the name of an operation: not empty, not too long, and still distinct."""
    names: dict[str, str] = {}
    for label in labels.unique(maintain_order=True):
        name, number = label or "(no label)", 1
        if len(name) > _LONGEST_NAME:
            name = f"{name[: _LONGEST_NAME - 1]}…"
        while name in names.values():
            number += 1
            ending = f"… ({number})"
            name = f"{name[: _LONGEST_NAME - len(ending)]}{ending}"
        names[label] = name
    return names


def _addresses(jtl: pl.DataFrame) -> tuple[dict[str, str], str | None]:
    """The path of each label's first URL, and the host and port if all of these are the same."""
    if "URL" not in jtl.columns:
        return {}, None
    firsts = jtl.filter(pl.col("URL").str.contains("^https?://")).unique("label", keep="first", maintain_order=True)
    urls = {label: urlsplit(url) for label, url in firsts.select("label", "URL").iter_rows()}
    addresses = {f"{url.scheme}://{url.netloc}" for url in urls.values()}
    paths = {label: (url.path or "/") + (f"?{url.query}" if url.query else "") for label, url in urls.items()}
    return paths, addresses.pop() if len(addresses) == 1 else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_distinct(read: Sequence[_Read]) -> None:
    seen: dict[str, Given] = {}
    for each in read:
        first = seen.setdefault(each.sha256, each.given)
        if first is not each.given:
            raise InputError(
                f"is the same as {first.path}: one measurement cannot count twice",
                where=str(each.given.path),
                advice="give each trial's own file",
            )


def _manifest(read: Sequence[_Read], question: str | None, command: Sequence[str]) -> RunManifest:
    names = tuple(dict.fromkeys(each.given.name for each in read))
    order = _order(read)
    stamp = datetime.fromtimestamp(time.time(), tz=UTC).strftime("%Y%m%d-%H%M%S")
    study = Study(
        study="imported",
        question=question or _question(names),
        operation=_operations(read),
        stacks=names,
        blocks=max(plan.block for plan in order),
        load=_loads(read),
        warm_up=0,
    )
    return RunManifest(
        run=f"imported-{stamp}-{hashlib.sha256(''.join(each.sha256 for each in read).encode()).hexdigest()[:6]}",
        bancada_version=__version__,
        started_unix_ns=min(each.started_unix_ms for each in read) * NS_PER_MS,
        command=tuple(command),
        study=study,
        scenario=Scenario(scenario="imported", title="requests of result files", operation=study.operation),
        suts=tuple(_system(name, [each for each in read if each.given.name == name]) for name in names),
        builds={},
        order=order,
        host=HostFacts(
            hostname=None,
            os=None,
            kernel=None,
            architecture=None,
            cpu_model=None,
            cpus=None,
            memory_bytes=None,
            virtualization=None,
            governor=None,
            tools={},
        ),
        pinning=Pinning(pinned=None, sut_cpus=(), engine_cpus=(), reason="unknown: measured by another program"),
        imported=tuple(
            ImportedFile(trial=plan.number, file=each.given.path.name, sha256=each.sha256)
            for plan, each in zip(order, read, strict=True)
        ),
    )


def _question(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"How fast did {names[0]} answer?"
    return f"Which answered fastest: {', '.join(names[:-1])} or {names[-1]}?"


def _operations(read: Sequence[_Read]) -> tuple[Operation, ...]:
    paths: dict[str, str] = {}
    for each in read:
        for name in each.samples["operation"].unique(maintain_order=True):
            known = paths.get(name, UNKNOWN_PATH)
            paths[name] = each.paths.get(name, UNKNOWN_PATH) if known == UNKNOWN_PATH else known
    return tuple(Operation(name=name, path=path) for name, path in paths.items())


def _order(read: Sequence[_Read]) -> tuple[TrialPlan, ...]:
    seen: dict[str, int] = {}
    plans = []
    for number, each in enumerate(read, 1):
        cell = Cell(sut=each.given.name, load=each.load_name)
        seen[cell.label] = seen.get(cell.label, 0) + 1
        plans.append(TrialPlan(number=number, block=seen[cell.label], cell=cell, seed=0))
    return tuple(plans)


def _loads(read: Sequence[_Read]) -> tuple[ClosedLoad, ...]:
    """A profile for each number of users: iterations where all files agree, else the longest duration seen."""
    shapes: dict[str, list[Shape]] = {}
    for each in read:
        shapes.setdefault(each.load_name, []).append(each.shape)
    return tuple(_load(name, seen) for name, seen in shapes.items())


def _load(name: str, seen: Sequence[Shape]) -> ClosedLoad:
    rounds = {each.rounds for each in seen}
    agreed = rounds.pop() if len(rounds) == 1 else None
    duration = None if agreed else max(NS_PER_MS, *(each.window_ns for each in seen))
    return ClosedLoad(
        name=name,
        users=seen[0].users or 0,
        ramp_up=_middle([each.ramp_up_ns for each in seen]),
        iterations=agreed,
        duration=duration,
        think=_middle([each.think_ns for each in seen]),
    )


def _middle(values: Sequence[int]) -> int:
    """The median, in whole milliseconds, as exact as the files are."""
    return round(statistics.median(values) / NS_PER_MS) * NS_PER_MS


def _system(name: str, read: Sequence[_Read]) -> StackByFile:
    addresses = {each.address for each in read}
    files = tuple(each.given.path.name for each in read)
    return StackByFile(name=name, files=files, address=addresses.pop() if len(addresses) == 1 else None)


def _record(plan: TrialPlan, read: _Read) -> TrialRecord:
    started_unix_ns = read.started_unix_ms * NS_PER_MS
    load = _load_record(read, started_unix_ns)
    nothing = TrialFailure(kind="load-failed", message=f"no request succeeded: {load.failures}")
    return TrialRecord(
        plan=plan,
        failure=None if load.latency_ns.count else nothing,
        started_unix_ns=started_unix_ns,
        phases_ns={"measure": read.shape.window_ns},
        startup_ns=None,
        load=load,
        probes=tuple(
            ProbeReport(name=name, available=False, reason="a result file does not hold it") for name in _PROBES
        ),
        noise=HostNoise(load_before=None, busy_before_share=None, steal_share=None),
        exit=None,
    )


def _load_record(read: _Read, started_unix_ns: int) -> LoadRecord:
    samples = read.samples
    return LoadRecord(
        version=1,
        kind="closed",
        started_unix_ns=started_unix_ns,
        started_monotonic_ns=None,
        elapsed_ns=int(samples["done_ns"].to_numpy().max()),
        stopped_early=None,
        requests=len(samples),
        failures=failure_counts(samples),
        unsent=0,
        bytes_in=_total(samples["bytes_in"]),
        bytes_out=_total(samples["bytes_out"]),
        connections_opened=None,
        latency_ns=latency_summary(samples),
        lateness_ns=UNKNOWN,
        operations=operation_records(samples),
        engine=EngineCost(name="jmeter", version="unknown", workers=None, cpu_ns=None, peak_rss_bytes=None),
    )


def _total(column: pl.Series) -> int | None:
    return None if column.null_count() else int(column.sum())
