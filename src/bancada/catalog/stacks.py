# SPDX-License-Identifier: Apache-2.0
"""Find and read stacks: `spring-mvc:jar`, `path/to/folder:variant`, or `name=http://host:port`."""

from __future__ import annotations

from pathlib import Path

from bancada.catalog.places import find_folder, names_in
from bancada.catalog.toml import nearest, parse, read_toml
from bancada.errors import InputError, NotFoundError
from bancada.model.stack import Stack, StackByUrl, StackVariant, SystemUnderTest

MARKER = "stack.toml"


def all_stacks() -> list[tuple[Stack, Path]]:
    """Every shipped stack and its folder, by name."""
    return [read_stack(name) for name in names_in("stacks", MARKER)]


def read_stack(given: str) -> tuple[Stack, Path]:
    """The stack that a name or a path stands for, and its folder."""
    folder = find_folder(given, "stacks", MARKER)
    return read_toml(folder / MARKER, Stack), folder


def systems_under_test(given: str) -> list[SystemUnderTest]:
    """What `given` names: one variant, or all variants of a stack if none is said, or a service by its address.

    Raises NotFoundError for unknown stacks and variants, InputError for an address that is not `http://host:port`.
    """
    if "=" in given:
        name, _, url = given.partition("=")
        return [parse({"name": name, "url": url.rstrip("/")}, StackByUrl, where=f"stack {given}")]
    if given.startswith(("http://", "https://")):
        raise InputError("an address needs a name", where=f"stack {given}", advice=f"write name={given}")
    name, _, variant = given.rpartition(":") if ":" in given else (given, "", "")
    stack, folder = read_stack(name)
    if not variant:
        return [StackVariant(stack=stack, variant=each, folder=str(folder)) for each in stack.variant]
    if variant not in stack.variant:
        raise NotFoundError(
            f'stack "{stack.stack}" has no variant "{variant}"{nearest(variant, stack.variant)}',
            where=str(folder / MARKER),
            advice=f"known: {', '.join(stack.variant)}",
        )
    return [StackVariant(stack=stack, variant=variant, folder=str(folder))]
