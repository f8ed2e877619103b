# SPDX-License-Identifier: Apache-2.0
"""The findings of a run as terminal tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from bancada.analysis.regression import RunComparison
from bancada.console.instruments import show_instruments
from bancada.console.screen import out
from bancada.model.caution import Caution
from bancada.model.findings import Comparison, Estimate, FailureCount, Findings
from bancada.model.metric import METRICS, Metric
from bancada.model.quantities import decimals, fixed, p_value, percent, ratio, ratio_interval
from bancada.model.trial import Cell

VERDICT_STYLE = {"better": "bold green", "worse": "bold red", "equivalent": "cyan", "undecided": "yellow"}
VERDICT_MARK = {"better": "▲", "worse": "▼", "equivalent": "=", "undecided": "~"}
SEVERITY_STYLE = {"high": "bold red", "medium": "yellow", "low": "dim"}
OVERVIEW = {
    "latency_mean_ns": "mean\nms",
    "latency_p99_ns": "p99\nms",
    "throughput_per_s": "req.\n1/s",
    "cpu_per_request_ns": "CPU\nms/req.",
    "rss_peak_bytes": "RSS\nMiB",
    "startup_ns": "start\nms",
}
"""The columns of the overview, with headings that fit a terminal of 80 columns."""
LONG_NAME = 27
"""Signs of a name that stand beside six figures on 80 columns."""


def show_findings(findings: Findings) -> None:
    """Question, estimates, verdicts, instruments, errors, cautions, answer: the whole of a run on a screen."""
    out.print()
    out.print(f"[bold]{escape(findings.question)}[/]", soft_wrap=True)
    for condition, estimates in _by_condition(findings.estimates).items():
        out.print()
        out.print(_estimates(condition, estimates, findings.metric))
    decisive = [each for each in findings.comparisons if each.decisive]
    if decisive:
        out.print()
        out.print(verdicts(decisive, title=f"Verdicts by {METRICS[findings.metric].label.lower()}"))
    show_instruments(findings)
    if findings.failures:
        out.print()
        out.print(_failures(findings.failures))
    out.print()
    show_cautions(findings.cautions)
    out.print(f"[bold]Answer:[/] {escape(findings.answer)}", soft_wrap=True)


def condition_of(cell: Cell) -> str:
    """Under what a cell was measured: its load and factors, without the system under test."""
    return " · ".join([cell.load, *(f"{name}={value}" for name, value in cell.factors.items())])


def _by_condition(estimates: Iterable[Estimate]) -> dict[str, list[Estimate]]:
    grouped: dict[str, list[Estimate]] = {}
    for each in estimates:
        if each.operation is None:
            grouped.setdefault(condition_of(each.cell), []).append(each)
    return grouped


def _estimates(condition: str, estimates: Sequence[Estimate], decisive: str) -> Table:
    names = list(dict.fromkeys((decisive, *OVERVIEW)))
    shown = [name for name in names if any(each.metric == name and each.n for each in estimates)]
    table = _table(f"{condition}: mean over n trials, ± half of the 95 % interval")
    table.add_column("system under test", overflow="fold")
    table.add_column("n", justify="right", no_wrap=True)
    for name in shown:
        heading = OVERVIEW.get(name, f"{METRICS[name].label}\n{METRICS[name].unit}")
        table.add_column(escape(heading), justify="right", no_wrap=True)
    for sut in dict.fromkeys(each.cell.sut for each in estimates):
        of_sut = {each.metric: each for each in estimates if each.cell.sut == sut}
        trials = max((each.n for each in of_sut.values()), default=0)
        figures = (estimate_text(of_sut.get(name), METRICS[name]) for name in shown)
        table.add_row(escape(in_lines(sut)), str(trials), *figures)
    return table


def in_lines(name: str) -> str:
    """A long name on several lines, parted where variant and settings begin, so that figures have their room."""
    lines = [""]
    for part in re.split(r"(?<=[:,])", name):
        if lines[-1] and len(lines[-1] + part) > LONG_NAME:
            lines.append(" ")
        lines[-1] += part
    return "\n".join(lines)


def _table(title: str) -> Table:
    return Table(
        title=title,
        title_justify="left",
        title_style="italic",
        header_style="bold",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )


def estimate_text(estimate: Estimate | None, metric: Metric) -> str:
    """The mean in the metric's unit for readers, half of its interval below; or `unknown`."""
    if estimate is None or estimate.mean is None:
        return "unknown"
    mean = estimate.mean * metric.scale
    if estimate.high is None:
        return fixed(mean, decimals(mean, 3))
    half = (estimate.high - estimate.mean) * metric.scale
    places = max(decimals(mean, 3), min(decimals(half, 1), 3)) if half else decimals(mean, 3)
    return f"{fixed(mean, places)}\n± {fixed(half, places)}"


