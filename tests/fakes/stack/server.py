# SPDX-License-Identifier: Apache-2.0
"""A sorting service on the standard library that misbehaves on demand; usable by hand: PORT=8080 python server.py."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--delay-ms", type=float, default=0)
parser.add_argument("--never-listen", action="store_true")
parser.add_argument("--exit-at-once", action="store_true")
parser.add_argument("--crash-after", type=int, default=0)
parser.add_argument("--crash-marker", default="")
parser.add_argument("--reverse", action="store_true")
parser.add_argument("--lenient", action="store_true")
parser.add_argument("--ignore-sigterm", action="store_true")
parser.add_argument("--with-child", action="store_true")
options = parser.parse_args()
answered = 0


class Handler(BaseHTTPRequestHandler):
    """Answers GET anything and POST /sort."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Tell that it is up."""
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.answer(200, {"status": "UP"})

    def do_POST(self) -> None:
        """Sort, or misbehave."""
        global answered  # noqa: PLW0603 (one process, one count)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        answered += 1
        if options.crash_after and answered > options.crash_after and may_crash():
            os.write(2, b"out of luck\n")
            os._exit(42)
        time.sleep(options.delay_ms / 1000)
        if self.headers.get("content-type", "").partition(";")[0] != "application/json":
            self.refuse(415, "send application/json")
        else:
            self.sort(body)

    def sort(self, body: bytes) -> None:
        """Answer the numbers sorted, or why they are none."""
        try:
            numbers = json.loads(body, parse_float=not_an_integer)
            if not isinstance(numbers, list) or not (options.lenient or all(is_int32(each) for each in numbers)):
                raise ValueError("not an array of 32-bit integers")  # noqa: TRY301 (answered below)
            self.answer(200, sorted(numbers, reverse=options.reverse))
        except (ValueError, TypeError) as error:
            self.refuse(400, str(error))

    def refuse(self, status: int, detail: str) -> None:
        """Answer problem details (RFC 9457)."""
        self.answer(status, {"title": "Refused", "status": status, "detail": detail})

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Refuse what the library refuses."""
        self.close_connection = True  # a body that was not read would be taken for the next request
        self.refuse(
            405 if code == 501 else code, message or ""
        )  # the library says 501 to methods that it does not know

    def answer(self, status: int, content: object) -> None:
        """Answer JSON."""
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json" if status < 400 else "application/problem+json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Keep silent."""


def not_an_integer(text: str) -> None:
    """Refuse what JSON calls a number but not an integer."""
    raise ValueError(f"{text} is not an integer")


def is_int32(value: object) -> bool:
    """Whether it is a 32-bit integer."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31


def may_crash() -> bool:
    """Whether to crash now: always, or only once if there is a marker."""
    if not options.crash_marker:
        return True
    marker = Path(options.crash_marker)
    first = not marker.exists()
    marker.touch()
    return first


if options.ignore_sigterm:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if options.with_child:
    subprocess.Popen(["sleep", "4242"], start_new_session=True)
if options.exit_at_once:
    sys.exit("no configuration found")
if options.never_listen:
    time.sleep(3600)
ThreadingHTTPServer.request_queue_size = 512
ThreadingHTTPServer((os.environ.get("HOST", "0.0.0.0"), int(os.environ["PORT"])), Handler).serve_forever()
