# SPDX-License-Identifier: Apache-2.0
"""The cautions that the trials of each cell deserve: at most one of a code for a cell, with figures.

Limits are constants here. The engine is *late* where its own lateness makes more than LATE of the very figure that is
reported, mean of mean or p99 of p99: latency counts from the intended instant, so lateness is part of it, and half a
millisecond is nothing in 50 ms but everything in 1 ms.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bancada.analysis.judge_run import run_cautions
from bancada.analysis.trials import MeasuredTrial
from bancada.analysis.unknown import PROBE_OF
from bancada.analysis.words import counted, per_cent, shown
from bancada.model.base import NS_PER_MS
from bancada.model.caution import CAUTIONS, Caution
from bancada.model.findings import Comparison
from bancada.model.measure import LoadRecord
from bancada.model.metric import METRICS
from bancada.model.quantities import number
from bancada.model.run import RunManifest
from bancada.model.trial import Cell
from bancada.stats import tukey_fences

ERRORS = 0.001
LATE = 0.05
BUSY_ENGINE = 0.8
STEAL = 0.02
BUSY_HOST = 0.25
BUSY_LOAD_PER_CPU = 0.5
"""1-minute load average for each CPU; asked only where the busy share is unknown, as it remembers the last trial."""
LAW = 0.05
BYTES = 0.05
OUTLYING = 0.1
"""Share of the median by which an outlier must differ from it."""

SEVERITIES = ("high", "medium", "low")


@dataclass(frozen=True)
class CellView:
    """The finished trials of one cell."""

    cell: Cell
    completed: Sequence[MeasuredTrial]
    failed: Sequence[MeasuredTrial]
    manifest: RunManifest

    @property
    def loads(self) -> list[LoadRecord]:
        """What the engine told of the completed trials."""
        return [each.record.load for each in self.completed if each.record.load is not None]


def cautions_of(
    manifest: RunManifest,
    cells: Sequence[Cell],
    by_cell: dict[str, list[MeasuredTrial]],
    comparisons: Sequence[Comparison],
) -> tuple[Caution, ...]:
    """All cautions of a run, the gravest first; `by_cell` has the finished trials by the cell's label."""
    views = [
        CellView(
            cell,
            [trial for trial in by_cell[cell.label] if trial.completed],
            [trial for trial in by_cell[cell.label] if not trial.completed],
            manifest,
        )
        for cell in cells
    ]
    found = [*run_cautions(manifest, by_cell, comparisons), *(caution for view in views for caution in _of_cell(view))]
    merged = _merged(found, len(cells))
    return tuple(sorted(merged, key=lambda caution: SEVERITIES.index(CAUTIONS[caution.code].severity)))


def _of_cell(view: CellView) -> Iterator[Caution]:
    for code, observe in CELL_CHECKS.items():
        observation = observe(view)
        if observation:
            yield Caution(code=code, where=view.cell.label, observation=observation)


def _merged(cautions: Sequence[Caution], cells: int) -> Iterator[Caution]:
    """What is said of every cell in the same words is said once, of the run."""
    said: dict[tuple[str, str], list[Caution]] = {}
    for caution in cautions:
        said.setdefault((caution.code, caution.observation), []).append(caution)
    for same in said.values():
        if cells > 1 and len(same) == cells:
            yield same[0].model_copy(update={"where": "run"})
        else:
            yield from same


@dataclass(frozen=True)
class _Excess:
    """Trials in which a figure exceeds its limit."""

    trials: int
    of: int
    worst: float

    @property
    def where(self) -> str:
        return f"in {self.trials} of {self.of} trials"


def _excess(figures: Sequence[float | None], limit: float) -> _Excess | None:
    """Of the figures that are known, those beyond the limit in size; None if there are none."""
    known = [figure for figure in figures if figure is not None]
    beyond = [figure for figure in known if abs(figure) > limit]
    return _Excess(len(beyond), len(known), max(beyond, key=abs)) if beyond else None


