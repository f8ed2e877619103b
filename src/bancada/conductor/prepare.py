# SPDX-License-Identifier: Apache-2.0
"""From a resolved study to a bench: tools found, stacks built, the host described, CPUs assigned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bancada.catalog.places import cache
from bancada.catalog.studies import ResolvedStudy
from bancada.conductor.bench import Bench, Notify
from bancada.engine.locate import locate
from bancada.errors import AddressError, NoResultError, ToolMissingError
from bancada.host.facts import host_facts
from bancada.host.pinning import plan_pinning
from bancada.host.provide import provide
from bancada.host.tools import Tool, find_tool, tool_env
from bancada.model.events import Remarked
from bancada.model.stack import StackByUrl, StackVariant, SystemUnderTest
from bancada.model.study import Timeouts
from bancada.sut.build import Built, Workshop, build
from bancada.sut.ready import is_open


@dataclass(frozen=True)
class Made:
    """What the workshop has made."""

    builds: dict[str, Built]
    skipped: dict[str, str]
    tools: dict[str, Tool]


def prepare(resolved: ResolvedStudy, notify: Notify) -> Bench:
    """Make everything ready that trials share. Raises what building and looking for tools raise."""
    study = resolved.study
    locate()
    _check_addresses(resolved.suts)
    ours = [sut for sut in resolved.suts if isinstance(sut, StackVariant)]
    made = build_all(ours, notify, study.timeouts.build)
    suts = tuple(sut for sut in resolved.suts if sut.label not in made.skipped)
    if not suts:
        reasons = "; ".join(f"{label}: {reason}" for label, reason in made.skipped.items())
        raise NoResultError(f"no system under test is left: {reasons}")
    return Bench(
        study=study,
        scenario=resolved.scenario,
        suts=suts,
        skipped=made.skipped,
        builds=made.builds,
        tools=_paths(made.tools),
        env=tool_env(_paths(made.tools)),
        host=host_facts(_versions(made.tools)),
        pinning=plan_pinning(study.pin),
        notify=notify,
    )


def _check_addresses(suts: Sequence[SystemUnderTest]) -> None:
    """A service that somebody else runs must be there before anything is begun."""
    for sut in suts:
        if isinstance(sut, StackByUrl) and not is_open(sut.url):
            raise AddressError(
                f"nothing listens at {sut.url}",
                where=f"stack {sut.name}",
                advice=f"start the service first, or correct its address: --stack {sut.name}=http://host:port",
            )


def build_all(suts: Sequence[StackVariant], notify: Notify, timeout_ns: int = Timeouts().build) -> Made:
    """Build every variant whose needs this host can meet; the others are skipped, with the reason."""
    skipped = {sut.label: reason for sut in suts if (reason := _unmet(sut))}
    for label, reason in skipped.items():
        notify(Remarked(text=f"skipping {label}: {reason}"))
    wanted = [sut for sut in suts if sut.label not in skipped]
    tools = _tools(wanted, notify)
    workshop = Workshop(
        cache=cache(),
        tools=_paths(tools),
        tool_versions=_versions(tools),
        env=tool_env(_paths(tools)),
        timeout_ns=timeout_ns,
        notify=notify,
    )
    return Made({sut.label: build(sut, workshop) for sut in wanted}, skipped, tools)


def _unmet(sut: SystemUnderTest) -> str | None:
    if isinstance(sut, StackVariant):
        for need in sut.chosen.needs:
            try:
                find_tool(need)
            except ToolMissingError as missing:
                return missing.what
    return None


def _tools(suts: Iterable[StackVariant], notify: Notify) -> dict[str, Tool]:
    """Every tool that the stacks require, in the highest of the least versions, fetched if it can be."""
    least: dict[str, str] = {}
    for sut in suts:
        for name, version in sut.stack.requires.items():
            least[name] = max(least.get(name, "0"), str(version), key=_numeric)
    needed = {need: find_tool(need) for sut in suts for need in sut.chosen.needs}
    return needed | {
        name: provide(name, version, lambda text: notify(Remarked(text=text))) for name, version in least.items()
    }


def _numeric(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _paths(tools: dict[str, Tool]) -> dict[str, str]:
    return {name: str(tool.path) for name, tool in tools.items()}


def _versions(tools: dict[str, Tool]) -> dict[str, str]:
    return {name: tool.version for name, tool in tools.items()}
