# SPDX-License-Identifier: Apache-2.0
"""A run's samples as JMeter's result files, for JMeter's dashboard and everything else that reads them."""

from __future__ import annotations

from pathlib import Path

from bancada.analysis.jmeter_view import in_jmeters_order
from bancada.jmeter.jtl import write_jtl
from bancada.jmeter.samples import jtl_of
from bancada.model.operation import UNKNOWN_PATH
from bancada.model.run import RunManifest
from bancada.model.stack import StackByFile, StackByUrl
from bancada.store.read import Run, StoredTrial
from bancada.store.write import storage_errors


def write_jtl_files(run: Run, folder: Path) -> tuple[Path, ...]:
    """Write a JTL for each trial whose load was reached, named as the trial's folder, and return their paths.

    Raises RunError if the samples of a trial are damaged, StorageError if nothing can be written.
    """
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        return tuple(path for trial in run.trials if (path := _write(run.manifest, trial, folder)))


def _write(manifest: RunManifest, trial: StoredTrial, folder: Path) -> Path | None:
    samples, load = trial.samples(), trial.record.load
    if samples is None or load is None:
        return None
    jtl = jtl_of(
        samples,
        started_unix_ns=load.started_unix_ns,
        urls=_urls(manifest, trial.record.plan.cell.sut),
        ordered=in_jmeters_order(trial),
    )
    path = folder / f"{trial.record.plan.folder}.jtl"
    write_jtl(jtl, path)
    return path


def _urls(manifest: RunManifest, label: str) -> dict[str, str]:
    """The URL of each operation as far as it is known, with its templates."""
    target, operations = _target(manifest, label), manifest.scenario.operation
    return {each.name: "" if each.path == UNKNOWN_PATH else target + each.path for each in operations}


def _target(manifest: RunManifest, label: str) -> str:
    """`http://host:port` of a system under test as far as it is recorded; else nothing, so that a URL is a path."""
    sut = next(each for each in manifest.suts if each.label == label)
    if isinstance(sut, StackByUrl):
        return sut.url
    if isinstance(sut, StackByFile):
        return sut.address or ""
    return f"http://127.0.0.1:{manifest.study.port}" if manifest.study.port else ""
