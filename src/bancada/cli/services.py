# SPDX-License-Identifier: Apache-2.0
"""`bancada services`: a database by hand, as trials get one."""

from __future__ import annotations

from typing import Annotated

import typer

from bancada.conductor.standby import find_one, hold, keep, kept_services, let_go
from bancada.console.listing import show_services
from bancada.console.progress import observer
from bancada.console.screen import say

EXAMPLES = """
[bold]Examples[/]

  bancada services up mariadb
  bancada services up mysql@cache --port 65306
  bancada services status
  bancada services down
"""
PRODUCT_HELP = "mariadb, mysql or postgresql; or from a given place: mysql@container, @path, @cache."

commands = typer.Typer(
    help="Bring up a database by hand, see which are up, and end them again.", epilog=EXAMPLES, no_args_is_help=True
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.add_typer(commands, name="services")


@commands.command(epilog=EXAMPLES)
def up(
    product: Annotated[str, typer.Argument(help=PRODUCT_HELP)] = "mariadb",
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on; else a free one.")] = None,
) -> None:
    """Start a fresh, empty database that stays up until `down`, and tell how a stack reaches it."""
    with observer() as notify:
        find_one(product, notify)
    show_services([keep(product, port)])


@commands.command(epilog=EXAMPLES)
def down(product: Annotated[str | None, typer.Argument(help="Which one; all if left out.")] = None) -> None:
    """End databases that `up` has started, and remove their data."""
    ended = let_go(product)
    say(f"Ended: {', '.join(ended)}" if ended else "No service was up.")


@commands.command(epilog=EXAMPLES)
def status() -> None:
    """Show which databases are up, where they came from, and how a stack reaches them."""
    show_services(list(kept_services()))


@commands.command("hold", hidden=True)
def hold_one(product: str, port: Annotated[int | None, typer.Option()] = None) -> None:
    """Keep a database up until a signal comes; what `up` starts in the background."""
    with observer() as notify:
        hold(product, port, notify)
