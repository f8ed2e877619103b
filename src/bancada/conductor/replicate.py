# SPDX-License-Identifier: Apache-2.0
"""A published study run again: everything is built first, then each part is a run of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.catalog.replications import ResolvedReplication
from bancada.catalog.studies import Instead
from bancada.conductor.bench import Bench, Notify
from bancada.conductor.prepare import prepare
from bancada.conductor.run import check_resumable, conduct, new_manifest
from bancada.errors import NoResultError
from bancada.model.events import Remarked
from bancada.model.run import ReplicationManifest
from bancada.store import layout
from bancada.store.read import Run, read_run
from bancada.store.write import write_text


@dataclass(frozen=True)
class Asked:
    """A replication as it is wanted: in these parts, at this scale, with this in place of what its file says."""

    replication: ResolvedReplication
    manifest: ReplicationManifest
    instead: Instead
    """Stacks stay as they are: the claims are about them."""


def conduct_parts(asked: Asked, folder: Path, notify: Notify) -> None:
    """Build what all parts need, then carry them out; parts that `folder` holds already are gone on with.

    A part of which nothing can run on this host is left out, with the reason in `replication.json`.
    """
    benches = dict(_benches(asked, notify))
    if not any(isinstance(bench, Bench) for bench in benches.values()):
        raise NoResultError("no part of the replication can run on this host: " + "; ".join(map(str, benches.values())))
    left_out = {part: reason for part, reason in benches.items() if isinstance(reason, str)}
    manifest = asked.manifest.model_copy(update={"left_out": left_out})
    write_text(folder / layout.REPLICATION, manifest.model_dump_json(indent=1) + "\n")
    for part, bench in benches.items():
        if isinstance(bench, Bench):
            notify(Remarked(text=f"part {part}: {bench.study.question}"))
            _conduct(bench, folder / part, asked.manifest.command)


def _benches(asked: Asked, notify: Notify) -> Iterator[tuple[str, Bench | str]]:
    for part in asked.manifest.parts:
        try:
            yield part, prepare(asked.replication.part(part, asked.manifest.scale, asked.instead), notify)
        except NoResultError as error:
            yield part, error.what


def _conduct(bench: Bench, folder: Path, command: Sequence[str]) -> Run:
    if not (folder / layout.MANIFEST).is_file():
        return conduct(bench, new_manifest(bench, command), folder)
    earlier = read_run(folder)
    check_resumable(bench, earlier)
    return conduct(bench, earlier.manifest, folder)
