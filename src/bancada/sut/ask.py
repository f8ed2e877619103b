# SPDX-License-Identifier: Apache-2.0
"""Ask one operation and say what is wrong with the answer; for readiness and verification, never for measuring."""

from __future__ import annotations

import hashlib
import http.client
import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bancada.model.operation import Body, Operation

SHOWN_BYTES = 120


@dataclass(frozen=True)
class Answer:
    """What a service answered."""

    status: int
    body: bytes


def is_literal(operation: Operation) -> bool:
    """Whether its request is fixed text, which needs no template engine."""
    body = operation.body
    templated = body is not None and (body.template is not None or body.template_file is not None)
    return not templated and "{{" not in operation.path


def first_of(operation: Operation) -> Operation:
    """The operation as the first user asks it first: `{{user}}` and `{{iteration}}` are 0.

    What is drawn at random stays a template.
    """
    body = operation.body
    if body is not None and (body.template is not None or body.template_file is not None):
        text = (
            body.template if body.template is not None else Path(body.template_file or "").read_text(encoding="utf-8")
        )
        filled = _first(text)
        body = Body(text=filled) if "{{" not in filled else body
    return operation.model_copy(update={"path": _first(operation.path), "body": body})


def _first(text: str) -> str:
    return text.replace("{{user}}", "0").replace("{{iteration}}", "0")


def ask(base_url: str, operation: Operation, timeout_s: float) -> Answer:
    """Send a literal operation's request. Raises OSError or http.client.HTTPException if no answer comes."""
    address = urlsplit(base_url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port or 80, timeout=timeout_s)
    try:
        connection.request(operation.method, operation.path, body=_body(operation), headers=operation.headers)
        response = connection.getresponse()
        return Answer(response.status, response.read())
    finally:
        connection.close()


def _body(operation: Operation) -> bytes | None:
    if operation.body is None:
        return None
    if operation.body.file is not None:
        return Path(operation.body.file).read_bytes()
    return (operation.body.text or "").encode()


def mistake(operation: Operation, answer: Answer) -> str | None:
    """What is wrong with the answer, or None if it is right."""
    check = operation.check
    wanted = check.status or tuple(range(200, 300))
    if answer.status not in wanted:
        expected = " or ".join(map(str, check.status)) or "200 to 299"
        return f"answered status {answer.status}, not {expected}: {_shown(answer.body)}"
    if check.size_bytes is not None and len(answer.body) != check.size_bytes:
        return f"answered {len(answer.body)} bytes, not {check.size_bytes}"
    if check.sha256 is not None and hashlib.sha256(answer.body).hexdigest() != check.sha256:
        return f"answered another body than expected: {_shown(answer.body)}"
    if check.wants_json:
        return _json_mistake(operation, answer)
    return None


def _json_mistake(operation: Operation, answer: Answer) -> str | None:
    check = operation.check
    expected = json.loads(Path(check.json_file).read_bytes()) if check.json_file else check.json_value
    try:
        found = json.loads(answer.body)
    except ValueError:
        return f"answered something that is not JSON: {_shown(answer.body)}"
    return None if found == expected else f"answered other JSON than expected: {_shown(answer.body)}"


def _shown(body: bytes) -> str:
    text = body[:SHOWN_BYTES].decode(errors="replace")
    return (text + "…" if len(body) > SHOWN_BYTES else text) or "an empty body"
