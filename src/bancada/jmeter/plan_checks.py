# SPDX-License-Identifier: Apache-2.0
"""JMeter's assertions as a check of an operation.

Kinds of match are the bits of `ResponseAssertion`: 1 matches, 2 contains, 4 not, 8 equals, 16 substring, 32 or. JMeter
itself fails an answer of status 400 and above unless the assertion ignores the status.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from bancada.jmeter.plan_listing import Listing
from bancada.jmeter.plan_text import Variables, fill, whole_number
from bancada.jmeter.plan_xml import Element
from bancada.model.operation import Check

_MATCHES, _CONTAINS, _NOT, _EQUALS, _SUBSTRING, _OR = 1, 2, 4, 8, 16, 32
_EQUAL_SIZE = "1"
_SCOPES = ("Assertion.scope", "Sample.scope")
_MOST_CODES = 20
_CODES = range(200, 600)
_FIRST_REFUSAL = 400
_CODE_PATTERN = re.compile(r"(?:\\d|[\d.|()\[\]-]|\{\d\})+")


class _NotOursError(Exception):
    """An assertion asks for something that a check cannot; the message says what."""


@dataclass
class _Wanted:
    """What the assertions of one sampler come to."""

    status: set[int] | None = None
    size_bytes: int | None = None
    sha256: str | None = None


def check_of(assertions: Sequence[Element], variables: Variables, listing: Listing) -> Check:
    """What the assertions ask of an answer; whatever a check cannot ask is listed."""
    wanted = _Wanted()
    for each in assertions:
        try:
            if each.kind == "ResponseAssertion":
                _response(each, variables, wanted)
            else:
                _size(each, variables, wanted)
        except _NotOursError as why:
            listing.add("left out", each, str(why))
    status = tuple(sorted(wanted.status or ()))
    return Check(status=status, size_bytes=wanted.size_bytes, sha256=wanted.sha256)


def _response(assertion: Element, variables: Variables, wanted: _Wanted) -> None:
    node = assertion.node
    field = node.value("Assertion.test_field")
    if {node.value(name) for name in _SCOPES} & {"children", "variable"}:
        raise _NotOursError("it looks at something else than the answer itself")
    texts = [fill(each.text, variables) for each in node.items("Asserion.test_strings")]  # JMeter's own spelling
    if not texts or any(not each.constant for each in texts):
        raise _NotOursError("it has no text to compare with that is the same for every request")
    bits = whole_number(fill(node.value("Assertion.test_type"), {})) or 0
    if not bits & (_MATCHES | _CONTAINS | _EQUALS | _SUBSTRING):
        raise _NotOursError("it does not say how it compares")
    if bits & _NOT:
        raise _NotOursError("a check says what an answer must be, not what it must not be")
    patterns = [each.text for each in texts]
    if field == "Assertion.response_code":
        _codes(patterns, bits, node.flag("Assertion.assume_success", default=False), wanted)
    elif field == "Assertion.response_data" and bits & _EQUALS and len(patterns) == 1:
        digest = hashlib.sha256(patterns[0].encode()).hexdigest()
        if wanted.sha256 not in (None, digest):
            raise _NotOursError("it contradicts another assertion")
        wanted.sha256 = digest
    else:
        raise _NotOursError("a check knows status, size, JSON and SHA-256 of the body, no patterns in other parts")


def _codes(patterns: list[str], bits: int, ignores_status: bool, wanted: _Wanted) -> None:
    sets = [_matching(each, bits) for each in patterns]
    codes = set.union(*sets) if bits & _OR else set.intersection(*sets)
    if wanted.status is not None:
        codes &= wanted.status
    if any(code >= _FIRST_REFUSAL for code in codes) and not ignores_status:
        raise _NotOursError("JMeter fails a status of 400 and above, because the assertion does not ignore the status")
    if codes == set(range(200, 300)):
        return  # what an operation without a check asks for
    if not 0 < len(codes) <= _MOST_CODES:
        raise _NotOursError(f"it allows {len(codes)} status codes; a check lists 1 to {_MOST_CODES}")
    wanted.status = codes


def _matching(pattern: str, bits: int) -> set[int]:
    """The status codes that a pattern allows; a substring of three digits is the whole code."""
    if bits & (_EQUALS | _SUBSTRING):
        return {code for code in _CODES if pattern == str(code) or (bits & _SUBSTRING and pattern in str(code))}
    if not _CODE_PATTERN.fullmatch(pattern):
        raise _NotOursError(f"its pattern {pattern!r} is not one of digits")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise _NotOursError(f"its pattern {pattern!r} is wrong: {error}") from error
    test = compiled.search if bits & _CONTAINS else compiled.fullmatch
    return {code for code in _CODES if test(str(code))}


def _size(assertion: Element, variables: Variables, wanted: _Wanted) -> None:
    node = assertion.node
    size = fill(node.value("SizeAssertion.size").strip(), variables)
    if node.value("Assertion.test_field") != "SizeAssertion.response_data":
        raise _NotOursError("only the size of the body can be checked, not that of headers, status or the whole answer")
    if node.value("SizeAssertion.operator", _EQUAL_SIZE) != _EQUAL_SIZE:
        raise _NotOursError("only a size that is equal can be checked")
    count = whole_number(size)
    if count is None:
        raise _NotOursError("its size is not a number")
    if wanted.size_bytes not in (None, count):
        raise _NotOursError("it contradicts another assertion")
    wanted.size_bytes = count
