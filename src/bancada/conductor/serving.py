# SPDX-License-Identifier: Apache-2.0
"""The services behind a trial: fresh and empty before it, counted after its load, blamed if they fail."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from bancada.catalog.places import cache
from bancada.conductor.bench import Bench
from bancada.errors import AddressError, ServiceError, StorageError, UnaccountedError
from bancada.model.scenario import Scenario
from bancada.model.service import product_of
from bancada.model.trial import SideEffectCount
from bancada.model.upstream import UpstreamRecord
from bancada.services.service import RunningDatabase, RunningService
from bancada.services.upstream import RunningUpstream


class ServiceFailed(Exception):  # noqa: N818 (it carries an error, and is never shown itself)
    """Carries why a service failed in a trial, together with what it had written."""

    def __init__(self, reason: ServiceError | StorageError | AddressError, tail: str) -> None:
        super().__init__(reason.what)
        self.reason = reason
        self.tail = tail


@dataclass
class Served:
    """The running services of one trial; none where the scenario needs none."""

    scenario: Scenario
    running: dict[str, RunningService] = field(default_factory=dict)
    """By kind."""
    products: dict[str, str] = field(default_factory=dict)
    """What stands behind each kind."""

    @property
    def env(self) -> dict[str, str]:
        """Their addresses, as the system under test gets them."""
        return {name: value for service in self.running.values() for name, value in service.env.items()}

    @property
    def database(self) -> RunningDatabase | None:
        """The database, if there is one."""
        return next((each for each in self.running.values() if isinstance(each, RunningDatabase)), None)

    @property
    def upstream(self) -> UpstreamRecord | None:
        """What the central service told at its end."""
        records = (each.record for each in self.running.values() if isinstance(each, RunningUpstream))
        return next(records, None)

    def still_run(self) -> bool:
        """Whether none has ended by itself."""
        return all(service.still_runs() for service in self.running.values())

    def check(self, when: str) -> None:
        """Raise ServiceFailed if one has ended by itself; `when` says what was going on."""
        for kind, service in self.running.items():
            if not service.still_runs():
                how = service.ended() or "its exit code is not known"
                reason = ServiceError(f"{self.products[kind]} ended by itself ({how}) {when}")
                raise ServiceFailed(reason, service.log_tail())

    def empty(self) -> None:
        """Remove all rows, so that what follows starts as from nothing. Raises ServiceFailed."""
        database = self.database
        if database is not None:
            with self._blamed():
                database.empty(list(dict.fromkeys(effect.table for effect in self.scenario.side_effect)))

    def account(self, samples: Path) -> tuple[SideEffectCount, ...]:
        """Hold the rows of each table against the accepted requests in `samples`. Raises ServiceFailed."""
        database = self.database
        if database is None or not self.scenario.side_effect:
            return ()
        asked = pl.read_parquet(samples, columns=["operation", "failure", "status"])
        with self._blamed():
            return tuple(
                _counted(effect.operation, effect.table, asked, database.count(effect.table))
                for effect in self.scenario.side_effect
            )

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        try:
            yield
        except (ServiceError, StorageError) as error:
            self.check("while it was asked")
            raise ServiceFailed(error, "") from error


def _counted(operation: str, table: str, asked: pl.DataFrame, rows: int) -> SideEffectCount:
    of_it = asked.filter(pl.col("operation").cast(pl.String) == operation)
    return SideEffectCount(
        operation=operation,
        table=table,
        accepted=of_it["failure"].null_count(),
        # Without a status there was no answer.
        unanswered=len(of_it.filter(pl.col("failure").is_not_null() & pl.col("status").is_null())),
        rows=rows,
    )


def unaccounted(counts: tuple[SideEffectCount, ...]) -> UnaccountedError | None:
    """The error that says which tables do not hold what the accepted requests should have left there, or None."""
    wrong = [
        f"{count.table} holds {count.rows} rows after {count.accepted} accepted requests of {count.operation}"
        + (f" and {count.unanswered} without an answer" if count.unanswered else "")
        for count in counts
        if not count.accounted
    ]
    return UnaccountedError("; ".join(wrong)) if wrong else None


@contextmanager
def serving(bench: Bench, factors: Mapping[str, str], logs: Path) -> Iterator[Served]:
    """Bring the scenario's services up, fresh and with empty tables, and down again on leaving.

    Raises ServiceFailed.
    """
    served = Served(bench.scenario)
    with ExitStack() as stack:
        for kind in bench.scenario.services:
            offer = bench.offer(kind, factors)
            folder = stack.enter_context(_data_folder(logs))
            try:
                service = stack.enter_context(offer.up(folder, cpus=bench.service_cpus(kind)))
                served.running[kind], served.products[kind] = service, offer.facts.product
                schema = bench.scenario.sql_schema.get(product_of(offer.facts.product))
                if schema is not None and isinstance(service, RunningDatabase):
                    service.apply(Path(schema))
            except (ServiceError, StorageError, AddressError) as error:
                tail = served.running[kind].log_tail() if kind in served.running else ""
                raise ServiceFailed(error, tail) from error
        yield served


@contextmanager
def _data_folder(logs: Path) -> Iterator[Path]:
    """A folder for a service's data, away from the results; its log is kept with the trial.

    BANCADA_DATA names the disk on which services work; else it is the one of the project's cache.
    """
    named = os.environ.get("BANCADA_DATA")
    place = Path(named) if named else cache() / "data"
    try:
        place.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="service-", dir=place))
    except OSError as error:
        reason = StorageError(
            f"cannot make a folder for a service's data: {error.strerror}",
            where=str(place),
            advice="free some space, or name another folder by the environment variable BANCADA_DATA",
        )
        raise ServiceFailed(reason, "") from error
    try:
        yield folder
    finally:
        log = folder / "service.log"
        if log.is_file():
            shutil.copyfile(log, logs / "service.log")
        shutil.rmtree(folder, ignore_errors=True)
