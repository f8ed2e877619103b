# SPDX-License-Identifier: Apache-2.0
"""From a resolved study to a bench: tools found, stacks built, the host described, CPUs assigned."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.catalog.places import cache
from bancada.catalog.studies import ResolvedStudy
from bancada.conductor.bench import Bench, Notify, build_key
from bancada.conductor.orders import measure_order
from bancada.engine.jmeter.plan import write_order_as_plan
from bancada.engine.locate import locate
from bancada.errors import AddressError, NoResultError, ToolMissingError
from bancada.host.containers import find_container_engine
from bancada.host.facts import host_facts
from bancada.host.jmeter import provide_jmeter
from bancada.host.pinning import plan_pinning
from bancada.host.provide import provide
from bancada.host.tools import Tool, find_tool, tool_env
from bancada.jmeter.home import JMeter
from bancada.model.events import Remarked
from bancada.model.scenario import Scenario
from bancada.model.service import PRODUCTS, product_of, service_label
from bancada.model.stack import StackByUrl, StackVariant, SystemUnderTest
from bancada.model.study import Study, Timeouts
from bancada.process.container_engine import ContainerEngine
from bancada.process.ports import free_port
from bancada.services.service import Needs, Offer
from bancada.services.sql import find
from bancada.services.upstream import find_upstream
from bancada.sut.build import Built, build
from bancada.sut.image import base_reason
from bancada.sut.ready import is_open
from bancada.sut.workshop import Workshop

FOR_PRODUCT = "{sql}"
"""Stands in build commands for the database product, which some frameworks must know when they build."""


@dataclass(frozen=True)
class Made:
    """What the workshop has made."""

    builds: dict[str, Built]
    skipped: dict[str, str]
    tools: dict[str, Tool]


def prepare(resolved: ResolvedStudy, notify: Notify) -> Bench:
    """Make everything ready that trials share. Raises what building and looking for tools raise."""
    study = with_services(resolved.study, resolved.scenario)
    engine = locate()
    _check_addresses(resolved.suts)
    free_port(study.port)
    offers = find_services(study, notify) | find_central_service(engine, resolved.scenario)
    jmeter = _jmeter(study, resolved.scenario, notify) if "jmeter" in study.engines else None
    ours = [sut for sut in resolved.suts if isinstance(sut, StackVariant)]
    products = tuple(product_of(asked) for asked in study.services.get("sql", ()))
    made = build_all(ours, notify, timeout_ns=study.timeouts.build, products=products, base_image=study.base_image)
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
        offers=offers,
        tools=_paths(made.tools),
        env=tool_env(_paths(made.tools)),
        host=host_facts(_versions(made.tools)),
        pinning=plan_pinning(study.pin, services="sql" in resolved.scenario.services),
        notify=notify,
        jmeter=jmeter,
    )


def _jmeter(study: Study, scenario: Scenario, notify: Notify) -> JMeter:
    """JMeter, once it is sure that it can carry out every load. Raises PlanError if it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        for profile in study.load:
            order = measure_order(study, scenario, profile, "http://127.0.0.1:1", study.seed, Path(folder) / "none")
            write_order_as_plan(order, Path(folder))
    return provide_jmeter(_say(notify))


def with_services(study: Study, scenario: Scenario) -> Study:
    """The study with a product for each kind of service that the scenario needs, and none for what it does not need."""
    chosen = {kind: study.services.get(kind, PRODUCTS[kind][:1]) for kind in scenario.services}
    return study.model_copy(update={"services": chosen})


def find_services(study: Study, notify: Notify) -> dict[str, Offer]:
    """Every database that the study names, by its label. Raises ServiceError for one that cannot be had."""
    asked = study.services.get("sql", ())
    if not asked:
        return {}
    say = _say(notify)
    mvn = _maven(say) if any("://" not in each for each in asked) else None
    engine = _container_engine() if any("://" not in each for each in asked) else "a URL is given"
    needs = Needs(
        cache=cache(),
        mvn=str(mvn["mvn"].path) if mvn else None,
        java_env=tool_env(_paths(mvn)) if mvn else {},
        container=str(engine.path) if isinstance(engine, Tool) else None,
        say=say,
    )
    return {service_label(each): find(each, needs) for each in asked}


