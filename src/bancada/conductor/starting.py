# SPDX-License-Identifier: Apache-2.0
"""From a prepared bench to a system under test that answers rightly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.conductor.bench import Bench
from bancada.conductor.serving import Served
from bancada.errors import NeverReadyError, SutError
from bancada.model.base import NS_PER_S
from bancada.model.handle import RunningSut
from bancada.model.service import PRODUCTS
from bancada.model.stack import StackByUrl
from bancada.model.study import ENGINE_FACTOR
from bancada.process.ports import free_port
from bancada.sut.ready import first_question, wait_ready
from bancada.sut.start import StartedSut, Surroundings, log_tail, started


@dataclass
class Standing:
    """A system under test that is up."""

    running: RunningSut
    startup_ns: int | None
    """From exec to the first correct answer; None for a service that we did not start."""
    ours: StartedSut | None
    around: Surroundings | None

    def still_runs(self) -> bool:
        """Whether it has not ended by itself, as far as we can know."""
        return self.ours is None or self.ours.still_runs()

    def log_tail(self) -> str:
        """The last of what it wrote."""
        return log_tail(self.around) if self.around else ""


class FailedToStart(Exception):  # noqa: N818 (it carries an error, and is never shown itself)
    """Carries the reason together with what the system under test had written."""

    def __init__(self, reason: SutError, tail: str) -> None:
        super().__init__(reason.what)
        self.reason = reason
        self.tail = tail


@contextmanager
def standing(bench: Bench, label: str, factors: Mapping[str, str], logs: Path, served: Served) -> Iterator[Standing]:
    """Bring a system under test up, and down again on leaving; a service by URL is only asked.

    It gets the addresses of the services that are `served`. Raises FailedToStart if it does not answer rightly in time.
    """
    sut = bench.sut(label)
    question = first_question(bench.scenario, bench.ready_path(label))
    timeout_ns = bench.study.timeouts.ready
    if isinstance(sut, StackByUrl):
        running = RunningSut(label=label, base_url=sut.url, pid=None)
        try:
            wait_ready(sut.url, question, timeout_ns=timeout_ns, still_runs=lambda: True)
        except NeverReadyError as error:
            raise FailedToStart(error, "") from error
        yield Standing(running, None, None, None)
        return
    around = Surroundings(
        tools=bench.tools,
        env={**bench.env, **_settings(factors), **served.env},
        port=free_port(bench.study.port),
        cpus=bench.pinning.sut_cpus if bench.pinning.pinned else (),
        grace_s=bench.study.timeouts.stop / NS_PER_S,
        stdout=logs / "stdout.log",
        stderr=logs / "stderr.log",
        # Services listen on this host's loopback addresses, which a bridge does not reach.
        network="host" if served.running else "bridge",
    )
    with started(sut, bench.built(label, factors), around) as ours:
        try:
            ready_at = wait_ready(ours.running.base_url, question, timeout_ns=timeout_ns, still_runs=ours.still_runs)
            running = ours.settle()
        except NeverReadyError as error:
            raise FailedToStart(error, log_tail(around)) from error
        startup_ns = ready_at - (running.started_monotonic_ns or ready_at)
        yield Standing(running, startup_ns, ours, around)


def _settings(factors: Mapping[str, str]) -> dict[str, str]:
    """The factors that are environment variables; the others choose services and the load engine."""
    return {name: value for name, value in factors.items() if name not in {*PRODUCTS, ENGINE_FACTOR}}
