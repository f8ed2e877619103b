# SPDX-License-Identifier: Apache-2.0
"""`bancada import plan.jmx`: a JMeter test plan becomes studies."""

from __future__ import annotations

from pathlib import Path

from bancada.console.import_plan import show_imported_plan
from bancada.errors import InputError
from bancada.jmeter.plan import ImportedPlan, ImportedStudy, read_plan
from bancada.jmeter.plan_listing import comment
from bancada.report.studyfile import study_toml
from bancada.store.write import write_text

SUFFIX = ".toml"


def import_plan(path: Path, out: Path | None) -> None:
    """Write a study file for each thread group of the plan, and say what was not carried over.

    `out` is a folder, or, for a plan with one thread group, a file whose name ends in `.toml`; None: this folder.
    Raises InputError for a file that is no test plan, cannot become a study, or would replace another file.
    """
    plan = read_plan(path)
    files = _files(plan, out or Path())
    texts = [_text(plan, each, file) for each, file in zip(plan.studies, files, strict=True)]
    for file, text in zip(files, texts, strict=True):
        _refuse_to_replace(file, text)
    for file, text in zip(files, texts, strict=True):
        write_text(file, text)
    show_imported_plan(plan, files)


def _files(plan: ImportedPlan, out: Path) -> list[Path]:
    if out.suffix != SUFFIX:
        return [out / f"{each.study.study}{SUFFIX}" for each in plan.studies]
    if len(plan.studies) > 1:
        raise InputError(
            f"the plan becomes {len(plan.studies)} studies, one for each thread group",
            where=f"--out {out}",
            advice="name a folder instead of a file",
        )
    return [out]


def _text(plan: ImportedPlan, imported: ImportedStudy, file: Path) -> str:
    study = imported.study
    saved = f", saved by JMeter {plan.version}" if plan.version else ""
    heading = [
        f"{file.name}: {study.question}",
        f'Made of {plan.path.name}{saved}: thread group "{imported.group}" in line {imported.line}.',
        f"Each trial warms up for {study.warm_up // 10**9} s first, which JMeter does not: see warm_up.",
    ]
    return comment(heading, imported.remarks) + "\n" + study_toml(study)


def _refuse_to_replace(file: Path, text: str) -> None:
    if file.exists() and file.read_bytes() != text.encode():
        raise InputError(
            "there is another file of this name already", where=str(file), advice="move it, or name a place with --out"
        )
