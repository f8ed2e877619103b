# SPDX-License-Identifier: Apache-2.0
"""Choose a port that nobody holds.

Ports are taken from outside the ephemeral range: inside it a client's connection in TIME-WAIT may hold the very port
that a server wants, and under load there are thousands of them.
"""

from __future__ import annotations

import random
import socket
from pathlib import Path

from bancada.errors import AddressError

LOWEST = 10_240


def free_port(wanted: int | None = None) -> int:
    """`wanted` if it is free, else any free port. Raises AddressError if it is taken or none can be found."""
    if wanted is not None:
        if not _is_free(wanted):
            raise _taken(wanted)
        return wanted
    low, high = _ephemeral_range()
    candidates = [port for port in range(LOWEST, 65_536) if not low <= port <= high]
    for port in random.sample(candidates, min(200, len(candidates))):
        if _is_free(port):
            return port
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])


def _taken(port: int) -> AddressError:
    low, high = _ephemeral_range()
    if low <= port <= high and not _listens(port):
        return AddressError(
            f"port {port} is held by a client's connection, not by a server",
            where=f"127.0.0.1:{port}, inside the ephemeral range {low} to {high} that the system gives to clients",
            advice="name a port outside that range, or none: a free one is found then",
        )
    return AddressError(
        f"port {port} is taken",
        where=f"127.0.0.1:{port}",
        advice="end the program that listens there, or name no port: a free one is found then",
    )


def _listens(port: int) -> bool:
    with socket.socket() as attempt:
        attempt.settimeout(1)
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def _is_free(port: int) -> bool:
    with socket.socket() as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _ephemeral_range() -> tuple[int, int]:
    try:
        low, high = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return 32_768, 60_999
    return int(low), int(high)
