# SPDX-License-Identifier: Apache-2.0
"""Read a run's folder back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import polars as pl
from pydantic import BaseModel, ValidationError

from bancada.errors import NotFoundError, RunError
from bancada.model.run import ReplicationManifest, RunManifest
from bancada.model.trial import TrialRecord
from bancada.store import layout

AnyModel = TypeVar("AnyModel", bound=BaseModel)


@dataclass(frozen=True)
class StoredTrial:
    """One finished trial and where its files are."""

    record: TrialRecord
    folder: Path

    def samples(self) -> pl.DataFrame | None:
        """Single requests of the measured load (columns in `contracts/README.md`), or None if it was not reached."""
        return self._table(layout.SAMPLES) if self.record.load else None

    def probes(self) -> pl.DataFrame | None:
        """The probes' series (columns in `store/layout.py`), or None if there is none."""
        return self._table(layout.PROBES) if (self.folder / layout.PROBES).exists() else None

    def _table(self, name: str) -> pl.DataFrame:
        try:
            return pl.read_parquet(self.folder / name)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise _damaged(self.folder / name, str(error).splitlines()[0]) from error


@dataclass(frozen=True)
class Run:
    """A run as it stands on disk: its manifest and the trials finished so far, in their order."""

    folder: Path
    manifest: RunManifest
    trials: tuple[StoredTrial, ...]

    @property
    def complete(self) -> bool:
        """Whether every planned trial is there."""
        return len(self.trials) == len(self.manifest.order)


def read_run(folder: Path) -> Run:
    """Read a run. Raises NotFoundError if there is none at `folder`, RunError if it is damaged or too new."""
    if not (folder / layout.MANIFEST).is_file():
        raise NotFoundError(
            "there is no run here", where=str(folder), advice="`bancada list runs` shows the runs that there are"
        )
    manifest = _read(folder / layout.MANIFEST, RunManifest)
    trials = []
    for plan in manifest.order:
        place = folder / layout.TRIALS / plan.folder
        if place.is_dir():
            trials.append(StoredTrial(_read(place / layout.TRIAL, TrialRecord), place))
    return Run(folder, manifest, tuple(trials))


def read_replication_manifest(folder: Path) -> ReplicationManifest:
    """What `folder` is a replication of. Raises NotFoundError if it is none, RunError if it is damaged."""
    path = folder / layout.REPLICATION
    if not path.is_file():
        raise NotFoundError("there is no replication here", where=str(folder))
    return _read(path, ReplicationManifest)


def _read(path: Path, model: type[AnyModel]) -> AnyModel:
    try:
        return model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError, ValueError) as error:
        raise _damaged(path, str(error).splitlines()[0]) from error


def _damaged(path: Path, why: str) -> RunError:
    return RunError(
        f"a results file is damaged or from another version: {why}",
        where=str(path),
        advice="remove the trial's folder and go on with `bancada run --resume`, or use the version that wrote it",
    )
