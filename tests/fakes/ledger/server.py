# SPDX-License-Identifier: Apache-2.0
"""GET and POST /notes with a table behind them; can forget or double every n-th note that it accepts."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

ADDRESS = urlsplit(os.environ["SQL_URL"])
SETTINGS: dict[str, Any] = {
    "host": ADDRESS.hostname,
    "port": ADDRESS.port,
    "user": os.environ["SQL_USER"],
    "password": os.environ["SQL_PASSWORD"],
    "database": ADDRESS.path.lstrip("/"),
}
OF_THREAD = threading.local()
ACCEPTED = itertools.count(1)


def connection() -> Any:
    """A connection for each thread."""
    if not hasattr(OF_THREAD, "connection"):
        if ADDRESS.scheme == "postgresql":
            import pg8000.dbapi  # type: ignore[import-untyped]

            OF_THREAD.connection = pg8000.dbapi.connect(**SETTINGS)
            OF_THREAD.connection.autocommit = True
        else:
            import pymysql

            OF_THREAD.connection = pymysql.connect(**SETTINGS, autocommit=True)
    return OF_THREAD.connection


def execute(statement: str, values: Sequence[object] = ()) -> list[Any]:
    """Run a statement; its rows if it has any."""
    cursor = connection().cursor()
    cursor.execute(statement, values)
    return list(cursor.fetchall()) if cursor.description else []


class Handler(BaseHTTPRequestHandler):
    """Answers; says nothing in the log."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The notes, or whether there is a database."""
        rows = execute("select id, text from notes order by id" if self.path == "/notes" else "select 1, 'well'")
        self.answer(200, [{"id": key, "text": text} for key, text in rows])

    def do_POST(self) -> None:
        """A new note."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            text = json.loads(body)["text"]
        except (ValueError, KeyError, TypeError):
            self.answer(400, {"title": "not a note"})
            return
        number = next(ACCEPTED)
        copies = 1
        if OPTIONS.forget_every and number % OPTIONS.forget_every == 0:
            copies = 0
        if OPTIONS.double_every and number % OPTIONS.double_every == 0:
            copies = 2
        for _ in range(copies):
            execute("insert into notes (text) values (%s)", (text,))
        self.answer(201, {"text": text})

    def answer(self, status: int, content: object) -> None:
        """Send JSON."""
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--forget-every", type=int, default=0)
    parser.add_argument("--double-every", type=int, default=0)
    OPTIONS = parser.parse_args()
    ThreadingHTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Handler).serve_forever()
