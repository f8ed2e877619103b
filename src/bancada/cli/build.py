# SPDX-License-Identifier: Apache-2.0
"""`bancada build`: build stacks ahead of time."""

from __future__ import annotations

from typing import Annotated

import typer

from bancada.catalog.stacks import all_stacks, systems_under_test
from bancada.catalog.studies import services_named
from bancada.cli.options import BASE_IMAGE_HELP, SERVICE_HELP
from bancada.conductor.prepare import build_all
from bancada.console.listing import show_builds
from bancada.console.progress import observer
from bancada.model.service import product_of
from bancada.model.stack import StackVariant

EXAMPLES = """
[bold]Examples[/]

  bancada build
  bancada build spring-mvc:jar node-fastify
  bancada build path/to/my-stack
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("build", epilog=EXAMPLES)(build)


def build(
    stacks: Annotated[list[str] | None, typer.Argument(help="Stacks or variants; all if left out.")] = None,
    service: Annotated[list[str] | None, typer.Option(help=SERVICE_HELP)] = None,
    base_image: Annotated[str | None, typer.Option(help=BASE_IMAGE_HELP)] = None,
) -> None:
    """Build stacks; a build is kept until its sources, command or tools change."""
    named = stacks or [stack.stack for stack, _ in all_stacks()]
    suts = [sut for name in named for sut in systems_under_test(name) if isinstance(sut, StackVariant)]
    with observer() as notify:
        products = [product_of(asked) for asked in services_named(service or ()).get("sql", ())]
        made = build_all(suts, notify, products=products, base_image=base_image)
    show_builds({label: built.record for label, built in made.builds.items()}, made.skipped)
