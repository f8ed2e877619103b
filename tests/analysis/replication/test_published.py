# SPDX-License-Identifier: Apache-2.0
"""The published ratios of the shipped claims, as printed and by our method."""

from __future__ import annotations

import math

import pytest

from bancada.analysis.replication.published import as_printed, by_our_method
from bancada.catalog.replications import read_replication
from bancada.model.replication import Claim
from tests.analysis.replication.conftest import FASTER, JAR, NATIVE, claim, paper_of, row, table

ALMEIDA = read_replication("almeida-2020")
CLAIMS = {each.claim: each for each in ALMEIDA.replication.claim}


def test_a_single_pair_has_a_ratio_for_each_machine_and_no_interval() -> None:
    """431.43 ÷ 586.00 and 666.38 ÷ 807.53: each was measured once, so nobody can tell how much it varies."""
    mac, acer = as_printed(CLAIMS["quarkus-native-entities-100"], ALMEIDA.paper)
    assert (mac.machine, mac.tables, acer.machine, acer.tables) == ("Mac Mini", "Table 3", "Acer", "Table 10")
    assert (mac.ratio.point, acer.ratio.point) == pytest.approx((431.43 / 586.00, 666.38 / 807.53))
    assert mac.ratio.low is None
    assert by_our_method(CLAIMS["quarkus-native-entities-100"], ALMEIDA.paper) == (mac, acer)


def test_start_up_times_have_the_interval_of_their_ratio() -> None:
    """0.301 ± 0.02 s against 7.39 ± 0.16 s on the Mac Mini; ends as in tests/stats/test_contrast.py."""
    mac, acer = by_our_method(CLAIMS["quarkus-native-starts-faster"], ALMEIDA.paper)
    assert (mac.ratio.point, mac.ratio.low, mac.ratio.high) == pytest.approx((0.040731, 0.038050, 0.043600), rel=1e-3)
    assert acer.ratio.point == pytest.approx(16.97 / 20.75)
    assert acer.ratio.high is not None
    assert acer.ratio.high < 1


def test_a_printed_mean_is_given_as_it_is_printed_and_beside_it_ours() -> None:
    """25.43 ± 3.84 on the Mac Mini; ours is the geometric mean of the four ratios, with three degrees of freedom."""
    printed, _ = as_printed(CLAIMS["users-growth"], ALMEIDA.paper)
    assert (printed.ratio.point, printed.ratio.low, printed.ratio.high) == (25.43, 21.59, 29.27)

    ours, acer = by_our_method(CLAIMS["users-growth"], ALMEIDA.paper)
    ratios = (12615.58 / 492.46, 10976.35 / 413.16, 12901.63 / 586.00, 11877.59 / 431.43)
    logs = [math.log(ratio) for ratio in ratios]
    mean = sum(logs) / 4
    half_width = 3.182446 * math.sqrt(sum((log - mean) ** 2 for log in logs) / 3 / 4)
    assert (ours.tables, acer.tables) == ("Tables 3 and 4", "Tables 10 and 11")
    assert ours.ratio.low is not None
    assert ours.ratio.high is not None
    assert (ours.ratio.point, ours.ratio.low, ours.ratio.high) == pytest.approx(
        (math.exp(mean), math.exp(mean - half_width), math.exp(mean + half_width)), rel=1e-5
    )


def test_the_growth_with_the_arrays_comes_from_four_tables_for_each_machine() -> None:
    """Their numbers in order, as a reader would look them up."""
    tables = [each.tables for each in by_our_method(CLAIMS["integers-3-to-300"], ALMEIDA.paper)]
    assert tables == ["Tables 5, 6, 7 and 8", "Tables 12, 13, 14 and 15"]


@pytest.mark.parametrize("name", [name for name, each in CLAIMS.items() if not each.added])
def test_every_claim_of_the_paper_has_published_figures(name: str) -> None:
    """And a claim that is ours has none."""
    found = as_printed(CLAIMS[name], ALMEIDA.paper)
    assert found
    assert all(each.ratio.point > 0 for each in found)


def test_claims_that_were_added_have_no_published_figures() -> None:
    """The AOT cache did not exist in 2020."""
    added = [each for each in CLAIMS.values() if each.added]
    assert {each.claim for each in added} == {"quarkus-aot-starts-faster", "spring-aot-starts-faster"}
    assert all(as_printed(each, ALMEIDA.paper) == () for each in added)


def test_where_the_papers_own_figures_are_not_on_the_claimed_side_is_known() -> None:
    """Its conclusions are about almost all scenarios; these are the figures against them, as printed."""
    against = {
        (name, each.tables)
        for name, claimed in CLAIMS.items()
        for each in as_printed(claimed, ALMEIDA.paper)
        if not claimed.expect.holds(each.ratio.point)
    }
    assert against == {
        ("spring-native-entities-100", "Table 3"),  # 0.839: faster with the jar's own machine
        ("spring-native-entities-1000", "Table 4"),  # 0.870
        ("spring-native-sort-100", "Table 18"),  # 0.736
        ("users-growth-more-than-proportional", "Tables 10 and 11"),  # 9.46
        ("integers-3-to-300", "Tables 12, 13, 14 and 15"),
    }


def test_several_pairs_without_a_printed_mean_give_their_geometric_mean() -> None:
    """Of 0.8 and 0.2: 0.4."""
    second = table("2", row(JAR, 100.0), row(NATIVE, 20.0), load="many users")
    paper = paper_of(table("1", row(JAR, 100.0), row(NATIVE, 80.0)), second)
    of = [{"table": number, "row": NATIVE} for number in "12"]
    against = [{"table": number, "row": JAR} for number in "12"]
    published = [{"of": a, "against": b} for a, b in zip(of, against, strict=True)]
    many = {side: {**FASTER[side], "load": "many users"} for side in ("of", "against")}
    two = Claim.model_validate(claim(pairs=[FASTER, many], published=published))
    assert as_printed(two, paper)[0].ratio.point == pytest.approx(0.4)
