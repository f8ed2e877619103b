# SPDX-License-Identifier: Apache-2.0
"""Statistics: numbers in, numbers out; nothing here knows what a stack or a trial is.

    one sample        describe, quantile, quantiles_of_sorted   mean with its interval, spread, quantiles
                      tukey_fences                              which values are far (never removed)
    two samples       ratio_interval                            how many times as much is b as a
                      rank_sum, signed_rank                     could chance explain the difference?
                      hodges_lehmann, hodges_lehmann_paired     by how much is b shifted
                      cliffs_delta                              how often is b above a
    a study           choose_test                               which test, decided before the data
                      holm                                      p-values adjusted for their family
                      verdict                                   better, worse, equivalent, undecided
    planning          trials_for_half_width, blocks_for_test    how many trials an answer needs
                      smallest_p_rank_sum, smallest_p_signed_rank
    inside a trial    drift                                     is the window steady?
                      apdex                                     share of satisfied users
                      littles_law, mean_concurrency             do the figures fit together?

Direction: b is judged against a, so ratios are b / a and shifts b - a. Only the statistics of the two rank tests are
R's and SciPy's, large when a is large. Every function refuses NaN with ValueError; what a sample is too small to tell
is None. A sample is one number per trial: requests of one trial are never the sample of a test or an interval.
"""

from bancada.stats.apdex import apdex
from bancada.stats.choose import ChosenTest, choose_test
from bancada.stats.describe import Description, describe, quantile, quantiles_of_sorted
from bancada.stats.effects import Effect, Magnitude, cliffs_delta, hodges_lehmann, hodges_lehmann_paired
from bancada.stats.interval import Interval
from bancada.stats.multiple import holm
from bancada.stats.outliers import Fences, tukey_fences
from bancada.stats.queueing import littles_law, mean_concurrency
from bancada.stats.ranks import (
    RankTest,
    SignedRankTest,
    rank_sum,
    signed_rank,
    smallest_p_rank_sum,
    smallest_p_signed_rank,
)
from bancada.stats.ratio import ratio_interval
from bancada.stats.sample_size import BlocksForTest, blocks_for_test, trials_for_half_width
from bancada.stats.steady import Drift, drift
from bancada.stats.verdict import Verdict, verdict

__all__ = [
    "BlocksForTest",
    "ChosenTest",
    "Description",
    "Drift",
    "Effect",
    "Fences",
    "Interval",
    "Magnitude",
    "RankTest",
    "SignedRankTest",
    "Verdict",
    "apdex",
    "blocks_for_test",
    "choose_test",
    "cliffs_delta",
    "describe",
    "drift",
    "hodges_lehmann",
    "hodges_lehmann_paired",
    "holm",
    "littles_law",
    "mean_concurrency",
    "quantile",
    "quantiles_of_sorted",
    "rank_sum",
    "ratio_interval",
    "signed_rank",
    "smallest_p_rank_sum",
    "smallest_p_signed_rank",
    "trials_for_half_width",
    "tukey_fences",
    "verdict",
]
