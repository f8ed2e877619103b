# SPDX-License-Identifier: Apache-2.0
"""Walk through a thread group as one of its users does, with each request's scope.

Scoping as in JMeter's `TestCompiler`: what configures, delays or checks stands beside requests and is for them and for
everything below them; of a request's own branch it is for that request alone. The nearest comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bancada.jmeter.plan_listing import Listing
from bancada.jmeter.plan_reasons import why_not
from bancada.jmeter.plan_text import Variables, fill, whole_number
from bancada.jmeter.plan_xml import Element

HTTP = {"HTTPSamplerProxy", "HTTPSampler", "HTTPSampler2"}
GROUPS = {"ThreadGroup"}
_TRANSPARENT = {"GenericController", "RecordingController"}
_CONTROLLERS = _TRANSPARENT | {"TransactionController", "LoopController", "OnceOnlyController"}
_PAUSE = "1"
_FOR_EVER = -1


@dataclass(frozen=True)
class Scope:
    """What is in force at a place of the plan, the nearest first."""

    defaults: tuple[Element, ...] = ()
    headers: tuple[Element, ...] = ()
    timers: tuple[Element, ...] = ()
    assertions: tuple[Element, ...] = ()

    def inside(self, level: Iterable[Element]) -> Scope:
        """The scope of what stands on this level, below the present one."""
        active = [each for each in level if each.enabled]
        return Scope(
            tuple(each for each in active if is_defaults(each)) + self.defaults,
            tuple(each for each in active if each.kind == "HeaderManager") + self.headers,
            tuple(each for each in active if each.kind == "ConstantTimer") + self.timers,
            tuple(each for each in active if each.kind in {"ResponseAssertion", "SizeAssertion"}) + self.assertions,
        )


@dataclass(frozen=True)
class Step:
    """A request, or a pause of a Flow Control Action."""

    element: Element
    scope: Scope
    pause_ms: int | None = None


@dataclass
class Walk:
    """The way of a user through a thread group."""

    variables: Variables
    listing: Listing
    goes_once: bool
    """Whether users walk it a single time."""
    steps: list[Step] = field(default_factory=list)
    repeats: int = 1
    """How often the whole way is walked in an iteration."""
    endless: bool = False
    """Whether a loop around the whole way has no end."""

    def through(self, level: Sequence[Element], outer: Scope, *, whole: bool = True) -> None:
        """Take the elements of a level, in their order; `whole` if nothing else is on the way beside them."""
        scope = outer.inside(level)
        on_the_way = [each for each in level if each.enabled and is_step(each)]
        for each in level:
            self._take(each, scope, whole=whole and len(on_the_way) == 1)

    def _take(self, element: Element, scope: Scope, *, whole: bool) -> None:
        if not element.enabled:
            list_disabled(element, self.listing)
        elif element.kind in HTTP:
            self.through(element.below, Scope())  # lists what of its own branch is not known
            self.steps.append(Step(element, scope.inside(element.below)))
        elif element.kind in _CONTROLLERS:
            self._controller(element, scope, whole=whole)
        elif element.kind == "TestAction":
            self._pause(element, scope)
        elif not is_scoped(element):
            list_whole(element, self.listing)

    def _controller(self, element: Element, scope: Scope, *, whole: bool) -> None:
        if element.kind == "LoopController":
            self._loop(element, whole=whole)
        elif element.kind == "TransactionController":
            self.listing.add("changed", element, "its requests are carried over; their sum is not a figure of its own")
        elif element.kind == "OnceOnlyController" and not (self.goes_once and self.repeats == 1):
            list_whole(element, self.listing, "users ask each operation in every iteration, none only in the first")
            return
        self.through(element.below, scope, whole=whole)

    def _loop(self, element: Element, *, whole: bool) -> None:
        asked = fill(element.node.value("LoopController.loops", "1").strip(), self.variables)
        count = _FOR_EVER if asked.text == str(_FOR_EVER) else whole_number(asked)
        if count is None:
            self.listing.add("changed", element, f"how often it repeats is not known: {asked.text}; here once")
        elif whole and count > 0:
            self.repeats *= count
        elif whole and count == _FOR_EVER:
            self.endless = True
        elif count != 1:
            times = "without end" if count == _FOR_EVER else f"{count} times"
            self.listing.add("changed", element, f"it repeats a part of the way {times}; here it is walked once")

    def _pause(self, element: Element, scope: Scope) -> None:
        node = element.node
        asked = fill(node.value("ActionProcessor.duration", "0").strip(), self.variables)
        if node.value("ActionProcessor.action") != _PAUSE:
            list_whole(element, self.listing)
        elif (pause_ms := whole_number(asked)) is None:
            self.listing.add("left out", element, f"its pause is not a fixed number: {asked.text}")
        else:
            self.through(element.below, Scope())
            self.steps.append(Step(element, scope.inside(element.below), pause_ms))


def is_defaults(element: Element) -> bool:
    """Whether it is HTTP Request Defaults."""
    return element.kind == "ConfigTestElement" and element.gui == "HttpDefaultsGui"


def is_scoped(element: Element) -> bool:
    """Whether it is in force for requests, and is carried over with them."""
    known = {"Arguments", "HeaderManager", "ConstantTimer", "ResponseAssertion", "SizeAssertion"}
    return is_defaults(element) or element.kind in known


def is_step(element: Element) -> bool:
    """Whether users meet it on their way: a request, an action, or a controller, of whatever kind."""
    return element.kind in HTTP | _CONTROLLERS or any(
        element.kind.endswith(end) for end in ("Sampler", "Controller", "Control", "TestAction", "RunTime")
    )


def list_disabled(element: Element, listing: Listing) -> None:
    """Note an element that the plan has disabled, with what stands below it."""
    listing.add("disabled", element, "JMeter does not run it either" + _and_below(element))


def list_whole(element: Element, listing: Listing, why: str | None = None) -> None:
    """Note an element that is not carried over, with what stands below it."""
    fate, known = why_not(element)
    listing.add("left out" if why else fate, element, (why or known) + _and_below(element))


def _and_below(element: Element) -> str:
    below = sum(1 for _ in element.all_below())
    return f"; with the {below} element{'s' if below > 1 else ''} below it" if below else ""