def find_central_service(engine: Path, scenario: Scenario) -> dict[str, Offer]:
    """The scenario's central service by its label, if it has one. Raises ServiceError if the engine does not run."""
    if scenario.upstream is None:
        return {}
    offer = find_upstream(engine, scenario.upstream)
    return {offer.facts.product: offer}


def _container_engine() -> Tool | str:
    """Docker or Podman, or the reason why there is none."""
    try:
        return find_container_engine()
    except ToolMissingError as missing:
        return missing.what


def _as_engine(tool: Tool) -> ContainerEngine:
    return ContainerEngine("podman" if tool.name == "podman" else "docker", tool.path)


def _say(notify: Notify) -> Callable[[str], None]:
    return lambda text: notify(Remarked(text=text))


def _maven(say: Callable[[str], None]) -> dict[str, Tool] | None:
    """Maven with a JDK, which fetch database servers from Maven Central; None if they cannot be had."""
    try:
        return {"mvn": provide("mvn", "3.8", say), "java": provide("java", 17, say)}
    except ToolMissingError:
        return None


def _check_addresses(suts: Sequence[SystemUnderTest]) -> None:
    """A service that somebody else runs must be there before anything is begun."""
    for sut in suts:
        if isinstance(sut, StackByUrl) and not is_open(sut.url):
            raise AddressError(
                f"nothing listens at {sut.url}",
                where=f"stack {sut.name}",
                advice=f"start the service first, or correct its address: --stack {sut.name}=http://host:port",
            )


def build_all(
    suts: Sequence[StackVariant],
    notify: Notify,
    *,
    timeout_ns: int = Timeouts().build,
    products: Sequence[str] = (),
    base_image: str | None = None,
) -> Made:
    """Build every variant whose needs this host can meet; the others are skipped, with the reason.

    Images are made upon `base_image`, or upon the one that their stack names. A build command with `{sql}` in it is for
    one database product, and is carried out for each of `products`.
    """
    engine = _container_engine() if any(sut.chosen.image for sut in suts) else None
    skipped = {sut.label: reason for sut in suts if (reason := _unmet(sut, engine, base_image))}
    for label, reason in skipped.items():
        notify(Remarked(text=f"skipping {label}: {reason}"))
    wanted = [sut for sut in suts if sut.label not in skipped]
    tools = _tools(wanted, notify) | ({engine.name: engine} if isinstance(engine, Tool) else {})
    workshop = Workshop(
        cache=cache(),
        tools=_paths(tools),
        tool_versions=_versions(tools),
        env=tool_env(_paths(tools)),
        timeout_ns=timeout_ns,
        notify=notify,
        container_engine=_as_engine(engine) if isinstance(engine, Tool) else None,
        base_image=base_image,
    )
    builds: dict[str, Built] = {}
    for sut in wanted:
        for product in products if len(products) > 1 and _is_for_product(sut) else products[:1] or PRODUCTS["sql"][:1]:
            key = build_key(sut.label, product if len(products) > 1 and _is_for_product(sut) else None)
            builds[key] = build(_for_product(sut, product), workshop)
    return Made(builds, skipped, tools)


def _is_for_product(sut: StackVariant) -> bool:
    return any(FOR_PRODUCT in argument for argument in sut.chosen.build or ())


def _for_product(sut: StackVariant, product: str) -> StackVariant:
    """The variant with the database product in its build command."""
    if sut.chosen.build is None or not _is_for_product(sut):
        return sut
    command = tuple(argument.replace(FOR_PRODUCT, product) for argument in sut.chosen.build)
    variant = sut.chosen.model_copy(update={"build": command})
    stack = sut.stack.model_copy(update={"variant": {**sut.stack.variant, sut.variant: variant}})
    return sut.model_copy(update={"stack": stack})


def _unmet(sut: StackVariant, engine: Tool | str | None, base_image: str | None) -> str | None:
    """Why this host cannot build or run a variant, or None if it can."""
    for need in sut.chosen.needs:
        try:
            find_tool(need)
        except ToolMissingError as missing:
            return missing.what
    if sut.chosen.image is None:
        return None
    if not isinstance(engine, Tool):
        return engine
    return base_reason(_as_engine(engine), base_image or sut.chosen.image.base)


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
