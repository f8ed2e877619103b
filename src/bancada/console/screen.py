# SPDX-License-Identifier: Apache-2.0
"""The two consoles: results go to standard output, everything said on the way to standard error."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from bancada.errors import BancadaError

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def show_error(error: BancadaError) -> None:
    """One message: what, where, what to do."""
    first, *more = error.what.splitlines() or [""]
    err.print(f"[bold red]error:[/] {escape(first)}", soft_wrap=True)
    for line in more:
        err.print(f"       {escape(line)}", soft_wrap=True)
    if error.where:
        err.print(f"[dim]where:[/] {escape(error.where)}", soft_wrap=True)
    if error.advice:
        err.print(f"[dim]to do:[/] {escape(error.advice)}", soft_wrap=True)


def show_bug(error: BaseException, log: str) -> None:
    """The message for what should not have happened."""
    err.print(f"[bold red]error:[/] this is a bug in Bancada: {escape(type(error).__name__)}: {escape(str(error))}")
    err.print(f"[dim]where:[/] {escape(log)}", soft_wrap=True)
    err.print("[dim]to do:[/] report it with that file; finished trials are kept", soft_wrap=True)


def say(text: str) -> None:
    """A plain remark on the way."""
    err.print(escape(text), soft_wrap=True)
