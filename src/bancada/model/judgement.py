# SPDX-License-Identifier: Apache-2.0
"""What a replication says: a judgement of each claim, the paper's figures computed again, and the slips found in it."""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model
from bancada.model.findings import Bounds
from bancada.model.replication import Scale

ClaimVerdict = Literal["confirmed", "contradicted", "undecided"]
ClaimTest = Literal["rank-sum", "welch-t", "paired-t"]


class PublishedRatio(Model):
    """A ratio of the published study, for one of its experiments."""

    machine: str
    tables: str
    """Where it comes from, as in `Tables 3 and 4` or `Figures 18 and 20`."""
    ratio: Bounds
    """of ÷ against; ends are None where the paper's data give none."""


class Judgement(Model):
    """One claim, judged."""

    claim: str
    text: str
    source: str
    part: str
    metric: str
    added: bool
    """Whether the claim is ours and not the paper's."""
    expect: str
    """What the ratio is said to be, as in `below 1`."""
    verdict: ClaimVerdict
    published: tuple[PublishedRatio, ...]
    """As the paper prints it: its own mean ± half-width, or else the ratio of its printed figures."""
    reanalysed: tuple[PublishedRatio, ...]
    """The same by this project's method: geometric means, with intervals where the printed figures give one."""
    measured: Bounds | None
    """Ratio of geometric means over trials with its interval; None without data."""
    n_of: int
    """Fewest trials behind any cell of the dividend."""
    n_against: int
    """Fewest trials behind any cell of the divisor."""
    failed_trials: int
    """Trials of these cells that failed, and so are no values."""
    test: ClaimTest | None
    """Chosen from planned blocks and the number of claims before the data were seen; None without data."""
    p: float | None
    p_holm: float | None
    """Adjusted over all claims of the replication."""
    reason: str
    """Why this verdict, in a sentence."""


class Judgements(Model):
    """All claims of a replication, judged from the stored runs."""

    version: Literal[1] = 1
    replication: str
    title: str
    question: str
    reference: str
    scale: Scale
    alpha: float
    claims: tuple[Judgement, ...]

    def count(self, verdict: ClaimVerdict) -> int:
        """How many claims got this verdict."""
        return sum(each.verdict == verdict for each in self.claims)


class Recomputed(Model):
    """A printed figure, computed again from the paper's own printed data."""

    source: str
    """Where it stands, as in `Table 9`."""
    what: str
    """Which figure, as in `3 to 300 integers, Mac Mini: half-width`."""
    printed: str
    computed: str
    """To the digits printed."""

    @property
    def reproduced(self) -> bool:
        """Whether the paper's own data give what it prints."""
        return self.printed == self.computed


SlipCheck = Literal[
    "mean-above-max",
    "median-above-max",
    "percentiles-out-of-order",
    "mean-outside-percentiles",
    "apdex-outside-percentiles",
    "median-out-of-line",
    "total-outside-parts",
    "more-than-users",
    "size-out-of-line",
    "unequal-work",
    "errors-by-kind",
    "requests",
    "recomputed",
    "statement",
]


class Slip(Model):
    """A printed figure or sentence that cannot be right, given the others."""

    table: str
    """The table's number or name, or where the sentence stands."""
    row: str
    check: SlipCheck
    printed: str
    expected: str
    sentence: str
    """What is wrong, in one sentence."""
