# SPDX-License-Identifier: Apache-2.0
"""JMeter's HTTP samplers as operations.

What is sent follows JMeter 5.6.3 (`HTTPSamplerBase`, `HTTPHC4Impl`), compared with what it really sends:
empty properties come from the nearest HTTP Request Defaults, whose parameters are appended; of headers of the same name
the nearest manager's counts, and of managers side by side the first; GET, OPTIONS and DELETE have their parameters in
the query, POST, PUT, PATCH and DELETE in a form; parameters without names are the body as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_plus, unquote_plus

from bancada.jmeter.plan_text import Filled, Variables, fill, whole_number
from bancada.jmeter.plan_xml import Element, Node
from bancada.model.operation import Body

_IN_QUERY = {"GET", "OPTIONS", "DELETE"}
_IN_FORM = {"POST", "PUT", "PATCH", "DELETE"}
_WITH_BODY = _IN_FORM | {"GET"}
_METHODS = {*_IN_QUERY, *_IN_FORM, "HEAD"}
_FORM = "application/x-www-form-urlencoded; charset=UTF-8"
_PLAIN = "text/plain; charset=UTF-8"
_UNRESERVED_IN_FORMS = "*-._"
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_PATH = re.compile(r"[A-Za-z0-9\-._~:/?\[\]@!$&'()*+,;=%]*")
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")
_LAST_PORT = 65_535
_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_ENGINE_HEADERS = {"connection", "content-length", "transfer-encoding"}
_STANDARD_PORTS = {"http": "80", "https": "443"}


class CannotAskError(Exception):
    """A sampler asks what an operation cannot; the message says what."""


@dataclass(frozen=True)
class Argument:
    """A parameter of a request."""

    name: Filled
    value: Filled
    encode: bool
    """Whether JMeter encodes it; else it is encoded already."""


@dataclass(frozen=True)
class Request:
    """What a sampler asks, and where."""

    scheme: str
    host: str
    port: str
    method: str
    path: str
    headers: dict[str, str]
    body: Body | None
    timeouts_ms: tuple[int, int]
    """To connect, and for the answer; 0: none."""
    notes: tuple[str, ...]
    """What is asked otherwise than JMeter asks it."""

    @property
    def target(self) -> str:
        """The address that is asked, as `scheme://host:port`; without host only the scheme."""
        return f"{self.scheme}://{self.host}:{self.port}" if self.host else f"{self.scheme}://"

    @property
    def trouble(self) -> str | None:
        """Why the target cannot be asked, or None if it can."""
        if self.scheme != "http":
            return f"{self.scheme} is not spoken"
        if not self.host:
            return "none is named"
        is_known = _HOST.fullmatch(self.host) and self.port.isdecimal() and int(self.port) <= _LAST_PORT
        return None if is_known else f"{self.target} is not an address"


@dataclass(frozen=True)
class Properties:
    """A sampler's properties, with those of the defaults in its scope behind them, the nearest first."""

    nodes: tuple[Node, ...]
    variables: Variables
    folder: Path
    """Where the plan is; files that it names are relative to it."""

    @classmethod
    def of(cls, sampler: Element, defaults: Sequence[Element], variables: Variables, folder: Path) -> Properties:
        """The properties of a sampler in its scope."""
        return cls((sampler.node, *(each.node for each in defaults)), variables, folder)

    def raw(self, name: str) -> str:
        """The first text that is not empty, as it stands in the file."""
        return next((text for node in self.nodes if (text := node.value(name))), "")

    def flag(self, name: str, *, default: bool) -> bool:
        """Whether the property is true; `default` if nobody sets it."""
        return (self.raw(name) or str(default)).strip().lower() == "true"

    def text(self, name: str) -> str:
        """The same text for every request. Raises CannotAskError if it is not."""
        filled = fill(self.raw(name).strip(), self.variables)
        if not filled.constant:
            what = ", ".join(filled.unknown) or filled.text
            raise CannotAskError(f"its {name.rpartition('.')[2]} is not known beforehand: {what}")
        return filled.text

    def arguments(self) -> list[Argument]:
        """The parameters of the sampler and of all defaults, one after the other."""
        found = [item for node in self.nodes for item in node.items("HTTPsampler.Arguments", "Arguments.arguments")]
        return [
            Argument(
                fill(each.value("Argument.name"), self.variables),
                fill(each.value("Argument.value"), self.variables),
                each.flag("HTTPArgument.always_encode", default=False),
            )
            for each in found
        ]


