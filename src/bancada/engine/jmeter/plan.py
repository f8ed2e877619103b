# SPDX-License-Identifier: Apache-2.0
"""From an order to JMeter's test plan."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from bancada.engine.jmeter.elements import Property, element, part, parts, tree, write_plan
from bancada.engine.jmeter.request import Branch, Place, milliseconds, request
from bancada.engine.jmeter.template import USERS
from bancada.engine.wire import ClosedOrder, LoadOrder
from bancada.errors import PlanError
from bancada.model.base import NS_PER_S

PLAN = "plan.jmx"
FOR_EVER = "-1"


def write_order_as_plan(order: LoadOrder, folder: Path) -> Path:
    """Write the test plan for an order, and the files that it needs, into a folder.

    The plan names those files without a folder: JMeter must be run in this one. Raises PlanError that names what of the
    order JMeter cannot do; nothing is left out.
    """
    load = order.load
    if not isinstance(load, ClosedOrder):
        # Its Open Model Thread Group (5.6.3) opens a connection for each request, knows no limit of them, begins with a
        # burst of all that fell due while Java was warming up, and does not record when a request was due.
        raise PlanError(
            "an open load cannot be carried over to JMeter, which does not record when a request was due",
            advice="write users in [[load]], or use Bancada's own engine",
        )
    requests: list[Branch] = []
    for index in range(len(order.operations)):
        requests.append(request(Place(order, index, folder)))
        if load.think_ns:
            requests.append((_pause(milliseconds(load.think_ns, "the think time")), None))
    plan = element(
        "TestPlan",
        "Bancada",
        {
            "TestPlan.functional_mode": False,
            "TestPlan.serialize_threadgroups": False,
            "TestPlan.user_defined_variables": part("Arguments", {"Arguments.arguments": parts()}),
        },
    )
    write_plan(tree((plan, tree((_thread_group(load), tree(*requests))))), folder / PLAN)
    return folder / PLAN


def _thread_group(load: ClosedOrder) -> ET.Element:
    loop: dict[str, Property] = {
        "LoopController.loops": FOR_EVER if load.iterations is None else str(load.iterations),
        "LoopController.continue_forever": False,
    }
    duration_ns = load.duration_ns
    return element(
        "ThreadGroup",
        USERS,
        {
            "ThreadGroup.num_threads": load.users,
            "ThreadGroup.ramp_time": _seconds(load.ramp_up_ns, "a ramp-up"),
            "ThreadGroup.duration": "" if duration_ns is None else str(_seconds(duration_ns, "a duration")),
            "ThreadGroup.delay": "",
            "ThreadGroup.scheduler": duration_ns is not None,
            "ThreadGroup.same_user_on_next_iteration": True,  # keeps the user's connection
            "ThreadGroup.on_sample_error": "continue",
            # Its name is part of the name of the variable that counts its iterations.
            "ThreadGroup.main_controller": part("LoopController", loop, name=USERS),
        },
    )


def _pause(duration_ms: int) -> ET.Element:
    # Not a timer, which would make users think before their first request too.
    return element(
        "TestAction",
        "Think",
        {"ActionProcessor.action": 1, "ActionProcessor.target": 0, "ActionProcessor.duration": str(duration_ms)},
    )


def _seconds(ns: int, what: str) -> int:
    if ns % NS_PER_S:
        raise PlanError(
            f"{what} of {ns / NS_PER_S:g} s cannot be carried over to JMeter, which counts whole seconds",
            advice="write whole seconds in [[load]], or use Bancada's own engine",
        )
    return ns // NS_PER_S