def _trials_failed(view: CellView) -> str | None:
    failures = [trial.record.failure for trial in view.failed if trial.record.failure is not None]
    if not failures:
        return None
    kinds = {failure.kind: sum(each.kind == failure.kind for each in failures) for failure in failures}
    counted = ", ".join(f"{count} × {kind}" for kind, count in kinds.items())
    total = len(view.completed) + len(view.failed)
    block, first = view.failed[0].record.plan.block, failures[0]
    return f"{len(failures)} of {total} trials failed: {counted}; in block {block}: {first.message}"


def _errors(view: CellView) -> str | None:
    requests = sum(load.requests for load in view.loads)
    kinds: dict[str, int] = {}
    for load in view.loads:
        for kind, count in load.failures.items():
            kinds[kind] = kinds.get(kind, 0) + count
    failed = sum(kinds.values())
    if not requests or failed / requests <= ERRORS:
        return None
    counted = ", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items(), key=lambda each: -each[1]))
    return f"{per_cent(failed / requests)} of {requests} requests failed: {counted}"


def _engine_late(view: CellView) -> str | None:
    shares = {
        "mean": [_share(load.lateness_ns.mean, load.latency_ns.mean) for load in view.loads],
        "p99": [_share(load.lateness_ns.p99, load.latency_ns.p99) for load in view.loads],
    }
    late = {name: excess for name, figures in shares.items() if (excess := _excess(figures, LATE))}
    if not late:
        return None
    said = " and ".join(f"up to {per_cent(each.worst)} of its {name} ({each.where})" for name, each in late.items())
    worst = max((load.lateness_ns.p99 or 0 for load in view.loads), default=0)
    return f"lateness (p99 up to {number(worst / NS_PER_MS, 3)} ms) is part of the response time: {said}"


