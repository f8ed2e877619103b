# SPDX-License-Identifier: Apache-2.0
"""Read a study and resolve every name that it uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.catalog.places import home
from bancada.catalog.scenarios import read_scenario, resolve_files
from bancada.catalog.stacks import systems_under_test
from bancada.catalog.toml import nearest, read_toml
from bancada.errors import InputError, NotFoundError, PlanError
from bancada.model.scenario import Scenario
from bancada.model.stack import StackVariant, SystemUnderTest
from bancada.model.study import Study


@dataclass(frozen=True)
class ResolvedStudy:
    """A study with the things that its names stand for."""

    study: Study
    scenario: Scenario
    suts: tuple[SystemUnderTest, ...]


def all_studies() -> list[Study]:
    """Every shipped study, by name."""
    return [read_toml(path, Study) for path in sorted((home() / "studies").glob("*.toml"))]


def study_path(given: str) -> Path:
    """The file that `given` names: a path, or a name among the shipped studies."""
    places = [Path(given).expanduser(), home() / "studies" / f"{given}.toml"]
    for place in places:
        if place.is_file():
            return place.resolve()
    known = [path.stem for path in sorted((home() / "studies").glob("*.toml"))]
    raise NotFoundError(
        f'there is no study "{given}"{nearest(given, known)}',
        where="searched " + ", ".join(map(str, places)),
        advice=f"known: {', '.join(known) or 'none'}; or give the path of a study file",
    )


def read_study(given: str, stacks: Sequence[str] = (), blocks: int | None = None) -> ResolvedStudy:
    """Read the study that `given` names; `stacks` and `blocks` take the place of what the file says.

    Raises InputError (with file, line and key) for whatever is wrong with it or with what it names.
    """
    path = study_path(given)
    study = read_toml(path, Study)
    if blocks is not None:
        study = study.model_copy(update={"blocks": blocks})
    named = tuple(stacks) or study.stacks
    if not named:
        raise PlanError(
            "the study names no stack",
            where=f"{path}, key stacks",
            advice="write stacks = [...], or use --stack name=http://127.0.0.1:8080",
        )
    study = study.model_copy(update={"stacks": named})
    suts = _resolve_stacks(named, path)
    scenario = _scenario_of(study, path)
    _check_fit(suts, scenario, path)
    return ResolvedStudy(study, scenario, suts)


def _scenario_of(study: Study, path: Path) -> Scenario:
    if study.scenario is None:
        operations = resolve_files(study.operation, path.parent, str(path))
        return Scenario(scenario=study.study, title=study.question, operation=operations)
    beside = path.parent / study.scenario
    return read_scenario(str(beside) if beside.is_dir() else study.scenario)


def _resolve_stacks(named: Sequence[str], path: Path) -> tuple[SystemUnderTest, ...]:
    suts = []
    for name in named:
        try:
            suts += systems_under_test(name)
        except InputError as error:
            error.where = f"{path}, key stacks: {error.where}"
            raise
    labels = [sut.label for sut in suts]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise PlanError(f"stacks named twice: {', '.join(twice)}", where=f"{path}, key stacks")
    return tuple(suts)


def _check_fit(suts: Sequence[SystemUnderTest], scenario: Scenario, path: Path) -> None:
    for sut in suts:
        if isinstance(sut, StackVariant) and scenario.scenario not in sut.stack.scenarios:
            raise PlanError(
                f'stack "{sut.stack.stack}" does not implement the scenario "{scenario.scenario}"',
                where=f"{path}, key stacks",
                advice=f"it implements {', '.join(sut.stack.scenarios)}; `bancada list scenarios` shows who does what",
            )
