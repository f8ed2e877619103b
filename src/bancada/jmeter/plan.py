# SPDX-License-Identifier: Apache-2.0
"""A JMeter test plan (.jmx) as studies: one for each thread group, and a list of what could not be carried over."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bancada.errors import PlanError
from bancada.jmeter.plan_checks import check_of
from bancada.jmeter.plan_http import CannotAskError, Properties, Request, request_of
from bancada.jmeter.plan_listing import Listing, Remark, together
from bancada.jmeter.plan_load import GroupRefusedError, Users, think_ns, users_of
from bancada.jmeter.plan_text import ITERATION, Filled, Variables, constant, fill
from bancada.jmeter.plan_walk import GROUPS, HTTP, Scope, Step, Walk, is_scoped, list_disabled, list_whole
from bancada.jmeter.plan_xml import Element, Node, PlanFile, read_jmx
from bancada.model.base import NS_PER_MS
from bancada.model.load import ClosedLoad
from bancada.model.operation import Operation
from bancada.model.study import Study, Timeouts

BLOCKS = 5
_LONGEST_NAME = 60
_COUNTS_ALL = "{{iteration}} counts the loops of the controller around the requests too, in JMeter not"
_NO_TIMEOUT = "JMeter waits without end for a connection and an answer; here as long as the whole load may take"


@dataclass(frozen=True)
class ImportedStudy:
    """A thread group as a study."""

    study: Study
    group: str
    """The thread group's name."""
    line: int
    """Where it stands in the plan."""
    remarks: tuple[Remark, ...]
    """What became of everything that is not simply carried over."""


@dataclass(frozen=True)
class ImportedPlan:
    """What a test plan became."""

    path: Path
    version: str
    """Of the JMeter that wrote it, or empty."""
    studies: tuple[ImportedStudy, ...]
    remarks: tuple[Remark, ...]
    """Of the whole plan, those of its studies included."""


def read_plan(path: Path) -> ImportedPlan:
    """The test plan in a file as studies, one for each enabled thread group.

    Raises NotFoundError if there is no such file, InputError if it is not a test plan (with the line), PlanError if
    nothing in it can become a study, with all reasons.
    """
    file = read_jmx(path)
    listing = Listing()
    if file.plan.enabled:
        groups = _groups(file, listing)
    else:
        raise PlanError("the test plan is disabled", where=f"{path}, line {file.plan.line}")
    variables = _variables(file.plan)
    outer = Scope().inside(file.plan.below)
    made, refused, listings = [], [], [listing]
    for group in groups:
        own = Listing()
        listings.append(own)
        try:
            study = _Group(group, {**variables, **_loop_index(group)}, own, path).study(outer, alone=len(groups) == 1)
        except GroupRefusedError as why:
            own.add("left out", group, str(why))
            refused.append(f'thread group "{group.name}" (line {group.line}): {why}')
        else:
            made.append((group, study, own))
    if not made:
        raise PlanError("\n".join(["no thread group can become a study", *refused]), where=str(path))
    if len(groups) > 1:
        _note_company(groups, file.plan, listing)
    studies = [
        ImportedStudy(study, group.name, group.line, together(listing, own))
        for (group, study, own), study in zip(made, _named_apart([study for _, study, _ in made]), strict=True)
    ]
    return ImportedPlan(path, file.version, tuple(studies), together(*listings))


def _groups(file: PlanFile, listing: Listing) -> list[Element]:
    """The enabled thread groups; whatever else stands beside them is listed. Raises PlanError if there are none."""
    groups = []
    for each in file.plan.below:
        if not each.enabled:
            list_disabled(each, listing)
        elif each.kind in GROUPS:
            groups.append(each)
        elif not is_scoped(each):
            list_whole(each, listing)
    if not groups:
        found = [f"{each.element} {each.named} (line {each.where}): {each.why}" for each in listing.remarks]
        raise PlanError(
            "\n".join(["the plan has no enabled Thread Group", *found]),
            where=str(file.path),
            advice="add or enable one in JMeter",
        )
    return groups


