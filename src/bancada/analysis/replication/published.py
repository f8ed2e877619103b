# SPDX-License-Identifier: Apache-2.0
"""The ratios that a published study gives for a claim: as it prints them, and by this project's method."""

from __future__ import annotations

from collections.abc import Iterator

from bancada.analysis.replication.names import tables_named
from bancada.model.findings import Bounds
from bancada.model.judgement import PublishedRatio
from bancada.model.paper import Paper, PrintedPair
from bancada.model.replication import Claim
from bancada.stats.contrast import Contrast, Summary, contrast_of_summaries, log_contrast


def as_printed(claim: Claim, paper: Paper) -> tuple[PublishedRatio, ...]:
    """The paper's own mean ± half-width where it prints one for the claim, else the ratios of its printed figures.

    A ratio of single figures has no interval: the study measured each of them once. Several pairs without a printed
    mean give the geometric mean of their ratios.
    """
    growths = [growth for growth in paper.growth if growth.growth in claim.growth]
    if growths:
        return tuple(
            PublishedRatio(
                machine=growth.machine,
                tables=_tables(growth.pairs),
                ratio=Bounds(
                    point=float(growth.mean),
                    low=float(growth.mean - growth.half_width),
                    high=float(growth.mean + growth.half_width),
                ),
            )
            for growth in growths
        )
    return tuple(
        PublishedRatio(
            machine=paper.machine_of(pairs[0].of),
            tables=_tables(pairs),
            ratio=Bounds(point=_of_pairs(pairs, paper).point, low=None, high=None),
        )
        for pairs in _experiments(claim)
    )


def by_our_method(claim: Claim, paper: Paper) -> tuple[PublishedRatio, ...]:
    """The ratios of the printed figures with the intervals that the figures bear.

    Start-up times are printed with their intervals, from which that of the ratio follows by the delta method. Several
    pairs give Student's interval of the mean log ratio over them: how much technologies differ, as the study's own
    intervals tell it, not how much runs do. A single pair of single runs bears none.
    """
    return tuple(
        PublishedRatio(machine=paper.machine_of(pairs[0].of), tables=_tables(pairs), ratio=_bounds(found))
        for pairs in _experiments(claim)
        for found in [_of_summaries(pairs, paper) or _of_pairs(pairs, paper)]
    )


def _experiments(claim: Claim) -> Iterator[tuple[PrintedPair, ...]]:
    """As many published pairs as the claim has pairs, one experiment after the other."""
    size = len(claim.pairs)
    for start in range(0, len(claim.published), size):
        yield claim.published[start : start + size]


def _of_pairs(pairs: tuple[PrintedPair, ...], paper: Paper) -> Contrast:
    of = [paper.value_of(pair.of) for pair in pairs]
    against = [paper.value_of(pair.against) for pair in pairs]
    return log_contrast([(of, against)], paper.level, paired=True)


def _of_summaries(pairs: tuple[PrintedPair, ...], paper: Paper) -> Contrast | None:
    """The ratio of two start-up times; None for anything else."""
    of, against = paper.startup_of(pairs[0].of), paper.startup_of(pairs[0].against)
    if of is None or against is None or len(pairs) > 1:
        return None
    first, second = (Summary(float(each.mean_s), float(each.half_width_s), each.n) for each in (of, against))
    return contrast_of_summaries(first, second, paper.level)


def _tables(pairs: tuple[PrintedPair, ...]) -> str:
    return tables_named(cell.table for pair in pairs for cell in (pair.of, pair.against))


def _bounds(contrast: Contrast) -> Bounds:
    return Bounds(point=contrast.point, low=contrast.low, high=contrast.high)
