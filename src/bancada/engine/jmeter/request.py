# SPDX-License-Identifier: Apache-2.0
"""From an operation of an order to JMeter's HTTP request, with its headers, body and assertions."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bancada.engine.jmeter.elements import Property, element, part, parts, texts, tree
from bancada.engine.jmeter.template import filled_by_jmeter
from bancada.engine.wire import LoadOrder
from bancada.errors import PlanError
from bancada.model.base import NS_PER_MS

SCRIPTS = Path(__file__).parent / "groovy"
MATCHES, EQUALS, ANY_OF = 1, 8, 32
"""How JMeter's Response Assertion compares."""
_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WITHOUT_BODY = ("HEAD", "OPTIONS")
_CHECKS = {"status", "size_bytes", "json", "json_file", "sha256"}

Branch = tuple[ET.Element, ET.Element | None]


@dataclass(frozen=True)
class Place:
    """Where a request is in its order, and where files that the plan needs are put."""

    order: LoadOrder
    index: int
    folder: Path

    @property
    def operation(self) -> dict[str, Any]:
        """The operation."""
        return self.order.operations[self.index]

    def named(self, field: str) -> str:
        """A field of the operation, for messages."""
        return f'operation "{self.operation["name"]}", {field}'

    def filled(self, text: str, field: str) -> str:
        """A text with JMeter's functions in its places."""
        return filled_by_jmeter(text, self.named(field))


def request(place: Place) -> Branch:
    """The HTTP Request of an operation, and below it its Header Manager and its assertions.

    Files that it needs are put beside the plan. Raises PlanError that names what JMeter cannot do.
    """
    operation, target = place.operation, urlsplit(place.order.target)
    if unknown := [name for name, wanted in operation["check"].items() if wanted and name not in _CHECKS]:
        raise PlanError(f"{place.named('check')}: {', '.join(unknown)} cannot be carried over to JMeter")
    sampler = element(
        "HTTPSamplerProxy",
        operation["name"],
        {
            "HTTPSampler.domain": target.hostname or "",
            "HTTPSampler.port": str(target.port or ""),
            "HTTPSampler.protocol": target.scheme,
            "HTTPSampler.contentEncoding": "UTF-8",
            "HTTPSampler.path": place.filled(operation["path"], "path"),
            "HTTPSampler.method": operation["method"],
            "HTTPSampler.follow_redirects": False,
            "HTTPSampler.auto_redirects": False,
            "HTTPSampler.use_keepalive": True,
            "HTTPSampler.implementation": "HttpClient4",
            "HTTPSampler.connect_timeout": str(milliseconds(place.order.connect_timeout_ns, "the connect timeout")),
            "HTTPSampler.response_timeout": str(milliseconds(place.order.response_timeout_ns, "the response timeout")),
            **_body(place),
        },
    )
    headers = [_headers(place)] if operation["headers"] else []
    return sampler, tree(*((each, None) for each in [*headers, *_assertions(place)]))


def milliseconds(ns: int, what: str) -> int:
    """A time in JMeter's unit; raises PlanError if it is not a whole number of them."""
    if ns % NS_PER_MS:
        raise PlanError(f"{what} of {ns} ns cannot be carried over to JMeter, which counts whole milliseconds")
    return ns // NS_PER_MS


def _headers(place: Place) -> ET.Element:
    managed = []
    for name, value in place.operation["headers"].items():
        if "${" in name + value:
            raise PlanError(f"{place.named('headers')}: JMeter takes ${{ for the beginning of a variable")
        managed.append(part("Header", {"Header.name": name, "Header.value": value}))
    return element("HeaderManager", "HTTP Header Manager", {"HeaderManager.headers": parts(*managed)})


