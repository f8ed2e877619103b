# SPDX-License-Identifier: Apache-2.0
"""`bancada verify`: prove that stacks do the same work."""

from __future__ import annotations

from typing import Annotated

import typer

from bancada.catalog.scenarios import read_scenario
from bancada.catalog.stacks import all_stacks, systems_under_test
from bancada.catalog.studies import Instead, ResolvedStudy, read_study
from bancada.cli.options import BASE_IMAGE_HELP, SERVICE_HELP
from bancada.conductor.prepare import prepare
from bancada.conductor.verify import verify_all
from bancada.console.progress import observer
from bancada.console.verification import show_verification
from bancada.errors import NonconformingError
from bancada.model.load import ClosedLoad
from bancada.model.stack import StackVariant
from bancada.model.study import Study

EXAMPLES = """
[bold]Examples[/]

  bancada verify
  bancada verify spring-mvc quarkus-rest:jar
  bancada verify --study quickstart
  bancada verify --scenario entities --service mysql --service postgresql
  bancada verify --scenario sort mine=http://127.0.0.1:8080
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=EXAMPLES)(verify)


def verify(
    stacks: Annotated[list[str] | None, typer.Argument(help="Stacks, variants, or name=http://host:port.")] = None,
    scenario: Annotated[str, typer.Option(help="The scenario whose contract is tested.")] = "sort",
    study: Annotated[str | None, typer.Option(help="Verify the stacks of this study, by its scenario.")] = None,
    service: Annotated[list[str] | None, typer.Option(help=SERVICE_HELP)] = None,
    base_image: Annotated[str | None, typer.Option(help=BASE_IMAGE_HELP)] = None,
    examples: Annotated[int, typer.Option(min=1, help="Generated requests per operation and kind.")] = 50,
) -> None:
    """Ask each stack what the scenario asks and refuses, and generated requests; compare all answers."""
    resolved = (
        read_study(study, Instead(stacks or (), services=service or (), base_image=base_image))
        if study
        else _adhoc(stacks or [], scenario, Instead(services=service or (), base_image=base_image))
    )
    with observer() as notify:
        bench = prepare(resolved, notify)
        verification = verify_all(bench, examples)
    show_verification(verification)
    if verification.mistakes:
        raise NonconformingError(
            f"{len(verification.mistakes)} mistakes against the contract of {resolved.scenario.scenario}",
            where=resolved.scenario.contract,
            advice="mend the stacks named above, or the contract if it asks the wrong thing",
        )


def _adhoc(stacks: list[str], scenario_name: str, instead: Instead) -> ResolvedStudy:
    scenario = read_scenario(scenario_name)
    named = stacks or [stack.stack for stack, _ in all_stacks() if scenario.scenario in stack.scenarios]
    suts = [sut for name in named for sut in systems_under_test(name)]
    fitting = [sut for sut in suts if not isinstance(sut, StackVariant) or scenario.scenario in sut.stack.scenarios]
    study = Study(
        study="verify",
        question=f"Do they fulfil {scenario.scenario}?",
        scenario=scenario_name,
        stacks=tuple(sut.label for sut in fitting),
        blocks=1,
        load=(ClosedLoad(name="once", users=1, iterations=1),),
        pin="off",
    )
    return ResolvedStudy(instead.on(study), scenario, tuple(fitting))
