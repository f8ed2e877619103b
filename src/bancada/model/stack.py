# SPDX-License-Identifier: Apache-2.0
"""An application in a language and framework, and the ways to build and start it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bancada.model.base import Model, Name

Argv = Annotated[tuple[str, ...], Field(min_length=1)]


class Variant(Model):
    """One way of building and starting a stack's sources."""

    start: Argv
    """The command, run in the build's folder; `{java}`, `{mvn}`, `{node}`, `{npm}` stand for this host's tools."""
    build: Argv | None = None
    artefact: str | None = None
    """File or folder that is shipped; its size is reported."""
    needs: tuple[str, ...] = ()
    """Tools without which the variant is skipped, such as `native-image`."""
    env: dict[str, str] = {}


class Stack(Model):
    """A stack's description, read from its `stack.toml`."""

    stack: Name
    framework: str
    language: str
    scenarios: tuple[str, ...]
    ready: Annotated[str, Field(pattern="^/")] = "/health"
    """Path that answers 200 as soon as the stack can work."""
    requires: dict[str, int | str] = {}
    """Least versions of the tools used, such as `java = 25`."""
    variant: Annotated[dict[Name, Variant], Field(min_length=1)]
    """The variants by name."""


class StackVariant(Model):
    """A system under test that we build and start."""

    stack: Stack
    variant: Name
    folder: str
    """Where the stack's sources are."""

    @property
    def label(self) -> str:
        """How tables name it, as in `spring-mvc:jar`."""
        return f"{self.stack.stack}:{self.variant}"

    @property
    def chosen(self) -> Variant:
        """The variant's commands."""
        return self.stack.variant[self.variant]


class StackByUrl(Model):
    """A system under test that somebody else has started."""

    name: Name
    url: Annotated[str, Field(pattern=r"^http://[^/]+$")]

    @property
    def label(self) -> str:
        """How tables name it."""
        return self.name


SystemUnderTest = StackVariant | StackByUrl
