# SPDX-License-Identifier: Apache-2.0
"""In plain sentences, whether a study's load engines measured the same, and what each took for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bancada.analysis.words import listed, noun, per_cent
from bancada.model.findings import Agreement, EngineReading, InstrumentComparison
from bancada.model.metric import ALL_METRICS, ENGINE_METRICS
from bancada.model.quantities import number

COSTS = {"engine_cpu_s": "the CPU time", "engine_rss_peak_bytes": "the peak memory"}
CAUSES = (
    "Where they differ, this may be why: JMeter counts whole milliseconds; it takes its CPU time from the system under "
    "test, or from the central service, where they share CPUs; and its own pauses and late threads are part of what it "
    "measures."
)
TOO_FEW = "Undecided means that these trials can show neither."


@dataclass(frozen=True)
class _Pair:
    """An engine and the study's first one."""

    engine: str
    first: str
    readings: dict[str, list[EngineReading]]
    """The engine's, by metric: one of each cell."""

    @property
    def judged(self) -> list[str]:
        """The metrics that both must agree on."""
        return [metric for metric in self.readings if metric not in ENGINE_METRICS]

    @property
    def cells(self) -> int:
        """How many cells both measured."""
        return len(next(iter(self.readings.values())))

    def outcomes(self, metric: str) -> set[Agreement | None]:
        """What was found by one metric, over all cells."""
        return {each.agreement for each in self.readings[metric]}

    def times(self, metric: str, agreement: Agreement | None) -> str:
        """`1.04 times`, or the range over the cells of that outcome; empty where no ratio is known."""
        own = [each.ratio.point for each in self.readings[metric] if each.ratio and each.agreement == agreement]
        ends = dict.fromkeys(number(point, 3) for point in (min(own), max(own))) if own else ()
        return f"{' to '.join(ends)} times" if ends else ""


def instruments_in_words(instruments: Sequence[InstrumentComparison], margin: float) -> tuple[str, ...]:
    """A few sentences for each engine against the study's first; `margin` is the study's. Empty if there is one engine.

    What is undecided is said to be so, and never counted as agreement.
    """
    if not instruments:
        return ()
    first, *others = (reading.engine for reading in instruments[0].readings)
    return tuple(" ".join(_of_pair(_Pair(each, first, _readings(instruments, each)), margin)) for each in others)


def _readings(instruments: Sequence[InstrumentComparison], engine: str) -> dict[str, list[EngineReading]]:
    found: dict[str, list[EngineReading]] = {}
    for each in instruments:
        found.setdefault(each.metric, []).extend(one for one in each.readings if one.engine == engine)
    return found


def _of_pair(pair: _Pair, margin: float) -> Iterator[str]:
    yield from _in_all_cells(pair, margin)
    yield from _in_some_cells(pair)
    outcomes = set().union(*(pair.outcomes(metric) for metric in pair.judged))
    if "differ" in outcomes:
        yield CAUSES
    if "undecided" in outcomes:
        yield TOO_FEW
    known = [metric for metric in COSTS if metric in pair.readings and pair.times(metric, None)]
    if known:
        costs = listed([f"{pair.times(metric, None)} {COSTS[metric]}" for metric in known])
        yield f"{pair.engine} took {costs} that {pair.first} took."


def _in_all_cells(pair: _Pair, margin: float) -> Iterator[str]:
    """The metrics by which all cells have the same outcome."""
    where = "" if pair.cells == 1 else f" in each of the {pair.cells} cells"
    if agreed := _nouns(pair, "agree"):
        yield f"{pair.engine} agrees with {pair.first} within {per_cent(margin)} on {listed(agreed)}{where}."
    if apart := _nouns(pair, "differ"):
        yield f"{pair.engine} differs from {pair.first} on {listed(apart)}{where}."
    if unknown := _nouns(pair, "undecided"):
        yield f"Whether {pair.engine} agrees with {pair.first} on {listed(unknown)} is undecided{where}."


def _nouns(pair: _Pair, agreement: Agreement) -> list[str]:
    """The metrics with this outcome in all cells; with the size of a difference, where it is one."""
    alike = [metric for metric in pair.judged if pair.outcomes(metric) == {agreement}]
    return [noun(ALL_METRICS[metric]) + _size(pair, metric, agreement) for metric in alike]


def _in_some_cells(pair: _Pair) -> Iterator[str]:
    """The metrics by which cells have different outcomes, counted."""
    verbs: dict[Agreement, str] = {"agree": "agrees", "differ": "differs", "undecided": "is undecided"}
    for metric in pair.judged:
        found = [each.agreement for each in pair.readings[metric]]
        parts = [
            f"{verb} in {found.count(agreement)}{_size(pair, metric, agreement)}"
            for agreement, verb in verbs.items()
            if agreement in found
        ]
        if len(parts) > 1:
            yield f"On {noun(ALL_METRICS[metric])}, of {pair.cells} cells {pair.engine} {listed(parts)}."


def _size(pair: _Pair, metric: str, agreement: Agreement) -> str:
    times = pair.times(metric, agreement) if agreement == "differ" else ""
    return f" ({times})" if times else ""
