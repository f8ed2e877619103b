# SPDX-License-Identifier: Apache-2.0
"""Get the programs that the tests run for real: a JDK, Maven, Node.js, npm and Chromium."""

from __future__ import annotations

import sys

from bancada.errors import BancadaError
from bancada.host.provide import provide

TOOLS = (("java", 25), ("mvn", "3.8"), ("node", 20), ("npm", 10), ("chromium", 0))


def main() -> int:
    """Say what is there and what is fetched; the exit code of the first tool that cannot be had, else 0."""
    for name, least in TOOLS:
        try:
            tool = provide(name, least, lambda text: say(f"{text} …"))
        except BancadaError as error:
            say(f"{error.what}\n  where:  {error.where}\n  advice: {error.advice}")
            return error.exit_code
        say(f"{name} {tool.version}: {tool.path}")
    return 0


def say(text: str) -> None:
    """One message."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
