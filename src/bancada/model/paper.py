# SPDX-License-Identifier: Apache-2.0
"""A published study's tables and sentences as they were printed, its slips included: the content of `paper.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from bancada.model.base import Model

Column = Literal[
    "mean_ms",
    "min_ms",
    "median_ms",
    "p90_ms",
    "p95_ms",
    "p99_ms",
    "max_ms",
    "throughput_per_s",
    "received_kb_per_s",
    "sent_kb_per_s",
    "failed",
    "error_percent",
    "apdex",
]
Positive = Annotated[float, Field(gt=0)]
TableName = Annotated[str, Field(pattern=r"^([A-Z][a-z]+ )?[0-9]+$")]
"""A number (`3`), or a word and a number (`Figure 18`)."""


class Expectation(Model):
    """What a ratio of ÷ against, or a figure, is said to be; exactly one of the three."""

    below: Positive | None = None
    above: Positive | None = None
    between: tuple[Positive, Positive] | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Expectation:
        if sum(each is not None for each in (self.below, self.above, self.between)) != 1:
            raise ValueError("needs exactly one of below, above and between")
        if self.between is not None and not self.between[0] < self.between[1]:
            raise ValueError("needs the ends of between in order")
        return self

    @property
    def ends(self) -> tuple[float, float]:
        """Where the expected ratios begin and end; 0 and infinity stand for no end."""
        return self.between or (self.above or 0.0, self.below or float("inf"))

    @property
    def label(self) -> str:
        """How readers see it, as in `below 1`."""
        if self.between is not None:
            return f"between {self.between[0]:g} and {self.between[1]:g}"
        return f"below {self.below:g}" if self.below is not None else f"above {self.above:g}"

    def holds(self, ratio: float) -> bool | None:
        """Whether a ratio is on the expected side; None when it lies exactly on a boundary."""
        low, high = self.ends
        if ratio in (self.below, self.above, *(self.between or ())):
            return None
        return low <= ratio < high


class PrintedCell(Model):
    """Where a printed figure stands."""

    table: str
    """The table's number, as in `3`, or its name, as in `Figure 18`."""
    row: str
    machine: str | None = None
    """Where a table has rows of several machines."""
    column: Column = "mean_ms"
    """Not used for a table of start-up times, which has one figure a row."""


class PrintedPair(Model):
    """Two printed figures whose ratio of ÷ against is meant."""

    of: PrintedCell
    against: PrintedCell


class PrintedRow(Model):
    """A row of a table of response times."""

    row: str
    """The system under test, or the operation, or `total`."""
    requests: int
    mean_ms: float
    median_ms: float
    max_ms: float
    throughput_per_s: float
    received_kb_per_s: float
    sent_kb_per_s: float
    failed: int | None = None
    """Failed requests; None, as everything below, where the table does not say."""
    error_percent: Decimal | None = None
    min_ms: float | None = None
    p90_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    apdex: float | None = None

    def value(self, column: Column) -> float | None:
        """The figure in a column; None where it is not printed."""
        printed = getattr(self, column)
        return None if printed is None else float(printed)


class PrintedTable(Model):
    """A table of response times under one load on one machine."""

    table: TableName
    machine: str
    part: str
    """The replication's part and load that it belongs to."""
    load: str
    sut: str | None = None
    """The system under test, where the rows are its operations; None where the rows are systems under test."""
    users: int
    iterations: int
    requests_per_iteration: int
    """As the text says."""
    answers_grow: bool = False
    """Whether answers grow with what the load itself inserts, so that their size is not the same everywhere."""
    asks: str | None = None
    """What is asked, by a name that tables of several parts share; None: what the part asks."""
    row: Annotated[tuple[PrintedRow, ...], Field(min_length=1)]

    def sut_of(self, row: PrintedRow) -> str:
        """The system under test that a row is about."""
        return self.sut or row.row


class PrintedError(Model):
    """A row of a table of failed requests."""

    kind: str
    """As this project calls it (contracts/README.md), as in `connect-timeout`."""
    printed: str
    """As the paper has it."""
    count: int
    of_errors_percent: Decimal
    of_requests_percent: Decimal


class ErrorTable(Model):
    """The failed requests of one row by kind."""

    table: TableName
    of_table: str
    """The table of response times, and its row, that counts the same failed requests."""
    of_row: str
    error: Annotated[tuple[PrintedError, ...], Field(min_length=1)]

    @property
    def requests(self) -> PrintedCell:
        """Where all failed requests are counted together."""
        return PrintedCell(table=self.of_table, row=self.of_row, column="failed")


class PrintedStartup(Model):
    """A row of the table of start-up times."""

    row: str
    machine: str
    mean_s: Decimal
    half_width_s: Decimal
    n: int


class StartupTable(Model):
    """The table of start-up times."""

    table: TableName
    part: str
    load: str
    row: tuple[PrintedStartup, ...]


class PrintedGrowth(Model):
    """A mean of ratios with its half-width, and the printed figures that it comes from."""

    growth: str
    """Its name."""
    source: str
    machine: str
    pairs: tuple[PrintedPair, ...]
    ratios: tuple[Decimal, ...] = ()
    """Of the single pairs, where they are printed."""
    mean: Decimal
    half_width: Decimal


