# SPDX-License-Identifier: Apache-2.0
"""The tables' figures are those of the findings."""

from __future__ import annotations

from bancada.model.findings import Estimate
from bancada.model.metric import ALL_METRICS, ENGINE_METRICS, METRICS
from bancada.model.quantities import THIN
from bancada.report.tables import (
    EstimateRow,
    condition,
    estimate_table,
    failures_by_condition,
    key_table,
    metric_tables,
)
from bancada.report.verdicts import SYMBOLS, counts, other_verdicts, verdict_table
from tests.report.conftest import Reported
from tests.report.reading import figures_in, shows


def rows_of(reported: Reported, metric: str, operation: str | None) -> list[tuple[Estimate, EstimateRow]]:
    """Each estimate beside its row."""
    table = estimate_table(reported.findings, metric, operation)
    rows = {(name, row.sut): row for name, rows in table.groups for row in rows}
    own = [each for each in reported.findings.estimates if (each.metric, each.operation) == (metric, operation)]
    assert len(own) == len(rows)
    return [(each, rows[condition(each.cell), each.cell.sut]) for each in own]


def test_every_estimate_stands_in_its_table(demo: Reported) -> None:
    """Every figure of every metric and operation equals the findings, rounded to what is shown."""
    for metric, operation in dict.fromkeys((each.metric, each.operation) for each in demo.findings.estimates):
        scale = ALL_METRICS[metric].scale
        for estimate, row in rows_of(demo, metric, operation):
            assert row.n == estimate.n
            for name in ("mean", "sd", "minimum", "q1", "median", "q3", "maximum"):
                value = getattr(estimate, name)
                assert value is not None
                assert shows(getattr(row, name), value * scale), (metric, name)
            assert estimate.low is not None
            assert estimate.high is not None
            low, high = row.interval[1:-1].split(", ")
            assert shows(low, estimate.low * scale)
            assert shows(high, estimate.high * scale)


def test_a_mean_keeps_at_least_two_digits_and_the_width_of_its_interval(demo: Reported) -> None:
    """Rounding never closes an interval that is open, nor takes a mean for 0."""
    for estimate in demo.findings.estimates:
        if estimate.low != estimate.high:
            row = next(row for each, row in rows_of(demo, estimate.metric, estimate.operation) if each is estimate)
            low, high = figures_in(row.interval)
            assert low < high, (estimate.metric, row)
        assert estimate.mean is not None


def test_a_group_of_metrics_has_a_table_for_each_and_for_each_operation(demo: Reported) -> None:
    """In the catalogue's order; only what is measured by operation has tables by operation."""
    tables = metric_tables(demo.findings, "response time")
    assert [each.whole.metric.name for each in tables] == [
        name for name, metric in METRICS.items() if metric.group == "response time"
    ]
    assert {table.operation for table in tables[0].operations} == {"sort 3", "sort 300"}
    assert metric_tables(demo.findings, "start-up")[0].operations == ()


def test_what_the_engine_took_has_tables_and_no_verdicts(demo: Reported) -> None:
    """It belongs to all figures, but judges no stack."""
    assert [each.whole.metric.name for each in metric_tables(demo.findings, "load engine")] == list(ENGINE_METRICS)
    assert not {table.metric.name for table in other_verdicts(demo.findings)} & set(ENGINE_METRICS)


def test_failed_requests_stand_under_their_load(demo: Reported) -> None:
    """Every count of the findings once, the cells of a load together, each cell's shares adding up to all of it."""
    groups = failures_by_condition(demo.findings)
    assert [name for name, _ in groups] == ["20 users", "500/s"]
    assert [each for _, own in groups for each in own] == list(demo.findings.failures)
    for _, own in groups:
        for sut in {each.cell.sut for each in own}:
            assert sum(each.share_of_failures for each in own if each.cell.sut == sut) == 1.0


def test_the_key_figures_open_with_the_study_s_own_metric(demo: Reported) -> None:
    """And each cell has one row under its load profile."""
    table = key_table(demo.findings)
    assert table.metrics[0].name == demo.findings.metric
    assert [name for name, _ in table.groups] == ["20 users", "500/s"]
    assert [len(rows) for _, rows in table.groups] == [4, 4]