def _share(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


def _engine_busy(view: CellView) -> str | None:
    pinning, host = view.manifest.pinning, view.manifest.host

    def busy(load: LoadRecord) -> float | None:
        shared = (load.engine.workers, host.cpus)
        cpus = len(pinning.engine_cpus) if pinning.pinned else min(each or 0 for each in shared)
        return _share(load.engine.cpu_ns, load.elapsed_ns and load.elapsed_ns * cpus)

    excess = _excess([busy(load) for load in view.loads], BUSY_ENGINE)
    return f"the engine used up to {per_cent(excess.worst)} of its CPUs {excess.where}" if excess else None


def _upstream_late(view: CellView) -> str | None:
    told = [(each.record.load, each.record.upstream) for each in view.completed]
    known = [(load.latency_ns, upstream.lateness_ns) for load, upstream in told if load and upstream]
    shares = {
        "mean": [_share(late.mean, latency.mean) for latency, late in known],
        "p99": [_share(late.p99, latency.p99) for latency, late in known],
    }
    late = {name: excess for name, figures in shares.items() if (excess := _excess(figures, LATE))}
    if not late:
        return None
    said = " and ".join(f"up to {per_cent(each.worst)} of the {name} ({each.where})" for name, each in late.items())
    worst = max(lateness.p99 or 0 for _, lateness in known)
    return f"its own lateness (p99 up to {number(worst / NS_PER_MS, 3)} ms) is part of the response time: {said}"


def _not_steady(view: CellView) -> str | None:
    trends = [trial.checks.trend for trial in view.completed if trial.checks and trial.checks.trend]
    told = [trend for trend in trends if trend.drifting is not None and trend.relative_change is not None]
    changes = [trend.relative_change for trend in told if trend.drifting and trend.relative_change is not None]
    if not changes or 2 * len(changes) < len(told):
        return None
    change = statistics.median(changes)
    kinds = {load.kind for load in view.loads}
    what = "throughput" if kinds == {"closed"} else "the median response time"
    way = "rose" if change > 0 else "fell"
    return f"{what} {way} by {per_cent(abs(change))} of its median in {len(changes)} of {len(told)} trials"


def _noisy_steal(view: CellView) -> str | None:
    excess = _excess([trial.record.noise.steal_share for trial in view.completed], STEAL)
    return f"up to {per_cent(excess.worst)} of the host's CPU time was taken away {excess.where}" if excess else None


def _noisy_host(view: CellView) -> str | None:
    noises = [trial.record.noise for trial in (*view.completed, *view.failed)]
    busy = _excess([noise.busy_before_share for noise in noises], BUSY_HOST)
    if busy:
        return f"up to {per_cent(busy.worst)} of all CPUs were in use before the start {busy.where}"
    loads = [noise.load_before for noise in noises if noise.busy_before_share is None]
    excess = _excess(loads, BUSY_LOAD_PER_CPU * (view.manifest.host.cpus or 1))
    return f"the load average was up to {number(excess.worst, 3)} before the start {excess.where}" if excess else None


def _littles_law(view: CellView) -> str | None:
    excess = _excess([trial.checks.law_gap if trial.checks else None for trial in view.completed], LAW)
    if excess is None:
        return None
    way = "above" if excess.worst > 0 else "below"
    gap = per_cent(abs(excess.worst))
    return f"throughput × response time is up to {gap} {way} the concurrency seen {excess.where}"


def _probe_missing(view: CellView) -> str | None:
    reasons: dict[str, list[str]] = {}
    for trial in view.completed:
        for probe in trial.record.probes:
            names = reasons.setdefault(probe.reason or "no reason given", []) if not probe.available else None
            if names is not None and probe.name not in names:
                names.append(probe.name)
    for name in _silent_probes(view):
        reasons.setdefault("its looks give no figure for the whole window", []).append(name)
    return "; ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items()) or None


def _silent_probes(view: CellView) -> list[str]:
    """Probes that were available, and yet a completed trial lacks what comes from them."""
    return [
        probe
        for metric in ("cpu_s", "rss_mean_bytes", "threads_peak")
        for probe in [PROBE_OF[metric]]
        if any(
            metric not in trial.metrics and any(each.name == probe and each.available for each in trial.record.probes)
            for trial in view.completed
        )
    ]


def _outlier(view: CellView) -> str | None:
    """Beyond Tukey's outer fences and OUTLYING: of five trials one is beyond the fences too often by chance alone."""
    metric = METRICS[view.manifest.study.metric]
    known = [
        (trial.record.plan.block, trial.metrics[metric.name])
        for trial in view.completed
        if metric.name in trial.metrics
    ]
    values = [value for _, value in known]
    if not values:
        return None
    median = statistics.median(values)
    far = [known[at] for at in tukey_fences(values).far if abs(known[at][1] - median) > OUTLYING * abs(median)]
    said = ", ".join(f"{shown(value, metric)} in block {block}" for block, value in far)
    return f"{metric.label}: {said}, where the median is {shown(median, metric)}" if far else None


def _bytes_mismatch(view: CellView) -> str | None:
    if view.manifest.scenario.side_effect:
        return None  # answers grow with what the load itself puts in
    gaps: dict[str, list[tuple[float, int]]] = {}
    for trial in view.completed:
        for name, mean in (trial.checks.body_bytes if trial.checks else {}).items():
            before = trial.record.body_bytes.get(name)
            if before and abs(mean / before - 1) > BYTES:
                gaps.setdefault(name, []).append((mean, before))
    said = [
        f"{name}: {seen[0][0]:.0f} bytes an answer under load, {seen[0][1]} before it, in {counted(len(seen), 'trial')}"
        for name, seen in gaps.items()
    ]
    return "; ".join(said) or None


def _mean_above_max(view: CellView) -> str | None:
    summaries = [("all operations", load.latency_ns) for load in view.loads]
    summaries += [(each.name, each.latency_ns) for load in view.loads for each in load.operations]
    said = [
        f"{name}: mean {number(told.mean / NS_PER_MS, 3)} ms, maximum {number(told.max / NS_PER_MS, 3)} ms"
        for name, told in summaries
        if told.mean is not None and told.max is not None and told.mean > told.max
    ]
    return "; ".join(said) or None


CELL_CHECKS: dict[str, Callable[[CellView], str | None]] = {
    "trials-failed": _trials_failed,
    "errors": _errors,
    "engine-late": _engine_late,
    "engine-busy": _engine_busy,
    "upstream-late": _upstream_late,
    "not-steady": _not_steady,
    "noisy-steal": _noisy_steal,
    "noisy-host": _noisy_host,
    "littles-law": _littles_law,
    "probe-missing": _probe_missing,
    "outlier": _outlier,
    "bytes-mismatch": _bytes_mismatch,
    "mean-above-max": _mean_above_max,
}
"""What each code looks at; an observation, or None where there is nothing to say."""
