# SPDX-License-Identifier: Apache-2.0
"""Each claim of a replication judged: evidence for each alone, then Holm's correction over all of them.

A claim says on which side of a boundary a ratio of ÷ against lies, or between which two. The unit is the trial.

| claim | p |
|---|---|
| `below`, `above` | two-sided, at the boundary |
| `between` | inside: the larger of two one-sided p (Schuirmann 1987); outside: two-sided, at the nearer end |

Every claim of the replication belongs to Holm's family; one without data counts as p = 1. *Confirmed*: p after Holm is
at most alpha and the point lies on the expected side. *Contradicted*: the same on the other side. Else *undecided*.

The test follows from the claim, the planned blocks and the number of claims, before there are data (`choose`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bancada.analysis.replication.evidence import Evidence, Sample
from bancada.analysis.replication.published import as_printed, by_our_method
from bancada.analysis.replication.reasons import reason_of
from bancada.model.findings import Bounds
from bancada.model.judgement import ClaimTest, ClaimVerdict, Judgement, Judgements
from bancada.model.paper import Expectation, Paper
from bancada.model.replication import Claim, Part, Replication, Scale
from bancada.stats import holm, rank_sum, smallest_p_rank_sum
from bancada.stats.contrast import Contrast, log_contrast, p_at, p_within
from bancada.store.read import Run

FEWEST_TRIALS = 2
"""Below this many trials on a side there is no spread, and so no test."""


def judge(
    replication: Replication, paper: Paper, scale: Scale, runs: Mapping[str, Run], skipped: Mapping[str, str]
) -> Judgements:
    """All claims, from the stored runs alone.

    `runs`: the run of each part that was run, by the part's name, finished or not; `skipped`: systems under test
    and whole parts that could not be run, by label or name, with the reason, beside those in the runs' own manifests.
    Raises RunError if a file of a run is damaged.
    """
    evidence = Evidence(runs, skipped, scale)
    drafts = [_draft(claim, replication, evidence) for claim in replication.claim]
    adjusted = holm([1.0 if draft.p is None else draft.p for draft in drafts])
    return Judgements(
        replication=replication.replication,
        title=replication.title,
        question=replication.question,
        reference=replication.reference,
        scale=scale,
        alpha=replication.alpha,
        claims=tuple(
            _judgement(draft, p_holm if draft.p is not None else None, replication, paper)
            for draft, p_holm in zip(drafts, adjusted, strict=True)
        ),
    )


def choose(claim: Claim, blocks: int, claims: int, alpha: float) -> ClaimTest:
    """The test of a claim, from its plan alone.

    `paired-t` where of and against are operations of the same trials: Student's t over the trials' own log ratios.
    `rank-sum`, exact, for one pair and one boundary where so many planned blocks let it reach alpha after Holm: of
    against boundary × against. `welch-t` otherwise: Welch-Satterthwaite's t of the log contrast (`stats/contrast.py`).
    """
    if claim.pairs[0].within_trials:
        return "paired-t"
    can_reach = smallest_p_rank_sum(blocks, blocks) * claims <= alpha
    return "rank-sum" if len(claim.pairs) == 1 and claim.expect.between is None and can_reach else "welch-t"


@dataclass(frozen=True)
class _Draft:
    """Everything about a claim that does not depend on the others."""

    claim: Claim
    part: Part
    samples: tuple[tuple[Sample, Sample], ...]
    """Of each pair: of, against."""
    test: ClaimTest | None = None
    ratio: Contrast | None = None
    p: float | None = None
    sides_agree: bool = True
    """Whether ranks and means point to the same side of the boundary."""


def _draft(claim: Claim, replication: Replication, evidence: Evidence) -> _Draft:
    part = replication.named(claim.part)
    metric = claim.metric or part.metric
    samples = tuple(
        (evidence.sample(part, pair.of, metric), evidence.sample(part, pair.against, metric)) for pair in claim.pairs
    )
    bare = _Draft(claim, part, samples)
    blocks = evidence.blocks(claim.part)
    if blocks is None or any(each.missing for pair in samples for each in pair):
        return bare
    test = choose(claim, blocks, len(replication.claim), replication.alpha)
    pairs = [_values(*pair, paired=test == "paired-t") for pair in samples]
    if any(not values or min(values) <= 0 for pair in pairs for values in pair):
        return bare
    ratio = log_contrast(pairs, 1 - replication.alpha, paired=test == "paired-t")
    if test == "rank-sum":
        p, sides_agree = _by_ranks(*pairs[0], ratio, claim.expect)
    else:
        p, sides_agree = _by_t(ratio, claim.expect), True
    return _Draft(claim, part, samples, test, ratio, p, sides_agree)


def _values(of: Sample, against: Sample, *, paired: bool) -> tuple[list[float], list[float]]:
    """Both sides' values in order of the blocks; paired only those of blocks that both have."""
    blocks = [block for block in of.values if block in against.values]
    first, second = (blocks, blocks) if paired else (list(of.values), list(against.values))
    return [of.values[block] for block in first], [against.values[block] for block in second]


def _by_t(ratio: Contrast, expect: Expectation) -> float | None:
    if expect.between is not None:
        return p_within(ratio, *expect.between)
    return p_at(ratio, _boundary(expect))


def _by_ranks(
    of: Sequence[float], against: Sequence[float], ratio: Contrast, expect: Expectation
) -> tuple[float | None, bool]:
    """Exact p of the rank-sum test at the boundary, and whether it looks to the same side as the point."""
    if min(len(of), len(against)) < FEWEST_TRIALS:
        return None, True
    boundary = _boundary(expect)
    found = rank_sum(of, [boundary * value for value in against])
    half = len(of) * len(against) / 2
    return found.p, (found.statistic - half) * (ratio.point - boundary) > 0


def _boundary(expect: Expectation) -> float:
    low, high = expect.ends
    return low if high == float("inf") else high


def _judgement(draft: _Draft, p_holm: float | None, replication: Replication, paper: Paper) -> Judgement:
    claim, ratio = draft.claim, draft.ratio
    bare = Judgement(
        claim=claim.claim,
        text=claim.text,
        source=claim.source,
        part=claim.part,
        metric=claim.metric or draft.part.metric,
        added=claim.added,
        expect=claim.expect.label,
        verdict="undecided" if ratio is None else _verdict(draft, ratio, p_holm, replication.alpha),
        published=as_printed(claim, paper),
        reanalysed=by_our_method(claim, paper),
        measured=ratio and Bounds(point=ratio.point, low=ratio.low, high=ratio.high),
        n_of=min(len(of.values) for of, _ in draft.samples),
        n_against=min(len(against.values) for _, against in draft.samples),
        failed_trials=_failed(draft),
        test=draft.test,
        p=draft.p,
        p_holm=p_holm,
        reason="",
    )
    missing = tuple(dict.fromkeys(each.missing for pair in draft.samples for each in pair if each.missing))
    reason = reason_of(bare, claim, missing, replication, sides_agree=draft.sides_agree)
    return bare.model_copy(update={"reason": reason})


def _verdict(draft: _Draft, ratio: Contrast, p_holm: float | None, alpha: float) -> ClaimVerdict:
    holds = draft.claim.expect.holds(ratio.point)
    if p_holm is None or p_holm > alpha or holds is None or not draft.sides_agree:
        return "undecided"
    return "confirmed" if holds else "contradicted"


def _failed(draft: _Draft) -> int:
    """Failed trials of all cells; of operations of the same trials counted once."""
    within = draft.claim.pairs[0].within_trials
    return sum(of.failed if within else of.failed + against.failed for of, against in draft.samples)
