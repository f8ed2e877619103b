# SPDX-License-Identifier: Apache-2.0
"""Ports are free, and outside the range that client connections use."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from bancada.errors import AddressError
from bancada.process.ports import free_port


def test_a_free_port_can_be_listened_on_and_is_no_ephemeral_one() -> None:
    """The port is outside the range in which a client's old connection could hold it."""
    low, high = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    port = free_port()
    assert not low <= port <= high or high - low > 50_000
    with socket.socket() as server:
        server.bind(("127.0.0.1", port))


def test_a_taken_port_is_refused() -> None:
    """A wanted port that somebody holds is an error that names it."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        with pytest.raises(AddressError, match=str(holder.getsockname()[1])):
            free_port(holder.getsockname()[1])
