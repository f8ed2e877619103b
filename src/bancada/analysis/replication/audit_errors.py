# SPDX-License-Identifier: Apache-2.0
"""Tables of failed requests against the tables that count the same requests together."""

from __future__ import annotations

from collections.abc import Iterator

from bancada.analysis.replication.names import table_named
from bancada.model.judgement import Slip
from bancada.model.paper import Paper


def miscounted(paper: Paper) -> Iterator[Slip]:
    """Kinds of failure that do not add up to the failed requests."""
    for table in paper.errors:
        failed, kinds = paper.value_of(table.requests), sum(error.count for error in table.error)
        if kinds != failed:
            yield Slip(
                table=table.table,
                row=table.of_row,
                check="errors-by-kind",
                printed=f"{kinds}",
                expected=f"{failed:g}",
                sentence=f"{table_named(table.table)}, {table.of_row}: the kinds of failure add up to {kinds}; "
                f"{table_named(table.of_table)} counts {failed:g} failed requests.",
            )