def request_of(properties: Properties, managers: Sequence[Element]) -> Request:
    """What a sampler asks, with the header managers in its scope, the nearest first.

    Raises CannotAskError for what an operation cannot ask.
    """
    if properties.flag("HTTPSampler.DO_MULTIPART_POST", default=False):
        raise CannotAskError("it sends a multipart form")
    method = properties.text("HTTPSampler.method").upper() or "GET"
    if method not in _METHODS:
        raise CannotAskError(f"its method is {method}; known are {', '.join(sorted(_METHODS))}")
    work = _Notes()
    arguments = properties.arguments()
    raw = properties.flag("HTTPSampler.postBodyRaw", default=False) or not any(each.name.text for each in arguments)
    scheme, host, port, path = _address(properties, work, () if raw or method not in _IN_QUERY else arguments)
    headers = _headers(managers, properties.variables, work)
    body, content_type = _file(properties) or (_body(arguments, raw=raw, work=work), _PLAIN if raw else _FORM)
    if method not in (_WITH_BODY if raw else _IN_FORM):
        body = None
    if body is not None and content_type and "content-type" not in map(str.lower, headers):
        headers["Content-Type"] = content_type
    timeouts = _milliseconds(properties, "connect_timeout"), _milliseconds(properties, "response_timeout")
    _note_the_rest(properties, work)
    return Request(scheme, host, port, method, path, headers, body, timeouts, tuple(dict.fromkeys(work.notes)))


class _Notes:
    """Takes texts that are filled in, and keeps what was noted about them."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def take(self, filled: Filled, what: str, *, may_vary: bool = True) -> str:
        """The text. Raises CannotAskError if something in it is unknown, or varies where it may not."""
        if filled.unknown:
            raise CannotAskError(f"its {what} is not known beforehand: {', '.join(filled.unknown)}")
        if filled.templated and not may_vary:
            raise CannotAskError(f"its {what} changes from request to request: {filled.text}")
        self.notes += filled.notes
        return filled.text


def _file(properties: Properties) -> tuple[Body, str] | None:
    """The file that is the body, and its type; None without files. Raises CannotAskError for a form with files."""
    files = [each for node in properties.nodes for each in node.items("HTTPsampler.Files", "HTTPFileArgs.files")]
    files = [each for each in files if each.value("File.path")]
    if not files:
        return None
    given = fill(files[0].value("File.path"), properties.variables)
    path = (properties.folder / given.text).resolve()
    if len(files) > 1 or files[0].value("File.paramname") or not given.constant:
        raise CannotAskError("it uploads files in a form")
    if not path.is_file():
        raise CannotAskError(f"its body is a file that is not there: {path}")
    return Body(file=str(path)), files[0].value("File.mimetype")


def _address(properties: Properties, work: _Notes, arguments: Iterable[Argument]) -> tuple[str, str, str, str]:
    """Scheme, host, port, and path with the query."""
    filled = fill(properties.raw("HTTPSampler.path").strip(), properties.variables)
    if filled.braces:
        raise CannotAskError("its path holds {{, which begins a template")
    path = work.take(filled, "path")
    if path.startswith(("http://", "https://")):  # JMeter then asks just this address, without parameters
        return _whole_address(path)
    scheme = properties.text("HTTPSampler.protocol").lower() or "http"
    port = properties.text("HTTPSampler.port") or _STANDARD_PORTS.get(scheme, "")
    path = path if path.startswith("/") else "/" + path
    query = "&".join(_pair(each, work, in_query=True) for each in arguments if each.name.text)
    joined = ("&" if "?" in path else "?") + query if query else ""
    return scheme, properties.text("HTTPSampler.domain"), port, _sendable(path) + joined


def _whole_address(address: str) -> tuple[str, str, str, str]:
    """Scheme, host, port and path of an address that begins with http:// or https://."""
    scheme, _, behind = address.partition("://")
    server = re.split("[/?#]", behind, maxsplit=1)[0]
    host, colon, port = server.rpartition(":")
    if not colon or port.endswith("]"):  # the colon is one of an IPv6 address
        host, port = server, ""
    path = behind[len(server) :]
    return scheme, host, port or _STANDARD_PORTS[scheme], _sendable(path if path.startswith("/") else f"/{path}")


