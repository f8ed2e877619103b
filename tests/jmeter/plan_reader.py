# SPDX-License-Identifier: Apache-2.0
"""Read small test plans in tests, and say what became of them."""

from __future__ import annotations

from pathlib import Path

from bancada.jmeter.plan import ImportedPlan, read_plan
from bancada.model.study import Study


def read(folder: Path, written: str) -> ImportedPlan:
    """Write a plan's file and read it."""
    path = folder / "small.jmx"
    path.write_text(written, encoding="utf-8")
    return read_plan(path)


def only(imported: ImportedPlan) -> Study:
    """The study of a plan with one thread group."""
    (study,) = imported.studies
    return study.study


def said(imported: ImportedPlan, fate: str) -> list[str]:
    """What is said of everything that met this fate: kind of element and reason."""
    return [f"{each.element}: {each.why}" for each in imported.remarks if each.fate == fate]
