# SPDX-License-Identifier: Apache-2.0
"""How CPUs are shared out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.host.pinning import core_of, plan_pinning, share_out


def cores(cpus: int, threads: int) -> dict[int, tuple[int, ...]]:
    """CPUs numbered as Linux does: the first threads of all cores, then their second ones."""
    count = cpus // threads
    return {cpu: tuple(range(cpu % count, cpus, count)) for cpu in range(cpus)}


@pytest.mark.parametrize(
    ("cpus", "threads", "sut", "engine"),
    [
        (2, 1, (0,), (1,)),
        (2, 2, (0,), (1,)),  # one core: a thread each is better than sharing both
        (3, 1, (0, 1), (2,)),
        (4, 1, (0, 1, 2), (3,)),
        (4, 2, (0, 2), (1, 3)),  # two cores of two threads
        (8, 2, (0, 1, 2, 4, 5, 6), (3, 7)),
        (12, 1, (0, 1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11)),
        (12, 2, (0, 1, 2, 3, 6, 7, 8, 9), (4, 5, 10, 11)),
    ],
)
def test_whole_cores_go_to_one_side(cpus: int, threads: int, sut: tuple[int, ...], engine: tuple[int, ...]) -> None:
    """The engine gets the last third of the cores, and at least one."""
    plan = share_out(range(cpus), cores(cpus, threads))
    assert (plan.pinned, plan.sut_cpus, plan.engine_cpus, plan.reason) == (True, sut, engine, None)


@given(allowed=st.sets(st.integers(0, 63), min_size=2), threads=st.sampled_from([1, 2, 4]))
def test_every_cpu_goes_to_exactly_one_side(allowed: set[int], threads: int) -> None:
    """Also of a cpuset with holes; and no core with CPUs on both sides, unless it is the only one."""
    by_cpu = cores(64, threads)
    plan = share_out(allowed, by_cpu)
    assert set(plan.sut_cpus) | set(plan.engine_cpus) == allowed
    assert not set(plan.sut_cpus) & set(plan.engine_cpus)
    assert len(plan.sut_cpus) > 0
    assert len(plan.engine_cpus) > 0
    sides = [{by_cpu[cpu] for cpu in side} for side in (plan.sut_cpus, plan.engine_cpus)]
    assert not sides[0] & sides[1] or len(sides[0] | sides[1]) == 1


def test_a_single_cpu_is_shared_with_a_reason() -> None:
    """Nothing is pinned, and the run says why."""
    plan = share_out((5,), {5: (5,)})
    assert (plan.pinned, plan.sut_cpus, plan.engine_cpus) == (False, (5,), (5,))
    assert plan.reason is not None
    assert "only one CPU" in plan.reason


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no affinity")
def test_only_cpus_that_we_may_use_are_given_away() -> None:
    """What taskset or a container's cpuset left is all there is."""
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        plan = plan_pinning("auto")
    finally:
        os.sched_setaffinity(0, allowed)
    assert (plan.pinned, plan.sut_cpus) == (False, (min(allowed),))


def test_pinning_can_be_switched_off() -> None:
    """Both sides get all CPUs, with the reason."""
    plan = plan_pinning("off")
    assert (plan.pinned, plan.sut_cpus) == (False, plan.engine_cpus)
    assert plan.reason is not None


@pytest.mark.parametrize(("text", "core"), [("1,5\n", (1, 5)), ("0-1\n", (0, 1)), ("", (1,)), ("nonsense", (1,))])
def test_threads_of_a_core_are_read_from_the_topology(tmp_path: Path, text: str, core: tuple[int, ...]) -> None:
    """Where it is not told, each CPU is a core of its own."""
    (tmp_path / "cpu1" / "topology").mkdir(parents=True)
    (tmp_path / "cpu1" / "topology" / "thread_siblings_list").write_text(text)
    assert core_of(1, tmp_path) == core
    assert core_of(2, tmp_path) == (2,)


def test_services_share_the_cpus_of_the_system_under_test_where_cores_are_few() -> None:
    """On two CPUs the engine keeps its own; a database stands beside its application, as on one server."""
    shared = share_out([0, 1], {0: (0,), 1: (1,)}, services=True)
    assert (shared.sut_cpus, shared.service_cpus, shared.engine_cpus) == ((0,), (0,), (1,))


def test_services_get_cores_of_their_own_where_there_are_enough() -> None:
    """Six cores: two each."""
    shared = share_out(range(6), {cpu: (cpu,) for cpu in range(6)}, services=True)
    assert (shared.sut_cpus, shared.service_cpus, shared.engine_cpus) == ((0, 1), (2, 3), (4, 5))


def test_without_services_nothing_is_set_aside_for_them() -> None:
    """The system under test has what the engine leaves."""
    assert share_out(range(6), {cpu: (cpu,) for cpu in range(6)}).service_cpus == ()
