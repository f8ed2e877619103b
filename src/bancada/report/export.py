# SPDX-License-Identifier: Apache-2.0
"""The findings for other programs: JSON, CSV tables in the stored units, and charts as files for papers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal

import polars as pl

from bancada.model.findings import Bounds, Findings
from bancada.model.metric import ALL_METRICS
from bancada.model.trial import Cell
from bancada.report import svg
from bancada.report.figures import Figure, figures_of, forest_figure
from bancada.store import layout
from bancada.store.read import Run
from bancada.store.write import storage_errors, write_text

Row = dict[str, object]


def write_summary(findings: Findings, folder: Path) -> Path:
    """Write `summary.json`: the findings whole, as `Findings` reads them back."""
    path = folder / layout.SUMMARY
    write_text(path, findings.model_dump_json(indent=1) + "\n")
    return path


def write_tables(findings: Findings, folder: Path) -> None:
    """Write `tables/*.csv`; values in the stored units that the metrics' names carry, an unknown one is empty."""
    for name, rows in tables(findings).items():
        frame = pl.DataFrame(rows, infer_schema_length=None)
        write_text(folder / layout.TABLES / f"{name}.csv", frame.write_csv())


def tables(findings: Findings) -> dict[str, list[Row]]:
    """The rows of each table by its name; a table without rows is left out."""
    found = {
        "estimates": _estimates(findings),
        "comparisons": _comparisons(findings),
        "trials": _trials(findings),
        "failures": [_cell(each.cell) | each.model_dump(exclude={"cell"}) for each in findings.failures],
        "cautions": [
            {"severity": each.kind.severity, **each.model_dump(), "cause": each.kind.cause, "remedy": each.kind.remedy}
            for each in findings.cautions
        ],
    }
    return {name: rows for name, rows in found.items() if rows}


def write_charts(run: Run, findings: Findings, folder: Path, kind: Literal["svg", "png"]) -> tuple[Path, ...]:
    """Write every chart of the report into `folder` as a file of its own, and return their paths."""
    paths = []
    for figure in (forest_figure(findings), *figures_of(run, findings)):
        for name, panel in zip(_file_names(figure), figure.panels, strict=True):
            path = folder / f"{name}.{kind}"
            if kind == "svg":
                write_text(path, svg.as_svg(panel.chart))
            else:
                with storage_errors(path):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(svg.as_png(panel.chart))
            paths.append(path)
    return tuple(paths)


def _file_names(figure: Figure) -> list[str]:
    """A name for each panel; numbered where load profiles differ only in signs that files should not have."""
    plain = [re.sub(r"[^a-z0-9]+", "-", panel.condition.lower()).strip("-") for panel in figure.panels]
    stem = figure.id.removeprefix("plot-")
    return [
        f"{stem}-{name}" if plain.count(name) == 1 else f"{stem}-{name}-{place}" for place, name in enumerate(plain, 1)
    ]


def _cell(cell: Cell, prefix: str = "") -> Row:
    return {
        f"{prefix}sut": cell.sut,
        f"{prefix}load": cell.load,
        f"{prefix}factors": json.dumps(cell.factors, ensure_ascii=False) if cell.factors else "",
    }


def _bounds(bounds: Bounds | None, name: str) -> Row:
    return {
        name: bounds.point if bounds else None,
        f"{name}_low": bounds.low if bounds else None,
        f"{name}_high": bounds.high if bounds else None,
    }


def _estimates(findings: Findings) -> list[Row]:
    return [_cell(each.cell) | each.model_dump(exclude={"cell", "values"}) for each in findings.estimates]


def _comparisons(findings: Findings) -> list[Row]:
    return [
        {"metric": each.metric, "decisive": each.decisive}
        | _cell(each.a, "a_")
        | _cell(each.b, "b_")
        | {"verdict": each.verdict}
        | _bounds(each.ratio, "ratio")
        | _bounds(each.shift, "shift")
        | each.model_dump(include={"n_a", "n_b", "cliffs_delta", "magnitude", "test", "p", "p_holm"})
        for each in findings.comparisons
    ]


def _trials(findings: Findings) -> list[Row]:
    return [
        {"trial": each.number, "block": each.block}
        | _cell(each.cell)
        | {"failed": each.failed}
        | {name: each.metrics.get(name) for name in ALL_METRICS}
        for each in findings.trials
    ]
