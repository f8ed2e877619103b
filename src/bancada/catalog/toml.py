# SPDX-License-Identifier: Apache-2.0
"""Read TOML strictly: every mistake at once, each with its file, line, key, and the nearest valid name."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bancada.errors import InputError, NotFoundError

AnyModel = TypeVar("AnyModel", bound=BaseModel)
Location = tuple[str | int, ...]

_UNION_TAGS = {"closed", "open"}


def read_toml(path: Path, model: type[AnyModel]) -> AnyModel:
    """Read the file at `path` as `model`.

    Raises NotFoundError if it is not there, InputError with every mistake if it is not what it should be.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", where=str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the file: {error}", where=str(path)) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not valid TOML: {error}", where=str(path)) from error
    return parse(data, model, where=str(path), text=text)


def parse(data: object, model: type[AnyModel], *, where: str, text: str = "") -> AnyModel:
    """Make a `model` of `data`; `text` is the source that lines are looked up in."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        mistakes = [_mistake(each, model, text) for each in error.errors()]
        raise InputError(
            "\n".join(mistakes), where=where, advice="see docs/formats.md, or the schemas in schemas/ for completion"
        ) from error


def _mistake(error: ErrorDetails, model: type[BaseModel], text: str) -> str:
    location: Location = tuple(part for part in error["loc"] if part not in _UNION_TAGS)
    line = line_of(location, text)
    prefix = f"line {line}: " if line else ""
    name = _dotted(location)
    if error["type"] == "extra_forbidden":
        hint = nearest(str(location[-1]), known_keys(model))
        return f"{prefix}unknown key {name}{hint}"
    if error["type"] == "missing":
        return f"{prefix}missing key {name}"
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "value_error":
        return f"{prefix}{name or 'the file'} {message}"
    return f"{prefix}{name}: {message[0].lower()}{message[1:]} (found {_short(error['input'])})"


def known_keys(model: type[BaseModel]) -> set[str]:
    """All keys that may stand anywhere in a file of this model."""
    schema = model.model_json_schema()
    parts = [schema, *schema.get("$defs", {}).values()]
    return {key for part in parts for key in part.get("properties", {})}


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean "x"?` for the known name that is nearest to `name`, or nothing if none is near."""
    matches = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f'; did you mean "{matches[0]}"?' if matches else ""


def line_of(location: Location, text: str) -> int | None:
    """The line (from 1) in which the key at `location` stands, or None if it cannot be found.

    The standard library's parser keeps no positions, so the file is scanned for the table and then for the key. Inline
    tables on several lines are found by the line of their first key.
    """
    keys = [part for part in location if isinstance(part, str)]
    numbers = {index: part for index, part in enumerate(location) if isinstance(part, int)}
    seen: dict[str, int] = {}
    table: list[str] = []
    wanted_number = next(iter(numbers.values()), 0)
    best: int | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?", line)
        if header:
            table = [part.strip().strip('"') for part in header[2].split(".")]
            seen[header[2]] = seen.get(header[2], -1) + 1
            if table == keys[: len(table)] and seen[header[2]] == (wanted_number if header[1] == "[[" else 0):
                best = number
            continue
        key = re.match(r'\s*"?([\w-]+)"?\s*=', line)
        if key and table == keys[: len(table)] and keys[len(table) : len(table) + 1] == [key[1]]:
            in_right_item = not numbers or not table or seen.get(".".join(table), 0) == wanted_number
            if in_right_item:
                return number
    return best


def _dotted(location: Location) -> str:
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return name.removeprefix(".")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
