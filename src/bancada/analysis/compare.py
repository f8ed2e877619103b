# SPDX-License-Identifier: Apache-2.0
"""Pairs of cells compared by one metric: evidence for each pair, then Holm's correction and a verdict for all.

The unit is the trial. The signed-rank test uses pairs of trials from the same block and only blocks in which both
completed; its ratio and shift are paired likewise. The rank-sum test takes the trials of both sides as independent, and
so do its ratio and shift. Ratios and shifts come with intervals of level 1 − alpha.

A ratio needs values above 0. Where there are zeros (an error share, as a rule) `ratio` is None and the verdict is:
`equivalent` if every single value on both sides is 0 (two trials each at least); `better` or `worse` if p after Holm is
at most alpha, by the sign of Cliff's delta (a margin relative to 0 has no meaning); else `undecided`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.model.findings import Bounds, Comparison, Verdict
from bancada.model.metric import ALL_METRICS
from bancada.model.study import Study
from bancada.model.trial import Cell
from bancada.stats import (
    Interval,
    cliffs_delta,
    hodges_lehmann,
    hodges_lehmann_paired,
    holm,
    rank_sum,
    ratio_interval,
    signed_rank,
    verdict,
)


@dataclass(frozen=True)
class Side:
    """One metric of one cell, by the trial's block."""

    cell: Cell
    values: dict[int, float]


def compare(metric: str, pairs: Sequence[tuple[Side, Side]], test: str, study: Study) -> tuple[Comparison, ...]:
    """Each pair's second side judged against its first, in their order.

    The pairs are the whole family of Holm's correction; a pair without values counts in it as p = 1. `test` is
    `rank-sum` or `signed-rank`; alpha, margin and the decisive metric are the study's.
    """
    drafts = [_evidence(metric, a, b, test, study) for a, b in pairs]
    adjusted = holm([1.0 if draft.p is None else draft.p for draft in drafts])
    return tuple(
        _judged(draft.model_copy(update={"p_holm": None if draft.p is None else p}), a, b, study)
        for draft, p, (a, b) in zip(drafts, adjusted, pairs, strict=True)
    )


def _evidence(metric: str, a: Side, b: Side, test: str, study: Study) -> Comparison:
    """Everything but what depends on the other pairs."""
    paired = test == "signed-rank"
    blocks = [block for block in sorted(a.values) if block in b.values]
    first = [a.values[block] for block in (blocks if paired else sorted(a.values))]
    second = [b.values[block] for block in (blocks if paired else sorted(b.values))]
    bare = Comparison(
        metric=metric,
        a=a.cell,
        b=b.cell,
        n_a=len(first),
        n_b=len(second),
        ratio=None,
        shift=None,
        cliffs_delta=None,
        magnitude=None,
        test=None,
        p=None,
        p_holm=None,
        verdict="undecided",
        decisive=metric == study.metric,
    )
    if not first or not second:
        return bare
    level = 1 - study.alpha
    effect = cliffs_delta(first, second)
    positive = min(*first, *second) > 0
    return bare.model_copy(
        update={
            "ratio": _bounds(ratio_interval(first, second, paired=paired, level=level)) if positive else None,
            "shift": _bounds((hodges_lehmann_paired if paired else hodges_lehmann)(first, second, level)),
            "cliffs_delta": effect.delta,
            "magnitude": effect.magnitude,
            "test": test,
            "p": (signed_rank if paired else rank_sum)(first, second).p,
        }
    )


def _judged(draft: Comparison, a: Side, b: Side, study: Study) -> Comparison:
    return draft.model_copy(update={"verdict": _verdict(draft, a, b, study)})


def _verdict(draft: Comparison, a: Side, b: Side, study: Study) -> Verdict:
    lower_is_better = ALL_METRICS[draft.metric].lower_is_better
    if draft.ratio is not None:
        ratio = Interval(draft.ratio.point, draft.ratio.low, draft.ratio.high, 1 - study.alpha)
        return verdict(ratio, draft.p_holm, alpha=study.alpha, margin=study.margin, lower_is_better=lower_is_better)
    if min(draft.n_a, draft.n_b) >= 2 and not any((*a.values.values(), *b.values.values())):
        return "equivalent"
    if draft.p_holm is None or draft.p_holm > study.alpha or not draft.cliffs_delta:
        return "undecided"
    return "better" if (draft.cliffs_delta < 0) == lower_is_better else "worse"


def _bounds(interval: Interval) -> Bounds:
    return Bounds(point=interval.point, low=interval.low, high=interval.high)
