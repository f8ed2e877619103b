# SPDX-License-Identifier: Apache-2.0
"""A study as the TOML file that would ask the same question again."""

from __future__ import annotations

import json
import re
from typing import get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bancada.model.base import NS_PER_S, parse_duration, parse_share
from bancada.model.study import Study

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_UNITS = (("min", 60 * NS_PER_S), ("s", NS_PER_S), ("ms", 1_000_000), ("us", 1_000))


def study_toml(study: Study) -> str:
    """The study as TOML, without what is left at its default; reading it gives an equal study."""
    return "\n".join(_table(study, "")).strip() + "\n"


def _table(model: BaseModel, path: str) -> list[str]:
    """Lines of a model: plain values first, as TOML wants it, then tables and lists of tables."""
    plain, nested = [], []
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if value == field.get_default(call_default_factory=True, validated_data={}):
            continue
        key = field.alias or name
        below = f"{path}.{key}" if path else key
        if isinstance(value, BaseModel):
            nested += ["", f"[{below}]", *_table(value, below)]
        elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            for each in value:
                nested += ["", f"[[{below}]]", *_table(each, below)]
        else:
            plain.append(f"{key} = {_value(value, field)}")
    return plain + nested


def _value(value: object, field: FieldInfo | None = None) -> str:
    parsers = _parsers(field) if field else set()
    if parse_duration in parsers and isinstance(value, int):
        return _duration(value)
    if parse_share in parsers and isinstance(value, float):
        return _share(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return _string(value)
    return json.dumps(value)


def _share(value: float) -> str:
    """As a percentage where that reads back to the same number, else as the fraction that it is."""
    text = f"{value * 100:.10g}"
    return f'"{text}%"' if float(text) / 100 == value else json.dumps(value)


def _parsers(field: FieldInfo) -> set[object]:
    """What reads the field's value, also where the field may be None."""
    inside = [each for part in get_args(field.annotation) for each in getattr(part, "__metadata__", ())]
    return {getattr(each, "func", None) for each in (*field.metadata, *inside)}


def _duration(ns: int) -> str:
    for unit, factor in _UNITS:
        if ns and ns % factor == 0:
            return f'"{ns // factor}{unit}"'
    return str(ns)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, save that TOML also wants DEL escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