class PrintedOrder(Model):
    """A row of Table 22: how the work of sorting grows."""

    n: int
    n_log_n: Decimal
    n_squared: Decimal


class PrintedJump(Model):
    """A row of Table 23: the growth of that work from one size to another."""

    from_n: int
    to_n: int
    n_log_n: Decimal
    n_squared: Decimal


class Said(Model):
    """A ratio or a figure that a sentence of the paper tells, and what it says of it."""

    of: PrintedCell
    against: PrintedCell | None = None
    """None where the sentence is about the figure `of` itself, in the unit of its column."""
    expect: Expectation


class Statement(Model):
    """A sentence of the paper about its own tables."""

    statement: str
    """Its name."""
    source: str
    text: str
    """In our words."""
    says: Annotated[tuple[Said, ...], Field(min_length=1)]


class Paper(Model):
    """A published study's printed figures."""

    paper: str
    """Its name, as the replication's."""
    level: float = 0.95
    """Confidence level of its intervals."""
    percentiles_of_last: int | None = None
    """How many requests the percentiles of a row cover, the last ones, where it has more than that; None: all."""
    apdex_satisfied_ms: Positive = 500
    apdex_tolerated_ms: Positive = 1500
    table: tuple[PrintedTable, ...]
    errors: tuple[ErrorTable, ...] = ()
    startup: StartupTable | None = None
    growth: tuple[PrintedGrowth, ...] = ()
    order_table: str = ""
    """Number of the table that `order` is."""
    order: tuple[PrintedOrder, ...] = ()
    jump_table: str = ""
    """Number of the table that `jump` is."""
    jump: tuple[PrintedJump, ...] = ()
    statement: tuple[Statement, ...] = ()

    @model_validator(mode="after")
    def _cells_exist(self) -> Paper:
        missing = sorted({_told(cell) for cell in self._cells() if not self.has(cell)})
        if missing:
            raise ValueError(f"names cells that it does not have: {'; '.join(missing)}")
        return self

    @property
    def lines(self) -> tuple[tuple[PrintedTable, PrintedRow], ...]:
        """All rows of response times, each with its table."""
        return tuple((table, row) for table in self.table for row in table.row)

    def _cells(self) -> Iterator[PrintedCell]:
        for pair in (pair for each in self.growth for pair in each.pairs):
            yield from (pair.of, pair.against)
        for said in (said for statement in self.statement for said in statement.says):
            yield said.of
            if said.against is not None:
                yield said.against
        yield from (each.requests for each in self.errors)

    def _found(self, cell: PrintedCell) -> PrintedStartup | tuple[PrintedTable, PrintedRow] | None:
        for table in self.table:
            if table.table == cell.table and cell.machine in (None, table.machine):
                return next(((table, row) for row in table.row if row.row == cell.row), None)
        if self.startup is None or self.startup.table != cell.table:
            return None
        rows = [row for row in self.startup.row if row.row == cell.row and cell.machine in (None, row.machine)]
        return rows[0] if len(rows) == 1 else None

    def _at(self, cell: PrintedCell) -> PrintedStartup | tuple[PrintedTable, PrintedRow]:
        found = self._found(cell)
        if found is None:
            raise KeyError(_told(cell))
        return found

    def has(self, cell: PrintedCell) -> bool:
        """Whether exactly one printed figure stands there."""
        found = self._found(cell)
        return found is not None and (isinstance(found, PrintedStartup) or found[1].value(cell.column) is not None)

    def row_of(self, cell: PrintedCell) -> tuple[PrintedTable, PrintedRow]:
        """The row of response times that a figure stands in, and its table. Raises KeyError if there is none."""
        found = self._at(cell)
        if isinstance(found, PrintedStartup):
            raise KeyError(_told(cell))
        return found

    def startup_of(self, cell: PrintedCell) -> PrintedStartup | None:
        """The start-up time that stands there, or None for a cell of another table."""
        found = self._found(cell)
        return found if isinstance(found, PrintedStartup) else None

    def value_of(self, cell: PrintedCell) -> float:
        """The printed figure in the unit of its column. Raises KeyError if there is none."""
        found = self._at(cell)
        value = float(found.mean_s) if isinstance(found, PrintedStartup) else found[1].value(cell.column)
        if value is None:
            raise KeyError(_told(cell))
        return value

    def machine_of(self, cell: PrintedCell) -> str:
        """The machine that the figure was measured on. Raises KeyError if there is no such figure."""
        found = self._at(cell)
        return found.machine if isinstance(found, PrintedStartup) else found[0].machine

    def sut_of(self, cell: PrintedCell) -> str:
        """The system under test that the figure is about. Raises KeyError if there is no such figure."""
        found = self._at(cell)
        return found.row if isinstance(found, PrintedStartup) else found[0].sut_of(found[1])


def _told(cell: PrintedCell) -> str:
    return f"table {cell.table}, row {cell.row}"