def _sendable(path: str) -> str:
    """The path without fragment, and with spaces encoded. Raises CannotAskError for what no request line can hold."""
    path = path.partition("#")[0].replace(" ", "%20")
    if not _PATH.fullmatch(_TEMPLATE.sub("", path)):
        raise CannotAskError(f"its path holds characters that must be percent-encoded: {path}")
    return path


def _pair(argument: Argument, work: _Notes, *, in_query: bool) -> str:
    name, value = (work.take(each, "parameters") for each in (argument.name, argument.value))
    if argument.name.braces or argument.value.braces:
        raise CannotAskError("its parameters hold {{, which begins a template")
    if argument.encode:
        return f"{_encoded(name)}={_encoded(value)}"
    return f"{name}={value}" if in_query else f"{_encoded(unquote_plus(name))}={_encoded(unquote_plus(value))}"


def _encoded(text: str) -> str:
    """As java.net.URLEncoder does it, templates left as they are."""
    pieces = re.split(r"(\{\{[^{}]*\}\})", text)
    encoded = [
        each if number % 2 else quote_plus(each, safe=_UNRESERVED_IN_FORMS).replace("~", "%7E")
        for number, each in enumerate(pieces)
    ]
    return "".join(encoded)


def _body(arguments: Sequence[Argument], *, raw: bool, work: _Notes) -> Body | None:
    if not arguments:
        return None
    if not raw:
        text = "&".join(_pair(each, work, in_query=False) for each in arguments if each.name.text)
        varies = any(each.name.templated or each.value.templated for each in arguments)
        return Body(template=text) if varies else Body(text=text)
    text = "".join(work.take(each.value, "body") for each in arguments)
    if not any(each.value.templated for each in arguments):
        return Body(text=text) if text else None
    if any(each.value.braces for each in arguments):
        raise CannotAskError("its body holds templates beside {{ of its own")
    return Body(template=text)


def _headers(managers: Sequence[Element], variables: Variables, work: _Notes) -> dict[str, str]:
    headers: dict[str, str] = {}
    for manager in managers:
        added: dict[str, str] = {}
        for item in manager.node.items("HeaderManager.headers"):
            name = work.take(fill(item.value("Header.name").strip(), variables), "headers", may_vary=False)
            value = work.take(fill(item.value("Header.value").strip(), variables), "headers", may_vary=False)
            if not name:
                continue
            if name.lower() in _ENGINE_HEADERS:
                work.notes.append(f"its header {name} is left out: the load engine sets it by itself")
                continue
            if not (_HEADER_NAME.fullmatch(name) and value.isascii() and value.isprintable()):
                raise CannotAskError(f"its header {name!r} cannot be sent")
            if name.lower() in map(str.lower, added):
                raise CannotAskError(f"it sends the header {name} twice")
            added[name] = value
        known = {name.lower() for name in headers}
        headers |= {name: value for name, value in added.items() if name.lower() not in known}
    return headers


def _milliseconds(properties: Properties, name: str) -> int:
    return whole_number(Filled(properties.text(f"HTTPSampler.{name}"))) or 0


def _note_the_rest(properties: Properties, work: _Notes) -> None:
    """Note what is asked otherwise than in JMeter."""
    if not properties.flag("HTTPSampler.use_keepalive", default=False):
        work.notes.append("users keep their connection; in JMeter each request opens a new one")
    followed = [properties.flag(f"HTTPSampler.{name}", default=False) for name in ("auto_redirects", "image_parser")]
    if properties.flag("HTTPSampler.follow_redirects", default=False) or followed[0]:
        work.notes.append("redirects are not followed: a status of 300 to 399 fails the request")
    if followed[1]:
        work.notes.append("only the page is asked for, not the images and scripts that it names")
    if properties.raw("HTTPSampler.proxyHost"):
        work.notes.append("it is asked directly, not through the proxy that the plan names")
    if properties.raw("HTTPSampler.ipSource"):
        work.notes.append("it is asked from this host's own address, not from the one that the plan names")
    if properties.raw("HTTPSampler.contentEncoding").strip().upper() not in {"", "UTF-8", "UTF8"}:
        work.notes.append("texts are sent in UTF-8, not in the encoding that the plan names")