def test_what_is_unknown_says_why(alone: Reported) -> None:
    """No probe: the resources have no figure but a reason, and no column among the key figures."""
    (_, row), *_ = rows_of(alone, "rss_peak_bytes", None)
    assert (row.n, row.mean, row.interval, row.sd) == (0, "unknown", "~", "~")
    assert row.unknown
    assert "rss_peak_bytes" not in {metric.name for metric in key_table(alone.findings).metrics}


def test_one_trial_has_a_mean_but_neither_interval_nor_deviation(alone: Reported) -> None:
    """A tilde stands for what one value cannot give."""
    (estimate, row), *_ = rows_of(alone, "latency_mean_ns", None)
    assert (estimate.n, row.interval, row.sd) == (1, "~", "~")
    assert figures_in(row.mean)


def test_every_comparison_stands_in_its_table(demo: Reported) -> None:
    """With the verdict's word and symbol, and every figure rounded to what is shown."""
    for metric in METRICS:
        table = verdict_table(demo.findings, metric)
        assert table is not None
        rows = [row for _, group in table.groups for row in group]
        for comparison, row in zip(_in_groups(demo, metric), rows, strict=True):
            assert (row.a, row.b) == (comparison.a.sut, comparison.b.sut)
            assert (row.verdict, row.symbol) == (comparison.verdict, SYMBOLS[comparison.verdict])
            if comparison.ratio is None:
                assert (row.ratio, row.interval, row.whisker) == ("~", "~", None)
                continue
            assert shows(row.ratio, comparison.ratio.point)
            assert comparison.ratio.low is not None
            assert comparison.ratio.high is not None
            low, high = row.interval[1:-1].split(", ")
            assert shows(low, comparison.ratio.low)
            assert shows(high, comparison.ratio.high)
            assert comparison.p_holm is not None
            assert row.p_holm == f"<{THIN}0.001" if comparison.p_holm < 0.001 else shows(row.p_holm, comparison.p_holm)
            assert comparison.cliffs_delta is not None
            assert shows(row.effect.lstrip("+"), comparison.cliffs_delta)
            assert row.n == "8"


def _in_groups(demo: Reported, metric: str) -> list:  # type: ignore[type-arg]
    own = [each for each in demo.findings.comparisons if each.metric == metric]
    names = dict.fromkeys(condition(each.b) for each in own)
    return [each for name in names for each in own if condition(each.b) == name]


def test_a_difference_is_put_in_words_only_where_there_is_evidence(demo: Reported) -> None:
    """An undecided comparison shows its interval, but does not say `lower`."""
    table = verdict_table(demo.findings, demo.findings.metric)
    assert table is not None
    for _, rows in table.groups:
        for row in rows:
            assert bool(row.change) == (row.verdict != "undecided")


def test_a_metric_with_zeros_is_judged_by_its_shift(demo: Reported) -> None:
    """There is no ratio of error shares where one system has no errors; the shift stands instead."""
    table = verdict_table(demo.findings, "error_share")
    assert table is not None
    worse = [row for _, rows in table.groups for row in rows if row.verdict == "worse"]
    assert worse
    for row in worse:
        assert row.ratio == "~"
        assert figures_in(row.shift)[0] > 0


def test_unequal_numbers_of_trials_are_both_told(failing: Reported) -> None:
    """First the first-named system's."""
    table = verdict_table(failing.findings, failing.findings.metric)
    assert table is not None
    row = next(row for _, rows in table.groups for row in rows if (row.b, row.a) == ("flaky:jar", "good:jar"))
    comparison = next(
        each
        for each in failing.findings.comparisons
        if each.decisive and (each.b.sut, each.a.sut) == ("flaky:jar", "good:jar")
    )
    assert row.n == f"{comparison.n_b} vs {comparison.n_a}"


def test_without_a_pair_there_is_no_table_of_verdicts(alone: Reported) -> None:
    """Nothing is compared with itself."""
    assert verdict_table(alone.findings, alone.findings.metric) is None
    assert other_verdicts(alone.findings) == ()


def test_verdicts_are_counted(demo: Reported) -> None:
    """All comparisons of the metric, by verdict."""
    table = verdict_table(demo.findings, demo.findings.metric)
    assert table is not None
    assert sum(counts(table.groups).values()) == 12