def _variables(plan: Element) -> Variables:
    """The user-defined variables, which are the same for all of the plan wherever they are defined."""
    found: dict[str, Filled] = {}
    sources = [plan.node.items("TestPlan.user_defined_variables", "Arguments.arguments")]
    sources += [each.node.items("Arguments.arguments") for each in _enabled(plan) if each.kind == "Arguments"]
    for source in sources:
        found |= {name: constant(fill(each.value("Argument.value"), found), name) for each, name in _names(source)}
    return found


def _loop_index(group: Element) -> Variables:
    """The variable in which JMeter counts a thread group's iterations, from 0; only a named controller counts them."""
    controller = group.node.part("ThreadGroup.main_controller")
    if controller is None or "testname" not in controller.attributes:
        return {}
    return {f"__jm__{group.node.attributes.get('testname', '')}__idx": ITERATION}


def _names(arguments: Sequence[Node]) -> list[tuple[Node, str]]:
    return [(each, each.value("Argument.name").strip()) for each in arguments]


def _enabled(element: Element) -> list[Element]:
    """Everything below an element that is enabled, with all that it stands in."""
    active = [each for each in element.below if each.enabled]
    return [found for each in active for found in (each, *_enabled(each))]


@dataclass
class _Group:
    """A thread group on its way to a study."""

    group: Element
    variables: Variables
    listing: Listing
    path: Path

    def study(self, outer: Scope, *, alone: bool) -> Study:
        """The study. Raises GroupRefusedError if there is none in it."""
        users = users_of(self.group, self.variables, self.listing)
        walk = Walk(self.variables, self.listing, goes_once=users.iterations == 1)
        walk.through(self.group.below, outer)
        if walk.endless:
            raise GroupRefusedError("a Loop Controller around its requests has no end")
        asked = self._asked(walk.steps)
        think = think_ns([step for step in walk.steps if self._is_kept(step, asked)], self.variables, self.listing)
        target = asked[0][1].target
        name = _slug(self.path.stem if alone else f"{self.path.stem}-{self.group.name}")
        try:
            load = _load(users, walk.repeats, think)
            return Study(
                study=name,
                question=f"How does {target} answer {load.name}, asked as by {self.path.name}?",
                operation=self._operations(asked, walk.repeats),
                stacks=self._stacks(asked[0][0], asked[0][1]),
                blocks=BLOCKS,
                load=(load,),
                timeouts=self._timeouts([request for _, request in asked], users.duration_ns or 0),
            )
        except ValidationError as error:
            told = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise GroupRefusedError(told) from error

    def _asked(self, steps: Sequence[Step]) -> list[tuple[Step, Request]]:
        """The requests that can be asked, all at one target. Raises GroupRefusedError if there are none."""
        samplers = [step for step in steps if step.element.kind in HTTP]
        if not samplers:
            raise GroupRefusedError("it has no HTTP sampler" + self._others())
        asked: list[tuple[Step, Request]] = []
        for step in samplers:
            try:
                asked.append((step, self._request(step, asked[0][1].target if asked else None)))
            except CannotAskError as why:
                self.listing.add("left out", step.element, str(why))
        if not asked:
            left_out = [each for each in self.listing.remarks if each.element == "HTTP Request"]
            reasons = "; ".join(f"line {each.where}: {each.why}" for each in left_out)
            raise GroupRefusedError(f"none of its HTTP samplers can be carried over: {reasons}")
        return asked

    def _request(self, step: Step, target: str | None) -> Request:
        """What a sampler asks. Raises CannotAskError for what cannot be asked, or not at the target of the others."""
        properties = Properties.of(step.element, step.scope.defaults, self.variables, self.path.parent)
        request = request_of(properties, step.scope.headers)
        if target is not None and request.target != target:
            raise CannotAskError(f"it asks {request.target}; a study asks one server, here {target}")
        return request

    def _others(self) -> str:
        """What it has instead."""
        left_out = [each for each in self.listing.remarks if each.fate == "left out"]
        found = [f"{each.element} in line {each.where}: {each.why}" for each in left_out]
        return f" ({'; '.join(found)})" if found else ""

    def _is_kept(self, step: Step, asked: Sequence[tuple[Step, Request]]) -> bool:
        return step.pause_ms is not None or any(step is each for each, _ in asked)

    def _operations(self, asked: Sequence[tuple[Step, Request]], repeats: int) -> tuple[Operation, ...]:
        made: dict[str, Operation] = {}
        for step, request in asked:
            for note in request.notes:
                self.listing.add("changed", step.element, note)
            if repeats > 1 and "{{iteration}}" in f"{request.path}{request.body}":
                self.listing.add("changed", step.element, _COUNTS_ALL)
            name = _apart(step.element.name[:_LONGEST_NAME] or f"line {step.element.line}", made)
            if name != step.element.name:
                self.listing.add("changed", step.element, f'operations need names of their own: it is "{name}"')
            made[name] = Operation.model_validate(
                {
                    "name": name,
                    "path": request.path,
                    "method": request.method,
                    "headers": request.headers,
                    "body": request.body,
                    "check": check_of(step.scope.assertions, self.variables, self.listing),
                }
            )
        return tuple(made.values())

    def _stacks(self, step: Step, request: Request) -> tuple[str, ...]:
        """The target as a stack; none if it is not one, so that the study cannot run before somebody names it."""
        if request.trouble is None:
            return (f"target={request.target}",)
        why = f"its server: {request.trouble}; name one with --stack target=http://host:port"
        self.listing.add("left out", step.element, why)
        return ()

    def _timeouts(self, requests: Sequence[Request], duration_ns: int) -> Timeouts:
        usual = Timeouts()
        load = usual.load if 2 * duration_ns <= usual.load else duration_ns + usual.load
        connect, response = ({each.timeouts_ms[which] for each in requests} for which in (0, 1))
        if 0 in connect | response:
            self.listing.add("changed", self.group, _NO_TIMEOUT)
        if len(connect) > 1 or len(response) > 1:
            self.listing.add("changed", self.group, "a study has one timeout for all requests: the longest")
        return Timeouts(
            connect=load if 0 in connect else max(connect) * NS_PER_MS,
            response=load if 0 in response else max(response) * NS_PER_MS,
            load=load,
        )


