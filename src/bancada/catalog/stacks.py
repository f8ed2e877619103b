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

    Settings may follow, as in `spring-mvc:jar,pool=400`. Raises NotFoundError for unknown stacks, variants and
    settings, InputError for an address that is not `http://host:port`.
    """
    if given.startswith(("http://", "https://")):
        raise InputError("an address needs a name", where=f"stack {given}", advice=f"write name={given}")
    named, *settings = given.split(",")
    if "=" in named:
        name, _, url = given.partition("=")
        return [parse({"name": name, "url": url.rstrip("/")}, StackByUrl, where=f"stack {given}")]
    name, _, variant = named.rpartition(":") if ":" in named else (named, "", "")
    stack, folder = read_stack(name)
    if variant and variant not in stack.variant:
        raise NotFoundError(
            f'stack "{stack.stack}" has no variant "{variant}"{nearest(variant, stack.variant)}',
            where=str(folder / MARKER),
            advice=f"known: {', '.join(stack.variant)}",
        )
    chosen = _settings(settings, stack, folder)
    variants = [variant] if variant else list(stack.variant)
    return [StackVariant(stack=stack, variant=each, settings=chosen, folder=str(folder)) for each in variants]


def _settings(written: list[str], stack: Stack, folder: Path) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for each in written:
        name, equals, value = each.partition("=")
        if not equals or not value:
            raise InputError(f'"{each}" sets nothing', where=f"stack {stack.stack}", advice="write it as in pool=400")
        if name not in stack.setting:
            raise NotFoundError(
                f'stack "{stack.stack}" has no setting "{name}"{nearest(name, stack.setting)}',
                where=str(folder / MARKER),
                advice=f"known: {', '.join(stack.setting) or 'none'}",
            )
        if name in chosen:
            raise InputError(f'"{name}" is set twice', where=f"stack {stack.stack}")
        chosen[name] = value
    return chosen
