# SPDX-License-Identifier: Apache-2.0
"""Why a request failed, in JMeter's words and in ours (`contracts/README.md`, failure kinds).

JMeter writes an exception where no answer came (`Non HTTP response code: java.net.SocketTimeoutException`), and the
message of an assertion where an answer was wrong. What we write ends in our own kind in brackets, so that it comes back
as it went; of what JMeter itself wrote the kind is found from exception and message. Two kinds exist only here, where
the file cannot tell: `assertion` (an answer came, and an assertion that none of our checks corresponds to refused it)
and `unknown`.
"""

from __future__ import annotations

import re
from http import HTTPStatus

NO_ANSWER = "Non HTTP response code: "
NO_ANSWER_MESSAGE = "Non HTTP response message: "
ASSERTION = "assertion"
UNKNOWN = "unknown"

WITHOUT_ANSWER = {
    "connect-refused": ("org.apache.http.conn.HttpHostConnectException", "Connection refused"),
    "connect-timeout": ("org.apache.http.conn.ConnectTimeoutException", "connect timed out"),
    "connect-error": ("java.net.NoRouteToHostException", "could not connect"),
    "response-timeout": ("java.net.SocketTimeoutException", "Read timed out"),
    "connection-closed": ("org.apache.http.NoHttpResponseException", "failed to respond"),
    "protocol": ("org.apache.http.ProtocolException", "not an HTTP answer"),
    "local": ("java.net.BindException", "this host ran out of something"),
}
"""Kinds of failure that need no answer, with JMeter's exception and message for each."""

WITH_ANSWER = {
    "status": "unexpected status",
    "size": "unexpected size",
    "json": "unexpected JSON",
    "digest": "unexpected bytes",
}
"""Kinds of failure that an answer can have, and what an assertion would say."""

_KIND = re.compile(rf"\(({'|'.join([*WITHOUT_ANSWER, *WITH_ANSWER, ASSERTION, UNKNOWN])})\)\s*$")

_EXCEPTIONS = (
    (r"BindException|OutOfMemoryError|Too many open files|Cannot assign requested address", "local"),
    (r"ConnectTimeoutException|HttpHostConnectException.*timed? ?out|ConnectException.*timed? ?out", "connect-timeout"),
    (r"SocketTimeoutException.*connect", "connect-timeout"),
    (r"SocketTimeoutException|InterruptedIOException", "response-timeout"),
    (r"Connection refused", "connect-refused"),
    (r"HttpHostConnectException|ConnectException|UnknownHostException|NoRouteToHostException|javax\.net\.ssl",
     "connect-error"),
    (r"NoHttpResponseException|ConnectionClosedException|SocketException|EOFException", "connection-closed"),
    (r"ProtocolException|MalformedChunkCodingException|ParseException", "protocol"),
)  # fmt: skip
"""Patterns of exception and message, tried in this order."""

_ASSERTIONS = (
    (r"code expected", "status"),
    (r"wrong size", "size"),
    (r"JSON|No results for path|Value expected to", "json"),
)
"""Patterns of what JMeter's Response, Size and JSON assertions say."""


_PHRASES = {status.value: status.phrase for status in HTTPStatus}


def kind_of(code: str | None, message: str | None, assertion: str | None) -> str:
    """The kind of failure of a request without success, from `responseCode`, `responseMessage` and `failureMessage`."""
    ours = _KIND.search(assertion or "") or _KIND.search(message or "")
    if ours:
        return ours[1]
    status = status_of(code)
    if status is None:
        return _first(_EXCEPTIONS, f"{code or ''} {message or ''}") or UNKNOWN
    named = _first(_ASSERTIONS, assertion or "")
    if named:
        return named
    return ASSERTION if assertion or status < HTTPStatus.BAD_REQUEST else "status"


def status_of(code: str | None) -> int | None:
    """The HTTP status that `responseCode` holds, or None if no answer came."""
    return int(code) if code and re.fullmatch(r"[1-5]\d\d", code) else None


def _first(patterns: tuple[tuple[str, str], ...], text: str) -> str | None:
    return next((kind for pattern, kind in patterns if re.search(pattern, text, re.IGNORECASE)), None)


def words_of(status: int | None, kind: str | None) -> tuple[str, str, str]:
    """`responseCode`, `responseMessage` and `failureMessage` for a status (None: no answer) and a kind (None: passed).

    A request that failed without answer has an exception as its code, as JMeter writes it. Where even that is not
    known, the code is empty.
    """
    if status is None and kind in WITHOUT_ANSWER:
        exception, said = WITHOUT_ANSWER[kind]
        return f"{NO_ANSWER}{exception}", f"{NO_ANSWER_MESSAGE}{said} ({kind})", ""
    assertion = f"{WITH_ANSWER.get(kind, 'the answer was refused')} ({kind})" if kind else ""
    return ("" if status is None else str(status)), _PHRASES.get(status or 0, ""), assertion
