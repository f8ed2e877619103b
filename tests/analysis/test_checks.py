# SPDX-License-Identifier: Apache-2.0
"""What samples say of their own soundness."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from bancada.analysis.checks import TrialChecks, check_trial
from bancada.analysis.metrics import measured_window
from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.host import HostNoise
from bancada.model.load import ClosedLoad, OpenLoad, Segment
from bancada.model.trial import Cell, TrialPlan, TrialRecord
from tests.fakes.drawn import FakeBench, FakeSut, draw_samples, summarise

CLOSED = ClosedLoad(name="8 users", users=8, iterations=100)
OPEN = OpenLoad(name="500/s", rate=500, duration=2 * NS_PER_S)


def checked(load: ClosedLoad | OpenLoad, *, drift: float = 0, pause_ns: int = 0, lost: float = 0) -> TrialChecks:
    """The checks of one drawn load; `pause_ns` delays each of a user's requests, `lost` drops samples."""
    truth = FakeSut("a:jar", drift=drift)
    drawn = draw_samples(load, truth, {"get": 1.0}, 5.0 * NS_PER_MS, FakeBench(), np.random.default_rng(7))
    later = pl.col("iteration") * pause_ns
    drawn = drawn.with_columns(pl.col("intended_ns") + later, pl.col("done_ns") + later)
    samples = drawn.head(round(len(drawn) * (1 - lost)))
    record = TrialRecord(
        plan=TrialPlan(number=1, block=1, cell=Cell(sut="a:jar", load=load.name), seed=1),
        failure=None,
        started_unix_ns=0,
        phases_ns={},
        startup_ns=1,
        load=summarise(drawn, load, FakeBench()),
        noise=HostNoise(load_before=None, busy_before_share=None, steal_share=None),
        exit=None,
    )
    window = measured_window(samples)
    assert window is not None
    return check_trial(record, samples, window, load)


@pytest.mark.parametrize("load", [CLOSED, OPEN], ids=["closed", "open"])
def test_a_steady_load_is_steady_and_obeys_littles_law(load: ClosedLoad | OpenLoad) -> None:
    """No drift, no gap, and answers as long as they are."""
    found = checked(load)

    assert found.trend is not None
    assert found.trend.drifting is False
    assert found.law_gap == pytest.approx(0, abs=1e-6)
    assert found.body_bytes == {"get": 812}


@pytest.mark.parametrize("load", [CLOSED, OPEN], ids=["closed", "open"])
def test_a_system_that_slows_down_drifts(load: ClosedLoad | OpenLoad) -> None:
    """Throughput falls in closed load, the median response time rises in open load."""
    trend = checked(load, drift=0.5).trend

    assert trend is not None
    assert trend.drifting is True
    assert trend.relative_change is not None
    assert (trend.relative_change < 0) == isinstance(load, ClosedLoad)


def test_too_few_requests_have_no_trend() -> None:
    """80 requests are fewer than the series needs."""
    assert checked(ClosedLoad(name="8 users", users=8, iterations=10)).trend is None


def test_a_rate_that_changes_has_no_plateau() -> None:
    """Response times may change with the rate."""
    ramp = OpenLoad(name="ramp", segments=(Segment(duration=2 * NS_PER_S, from_rate=100, to_rate=900),))
    assert checked(ramp).trend is None


def test_users_that_come_and_go_have_no_plateau() -> None:
    """With a ramp-up longer than a user's work they are never all there."""
    assert checked(ClosedLoad(name="ramp", users=50, iterations=40, ramp_up=2 * NS_PER_S)).trend is None


def test_a_short_plateau_does_not_stand_for_the_window() -> None:
    """All 50 users are there for a twelfth of the time: thousands of requests, and yet not the load that is judged."""
    assert checked(ClosedLoad(name="ramp", users=50, iterations=400, ramp_up=1790 * NS_PER_MS)).trend is None


def test_samples_that_the_engine_counted_but_lost_break_littles_law() -> None:
    """A tenth of the samples is missing: the engine's figures are a ninth above the samples'."""
    gap = checked(OPEN, lost=0.1).law_gap
    assert gap == pytest.approx(1 / 9, abs=0.03)


def test_pauses_that_the_load_asks_for_are_no_lost_time() -> None:
    """Think time is subtracted from the users' time at work."""
    gap = checked(ClosedLoad(name="thinking", users=8, iterations=50, think=3 * NS_PER_MS)).law_gap
    assert gap == pytest.approx(0, abs=1e-6)


def test_time_lost_between_a_users_requests_breaks_littles_law() -> None:
    """The users were at work all along, yet not all of their time is in requests."""
    gap = checked(CLOSED, pause_ns=2 * NS_PER_MS).law_gap
    assert gap is not None
    assert gap < -0.2
