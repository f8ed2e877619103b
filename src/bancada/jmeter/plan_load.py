# SPDX-License-Identifier: Apache-2.0
"""JMeter's thread groups as closed loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bancada.jmeter.plan_listing import Listing
from bancada.jmeter.plan_text import Variables, fill, whole_number
from bancada.jmeter.plan_walk import Step
from bancada.jmeter.plan_xml import Element, Node
from bancada.model.base import NS_PER_MS, NS_PER_S

_FOR_EVER = -1


class GroupRefusedError(Exception):
    """A thread group cannot become a load; the message says why."""


@dataclass(frozen=True)
class Users:
    """How many users there are, and how long they go on."""

    users: int
    ramp_up_ns: int
    iterations: int | None
    duration_ns: int | None


def users_of(group: Element, variables: Variables, listing: Listing) -> Users:
    """What a thread group says about its users. Raises GroupRefusedError if that is no closed load."""
    node = group.node
    loop = node.part("ThreadGroup.main_controller") or Node("elementProp", {}, group.line)
    reader = _Reader(group, variables, listing)
    # Just as in JMeter, a loop controller that does not say "not for ever" goes on for ever.
    for_ever = loop.flag("LoopController.continue_forever", default=True)
    loops = _FOR_EVER if for_ever else reader.number(loop, "LoopController.loops", 1)
    scheduled = node.flag("ThreadGroup.scheduler", default=False)
    duration_s = reader.number(node, "ThreadGroup.duration", 0) if scheduled else 0
    if loops != _FOR_EVER and loops < 1:
        raise GroupRefusedError(f"its users loop {loops} times")
    if loops == _FOR_EVER and not duration_s:
        raise GroupRefusedError("its users go on for ever; give it a loop count or a duration in JMeter")
    if loops != _FOR_EVER and duration_s:
        why = f"a load has one end: here after {loops} iterations, in JMeter also after {duration_s} s"
        listing.add("changed", group, why)
    if scheduled and reader.number(node, "ThreadGroup.delay", 0):
        listing.add("not needed", group, "its startup delay: nothing else runs before it")
    _list_habits(group, listing)
    endless = loops == _FOR_EVER
    return Users(
        users=reader.number(node, "ThreadGroup.num_threads", 1),
        ramp_up_ns=reader.number(node, "ThreadGroup.ramp_time", 0) * NS_PER_S,
        iterations=None if endless else loops,
        duration_ns=duration_s * NS_PER_S if endless else None,
    )


@dataclass(frozen=True)
class _Reader:
    """Reads the numbers of a thread group, which may be variables."""

    group: Element
    variables: Variables
    listing: Listing

    def number(self, node: Node, name: str, default: int) -> int:
        """A whole number, or -1. Raises GroupRefusedError if it is none, or not known beforehand."""
        filled = fill(node.value(name).strip(), self.variables)
        if not filled.text:
            return default
        number = _FOR_EVER if filled.text == str(_FOR_EVER) else whole_number(filled)
        if number is None:
            raise GroupRefusedError(f"its {name.rpartition('.')[2]} is not a number: {filled.text}")
        for note in filled.notes:
            self.listing.add("changed", self.group, note)
        return number


def _list_habits(group: Element, listing: Listing) -> None:
    on_error = group.node.value("ThreadGroup.on_sample_error", "continue")
    if on_error != "continue":
        listing.add("changed", group, f"users go on after a failed request; in JMeter: {on_error}")
    if not group.node.flag("ThreadGroup.same_user_on_next_iteration", default=True):
        listing.add("changed", group, "users keep their connection between iterations; in JMeter each opens a new one")


def think_ns(steps: Sequence[Step], variables: Variables, listing: Listing) -> int:
    """The pause between an answer and the next request, which must be the same between all requests.

    Constant timers delay the requests and actions that they are in force for; a Flow Control Action pauses where it
    stands. `steps` holds one request at least.
    """
    timers = list(dict.fromkeys(timer for step in steps for timer in step.scope.timers))
    delays_ms = {timer: _delay_ms(timer, variables, listing) for timer in timers}
    gaps: list[int] = []
    before = 0
    for step in steps:
        before += (step.pause_ms or 0) + sum(delays_ms[timer] for timer in step.scope.timers)
        if step.pause_ms is None:
            gaps.append(before)
            before = 0
    begins_at_once = gaps[0] == 0
    gaps[0] += before  # the first request of an iteration follows the last one of the iteration before
    involved = [timer for timer in timers if delays_ms[timer]] + [
        step.element for step in steps if step.pause_ms is not None
    ]
    if len(set(gaps)) > 1:
        for each in involved:
            listing.add("left out", each, "a load has one pause, think, between all requests; these differ")
        return 0
    if not begins_at_once:
        for each in involved:
            listing.add("changed", each, "users pause between requests; in JMeter also before their first one")
    return gaps[0] * NS_PER_MS


def _delay_ms(timer: Element, variables: Variables, listing: Listing) -> int:
    filled = fill(timer.node.value("ConstantTimer.delay").strip(), variables)
    delay_ms = whole_number(filled)
    if delay_ms is None:
        listing.add("left out", timer, f"its delay is not a fixed number: {filled.text}")
    return delay_ms or 0
