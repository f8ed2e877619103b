# SPDX-License-Identifier: Apache-2.0
"""How a load is warmed up with."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from bancada.conductor.adhoc import warm_up_profile
from bancada.model.base import NS_PER_S
from bancada.model.load import ClosedLoad


def _warm_up(users: int, ramp_up: int, duration: int) -> ClosedLoad:
    profile = ClosedLoad(name="load", users=users, ramp_up=ramp_up, iterations=1)
    warm_up = warm_up_profile(profile, duration)
    assert isinstance(warm_up, ClosedLoad)
    return warm_up


def test_ten_thousand_users_do_not_come_at_once() -> None:
    """In 6 s of a ramp of 60 s a tenth of the users start, spread over the 6 s."""
    warm_up = _warm_up(10_000, 60 * NS_PER_S, 6 * NS_PER_S)
    assert (warm_up.users, warm_up.ramp_up, warm_up.duration) == (1000, 6 * NS_PER_S, 6 * NS_PER_S)


def test_a_ramp_that_is_shorter_than_the_warm_up_is_kept() -> None:
    """All users are there after the ramp, and go on until the warm-up is over."""
    warm_up = _warm_up(20, 2 * NS_PER_S, 5 * NS_PER_S)
    assert (warm_up.users, warm_up.ramp_up, warm_up.duration) == (20, 2 * NS_PER_S, 5 * NS_PER_S)


@given(
    users=some.integers(1, 50_000), ramp_up=some.integers(0, 600 * NS_PER_S), duration=some.integers(1, 600 * NS_PER_S)
)
def test_the_pace_is_never_above_the_ramps(users: int, ramp_up: int, duration: int) -> None:
    """Users per second are those of the measured load, up to the one user that there must be."""
    warm_up = _warm_up(users, ramp_up, duration)
    assert 1 <= warm_up.users <= users
    assert warm_up.ramp_up <= ramp_up
    assert (warm_up.users - 1) * ramp_up <= users * warm_up.ramp_up or ramp_up == 0
