# SPDX-License-Identifier: Apache-2.0
"""A relay on the standard library that can change the page; by hand: PORT=80 UPSTREAM_URL=http://… python server.py."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

parser = argparse.ArgumentParser()
parser.add_argument("--page", choices=["right", "another", "joined", "garbled"], default="right")
parser.add_argument("--right-first", type=int, default=0)
options = parser.parse_args()
CENTRAL_SERVICE = os.environ["UPSTREAM_URL"] + "/"
RELAYED = itertools.count(1)


def changed(page: bytes) -> bytes:
    """What is answered in the page's place."""
    if options.page == "right" or next(RELAYED) <= options.right_first:
        return page
    if options.page == "another":
        return b"<html>4</html>\n" * 20
    if options.page == "joined":
        return b"".join(page.splitlines())
    return page.replace(b"\xc3", b"\xc4")


class Handler(BaseHTTPRequestHandler):
    """Answers GET / and GET /async; says nothing in the log."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Ask the central service, or tell that it is up."""
        self.read_body()
        path = self.path.partition("?")[0]
        if path == "/health":
            self.answer(200, "application/json", b'{"status": "UP"}')
        elif path in ("/", "/async"):
            self.relay()
        else:
            self.refuse(404, "nothing here")

    def do_POST(self) -> None:
        """Say that there is nothing but GET."""
        self.read_body()
        self.refuse(405, "only GET")

    def do_DELETE(self) -> None:
        """As for POST."""
        self.do_POST()

    def read_body(self) -> None:
        """Read what nobody needs, for it would be taken for the next request."""
        self.rfile.read(int(self.headers.get("content-length", 0)))

    def relay(self) -> None:
        """Hand on what the central service answers."""
        try:
            with urllib.request.urlopen(CENTRAL_SERVICE, timeout=30) as answer:
                page = answer.read()
        except (urllib.error.URLError, TimeoutError) as error:
            self.refuse(502, str(error))
        else:
            self.answer(200, "text/html;charset=UTF-8", changed(page))

    def refuse(self, status: int, detail: str) -> None:
        """Answer problem details (RFC 9457)."""
        problem = {"title": "Refused", "status": status, "detail": detail}
        self.answer(status, "application/problem+json", json.dumps(problem).encode())

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Refuse what the library refuses."""
        self.close_connection = True  # a body that was not read would be taken for the next request
        # The library says 501 to methods that it does not know.
        self.refuse(405 if code == 501 else code, message or "")

    def answer(self, status: int, content_type: str, body: bytes) -> None:
        """Send an answer."""
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep silent."""


ThreadingHTTPServer.request_queue_size = 512
ThreadingHTTPServer((os.environ.get("HOST", "0.0.0.0"), int(os.environ["PORT"])), Handler).serve_forever()