def verdicts(comparisons: Sequence[Comparison], title: str) -> Table:
    """Comparisons with ratio, interval, test and verdict."""
    table = _judging_table(title, "judged\n  against")
    condition = None
    for each in comparisons:
        if condition_of(each.b) != condition:
            condition = condition_of(each.b)
            table.add_row(f"[italic]{escape(condition)}[/]")
        table.add_row(f"{escape(each.b.sut)}\n  {escape(each.a.sut)}", *_judgement(each))
    return table


def _judging_table(title: str, what: str) -> Table:
    table = _table(title)
    table.add_column(what, overflow="fold")
    table.add_column("verdict", no_wrap=True)
    for heading in ("ratio\n95 % interval", "p (Holm)\nCliff's δ", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _judgement(comparison: Comparison) -> tuple[str, str, str, str]:
    """Verdict, ratio with interval, p with effect size, and the numbers of trials."""
    style, mark = VERDICT_STYLE[comparison.verdict], VERDICT_MARK[comparison.verdict]
    bounds = comparison.ratio
    delta = "~" if comparison.cliffs_delta is None else f"{comparison.cliffs_delta:+.2f}"
    return (
        f"[{style}]{mark} {comparison.verdict}[/]",
        f"{ratio(bounds)}\n{escape(ratio_interval(bounds))}" if bounds else "~",
        f"{p_value(comparison.p_holm)}\n{delta}",
        f"{comparison.n_b}/{comparison.n_a}",
    )


def _failures(failures: Sequence[FailureCount]) -> Table:
    """Failed requests by cell and kind."""
    table = _table("Failed requests by kind, over all trials of a cell")
    table.add_column("system under test\n  kind", overflow="fold")
    for heading in ("number", "% of\nerrors", "% of all\nrequests"):
        table.add_column(heading, justify="right", no_wrap=True)
    seen = None
    for each in failures:
        if each.cell.label != seen:
            seen = each.cell.label
            table.add_row(escape(seen))
        shares = percent(each.share_of_failures), percent(each.share_of_requests)
        table.add_row(f"  {escape(each.kind)}", fixed(each.count, 0), *shares)
    return table


def show_cautions(cautions: Iterable[Caution]) -> None:
    """What could make the answer wrong, the gravest first."""
    order = ("high", "medium", "low")
    by_gravity = sorted(cautions, key=lambda each: order.index(each.kind.severity))
    if not by_gravity:
        return
    out.print("[bold]What could make this wrong[/]")
    for each in by_gravity:
        style = SEVERITY_STYLE[each.kind.severity]
        out.print(f"  [{style}]{each.code}[/] {escape(each.where)}: {escape(each.observation)}", soft_wrap=True)
    out.print()


def show_run_comparison(comparison: RunComparison) -> None:
    """A later run judged against an earlier one."""
    out.print(f"[bold]{escape(comparison.run_b)}[/] judged against [bold]{escape(comparison.run_a)}[/]", soft_wrap=True)
    table = _judging_table(f"by {METRICS[comparison.metric].label.lower()}", "cell")
    for each in comparison.comparisons:
        if each.decisive:
            table.add_row(escape(each.b.label), *_judgement(each))
    out.print(table)
    for note in comparison.notes:
        out.print(f"  [yellow]note[/] {escape(note)}", soft_wrap=True)
    show_cautions(comparison.cautions)
