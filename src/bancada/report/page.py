# SPDX-License-Identifier: Apache-2.0
"""Assemble the self-contained page of a run, and write everything that is derived from it beside it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from bancada.analysis.instrument_words import instruments_in_words
from bancada.analysis.jmeter_view import jmeter_view
from bancada.model import quantities as fmt
from bancada.model.caution import CAUTIONS, Caution, CautionKind
from bancada.model.findings import Findings
from bancada.model.jmeter_view import JMETER_FIGURES, JMeterFigure, JMeterRow
from bancada.model.metric import METRICS, Metric
from bancada.model.run import RunManifest
from bancada.report import environment, export, instruments, jmeter, svg, theme, verdicts
from bancada.report.accounts import accounts
from bancada.report.figures import figures_of, places_of
from bancada.report.studyfile import study_toml
from bancada.report.tables import (
    GROUPS,
    condition,
    estimate_table,
    failures_by_condition,
    key_table,
    metric_tables,
)
from bancada.store import layout
from bancada.store.read import Run
from bancada.store.write import write_text

_SHOWN_AT_ONCE = 4
"""Observations of one caution before the rest is folded away."""
_MOST_COMPARISONS = 1000
"""More than these would make a page that no phone opens; then other metrics' verdicts are only counted."""
_CONTENTS = (
    ("verdict", "Verdict"),
    ("threats", "Threats to validity"),
    ("instruments", "Instruments"),
    ("plots", "Plots"),
    ("figures", "All figures"),
    ("other-verdicts", "Other verdicts"),
    ("errors", "Errors"),
    ("accounts", "Side effects"),
    ("as-jmeter", "As JMeter would print it"),
    ("trials", "All trials"),
    ("method", "Method"),
    ("environment", "Environment"),
    ("reproduce", "How to reproduce"),
)
_SEVERITIES = ("high", "medium", "low")
_TRIAL_METRICS = ("latency_p99_ns", "throughput_per_s", "error_share", "cpu_share", "rss_peak_bytes", "startup_ns")


@dataclass(frozen=True)
class Drawing:
    """A figure as the page shows it."""

    id: str
    title: str
    note: str
    drawings: tuple[Markup, ...]


@dataclass(frozen=True)
class CautionGroup:
    """All cautions of one kind."""

    kind: CautionKind
    first: tuple[Caution, ...]
    rest: tuple[Caution, ...]


def write_report(run: Run, findings: Findings) -> Path:
    """Write `report.html`, `report.md`, `summary.json` and `tables/*.csv` into the run's folder.

    Returns the page's path. Raises StorageError if they cannot be written, RunError if a file of the run is damaged.
    """
    view = jmeter_view(run, findings)
    context = page_context(run, findings) | _as_jmeter(view)
    export.write_summary(findings, run.folder)
    export.write_tables(findings, run.folder)
    instruments.write_table(findings, run.folder)
    jmeter.write_table(view, run)
    write_text(run.folder / layout.MARKDOWN, render("report.md.j2", context))
    path = run.folder / layout.REPORT
    write_text(path, render("report.html.j2", context))
    return path


