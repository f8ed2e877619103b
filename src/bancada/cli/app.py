# SPDX-License-Identifier: Apache-2.0
"""Assemble the commands; turn every error into one message and its exit code."""

from __future__ import annotations

import importlib
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from types import FrameType
from typing import NoReturn

import typer

from bancada import __version__
from bancada.console.screen import show_bug, show_error
from bancada.errors import BancadaError, ExitCode, InterruptedRunError

COMMANDS = {
    "run": "run",
    "replicate": "replicate",
    "report": "report",
    "compare": "compare",
    "export": "export",
    "import": "imports",
    "plan": "plan",
    "verify": "verify",
    "build": "build",
    "load": "load",
    "services": "services",
    "doctor": "doctor",
    "list": "listing",
}
"""Each command's name and module, in the order in which they are shown."""

app = typer.Typer(
    name="bancada",
    help="A test bench for server stacks: which is better, by how much, how sure, and what could make it wrong.",
    epilog="Start with:  bancada run quickstart",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"bancada {__version__}")
        raise typer.Exit


@app.callback()
def _options(version: bool = typer.Option(False, "--version", callback=_version, help="Show the version.")) -> None:
    """Options of all commands."""


def main() -> NoReturn:
    """Run the command line; the only place where the process is ended."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        _register(sys.argv[1] if len(sys.argv) > 1 else "")
        code = app(standalone_mode=False)
    except BancadaError as error:
        show_error(error)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        code = ExitCode.INTERRUPTED
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
    except Exception as error:  # whatever it is, no traceback reaches a user
        if hasattr(error, "show") and hasattr(error, "exit_code"):  # click's own usage errors
            error.show()
            sys.exit(error.exit_code)
        show_bug(error, _keep_traceback())
        sys.exit(ExitCode.BUG)
    if code == ExitCode.INTERRUPTED:  # Typer turns KeyboardInterrupt into this code, without a word
        show_error(interrupted(sys.argv[1:3]))
    sys.exit(code if isinstance(code, int) else ExitCode.SUCCESS)


def _register(named: str) -> None:
    """Import the command that is asked for, or all if none is: charts and statistics take a second to load."""
    for command, module in COMMANDS.items():
        if named == command or named not in COMMANDS:
            importlib.import_module(f"bancada.cli.{module}").register(app)


def interrupted(command: list[str]) -> InterruptedRunError:
    """What is said when a person or a signal ends the work; `command` is its first word, and the study's name."""
    if command[:1] not in (["run"], ["replicate"]):
        return InterruptedRunError("interrupted; nothing is left running")
    again = " ".join(command if command[0] == "replicate" else command[:1])
    return InterruptedRunError(
        "interrupted; nothing is left running, and finished trials are kept",
        advice=f"go on with `bancada {again} --resume`",
    )


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _keep_traceback() -> str:
    with tempfile.NamedTemporaryFile("w", prefix="bancada-bug-", suffix=".txt", delete=False) as file:
        file.write(f"bancada {__version__}, Python {sys.version}\n{' '.join(sys.argv)}\n\n{traceback.format_exc()}")
    return str(Path(file.name))
