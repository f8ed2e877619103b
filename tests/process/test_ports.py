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


def test_a_port_that_a_client_holds_is_told_from_one_that_a_server_holds() -> None:
    """Inside the ephemeral range a connection may hold it: the message says so, and names the range."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        port = client.getsockname()[1]
        with pytest.raises(AddressError, match=f"port {port} is held by a client's connection") as held:
            free_port(port)
        low, high = (int(each) for each in Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
        assert f"{low} to {high}" in (held.value.where or "")
        with pytest.raises(AddressError, match="is taken"):
            free_port(server.getsockname()[1])
