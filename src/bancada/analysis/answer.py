# SPDX-License-Identifier: Apache-2.0
"""The answer to a study's question in a few plain sentences, saying no more than the decisive comparisons bear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bancada.analysis.panel import Panel
from bancada.analysis.trials import MeasuredTrial
from bancada.analysis.words import condition, counted, listed, noun, per_cent, shown
from bancada.model.caution import CAUTIONS, Caution
from bancada.model.metric import METRICS, Metric
from bancada.model.quantities import number
from bancada.model.study import Study
from bancada.model.trial import Cell
from bancada.stats import choose_test

MOST_PANELS = 4
MOST_PAIRS = 3

BY_METRIC = {
    "apdex": "has the best Apdex",
    "received_bytes_per_s": "sends most bytes",
    "sent_bytes_per_s": "takes in most bytes",
    "rss_ready_bytes": "takes least memory after its start",
    "rss_mean_bytes": "takes least memory",
    "rss_peak_bytes": "takes least memory",
    "threads_peak": "needs fewest threads",
}
BY_GROUP = {
    "response time": "answers fastest",
    "throughput": "serves most requests",
    "errors": "fails least",
    "resources": "takes least CPU time",
    "start-up": "starts fastest",
}


def answer_of(panels: Sequence[Panel], study: Study) -> Iterator[str]:
    """Sentences on what was found by the study's metric; what limits it is said by `limits_of`.

    Says "cannot be told apart" where the evidence is missing, and "equivalent" only where a comparison found so.
    """
    if not panels:
        yield "No system under test could be tried: there is no answer."
        return
    metric = METRICS[study.metric]
    winners = {panel.winner for panel in panels}
    winner = next(iter(winners))
    if len(panels) > 1 and len(winners) == 1 and winner is not None:
        kind = "conditions" if study.varied else "loads"
        yield f"{winner} {_superlative(metric)} under each of the {len(panels)} {kind}."
        led = "; ".join(f"{_lead(panel, metric, study)} under {panel.condition}" for panel in panels[:MOST_PANELS])
        yield f"Its {noun(metric)} is {led}."
        for panel in panels[:MOST_PANELS]:
            yield from (f"Under {panel.condition}, {rest}." for rest in _rest(panel, study, panel.others))
    else:
        for panel in panels[:MOST_PANELS]:
            yield from _of_panel(panel, metric, study)
    if len(panels) > MOST_PANELS:
        yield f"The comparisons judge {counted(len(panels) - MOST_PANELS, 'more condition')}."


def _of_panel(panel: Panel, metric: Metric, study: Study) -> Iterator[str]:
    under = f"Under {panel.condition}"
    if not panel.known:
        yield f"{under}, no trial gave a value: there is no answer."
    elif len(panel.known) == 1:
        yield f"{under}, {_alone(panel, metric, study)}; there is nothing to compare it with."
    elif panel.winner is not None:
        yield f"{under}, {panel.winner} {_superlative(metric)}: its {noun(metric)} is {_lead(panel, metric, study)}."
        yield from (f"{rest}." for rest in _rest(panel, study, panel.others))
    elif any(panel.verdict(b, a) in {"better", "worse"} for a, b in combinations(panel.known, 2)):
        yield f"{under}, no system is shown to beat {' or '.join(panel.unbeaten)} by {noun(metric)}."
        yield from (f"{_beaten(panel, sut, metric, study)}." for sut in panel.known if panel.beaten_by(sut))
        yield from (f"{rest}." for rest in _rest(panel, study, panel.known))
    else:
        yield f"{under}, {_undecided(panel, metric, study)}."


def _superlative(metric: Metric) -> str:
    return BY_METRIC.get(metric.name, BY_GROUP[metric.group])


def _beaten(panel: Panel, sut: str, metric: Metric, study: Study) -> str:
    better = panel.ranked(panel.beaten_by(sut), metric.lower_is_better)
    times = _times(panel, (sut, better[0]), better[0], metric, study)
    return f"{sut} is worse than {listed(better)}: its {noun(metric)} is {times}"


def _lead(panel: Panel, metric: Metric, study: Study) -> str:
    """How far the winner is ahead of the best of the others."""
    assert panel.winner is not None
    runner_up = panel.ranked(panel.others, metric.lower_is_better)[0]
    whose = f"{runner_up}, the next" if len(panel.known) > 2 else runner_up
    return _times(panel, (panel.winner, runner_up), whose, metric, study)


def _times(panel: Panel, pair: tuple[str, str], whose: str, metric: Metric, study: Study) -> str:
    """Of the first against the second, as in `0.620 times that of WHOSE (95 % interval 0.600 to 0.650, n = 5 …)`."""
    ratio, n = panel.ratio(*pair), panel.trials(*pair)
    if ratio is None:
        ours, theirs = (shown(panel.mean(each), metric) for each in pair)
        return f"{ours} on average, against {theirs} of {whose} ({n})"
    ends = "no interval"
    if ratio.low is not None and ratio.high is not None:
        ends = f"{per_cent(1 - study.alpha)} interval {number(ratio.low, 3)} to {number(ratio.high, 3)}"
    return f"{number(ratio.point, 3)} times that of {whose} ({ends}, {n})"


def _alone(panel: Panel, metric: Metric, study: Study) -> str:
    estimate = panel.estimates[panel.known[0]]
    assert estimate.mean is not None
    text = f"{panel.known[0]} has a {noun(metric)} of {shown(estimate.mean, metric)}"
    if estimate.low is None or estimate.high is None:
        return f"{text} (n = {estimate.n}, no interval)"
    ends = f"{shown(estimate.low, metric)} to {shown(estimate.high, metric)}"
    return f"{text} ({per_cent(1 - study.alpha)} interval {ends}, n = {estimate.n} trials)"


def _undecided(panel: Panel, metric: Metric, study: Study) -> str:
    """Where no pair differs for sure."""
    names = listed(panel.known)
    verdicts = {panel.verdict(b, a) for a, b in combinations(panel.known, 2)}
    if verdicts == {"equivalent"}:
        text = f"{names} are equivalent by {noun(metric)}, within the margin of {per_cent(study.margin)}"
    else:
        text = f"{names} cannot be told apart by {noun(metric)}"
    if len(panel.known) == 2:
        first, second = panel.known
        return f"{text}: that of {second} is {_times(panel, (second, first), first, metric, study)}"
    equal = [f"{a} and {b}" for a, b in combinations(panel.known, 2) if panel.verdict(b, a) == "equivalent"]
    return text if verdicts == {"equivalent"} or not equal else f"{text}, but {_first(equal)} are equivalent"


def _rest(panel: Panel, study: Study, suts: Sequence[str]) -> Iterator[str]:
    """What is not decided among some systems, and what is equivalent."""
    pairs = list(combinations(suts, 2))
    apart = [f"{a} and {b}" for a, b in pairs if panel.verdict(b, a) == "undecided"]
    equal = [f"{a} and {b}" for a, b in pairs if panel.verdict(b, a) == "equivalent"]
    if apart:
        yield f"{_first(apart)} cannot be told apart"
    if equal:
        yield f"{_first(equal)} are equivalent within {per_cent(study.margin)}"


def _first(pairs: Sequence[str]) -> str:
    more = [counted(len(pairs) - MOST_PAIRS, "more pair")] if len(pairs) > MOST_PAIRS else []
    return "; ".join([*pairs[:MOST_PAIRS], *more])


def limits_of(
    panels: Sequence[Panel],
    study: Study,
    cells: Sequence[Cell],
    by_cell: dict[str, list[MeasuredTrial]],
    cautions: Sequence[Caution],
) -> Iterator[str]:
    """Sentences on what limits an answer; `by_cell` has the finished trials by the cell's label."""
    finished, planned = sum(len(trials) for trials in by_cell.values()), study.blocks * len(cells)
    if finished < planned:
        yield f"The run is unfinished: {finished} of {planned} trials."
    failed = [
        f"{cell.sut} failed in {count} of {len(by_cell[cell.label])} trials under {condition(cell)}"
        for cell in cells
        if (count := sum(not trial.completed for trial in by_cell[cell.label]))
    ]
    if failed:
        more = f"; so did {counted(len(failed) - MOST_PAIRS, 'more cell')}" if len(failed) > MOST_PAIRS else ""
        yield f"{'; '.join(failed[:MOST_PAIRS])}{more}."
    family = sum(len(panel.comparisons) for panel in panels)
    chosen = choose_test(study.blocks, family, study.alpha) if family else None
    if chosen and not chosen.can_reach:
        few = "1 block is" if study.blocks == 1 else f"{study.blocks} blocks are"
        yield f"{few} too few for any difference to be proved; it takes {chosen.needed_n}."
    grave = [
        kind.title
        for code, kind in CAUTIONS.items()
        if kind.severity == "high" and code not in {"few-trials", "trials-failed"}
        if any(caution.code == code for caution in cautions)
    ]
    if grave:
        yield f"Read the cautions before relying on this: {'; '.join(title[0].lower() + title[1:] for title in grave)}."