def render(template: str, context: dict[str, object]) -> str:
    """A template filled; whatever a study, a stack or a server wrote is escaped, and a missing name is an error."""
    templates = Environment(
        loader=PackageLoader("bancada.report"),
        autoescape=select_autoescape(["html.j2"], default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"md": markdown, "code": code}
    return templates.get_template(template).render(context)


def code(text: str) -> Markup:
    """Escaped text in which what stands between backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


def markdown(text: object) -> str:
    """Text in which Markdown and HTML find nothing to interpret."""
    escaped = "".join(f"\\{sign}" if sign in "\\`*_[]<>|#~" else sign for sign in str(text))
    return " ".join(escaped.split())


def page_context(run: Run, findings: Findings) -> dict[str, object]:
    """All that the templates show."""
    return _head(run, findings) | _results(run, findings) | _instruments(run, findings) | _background(run, findings)


def _head(run: Run, findings: Findings) -> dict[str, object]:
    manifest = run.manifest
    cells = len({plan.cell.label for plan in manifest.order})
    facts = (
        f"{_plural(findings.blocks, 'block')} × {_plural(cells, 'cell')} = {_plural(len(manifest.order), 'trial')}",
        f"scenario: {manifest.scenario.title}",
        _where(manifest),
        f"Bancada {manifest.bancada_version}",
    )
    absent = {
        key
        for key, there in (
            ("instruments", findings.instruments),
            ("other-verdicts", verdicts.other_verdicts(findings)),
            ("accounts", accounts(run)),
        )
        if not there
    }
    shown = [(key, title) for key, title in _CONTENTS if key not in absent]
    return {
        "findings": findings,
        "manifest": manifest,
        "started": fmt.instant(manifest.started_unix_ns),
        "facts": facts,
        "unfinished": None if run.complete else f"{len(run.trials)} of {len(manifest.order)} trials are done.",
        "contents": shown,
        "places": places_of(run),
        "outlines": theme.OUTLINES,
        "colours": len(theme.SERIES),
    }


def _where(manifest: RunManifest) -> str:
    host = manifest.host
    if manifest.imported:
        return f"imported from {_plural(len(manifest.imported), 'result file')}"
    return f"on {host.hostname or fmt.UNKNOWN}, {_plural(host.cpus, 'CPU') if host.cpus else 'CPUs unknown'}"


def _results(run: Run, findings: Findings) -> dict[str, object]:
    decisive = verdicts.verdict_table(findings, findings.metric)
    records = [trial.record for trial in run.trials]
    return {
        "decisive": decisive,
        "decisive_counts": verdicts.counts(decisive.groups) if decisive else {},
        "decisive_metric": METRICS[findings.metric],
        "others": verdicts.other_verdicts(findings),
        "others_in_full": len(findings.comparisons) <= _MOST_COMPARISONS,
        "counts": verdicts.counts,
        "key": key_table(findings),
        "cautions": _caution_groups(findings),
        "catalogue": CAUTIONS,
        "figures": _drawings(run, findings),
        "own_table": estimate_table(findings, findings.metric),
        "groups": [(group, found) for group in GROUPS if (found := metric_tables(findings, group))],
        "trial_metrics": [METRICS[name] for name in dict.fromkeys((findings.metric, *_TRIAL_METRICS))],
        "accounts": accounts(run),
        "failures": failures_by_condition(findings),
        "failed_requests": sum(each.count for each in findings.failures),
        "all_requests": sum(record.load.requests for record in records if record.load),
        "failed": [record for record in records if record.failure],
        "measured": any(record.load for record in records),
        "level": fmt.setting(1 - findings.alpha),
        "margin": fmt.setting(findings.margin),
        "alpha": fmt.setting(findings.alpha),
        "condition": condition,
        "m_label": _metric_label,
        "number": fmt.number,
        "fixed": fmt.fixed,
        "percent": fmt.percent,
        "duration": fmt.duration,
    }


def _instruments(run: Run, findings: Findings) -> dict[str, object]:
    return {
        "instruments": instruments.shown_metrics(findings),
        "instrument_words": instruments_in_words(findings.instruments, findings.margin),
        "programs": instruments.programs(run),
    }


def _background(run: Run, findings: Findings) -> dict[str, object]:
    return {
        "study": run.manifest.study,
        "tests": sorted({each.test for each in findings.comparisons if each.test}),
        "environment": environment.environment(run.manifest),
        "systems": environment.systems(run.manifest),
        "probes": environment.probes(run),
        "command": shlex.join(run.manifest.command),
        "study_toml": study_toml(run.manifest.study),
    }


def _as_jmeter(view: tuple[JMeterRow, ...]) -> dict[str, object]:
    return {"jmeter_rows": jmeter.shown_rows(view), "jmeter_figures": tuple(JMETER_FIGURES.values())}


def _drawings(run: Run, findings: Findings) -> tuple[Drawing, ...]:
    numbers = count(1)
    return tuple(
        Drawing(
            figure.id,
            figure.title,
            figure.note,
            # Vega has escaped every text inside its SVG, and `in_page` the description.
            tuple(Markup(svg.in_page(panel.chart, panel.description, numbers)) for panel in figure.panels),  # noqa: S704
        )
        for figure in figures_of(run, findings)
    )


def _caution_groups(findings: Findings) -> tuple[CautionGroup, ...]:
    codes = dict.fromkeys(each.code for each in findings.cautions)
    groups = []
    for code in sorted(codes, key=lambda each: _SEVERITIES.index(CAUTIONS[each].severity)):
        own = tuple(each for each in findings.cautions if each.code == code)
        groups.append(CautionGroup(CAUTIONS[code], own[:_SHOWN_AT_ONCE], own[_SHOWN_AT_ONCE:]))
    return tuple(groups)


def _metric_label(metric: Metric | JMeterFigure) -> str:
    return f"{metric.label} ({metric.unit})" if metric.unit else metric.label


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
