# SPDX-License-Identifier: Apache-2.0
"""Where runs are kept, and which one is meant."""

from __future__ import annotations

from pathlib import Path

from bancada.errors import NotFoundError
from bancada.store import layout
from bancada.store.read import read_replication_manifest, read_run

RESULTS = Path("results")


def runs_in(results: Path) -> list[Path]:
    """Every run's folder, the latest last."""
    found = [path.parent for depth in ("*", "*/*") for path in results.glob(f"{depth}/{layout.MANIFEST}")]
    return sorted(found, key=lambda folder: (folder / layout.MANIFEST).stat().st_mtime_ns)


def find_run(given: str | None, results: Path) -> Path:
    """The run's folder that `given` names (a path, or a name in `results`), or the latest one."""
    if given is None:
        runs = runs_in(results)
        if not runs:
            raise NotFoundError(
                "there is no run yet", where=str(results.resolve()), advice="start with `bancada run quickstart`"
            )
        return runs[-1]
    for place in (Path(given), results / given):
        if (place / layout.MANIFEST).is_file() or (place / layout.REPLICATION).is_file():
            return place
    raise NotFoundError(
        f'there is no run "{given}"',
        where=f"searched {Path(given)}, {results / given}",
        advice="`bancada list runs` shows the runs that there are",
    )


def latest_unfinished(given: str | None, results: Path) -> Path:
    """The run to go on with: the folder `given`, or the latest unfinished run, of the study `given` if one is named."""
    if given is not None and ((Path(given) / layout.MANIFEST).is_file() or (results / given).is_dir()):
        return find_run(given, results)
    for folder in reversed(runs_in(results)):
        run = read_run(folder)
        if not run.complete and given in (None, run.manifest.study.study):
            return folder
    raise NotFoundError(
        "there is no unfinished run" + (f" of {given}" if given else ""),
        where=str(results.resolve()),
        advice="name its folder, or start anew without --resume",
    )


def replications_in(results: Path) -> list[Path]:
    """Every replication's folder, the latest last."""
    found = [path.parent for path in results.glob(f"*/{layout.REPLICATION}")]
    return sorted(found, key=lambda folder: read_replication_manifest(folder).started_unix_ns)


def latest_unfinished_replication(name: str, results: Path) -> Path:
    """The latest replication of that name of which trials are missing. Raises NotFoundError if there is none."""
    for folder in reversed(replications_in(results)):
        manifest = read_replication_manifest(folder)
        runs = [folder / part for part in manifest.parts if part not in manifest.left_out]
        whole = all((run / layout.MANIFEST).is_file() and read_run(run).complete for run in runs)
        if manifest.replication == name and not whole:
            return folder
    raise NotFoundError(
        f"there is no unfinished replication of {name}",
        where=str(results.resolve()),
        advice="start it anew without --resume",
    )
