# SPDX-License-Identifier: Apache-2.0
"""The three orders that a trial gives to the load engine: conform, warm up, measure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bancada.conductor.adhoc import warm_up_profile
from bancada.engine.wire import LoadOrder, load_order, operation_order
from bancada.model.load import ClosedLoad, LoadProfile
from bancada.model.operation import Operation
from bancada.model.scenario import Scenario
from bancada.model.study import Study


def conform_order(study: Study, scenario: Scenario, target: str, samples: Path) -> LoadOrder:
    """Every operation and every refusal once, by one user."""
    once = ClosedLoad(name="conform", users=1, iterations=1)
    operations = (*scenario.operation, *scenario.refusal)
    return _order(study, operations, target, once, seed=study.seed, samples=samples)


def warm_up_order(
    study: Study, scenario: Scenario, profile: LoadProfile, target: str, seed: int, samples: Path
) -> LoadOrder:
    """The load as it begins, for the time that the study gives to warming up."""
    steady = warm_up_profile(profile, study.warm_up)
    # Other random numbers than the measured load's, so that nothing is measured that was asked before.
    return _order(study, scenario.operation, target, steady, seed=seed + 1, samples=samples)


def measure_order(
    study: Study, scenario: Scenario, profile: LoadProfile, target: str, seed: int, samples: Path
) -> LoadOrder:
    """The measured load."""
    return _order(study, scenario.operation, target, profile, seed=seed, samples=samples)


def _order(
    study: Study,
    operations: Sequence[Operation],
    target: str,
    profile: LoadProfile,
    *,
    seed: int,
    samples: Path,
) -> LoadOrder:
    return LoadOrder(
        target=target,
        seed=seed,
        operations=tuple(operation_order(each) for each in operations),
        load=load_order(profile),
        connect_timeout_ns=study.timeouts.connect,
        response_timeout_ns=study.timeouts.response,
        samples=str(samples.resolve()),
    )
