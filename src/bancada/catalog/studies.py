# SPDX-License-Identifier: Apache-2.0
"""Read a study and resolve every name that it uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pydantic import TypeAdapter, ValidationError

from bancada.catalog.places import home
from bancada.catalog.scenarios import read_scenario, resolve_files, resolve_upstream, with_upstream
from bancada.catalog.stacks import systems_under_test
from bancada.catalog.toml import nearest, read_toml
from bancada.errors import InputError, NotFoundError, PlanError
from bancada.model.measure import EngineName
from bancada.model.scenario import Scenario
from bancada.model.service import PRODUCTS, ServiceChoice, ServiceKind, product_of, service_label
from bancada.model.stack import StackVariant, SystemUnderTest
from bancada.model.study import Study

_CHOICE: TypeAdapter[str] = TypeAdapter(ServiceChoice)
_REPLICATION = re.compile(r"^\s*replication\s*=", re.MULTILINE)


@dataclass(frozen=True)
class Instead:
    """What takes the place of what a study's file says; None and empty leave it as it is."""

    stacks: Sequence[str] = ()
    blocks: int | None = None
    services: Sequence[str] = ()
    """Products or URLs, as in `mysql`; the kind of service follows from the product."""
    base_image: str | None = None
    engines: Sequence[str] = ()

    def on(self, study: Study) -> Study:
        """The study with these in place. Raises InputError for a service that is not known."""
        given: dict[str, object] = {"blocks": self.blocks, "base_image": self.base_image}
        given["stacks"] = tuple(self.stacks) or None
        given["engines"] = engines_named(self.engines) or None
        given["services"] = {**study.services, **services_named(self.services)} if self.services else None
        return study.model_copy(update={name: value for name, value in given.items() if value is not None})


def services_named(given: Sequence[str]) -> dict[ServiceKind, tuple[str, ...]]:
    """Choices of services by their kind. Raises InputError for a product that is not known."""
    choices: dict[ServiceKind, tuple[str, ...]] = {}
    for asked in given:
        try:
            known = _CHOICE.validate_python(asked)
        except ValidationError as error:
            told = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
            raise InputError(f'"{service_label(asked)}" {told}', where="--service") from error
        kind = next(kind for kind, products in PRODUCTS.items() if product_of(known) in products)
        choices[kind] = (*choices.get(kind, ()), known)
    return choices


def engines_named(given: Sequence[str]) -> tuple[EngineName, ...]:
    """Load engines, each once. Raises InputError for one that is not known."""
    known: dict[str, EngineName] = {name: name for name in get_args(EngineName)}
    for name in given:
        if name not in known:
            raise InputError(
                f'there is no load engine "{name}"{nearest(name, known)}',
                where="--engine",
                advice=f"known: {', '.join(known)}",
            )
    return tuple(known[name] for name in dict.fromkeys(given))


@dataclass(frozen=True)
class ResolvedStudy:
    """A study with the things that its names stand for."""

    study: Study
    scenario: Scenario
    suts: tuple[SystemUnderTest, ...]


def all_studies() -> list[Study]:
    """Every shipped study, by name."""
    return [read_toml(path, Study) for path in study_files()]


def study_files() -> list[Path]:
    """The shipped studies; the replications beside them are read by `catalog/replications.py`."""
    return [path for path in sorted((home() / "studies").glob("*.toml")) if not is_replication(path)]


def is_replication(path: Path) -> bool:
    """Whether a file beside the studies is a replication, told by its key even where the rest is not valid TOML."""
    return _REPLICATION.search(path.read_text(encoding="utf-8", errors="replace")) is not None


def study_path(given: str) -> Path:
    """The file that `given` names: a path, or a name among the shipped studies."""
    places = [Path(given).expanduser(), home() / "studies" / f"{given}.toml"]
    for place in places:
        if place.is_file() and is_replication(place):
            raise InputError("is a replication, not a study", where=str(place), advice=f"bancada replicate {given}")
        if place.is_file():
            return place.resolve()
    known = [path.stem for path in study_files()]
    raise NotFoundError(
        f'there is no study "{given}"{nearest(given, known)}',
        where="searched " + ", ".join(map(str, places)),
        advice=f"known: {', '.join(known) or 'none'}; or give the path of a study file",
    )


def read_study(given: str, instead: Instead = Instead()) -> ResolvedStudy:
    """Read the study that `given` names; what `instead` has takes the place of what the file says.

    Raises InputError (with file, line and key) for whatever is wrong with it or with what it names.
    """
    path = study_path(given)
    return resolve(instead.on(read_toml(path, Study)), path)


def resolve(study: Study, path: Path) -> ResolvedStudy:
    """The study with the things that its names stand for; `path` is the file that it was read from.

    Raises InputError (with file and key) for a name that stands for nothing, or for things that do not fit together.
    """
    if not study.stacks:
        raise PlanError(
            "the study names no stack",
            where=f"{path}, key stacks",
            advice="write stacks = [...], or use --stack name=http://127.0.0.1:8080",
        )
    suts = _resolve_stacks(study.stacks, path)
    scenario = _scenario_of(study, path)
    _check_fit(suts, scenario, path)
    return ResolvedStudy(study, scenario, suts)


def _scenario_of(study: Study, path: Path) -> Scenario:
    if study.scenario is None:
        operations = resolve_files(study.operation, path.parent, str(path))
        if any(each.check.upstream_body for each in operations):
            raise PlanError(
                "checks for the body of a central service, which only a scenario can have",
                where=f"{path}, key operation.check.upstream_body",
                advice='name a scenario that has one, such as scenario = "relay"',
            )
        return _only(Scenario(scenario=study.study, title=study.question, operation=operations), study, path)
    beside = path.parent / study.scenario
    scenario = read_scenario(str(beside) if beside.is_dir() else study.scenario)
    if study.upstream is not None and scenario.upstream is None:
        raise PlanError(f'the scenario "{scenario.scenario}" has no central service', where=f"{path}, key upstream")
    return _only(with_upstream(scenario, resolve_upstream(study.upstream, path.parent, str(path))), study, path)


def _only(scenario: Scenario, study: Study, path: Path) -> Scenario:
    """The scenario with the operations that the study asks, in the scenario's order."""
    known = [operation.name for operation in scenario.operation]
    for name in study.only:
        if name not in known:
            raise PlanError(
                f'the scenario "{scenario.scenario}" has no operation "{name}"{nearest(name, known)}',
                where=f"{path}, key only",
                advice=f"known: {', '.join(known)}",
            )
    asked = tuple(each for each in scenario.operation if not study.only or each.name in study.only)
    effects = tuple(each for each in scenario.side_effect if each.operation in {one.name for one in asked})
    return scenario.model_copy(update={"operation": asked, "side_effect": effects})


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
