# SPDX-License-Identifier: Apache-2.0
"""The findings of a run as terminal tables."""

from __future__ import annotations

from collections.abc import Iterable

from rich.markup import escape
from rich.table import Table

from bancada.console.screen import out
from bancada.model.caution import Caution
from bancada.model.findings import Comparison, Estimate, Findings
from bancada.model.metric import METRICS, Metric
from bancada.model.quantities import change, decimals, fixed, p_value, ratio, ratio_interval

VERDICT_STYLE = {"better": "bold green", "worse": "bold red", "equivalent": "cyan", "undecided": "yellow"}
VERDICT_MARK = {"better": "▲", "worse": "▼", "equivalent": "=", "undecided": "~"}
SEVERITY_STYLE = {"high": "bold red", "medium": "yellow", "low": "dim"}
OVERVIEW = ("latency_p99_ns", "throughput_per_s", "cpu_per_request_ns", "rss_peak_bytes", "startup_ns")


def show_findings(findings: Findings) -> None:
    """Question, estimates, verdicts, cautions, answer: the whole of a run on a screen."""
    out.print()
    out.print(f"[bold]{escape(findings.question)}[/]", soft_wrap=True)
    out.print()
    out.print(_estimates(findings))
    decisive = [each for each in findings.comparisons if each.decisive]
    if decisive:
        out.print(verdicts(decisive, title=f"Verdicts · {METRICS[findings.metric].label}"))
    show_cautions(findings.cautions)
    out.print(f"[bold]Answer:[/] {escape(findings.answer)}", soft_wrap=True)


def _estimates(findings: Findings) -> Table:
    names = list(dict.fromkeys((findings.metric, *OVERVIEW)))
    whole = [each for each in findings.estimates if each.operation is None and each.metric in names]
    shown = [name for name in names if any(each.metric == name and each.n for each in whole)]
    table = Table(title="Mean with 95 % interval, over trials", title_justify="left", header_style="bold")
    table.add_column("system under test", overflow="fold")
    table.add_column("n", justify="right")
    for name in shown:
        metric = METRICS[name]
        table.add_column(
            f"{metric.label}{f' [{metric.unit}]' if metric.unit else ''}".replace("[", "\\["), justify="right"
        )
    for cell in dict.fromkeys(each.cell.label for each in whole):
        of_cell = {each.metric: each for each in whole if each.cell.label == cell}
        trials = max((each.n for each in of_cell.values()), default=0)
        table.add_row(escape(cell), str(trials), *(estimate_text(of_cell.get(name), METRICS[name]) for name in shown))
    return table


def estimate_text(estimate: Estimate | None, metric: Metric) -> str:
    """`12.3 ± 0.4` in the metric's unit for readers, or `unknown`."""
    if estimate is None or estimate.mean is None:
        return "unknown"
    mean = estimate.mean * metric.scale
    if estimate.high is None:
        return fixed(mean, decimals(mean, 3))
    half = (estimate.high - estimate.mean) * metric.scale
    places = max(decimals(mean, 3), min(decimals(half, 1), 3)) if half else decimals(mean, 3)
    return f"{fixed(mean, places)} ± {fixed(half, places)}"


def verdicts(comparisons: Iterable[Comparison], title: str) -> Table:
    """Comparisons with ratio, interval, test and verdict."""
    table = Table(title=title, title_justify="left", header_style="bold")
    table.add_column("judged", overflow="fold")
    table.add_column("against", overflow="fold")
    table.add_column("ratio", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_column("that is", overflow="fold")
    table.add_column("p (Holm)", justify="right")
    table.add_column("δ", justify="right")
    table.add_column("n", justify="right")
    table.add_column("verdict")
    for each in comparisons:
        style, mark = VERDICT_STYLE[each.verdict], VERDICT_MARK[each.verdict]
        told = each.verdict in {"better", "worse"}
        table.add_row(
            escape(each.b.label),
            escape(each.a.label),
            ratio(each.ratio),
            escape(ratio_interval(each.ratio)),
            change(each.ratio) if told else "~",
            p_value(each.p_holm),
            "~" if each.cliffs_delta is None else f"{each.cliffs_delta:+.2f}",
            f"{each.n_b} / {each.n_a}",
            f"[{style}]{mark} {each.verdict}[/]",
        )
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
