# SPDX-License-Identifier: Apache-2.0
"""What a run says: estimates, comparisons with verdicts, cautions. The content of `summary.json`."""

from __future__ import annotations

from typing import Literal

from bancada.model.base import Model
from bancada.model.caution import Caution
from bancada.model.trial import Cell

Verdict = Literal["better", "worse", "equivalent", "undecided"]
Agreement = Literal["agree", "differ", "undecided"]


class Bounds(Model):
    """A point with its interval; ends are None where the data do not give them."""

    point: float
    low: float | None
    high: float | None


class Estimate(Model):
    """One metric of one cell over its trials; values in the stored unit that the metric's name carries."""

    cell: Cell
    metric: str
    operation: str | None
    """Restricted to one operation; None for all together."""
    n: int
    """Trials that yielded a value; 0 means unknown."""
    values: tuple[float, ...]
    """The value of each trial, in order of the blocks."""
    mean: float | None
    low: float | None
    """Lower end of Student's t interval of the mean."""
    high: float | None
    sd: float | None
    minimum: float | None
    q1: float | None
    median: float | None
    q3: float | None
    maximum: float | None
    unknown: str | None = None
    """Why there is no value."""


class Comparison(Model):
    """`b` judged against `a` by one metric, under the same load and factors."""

    metric: str
    a: Cell
    b: Cell
    n_a: int
    n_b: int
    ratio: Bounds | None
    """b ÷ a."""
    shift: Bounds | None
    """Hodges-Lehmann estimate of b − a, in the stored unit."""
    cliffs_delta: float | None
    magnitude: str | None
    test: str | None
    """`rank-sum` or `signed-rank`, chosen from the number of blocks before the data were seen."""
    p: float | None
    p_holm: float | None
    """Adjusted over all comparisons of the metric in the study."""
    verdict: Verdict
    """About b: `better` means that b is better than a."""
    decisive: bool
    """Whether this is the study's own metric, which answers its question."""


class EngineReading(Model):
    """One metric as one load engine measured it, over the trials of a cell."""

    engine: str
    """As the study names it."""
    n: int
    mean: float | None
    low: float | None
    """Lower end of Student's t interval of the mean."""
    high: float | None
    ratio: Bounds | None = None
    """To the study's first engine: this one ÷ that one. None for the first itself, and where it is unknown."""
    p_holm: float | None = None
    """Adjusted over all pairs of engines by this metric in the study."""
    agreement: Agreement | None = None
    """With the first engine; None for the first itself, and for what an engine costs, where none is expected."""


class InstrumentComparison(Model):
    """The load engines side by side: one metric of one system under test under one load."""

    cell: Cell
    """Without the engine."""
    metric: str
    readings: tuple[EngineReading, ...]
    """By engine, in the study's order."""


class FailureCount(Model):
    """Failed requests of one kind in one cell, over its trials."""

    cell: Cell
    kind: str
    count: int
    share_of_failures: float
    share_of_requests: float


class TrialSummary(Model):
    """One trial, for the list of all trials."""

    number: int
    block: int
    cell: Cell
    failed: str | None
    """The failure's kind and message, or None."""
    metrics: dict[str, float]


class Findings(Model):
    """Everything that the console and the report show of a run."""

    version: Literal[1] = 1
    run: str
    question: str
    answer: str
    """The answer in a sentence or two, hedged as the evidence demands."""
    metric: str
    margin: float
    alpha: float
    blocks: int
    trials: tuple[TrialSummary, ...]
    estimates: tuple[Estimate, ...]
    comparisons: tuple[Comparison, ...]
    failures: tuple[FailureCount, ...]
    instruments: tuple[InstrumentComparison, ...] = ()
    """Empty unless the study varies the load engine."""
    cautions: tuple[Caution, ...]
