# SPDX-License-Identifier: Apache-2.0
"""Read a replication and its paper, and resolve every name that its parts use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bancada.catalog.places import home
from bancada.catalog.studies import Instead, ResolvedStudy, is_replication, resolve
from bancada.catalog.toml import nearest, read_toml
from bancada.errors import InputError, NotFoundError
from bancada.model.paper import Paper, PrintedCell
from bancada.model.replication import Replication, Scale

AS_WRITTEN = Instead()


@dataclass(frozen=True)
class ResolvedReplication:
    """A replication with its paper's figures, and where it was read from."""

    replication: Replication
    paper: Paper
    path: Path

    def part(self, name: str, scale: Scale, instead: Instead = AS_WRITTEN) -> ResolvedStudy:
        """A part as a study with the things that its names stand for; `instead` takes the place of what the file says.

        Raises NotFoundError for an unknown part, InputError for whatever is wrong with what the part names.
        """
        known = [part.part for part in self.replication.part]
        if name not in known:
            raise NotFoundError(
                f'{self.replication.replication} has no part "{name}"{nearest(name, known)}',
                where=str(self.path),
                advice=f"known: {', '.join(known)}",
            )
        return resolve(instead.on(self.replication.study(name, scale)), self.path)


def replication_files() -> list[Path]:
    """The shipped replications."""
    return [path for path in sorted((home() / "studies").glob("*.toml")) if is_replication(path)]


def all_replications() -> list[Replication]:
    """Every shipped replication, by name."""
    return [read_toml(path, Replication) for path in replication_files()]


def read_replication(given: str) -> ResolvedReplication:
    """The replication that a name or a path stands for, with its paper.

    Raises NotFoundError if there is none, InputError (with file, line and key) for whatever is wrong in its files.
    """
    path = _path(given)
    replication = read_toml(path, Replication)
    paper_path = path.parent / replication.paper
    paper = read_toml(paper_path, Paper)
    mistakes = _mistakes(replication, paper)
    if mistakes:
        raise InputError("\n".join(mistakes), where=str(path), advice=f"the paper's figures are in {paper_path}")
    return ResolvedReplication(replication, paper, path)


def _path(given: str) -> Path:
    places = [Path(given).expanduser(), home() / "studies" / f"{given}.toml"]
    for place in places:
        if place.is_file():
            return place.resolve()
    known = [path.stem for path in replication_files()]
    raise NotFoundError(
        f'there is no replication "{given}"{nearest(given, known)}',
        where="searched " + ", ".join(map(str, places)),
        advice=f"known: {', '.join(known) or 'none'}; or give the path of a replication file",
    )


def _mistakes(replication: Replication, paper: Paper) -> list[str]:
    """What claims name that the paper does not have."""
    found = []
    if paper.paper != replication.replication:
        found.append(f'the paper is that of "{paper.paper}", not of "{replication.replication}"')
    growths = {growth.growth for growth in paper.growth}
    for claim in replication.claim:
        found += [
            f'claim {claim.claim} names the unknown growth "{name}"' for name in claim.growth if name not in growths
        ]
        cells = [cell for pair in claim.published for cell in (pair.of, pair.against)]
        missing = [cell for cell in cells if not paper.has(cell)]
        found += [f"claim {claim.claim} names {_place(cell)}, which the paper does not have" for cell in missing]
        if not missing:
            found += _mixed(claim.claim, [paper.machine_of(cell) for cell in cells], 2 * len(claim.pairs))
    return found


def _mixed(claim: str, machines: list[str], size: int) -> list[str]:
    """Complaints about published ratios that mix machines."""
    groups = [machines[start : start + size] for start in range(0, len(machines), size)]
    return [
        f"claim {claim} mixes figures of {' and '.join(sorted(set(group)))}" for group in groups if len(set(group)) > 1
    ]


def _place(cell: PrintedCell) -> str:
    machine = f" ({cell.machine})" if cell.machine else ""
    return f"table {cell.table}, row {cell.row}{machine}"
