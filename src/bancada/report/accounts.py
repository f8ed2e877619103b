# SPDX-License-Identifier: Apache-2.0
"""The account of side effects: what accepted requests left in the database, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.model.trial import SideEffectCount
from bancada.store.read import Run


@dataclass(frozen=True)
class AccountRow:
    """One table of the database under one cell, summed over its trials."""

    sut: str
    condition: str
    table: str
    trials: int
    accepted: int
    unanswered: int
    rows: int
    wrong: int
    """Trials in which the rows are not those of the accepted requests."""


def accounts(run: Run) -> tuple[AccountRow, ...]:
    """A row for each cell and table; none where the scenario leaves nothing behind."""
    counts: dict[tuple[str, str, str], list[SideEffectCount]] = {}
    for trial in run.trials:
        cell = trial.record.plan.cell
        under = " · ".join([cell.load, *(f"{name}={value}" for name, value in cell.factors.items())])
        for count in trial.record.side_effects:
            counts.setdefault((under, cell.sut, count.table), []).append(count)
    return tuple(
        AccountRow(
            sut=sut,
            condition=under,
            table=table,
            trials=len(found),
            accepted=sum(each.accepted for each in found),
            unanswered=sum(each.unanswered for each in found),
            rows=sum(each.rows for each in found),
            wrong=sum(not each.accounted for each in found),
        )
        for (under, sut, table), found in sorted(counts.items())
    )