def _body(place: Place) -> dict[str, Property]:
    payload = place.operation["body"]
    if payload is None:
        return {"HTTPsampler.Arguments": part("Arguments", {"Arguments.arguments": parts()})}
    if place.operation["method"] in _WITHOUT_BODY:
        raise PlanError(f"{place.named('body')}: JMeter sends none with {place.operation['method']}")
    if "template" in payload:
        return _raw(place.filled(payload["template"], "body.template"))
    if "template_file" in payload:
        text = _read(Path(payload["template_file"]), place.named("body.template_file")).decode()
        return _raw(place.filled(text, "body.template_file"))
    content = payload["text"].encode() if "text" in payload else _read(Path(payload["file"]), place.named("body.file"))
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return _file(place, content)
    # Written as it is into the plan, unless JMeter or XML would read it as something else.
    return _file(place, content) if "${" in text or _NOT_IN_XML.search(text) else _raw(text)


def _raw(text: str) -> dict[str, Property]:
    argument: dict[str, Property] = {
        "HTTPArgument.always_encode": False,
        "Argument.value": text,
        "Argument.metadata": "=",
    }
    return {
        "HTTPSampler.postBodyRaw": True,
        "HTTPsampler.Arguments": part("Arguments", {"Arguments.arguments": parts(part("HTTPArgument", argument))}),
    }


def _file(place: Place, content: bytes) -> dict[str, Property]:
    """A body as a file without a name of its own, which JMeter sends as it is."""
    name = f"body-{place.index + 1}"
    (place.folder / name).write_bytes(content)
    sent = {"File.path": name, "File.paramname": "", "File.mimetype": ""}
    return {
        "HTTPsampler.Files": part("HTTPFileArgs", {"HTTPFileArgs.files": parts(part("HTTPFileArg", sent))}),
        "HTTPsampler.Arguments": part("Arguments", {"Arguments.arguments": parts()}),
    }


def _read(path: Path, where: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PlanError(f"{where}: cannot be read: {error.strerror}", where=str(path)) from error


def _assertions(place: Place) -> list[ET.Element]:
    check = place.operation["check"]
    made = [_status(check.get("status") or ())]
    if check.get("size_bytes") is not None:
        made.append(
            element(
                "SizeAssertion",
                "Size of the body",
                {
                    "Assertion.test_field": "SizeAssertion.response_data",
                    "SizeAssertion.size": str(check["size_bytes"]),
                    "SizeAssertion.operator": 1,
                },
            )
        )
    if check.get("sha256") is not None:
        made.append(_script("SHA-256 of the body", "same_digest.groovy", check["sha256"]))
    expected = f"expected-{place.index + 1}.json"
    if check.get("json_file") is not None:
        source = Path(check["json_file"])
        _read(source, place.named("check.json_file"))
        shutil.copyfile(source, place.folder / expected)
    elif check.get("json") is not None:
        (place.folder / expected).write_text(json.dumps(check["json"]), encoding="utf-8")
    else:
        return made
    return [*made, _script("JSON value of the body", "same_json.groovy", expected)]


def _status(allowed: tuple[int, ...] | list[int]) -> ET.Element:
    # `assume_success` leaves it to the assertion whether a status is a success; JMeter alone takes 200 to 399.
    patterns = {str(status): str(status) for status in allowed} or {"any": r"2\d\d"}
    return element(
        "ResponseAssertion",
        "Status",
        {
            "Asserion.test_strings": texts(patterns),  # spelt so by JMeter
            "Assertion.custom_message": "",
            "Assertion.test_field": "Assertion.response_code",
            "Assertion.assume_success": True,
            "Assertion.test_type": EQUALS | ANY_OF if allowed else MATCHES,
        },
    )


def _script(name: str, script: str, parameters: str) -> ET.Element:
    return element(
        "JSR223Assertion",
        name,
        {
            "scriptLanguage": "groovy",
            "parameters": parameters,
            "filename": "",
            "cacheKey": "true",  # compiled once
            "script": (SCRIPTS / script).read_text(encoding="utf-8"),
        },
    )
