# SPDX-License-Identifier: Apache-2.0
"""What went wrong with a server, read from what it wrote."""

from __future__ import annotations

import re
from pathlib import Path

from bancada.errors import AddressError, BancadaError, ServiceError, StorageError

TAIL_BYTES = 4_000
_DISK_FULL = re.compile(
    r"No space left on device|Disk is full|Err(?:no|code):? \"?28\b|error (?:number )?28\b", re.IGNORECASE
)
_ERROR = re.compile(r"\b(?:error|fatal|panic)\b|^E: ", re.IGNORECASE)
_PORT_TAKEN = re.compile(r"Address already in use|Bind on TCP/IP port", re.IGNORECASE)


def log_tail(log: Path) -> str:
    """The last of a log, empty if there is none."""
    return log.read_bytes()[-TAIL_BYTES:].decode(errors="replace").strip() if log.exists() else ""


def last_lines(text: str, count: int = 3) -> str:
    """The end of a program's message, short enough for one line."""
    return " / ".join(line.strip() for line in text.strip().splitlines()[-count:] if line.strip()) or "it said nothing"


def complaint(said: str) -> str:
    """The last lines that speak of errors, or else simply the last ones."""
    errors = [line for line in said.splitlines() if _ERROR.search(line)]
    return last_lines("\n".join(errors) or said)


def is_disk_full(text: str) -> bool:
    """Whether the words are those of a full disk (ENOSPC)."""
    return _DISK_FULL.search(text) is not None


def disk_full(where: object) -> StorageError:
    """The error of a full disk."""
    return StorageError(
        "disk full: a database's data do not fit",
        where=str(where),
        advice="free some space, or name a folder on another disk by the environment variable BANCADA_DATA",
    )


def did_not_start(product: str, ended: str, log: Path, port: int) -> BancadaError:
    """The error of a server that ended before it answered."""
    said = log_tail(log)
    if is_disk_full(said):
        return disk_full(log)
    if _PORT_TAKEN.search(said):
        return _port_taken(product, port, log)
    return ServiceError(
        f"{product} does not start ({ended}): {complaint(said)}",
        where=str(log),
        advice="the log says why; another source can be chosen, as in `mariadb@cache`",
    )


def _port_taken(product: str, port: int, log: Path) -> AddressError:
    low, high = ephemeral_range()
    if low <= port <= high:
        return AddressError(
            f"{product} cannot have port {port}: a client's connection in TIME-WAIT holds it",
            where=str(log),
            advice=f"choose a port outside {low}-{high}, the range that the system gives to client connections",
        )
    return AddressError(
        f"{product} cannot have port {port}: it is taken",
        where=str(log),
        advice="end the program that listens there, or name no port: a free one is found then",
    )


def ephemeral_range() -> tuple[int, int]:
    """The ports that the system gives to client connections; Linux's default where that cannot be read."""
    try:
        low, high = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return 32_768, 60_999
    return int(low), int(high)
