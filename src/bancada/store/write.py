# SPDX-License-Identifier: Apache-2.0
"""Write a run's folder so that a kill at any instant loses at most the trial in progress."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from bancada.errors import RunError, StorageError
from bancada.model.run import RunManifest
from bancada.model.trial import TrialPlan, TrialRecord
from bancada.store import layout


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says about `path` into a StorageError that names it."""
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"cannot write results: {error.strerror or error}",
            where=str(error.filename or path),
            advice="free some space or name another folder with --results; finished trials are kept",
        ) from error


def write_text(path: Path, text: str) -> None:
    """Write a whole file or nothing: to a neighbour first, flushed to disk, then renamed."""
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        neighbour = path.with_name(f".{path.name}.new")
        with neighbour.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        neighbour.replace(path)


class RunWriter:
    """The only writer of one run's folder; holds its lock until `close`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with storage_errors(folder):
            (folder / layout.TRIALS).mkdir(parents=True, exist_ok=True)
            self._lock = (folder / layout.LOCK).open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            raise RunError(
                "this run is in progress in another process",
                where=str(folder),
                advice="wait for it to end, or end it with Ctrl-C",
            ) from error

    def close(self) -> None:
        """Let others write; the lock's file goes with it."""
        (self.folder / layout.LOCK).unlink(missing_ok=True)
        self._lock.close()

    def manifest(self, manifest: RunManifest) -> None:
        """Write `run.json`."""
        write_text(self.folder / layout.MANIFEST, manifest.model_dump_json(indent=1, by_alias=True) + "\n")

    def begin(self, plan: TrialPlan) -> Path:
        """An empty folder for a trial in progress; what a killed attempt left there is removed."""
        folder = self.folder / layout.TRIALS / layout.partial(plan.folder)
        with storage_errors(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        return folder

    def finish(self, record: TrialRecord, probes: pl.DataFrame | None) -> Path:
        """Complete a trial's folder and give it its final name; from then on the trial is never touched again."""
        trials = self.folder / layout.TRIALS
        partial = trials / layout.partial(record.plan.folder)
        final = trials / record.plan.folder
        with storage_errors(partial):
            if probes is not None:
                probes.write_parquet(partial / layout.PROBES)
            write_text(partial / layout.TRIAL, record.model_dump_json(indent=1) + "\n")
            partial.rename(final)
        return final

    def discard_partial(self) -> None:
        """Remove what trials in progress have left behind."""
        for partial in (self.folder / layout.TRIALS).glob(".*.partial"):
            shutil.rmtree(partial, ignore_errors=True)
