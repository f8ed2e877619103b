# SPDX-License-Identifier: Apache-2.0
"""An application in a language and framework, and the ways to build and start it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from bancada.model.base import Model, Name

Argv = Annotated[tuple[str, ...], Field(min_length=1)]
Network = Literal["bridge", "host"]
"""Of a container: one of its own with one published port, as is usual; or this host's, where it must reach others."""


class Image(Model):
    """A container image that is made of what was built."""

    containerfile: str
    """File in the stack's folder, with `ARG BASE` and `FROM ${BASE}`; it sees the artefact and nothing else."""
    base: str
    """Image that it starts from unless the user names another one."""


class Variant(Model):
    """One way of building and starting a stack's sources."""

    start: Argv
    """The command, run in the build's folder; `{java}`, `{mvn}`, `{node}`, `{npm}` stand for this host's tools.

    With an image it is run inside the container, where only `{port}` is replaced.
    """
    build: Argv | None = None
    artefact: str | None = None
    """File or folder that is shipped; its size is reported."""
    needs: tuple[str, ...] = ()
    """Tools without which the variant is skipped, such as `native-image`."""
    env: dict[str, str] = {}
    image: Image | None = None
    """Makes it a variant that runs in a container; needs Docker or Podman."""


class Setting(Model):
    """Something that can be set when a stack is started, as the size of a pool."""

    env: str
    """The environment variable that sets it."""
    default: str
    about: str = ""


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
    setting: dict[Name, Setting] = {}
    """What can be set, by name; written after the variant, as in `spring-mvc:jar,pool=400`."""
    variant: Annotated[dict[Name, Variant], Field(min_length=1)]
    """The variants by name."""

    @model_validator(mode="after")
    def _containers_have_no_tools_of_the_host(self) -> Self:
        for name, variant in self.variant.items():
            if variant.image is None:
                continue
            for tool in (*self.requires, *variant.needs):
                if any("{" + tool + "}" in argument for argument in variant.start):
                    raise ValueError(
                        f"variant {name} runs in a container, where {{{tool}}} does not exist; "
                        f"write the command as the image knows it, such as {tool!r}"
                    )
        return self


class StackVariant(Model):
    """A system under test that we build and start."""

    stack: Stack
    variant: Name
    settings: dict[Name, str] = {}
    """Those that are not left at their defaults."""
    folder: str
    """Where the stack's sources are."""

    @property
    def label(self) -> str:
        """How tables name it, as in `spring-mvc:jar` or `spring-mvc:jar,pool=400`."""
        return ",".join([f"{self.stack.stack}:{self.variant}", *(f"{key}={to}" for key, to in self.settings.items())])

    @property
    def env(self) -> dict[str, str]:
        """The environment that makes the variant and its settings what they are, defaults written out."""
        settings = {name: self.settings.get(name, each.default) for name, each in self.stack.setting.items()}
        return self.chosen.env | {self.stack.setting[name].env: value for name, value in settings.items()}

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
"""What can be measured."""


class StackByFile(Model):
    """A system under test that another program has measured, known from its result files alone."""

    name: Name
    files: tuple[str, ...]
    """Names of the result files, without their folders."""
    address: str | None = None
    """`http://host:port` that was asked, as far as the files tell."""

    @property
    def label(self) -> str:
        """How tables name it."""
        return self.name
