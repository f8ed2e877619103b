# SPDX-License-Identifier: Apache-2.0
"""From a replication's folder to its judgements, shown and written; nothing is measured."""

from __future__ import annotations

from pathlib import Path

from bancada.analysis.findings import find
from bancada.analysis.replication.audit import slips_of
from bancada.analysis.replication.judge import judge
from bancada.analysis.replication.reanalysis import recomputed_of
from bancada.analysis.replication.tables import tables_of
from bancada.catalog.replications import ResolvedReplication
from bancada.console.claims import show_judgements
from bancada.model.run import ReplicationManifest
from bancada.report.page import write_report
from bancada.report.replication import Offline, write_replication
from bancada.store import layout
from bancada.store.read import Run, read_replication_manifest, read_run


def conclude(found: ResolvedReplication, folder: Path) -> Path:
    """Report on each part that the folder holds, judge the claims, show them, and write the page."""
    manifest = read_replication_manifest(folder)
    runs = stored_parts(folder, manifest)
    parts = {name: (run, find(run)) for name, run in runs.items()}
    for run, findings in parts.values():
        write_report(run, findings)
    skipped = {label: reason for run in runs.values() for label, reason in run.manifest.skipped.items()}
    judgements = judge(found.replication, found.paper, manifest.scale, runs, skipped | manifest.left_out)
    tables = tables_of(found.replication, found.paper, runs)
    show_judgements(judgements, tables)
    offline = Offline(recomputed=recomputed_of(found.paper), slips=slips_of(found.paper))
    return write_replication(folder, manifest, judgements, tables, offline, parts)


def stored_parts(folder: Path, manifest: ReplicationManifest) -> dict[str, Run]:
    """The runs of a replication's parts as far as they have come. Raises RunError if one is damaged."""
    return {part: read_run(folder / part) for part in manifest.parts if (folder / part / layout.MANIFEST).is_file()}
