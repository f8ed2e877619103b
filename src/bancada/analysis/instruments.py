# SPDX-License-Identifier: Apache-2.0
"""The load engines of a study as instruments: what they took, and whether they measured the same.

An engine is no stack: it is not better or worse. Two engines *agree* on a metric where the whole interval of the ratio
other ÷ first lies within the study's margin of 1, they *differ* where p after Holm is at most alpha and the interval
excludes 1, and else it is *undecided*. Evidence and test are those of `compare`, over trials; each metric's pairs of
engines are a family of their own, apart from the comparisons of stacks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bancada.analysis.compare import Side, compare
from bancada.model.findings import Agreement, EngineReading, Estimate, InstrumentComparison, Verdict
from bancada.model.metric import ENGINE_METRICS
from bancada.model.study import ENGINE_FACTOR, Study
from bancada.model.trial import Cell
from bancada.stats import choose_test

AGREED = ("latency_mean_ns", "latency_p50_ns", "latency_p99_ns", "throughput_per_s")
"""What engines must agree on; of what they cost (ENGINE_METRICS) only the ratio is told."""
AGREEMENT: dict[Verdict, Agreement] = {
    "equivalent": "agree",
    "better": "differ",
    "worse": "differ",
    "undecided": "undecided",
}

Pairs = Sequence[tuple[Side, Side]]
Judged = dict[str, dict[str, object]]
"""What a reading gains by being judged against the first engine's, by its cell's label."""


def instruments_of(
    study: Study, cells: Sequence[Cell], side_of: Callable[[Cell, str], Side], estimates: Sequence[Estimate]
) -> tuple[InstrumentComparison, ...]:
    """By metric of AGREED and ENGINE_METRICS, then by system, load and other factors; empty if there is one engine.

    `side_of` gives a cell's values by a metric; ratios have intervals of level 1 − the study's alpha.
    """
    benches = _benches(cells) if len(study.engines) > 1 else []
    pairs = [(bench[0], other) for bench in benches for other in bench[1:]]
    if not pairs:
        return ()
    test = choose_test(study.blocks, len(pairs), study.alpha).name
    told = {(each.cell.label, each.metric): each for each in estimates if each.operation is None}
    found = []
    for metric in (*AGREED, *ENGINE_METRICS):
        sides = [(side_of(first, metric), side_of(other, metric)) for first, other in pairs]
        judged = _judged(metric, sides, test, study)
        for bench in benches:
            readings = (_reading(told[cell.label, metric], judged.get(cell.label, {})) for cell in bench)
            found.append(InstrumentComparison(cell=_bare(bench[0]), metric=metric, readings=tuple(readings)))
    return tuple(found)


def _benches(cells: Sequence[Cell]) -> list[list[Cell]]:
    """The cells that differ by their engine alone, in the study's order."""
    benches: dict[str, list[Cell]] = {}
    for cell in cells:
        benches.setdefault(_bare(cell).label, []).append(cell)
    return list(benches.values())


def _bare(cell: Cell) -> Cell:
    factors = {name: value for name, value in cell.factors.items() if name != ENGINE_FACTOR}
    return cell.model_copy(update={"factors": factors})


def _judged(metric: str, pairs: Pairs, test: str, study: Study) -> Judged:
    """Engines must agree on what they measure; of what they cost only the ratio is told."""
    return {
        each.b.label: {"ratio": each.ratio}
        | ({"p_holm": each.p_holm, "agreement": AGREEMENT[each.verdict]} if metric in AGREED else {})
        for each in compare(metric, pairs, test, study)
    }


def _reading(estimate: Estimate, judged: Mapping[str, object]) -> EngineReading:
    reading = EngineReading(
        engine=estimate.cell.factors[ENGINE_FACTOR],
        n=estimate.n,
        mean=estimate.mean,
        low=estimate.low,
        high=estimate.high,
    )
    return reading.model_copy(update=dict(judged))
