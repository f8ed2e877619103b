# SPDX-License-Identifier: Apache-2.0
"""The cautions that concern the run as a whole: its plan, its host, and whether its systems did the same work."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from bancada.analysis.trials import MeasuredTrial
from bancada.analysis.words import condition, counted, listed, per_cent
from bancada.model.caution import Caution
from bancada.model.findings import Comparison
from bancada.model.quantities import number
from bancada.model.run import RunManifest
from bancada.model.stack import StackByFile, StackVariant, SystemUnderTest
from bancada.stats import choose_test, smallest_p_rank_sum, smallest_p_signed_rank

UNEQUAL = 0.01
FORMATTING = 1.5
"""Sizes within this factor may differ by white space and number formats alone; beyond, it is hardly formatting."""


def run_cautions(
    manifest: RunManifest, by_cell: dict[str, list[MeasuredTrial]], comparisons: Sequence[Comparison]
) -> Iterator[Caution]:
    """All of them, in no order of severity."""
    yield from imported_cautions(manifest)
    yield from _few_trials(manifest, comparisons)
    yield from _unequal_answers(by_cell)
    yield from _host(manifest)


def imported_cautions(manifest: RunManifest) -> Iterator[Caution]:
    """One, if another program measured the run."""
    if manifest.imported:
        trials = counted(len(manifest.imported), "trial")
        observation = f"{manifest.run}: {trials} from result files; restarts, checks and host were not seen"
        yield Caution(code="imported", where="run", observation=observation)


def _few_trials(manifest: RunManifest, comparisons: Sequence[Comparison]) -> Iterator[Caution]:
    study = manifest.study
    decisive = [each for each in comparisons if each.decisive]
    if not decisive:
        if study.blocks < 2:
            yield Caution(
                code="few-trials", where="run", observation="one trial of each cell gives no interval; take 2"
            )
        return
    family = len(decisive)
    chosen = choose_test(study.blocks, family, study.alpha)
    if not chosen.can_reach:
        best = f"p = {number(chosen.smallest_p, 3)}"
        if family > 1:
            best += f" × {family} comparisons (Holm) = {number(min(1.0, chosen.smallest_p * family), 3)}"
        yield Caution(
            code="few-trials",
            where="run",
            observation=f"with {counted(study.blocks, 'block')} the exact {chosen.name} test gives {best} at best; "
            f"to reach {study.alpha:g}, take {chosen.needed_n} blocks",
        )
        return
    for each in decisive:
        if each.test is None:
            continue
        paired = each.test == "signed-rank"
        least = smallest_p_signed_rank(each.n_a) if paired else smallest_p_rank_sum(each.n_a, each.n_b)
        if least * family > study.alpha:
            times = f" × {family} comparisons" if family > 1 else ""
            yield Caution(
                code="few-trials",
                where=f"{each.b.sut} against {each.a.sut} · {condition(each.a)}",
                observation=f"of {counted(study.blocks, 'block')} {each.n_a} have a value of {each.a.sut} and "
                f"{each.n_b} of {each.b.sut}; the exact {each.test} test gives p = {number(least, 3)}{times} at best, "
                f"above {study.alpha:g}",
            )


def _unequal_answers(by_cell: dict[str, list[MeasuredTrial]]) -> Iterator[Caution]:
    """Compared among systems under the same factors, which may change the answers; the load may not."""
    sizes: dict[str, dict[str, list[int]]] = {}
    for trials in by_cell.values():
        for trial in trials:
            factors = ", ".join(f"{name}={value}" for name, value in trial.cell.factors.items())
            for name, size in trial.record.body_bytes.items():
                place = f"{name} ({factors})" if factors else name
                sizes.setdefault(place, {}).setdefault(trial.cell.sut, []).append(size)
    said = [text for place, by_sut in sizes.items() if (text := _unequal(place, by_sut))]
    if said:
        more = f"; and {counted(len(said) - 3, 'more operation')}" if len(said) > 3 else ""
        yield Caution(code="unequal-answers", where="run", observation="; ".join(said[:3]) + more)


def _unequal(place: str, by_sut: dict[str, list[int]]) -> str | None:
    middle = {sut: statistics.median(sizes) for sut, sizes in by_sut.items()}
    least, most = min(middle.values()), max(middle.values())
    if most <= least * (1 + UNEQUAL):
        return None
    by_size: dict[float, list[str]] = {}
    for sut, size in middle.items():
        by_size.setdefault(size, []).append(sut)
    told = ", ".join(f"{size:.0f} bytes from {listed(suts)}" for size, suts in sorted(by_size.items()))
    if least == 0 or most / least > FORMATTING:
        why = "too much for formatting alone"
    else:
        why = f"{per_cent(most / least - 1)} apart, which formatting may explain"
    return f"{place}: {told} ({why})"


def _host(manifest: RunManifest) -> Iterator[Caution]:
    host, pinning = manifest.host, manifest.pinning
    if not any(_is_local(sut) for sut in manifest.suts):
        return
    observation = f"engine and systems under test ran on {host.hostname} ({host.cpus} CPUs), over loopback"
    yield Caution(code="shared-host", where="run", observation=observation)
    if not pinning.pinned:
        cpus = ", ".join(str(cpu) for cpu in pinning.sut_cpus) or "all"
        observation = f"both may use CPUs {cpus}: {pinning.reason or 'no reason given'}"
        yield Caution(code="not-pinned", where="run", observation=observation)
    ours = any(isinstance(sut, StackVariant) for sut in manifest.suts)
    if ours and len(pinning.sut_cpus) == 1:
        observation = f"systems under test may use CPU {pinning.sut_cpus[0]} of {host.cpus}"
        yield Caution(code="few-cpus", where="run", observation=observation)


def _is_local(sut: SystemUnderTest | StackByFile) -> bool:
    if isinstance(sut, StackVariant):
        return True
    if isinstance(sut, StackByFile):
        return False
    name = urlsplit(sut.url).hostname or ""
    return name in {"localhost", "::1"} or name.startswith("127.")
