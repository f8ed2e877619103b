# SPDX-License-Identifier: Apache-2.0
"""Why a claim got its verdict, in a sentence."""

from __future__ import annotations

from bancada.analysis.words import counted
from bancada.model.judgement import Judgement
from bancada.model.quantities import fixed, number, p_value, ratio_interval, ratio_places
from bancada.model.replication import Claim, Replication


def reason_of(
    judged: Judgement, claim: Claim, missing: tuple[str, ...], replication: Replication, *, sides_agree: bool
) -> str:
    """The reason of a judgement that is complete but for it; `missing`: why cells have no values."""
    if missing:
        return _sentence("; ".join(missing))
    if judged.measured is None:
        return "A ratio needs values above 0, and some are not, or no block has both."
    if judged.p is None or judged.p_holm is None:
        return f"Too few trials: n = {judged.n_of} against {judged.n_against}."
    point = fixed(judged.measured.point, ratio_places(judged.measured))
    found = f"the ratio {point} {ratio_interval(judged.measured)}"
    if judged.verdict != "undecided":
        side = "is" if judged.verdict == "confirmed" else "is not"
        return _sentence(f"{found} {side} {judged.expect}, p after Holm {_p(judged.p_holm)}{_failures(judged)}")
    if not sides_agree:
        return "The ranks and the means point to different sides."
    return _sentence(f"{_undecided(judged, claim, replication, found)}{_failures(judged)}")


def _undecided(judged: Judgement, claim: Claim, replication: Replication, found: str) -> str:
    assert judged.measured is not None
    assert judged.p_holm is not None
    low, high = judged.measured.low, judged.measured.high
    ends = [end for end in claim.expect.ends if 0 < end < float("inf")]
    crossed = [end for end in ends if low is not None and high is not None and low <= end <= high]
    if crossed:
        return f"{found} does not exclude {' and '.join(number(end) for end in crossed)}"
    claims = counted(len(replication.claim), "claim")
    return f"after Holm over {claims} p is {p_value(judged.p_holm)}, above {replication.alpha:g}"


def _failures(judged: Judgement) -> str:
    return f"; {counted(judged.failed_trials, 'trial')} failed and is no value" if judged.failed_trials else ""


def _p(p: float) -> str:
    shown = p_value(p)
    return shown if shown.startswith("<") else f"= {shown}"


def _sentence(text: str) -> str:
    """With a capital and a full stop; a system's name keeps its letters."""
    name = ":" in text.split(maxsplit=1)[0]
    return f"{text if name else text[0].upper() + text[1:]}."
