# SPDX-License-Identifier: Apache-2.0
"""Assemble the page of a replication: claims, the study's own tables beside ours, the paper's figures checked again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bancada.analysis.replication.names import table_named
from bancada.model import quantities as fmt
from bancada.model.caution import CAUTIONS
from bancada.model.findings import Bounds, Findings
from bancada.model.judgement import Judgement, Judgements, PublishedRatio, Recomputed, Slip
from bancada.model.run import ReplicationManifest
from bancada.model.tables import MEASURED, Figure, ReplicaTable, TableRow
from bancada.report import environment, theme
from bancada.report.accounts import accounts
from bancada.report.forest import Axis, Whisker, axis_for
from bancada.report.page import render
from bancada.store import layout
from bancada.store.read import Run
from bancada.store.write import write_text

MARGIN = 0.03
"""Around 1, the least that the axis of the claims shows."""
LOOKS = {"confirmed": "better", "contradicted": "worse", "undecided": "undecided"}
"""Class of the style sheet for each verdict."""
SYMBOLS = {"confirmed": "✓", "contradicted": "✗", "undecided": "~"}


@dataclass(frozen=True)
class Offline:
    """What is known of the paper without measuring anything."""

    recomputed: tuple[Recomputed, ...]
    slips: tuple[Slip, ...]


@dataclass(frozen=True)
class ClaimRow:
    """A claim as the page shows it."""

    claim: Judgement
    look: str
    symbol: str
    measured: str
    interval: str
    whisker: Whisker | None
    published: tuple[tuple[str, str], ...]
    """Machine and figure."""
    reanalysed: tuple[tuple[str, str], ...]
    dots: tuple[float, ...]
    """Places of the published ratios on the axis."""
    p: str
    n: str


@dataclass(frozen=True)
class PartRow:
    """What became of a part."""

    name: str
    question: str
    trials: str
    side_effects: str
    cautions: str
    """Titles of what could make its figures wrong, the gravest first."""
    link: str


@dataclass(frozen=True)
class Group:
    """Rows of one label, the measured one first."""

    label: str
    rows: tuple[TableRow, ...]


def write_replication(
    folder: Path,
    manifest: ReplicationManifest,
    judgements: Judgements,
    tables: Sequence[ReplicaTable],
    offline: Offline,
    parts: Mapping[str, tuple[Run, Findings]],
) -> Path:
    """Write `report.html` and `judgements.json` into a replication's folder, and return the page's path.

    `parts`: the run of each part and what it says. Raises StorageError if they cannot be written.
    """
    write_text(folder / layout.JUDGEMENTS, judgements.model_dump_json(indent=1) + "\n")
    page = folder / layout.REPORT
    context = _context(manifest, judgements, tables, offline, parts)
    write_text(page, render("replication.html.j2", context))
    return page


def _context(
    manifest: ReplicationManifest,
    judgements: Judgements,
    tables: Sequence[ReplicaTable],
    offline: Offline,
    parts: Mapping[str, tuple[Run, Findings]],
) -> dict[str, object]:
    axis = axis_for((ratio for claim in judgements.claims for ratio in _ratios(claim)), MARGIN)
    axis = replace(axis, gap=22.0)  # its column is narrow
    manifests = [run.manifest for run, _ in parts.values()]
    return {
        "judgements": judgements,
        "manifest": manifest,
        "started": fmt.instant(manifest.started_unix_ns),
        "answer": _answer(judgements),
        "claims": [_claim(claim, axis) for claim in judgements.claims],
        "axis": axis,
        "parts": [_part(name, run, findings) for name, (run, findings) in parts.items()],
        "skipped": {label: why for each in manifests for label, why in each.skipped.items()},
        "tables": tables,
        "groups": _groups,
        "figure": figure,
        "table_named": table_named,
        "offline": offline,
        "environment": dict(fact for each in manifests for fact in environment.environment(each)),
        "command": shlex.join(manifest.command),
        "version": manifests[0].bancada_version if manifests else fmt.UNKNOWN,
        "places": {},
        "outlines": theme.OUTLINES,
        "colours": len(theme.SERIES),
        "measured": MEASURED,
        "level": fmt.setting(1 - judgements.alpha),
        "alpha": fmt.setting(judgements.alpha),
    }


def _answer(judgements: Judgements) -> str:
    confirmed, contradicted = judgements.count("confirmed"), judgements.count("contradicted")
    undecided = judgements.count("undecided")
    return (
        f"Of {len(judgements.claims)} claims {confirmed} {_are(confirmed)} confirmed, {contradicted} "
        f"{_are(contradicted)} contradicted and {undecided} {_are(undecided)} undecided."
    )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _ratios(claim: Judgement) -> list[Bounds | None]:
    return [claim.measured, *(each.ratio for each in claim.published)]


def _claim(claim: Judgement, axis: Axis) -> ClaimRow:
    return ClaimRow(
        claim=claim,
        look=LOOKS[claim.verdict],
        symbol=SYMBOLS[claim.verdict],
        measured=fmt.ratio(claim.measured),
        interval="" if claim.measured is None else fmt.ratio_interval(claim.measured),
        whisker=axis.whisker(claim.measured) if claim.measured else None,
        published=tuple(map(_published, claim.published)),
        reanalysed=tuple(map(_published, claim.reanalysed)),
        dots=tuple(axis.place(each.ratio.point) for each in claim.published if each.ratio.point > 0),
        p=fmt.p_value(claim.p_holm),
        n=str(claim.n_of) if claim.n_of == claim.n_against else f"{claim.n_of} vs {claim.n_against}",
    )


def _published(each: PublishedRatio) -> tuple[str, str]:
    interval = "" if each.ratio.low is None else f" {fmt.ratio_interval(each.ratio)}"
    return f"{each.machine}, {each.tables}", f"{fmt.ratio(each.ratio)}{interval}"


def _part(name: str, run: Run, findings: Findings) -> PartRow:
    failed = sum(trial.record.failure is not None for trial in run.trials)
    done = f"{len(run.trials)} of {len(run.manifest.order)} trials" + (f", {failed} failed" if failed else "")
    counted = accounts(run)
    wrong = sum(row.wrong for row in counted)
    told = f"{sum(row.rows for row in counted)} rows of {sum(row.accepted for row in counted)} accepted requests"
    effects = (
        "none to count" if not counted else f"{told}, {'wrong in ' + str(wrong) + ' counts' if wrong else 'right'}"
    )
    codes = dict.fromkeys(caution.code for caution in findings.cautions)
    cautions = "; ".join(f"{CAUTIONS[code].title} ({CAUTIONS[code].severity})" for code in codes) or "none found"
    return PartRow(name, run.manifest.study.question, done, effects, cautions, f"{name}/{layout.REPORT}")


def _groups(table: ReplicaTable) -> tuple[Group, ...]:
    labels = dict.fromkeys(row.label for row in table.rows)
    return tuple(Group(label, tuple(row for row in table.rows if row.label == label)) for label in labels)


def figure(value: Figure) -> tuple[str, str]:
    """A figure's point and its interval, as text."""
    if value.bounds is None:
        return "unknown", value.unknown or ""
    places = fmt.decimals(value.bounds.point)
    exact = value.bounds.low is None or value.bounds.low == value.bounds.high
    interval = "" if exact else fmt.interval(value.bounds.low, value.bounds.high, places)
    return fmt.fixed(value.bounds.point, places), interval
