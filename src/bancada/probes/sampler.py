# SPDX-License-Identifier: Apache-2.0
"""Look at a system under test at a steady rate while it is measured."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

import polars as pl

from bancada.model.base import NS_PER_S
from bancada.model.handle import RunningSut
from bancada.model.measure import ProbeReport
from bancada.probes.sources import pids_of, probes_for

RATE_PER_S = 20
TREE_EVERY_NS = NS_PER_S
"""Processes without a control group are found by reading all of /proc, which is too dear for every look."""


class Sampler:
    """A context in which all available probes are read `RATE_PER_S` times a second, first and last thing included."""

    def __init__(self, sut: RunningSut) -> None:
        self._sut = sut
        self._probes = probes_for(sut)
        self._rows: list[dict[str, int | None]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="probes", daemon=True)
        self._pids: list[int] = []
        self._pids_until = 0

    @property
    def reports(self) -> tuple[ProbeReport, ...]:
        """Which probes there are, where their figures come from, and why one is missing."""
        return tuple(probe.report for probe in self._probes)

    def __enter__(self) -> Self:
        self._look()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._look()

    def series(self, zero_monotonic_ns: int) -> pl.DataFrame:
        """Everything seen; `at_ns` counts from `zero_monotonic_ns`. Columns as in `store/layout.py`."""
        schema = {"at_ns": pl.Int64} | {probe.name: pl.Int64 for probe in self._probes}
        return pl.DataFrame(self._rows, schema=schema).with_columns(pl.col("at_ns") - zero_monotonic_ns)

    def _run(self) -> None:
        begun = time.monotonic_ns()
        for look in range(1, 10**9):
            wait_s = (begun + look * NS_PER_S // RATE_PER_S - time.monotonic_ns()) / NS_PER_S
            if self._stop.wait(max(0.0, wait_s)):
                return
            self._look()

    def _look(self) -> None:
        now = time.monotonic_ns()
        if self._sut.pid is not None and (self._sut.cgroup is not None or now >= self._pids_until):
            self._pids = pids_of(self._sut)
            self._pids_until = now + TREE_EVERY_NS
        row: dict[str, int | None] = {"at_ns": time.monotonic_ns()}
        for probe in self._probes:
            row[probe.name] = probe.read(self._pids) if probe.read else None
        self._rows.append(row)


def rss_now(sut: RunningSut) -> int | None:
    """Memory of the process tree at this moment, in bytes; None if it cannot be known."""
    probe = next(each for each in probes_for(sut) if each.name == "rss_bytes")
    return probe.read(pids_of(sut)) if probe.read else None
