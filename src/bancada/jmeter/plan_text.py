# SPDX-License-Identifier: Apache-2.0
"""JMeter's `${…}` in texts: variables are put in, functions become templates of ours where there is one.

Escapes are those of JMeter's `FunctionParser`: in a text with `${`, a backslash protects `$`, `,` and itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_INNERMOST = re.compile(r"\$\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\([$,\\])")
_KEPT = re.compile("\0(\\d+)\0")
_CALL = re.compile(r"__(\w+)(?:\((.*)\))?", re.DOTALL)
_WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
_MANY_NUMBERS = re.compile(
    r"new SplittableRandom\(\)\.longs\((\d+),(-?\d+)L,(-?\d+)L\)\.toArray\(\)\.join\(String\.valueOf\(\(char\)44\)\)"
)
_HEX = set("0123456789abcdef")
_USER = "{{user}}"


@dataclass(frozen=True)
class Filled:
    """A text without `${…}`."""

    text: str
    templated: bool = False
    """Whether it holds templates, which are filled anew for each request."""
    braces: bool = False
    """Whether it holds `{{` that is no template of ours."""
    unknown: tuple[str, ...] = ()
    """Each `${…}` that stands for nothing here; the text is of no use then."""
    notes: tuple[str, ...] = ()
    """What is carried over otherwise than JMeter does it."""

    @property
    def constant(self) -> bool:
        """Whether it is the same text for every request."""
        return not self.templated and not self.unknown


ITERATION = Filled("{{iteration}}", templated=True)
"""The number of a user's iteration, from 0."""
Variables = Mapping[str, Filled]


@dataclass
class _Filling:
    """The work on one text; pieces that are finished stand in it as numbers between NULs, which XML cannot hold."""

    variables: Variables
    pieces: list[str] = field(default_factory=list)
    templates: set[int] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def keep(self, piece: str) -> str:
        self.pieces.append(piece)
        return f"\0{len(self.pieces) - 1}\0"

    def restore(self, text: str, *, with_templates: bool = True) -> str:
        def piece(match: re.Match[str]) -> str:
            number = int(match[1])
            return self.pieces[number] if with_templates or number not in self.templates else ""

        while _KEPT.search(text):
            text = _KEPT.sub(piece, text)
        return text

    def template(self, template: str, note: str | None = None) -> str:
        self.templates.add(len(self.pieces))
        if note:
            self.notes.append(note)
        return self.keep(template)

    def replace(self, match: re.Match[str]) -> str:
        """What stands in place of one `${…}`."""
        inside = match[1].strip()
        named = self.restore(inside)
        if named in self.variables:
            return self._variable(self.variables[named])
        call = _CALL.fullmatch(inside)
        function = FUNCTIONS.get(call[1]) if call else None
        arguments = [self.restore(each).strip() for each in (call[2] or "").split(",")] if call else []
        made = function(self, arguments) if function else None
        return self._not_known(match[0]) if made is None else made

    def _variable(self, value: Filled) -> str:
        self.unknown += value.unknown
        self.notes += value.notes
        return self.template(value.text) if value.templated else self.keep(value.text)

    def _not_known(self, text: str) -> str:
        text = self.restore(text)
        self.unknown.append(text)
        return self.keep(text)


def fill(text: str, variables: Variables) -> Filled:
    """`text` with every `${…}` in it replaced."""
    if "${" not in text:
        return Filled(text, braces="{{" in text)
    work = _Filling(variables)
    text = _ESCAPED.sub(lambda match: work.keep(match[1]), text)
    while _INNERMOST.search(text):
        text = _INNERMOST.sub(work.replace, text)
    if "${" in text:
        work.unknown.append(work.restore(text[text.index("${") :])[:40])
    return Filled(
        work.restore(text),
        templated=bool(work.templates),
        braces="{{" in work.restore(text, with_templates=False),
        unknown=tuple(work.unknown),
        notes=tuple(dict.fromkeys(work.notes)),
    )


def whole_number(filled: Filled) -> int | None:
    """The number that a text is, from 0; None if it is none, or not the same for every request."""
    return int(filled.text) if filled.constant and _WHOLE.fullmatch(filled.text.strip()) else None


def constant(value: Filled, name: str) -> Filled:
    """The value of a user-defined variable: JMeter works it out once, so that one with a template has none here."""
    if value.constant:
        return value
    return Filled("", unknown=value.unknown or (f"${{{name}}}, which JMeter draws once at the start",))


_Function = Callable[[_Filling, list[str]], str | None]


def _property(work: _Filling, arguments: list[str]) -> str | None:
    """`__P(name, default)`: nobody gives properties here, so it is the default, which for JMeter is 1."""
    default = arguments[1] if len(arguments) > 1 else "1"
    work.notes.append(f"JMeter's property {arguments[0]} is taken at its default, {default}")
    return work.keep(default)


def _long_property(work: _Filling, arguments: list[str]) -> str | None:
    """`__property(name, variable, default)`."""
    if len(arguments) < 3 or arguments[1]:
        return None
    return _property(work, [arguments[0], arguments[2]])


def _thread_number(work: _Filling, _: list[str]) -> str | None:
    return work.template(_USER, "${__threadNum} is {{user}}, which counts from 0, not from 1")


def _sum(work: _Filling, arguments: list[str]) -> str | None:
    """`__intSum(${__threadNum},-1)`: the thread's number counted from 0, as users are counted here."""
    if [each for each in arguments if each] not in ([_USER, "-1"], ["-1", _USER]):
        return None
    work.notes = [each for each in work.notes if "__threadNum" not in each]
    return work.template(_USER)


def _counter(work: _Filling, arguments: list[str]) -> str | None:
    """`__counter(TRUE,)` counts for each user; one for all users is nothing that users here could share."""
    if arguments[0].lower() != "true" or any(arguments[1:]):
        return None
    return work.template(ITERATION.text, "${__counter(TRUE,)} is {{iteration}}, which counts from 0, not from 1")


def _random(work: _Filling, arguments: list[str]) -> str | None:
    low, high, *variable = [*arguments, ""][:3] if len(arguments) > 1 else ["", "", ""]
    if any(variable) or not (re.fullmatch(r"-?\d+", low) and re.fullmatch(r"-?\d+", high)) or int(low) > int(high):
        return None
    return work.template(f"{{{{random_int:{low}:{high}}}}}")


def _random_string(work: _Filling, arguments: list[str]) -> str | None:
    length, letters, *variable = [*arguments, "", ""][:3]
    if any(variable) or not re.fullmatch(r"[1-9]\d{0,6}", length) or sorted(letters) != sorted(_HEX):
        return None
    return work.template(f"{{{{random_hex:{length}}}}}")


def _groovy(work: _Filling, arguments: list[str]) -> str | None:
    """Many numbers, as Bancada's own test plans for JMeter write them; no other script is understood."""
    match = _MANY_NUMBERS.fullmatch(",".join(arguments))
    if match is None:
        return None
    return work.template(f"{{{{random_ints:{match[1]}:{match[2]}:{int(match[3]) - 1}}}}}")


FUNCTIONS: dict[str, _Function] = {
    "P": _property,
    "property": _long_property,
    "threadNum": _thread_number,
    "intSum": _sum,
    "counter": _counter,
    "Random": _random,
    "RandomString": _random_string,
    "groovy": _groovy,
}
"""JMeter's functions that are understood, by their names without the two underscores."""
