# SPDX-License-Identifier: Apache-2.0
"""Get the programs that the tests run for real: a JDK, Maven, Node.js, npm, Chromium and a container engine."""

from __future__ import annotations

import sys

from bancada.errors import BancadaError, ToolMissingError
from bancada.host import apt
from bancada.host.containers import find_container_engine
from bancada.host.provide import provide

TOOLS = (("java", 25), ("mvn", "3.8"), ("node", 20), ("npm", 10), ("chromium", 0))
PODMAN = ("podman", "runc", "netavark", "aardvark-dns", "iptables")


def main() -> int:
    """Say what is there and what is fetched; the exit code of the first tool that cannot be had, else 0."""
    for name, least in TOOLS:
        try:
            tool = provide(name, least, lambda text: say(f"{text} …"))
        except BancadaError as error:
            say(f"{error.what}\n  where:  {error.where}\n  advice: {error.advice}")
            return error.exit_code
        say(f"{name} {tool.version}: {tool.path}")
    container_engine()
    return 0


def container_engine() -> None:
    """Say which one there is, or install Podman where we may; without one the tests of containers are skipped."""
    try:
        engine = find_container_engine()
    except ToolMissingError as missing:
        say(missing.what)
        if not apt.may_install():
            say("tests of containers will be skipped")
            return
        say(f"installing with apt-get: {' '.join(PODMAN)} …")
        apt.refresh()
        try:
            apt.install(*PODMAN)
            engine = find_container_engine()
        except ToolMissingError as error:
            say(f"{error.what}: tests of containers will be skipped")
            return
    say(f"{engine.name} {engine.version}: {engine.path}")


def say(text: str) -> None:
    """One message."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
