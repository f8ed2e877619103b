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
            raise AddressError(
                f"port {wanted} is taken",
                where=f"127.0.0.1:{wanted}",
                advice="end the program that listens there, or leave `port` out of the study: a free one is found then",
            )
        return wanted
    low, high = _ephemeral_range()
    candidates = [port for port in range(LOWEST, 65_536) if not low <= port <= high]
    for port in random.sample(candidates, min(200, len(candidates))):
        if _is_free(port):
            return port
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])


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