def _load(users: Users, repeats: int, think: int) -> ClosedLoad:
    return ClosedLoad(
        name=f"{users.users} user{'s' if users.users != 1 else ''}",
        users=users.users,
        ramp_up=users.ramp_up_ns,
        iterations=users.iterations * repeats if users.iterations else None,
        duration=users.duration_ns,
        think=think,
    )


def _note_company(groups: Sequence[Element], plan: Element, listing: Listing) -> None:
    """Say of thread groups that JMeter would run together that here each is a study of its own."""
    if plan.node.flag("TestPlan.serialize_threadgroups", default=False):
        how = "one after the other, as here when the studies are run so"
    else:
        how = "together: here each is a study of its own, and alone"
    for each in groups:
        listing.add("changed", each, f"the plan's {len(groups)} thread groups run {how}")


def _slug(text: str) -> str:
    """A name that a study can have."""
    plain = re.sub(r"[^a-z0-9.-]+", "-", text.lower()).strip("-.")
    return plain[:_LONGEST_NAME].strip("-.") or "plan"


def _apart(name: str, taken: Container[str]) -> str:
    """The name, with a number behind it if it is taken."""
    number, made = 1, name
    while made in taken:
        number += 1
        end = f" ({number})"
        made = name[: _LONGEST_NAME - len(end)] + end
    return made


def _named_apart(studies: Sequence[Study]) -> list[Study]:
    """The studies with names that no two share."""
    taken: set[str] = set()
    apart = []
    for each in studies:
        name, number = each.study, 1
        while name in taken:
            number += 1
            name = f"{each.study[: _LONGEST_NAME - 4].strip('-.')}-{number}"
        taken.add(name)
        apart.append(each.model_copy(update={"study": name}))
    return apart
