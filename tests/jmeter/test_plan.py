# SPDX-License-Identifier: Apache-2.0
"""JMeter's test plans become studies that ask the same, and say what they could not take over."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.engine.wire import LoadOrder, load_order, operation_order
from bancada.errors import PlanError
from bancada.jmeter.plan import ImportedPlan, read_plan
from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.load import ClosedLoad
from bancada.model.operation import Body, Check, Operation
from tests.jmeter.plan_builder import (
    element,
    group,
    headers,
    http,
    loop,
    pause,
    plan,
    response_assertion,
    size_assertion,
    timer,
)
from tests.jmeter.plan_reader import only, read, said

PLANS = Path(__file__).parent / "plans"


def load_of(imported: ImportedPlan) -> ClosedLoad:
    """The load of a plan with one thread group."""
    (load,) = only(imported).load
    assert isinstance(load, ClosedLoad)
    return load


@pytest.mark.parametrize(("name", "users"), [("first", 1000), ("second", 5000), ("third", 10_000)])
def test_the_plans_of_ramalho_2020_are_its_loads(name: str, users: int) -> None:
    """Its three plans (sections 4.4.2 and 5) are 1 000, 5 000 and 10 000 users, 60 s of ramp-up, 10 loops of a GET."""
    imported = read_plan(PLANS / f"{name}-test-plan.jmx")
    study = only(imported)
    assert study.load == (ClosedLoad(name=f"{users} users", users=users, ramp_up=60 * NS_PER_S, iterations=10),)
    assert study.operation == (Operation(name="HTTP Request", path="/async"),)
    assert (study.study, study.stacks) == (f"{name}-test-plan", ("target=http://172.20.0.37:8081",))
    not_needed = [(each.element, each.lines) for each in imported.remarks if each.fate == "not needed"]
    assert not_needed == [("Aggregate Report", (48,)), ("Summary Report", (85,)), ("Response Time Graph", (122,))]
    assert said(imported, "left out") == []


LOADS = [
    # A scheduler with endless loops is a duration; its users start over the ramp-up.
    (group(http(), loops=-1, scheduler=True, duration=30), {"iterations": None, "duration": 30 * NS_PER_S}),
    # A loop controller around everything multiplies the iterations.
    (group(loop(4, http())), {"iterations": 12}),
    (group(loop(4, headers(("a", "b")), http()), loops=-1, scheduler=True, duration=30), {"duration": 30 * NS_PER_S}),
    # A constant timer is a pause between requests, and timers in scope add up.
    (group(timer(300), http(below=timer(200))), {"think": 500 * NS_PER_MS}),
    # So is a Flow Control Action behind every request.
    (group(http("a"), pause(250), http("b"), pause(250)), {"think": 250 * NS_PER_MS}),
    # Numbers may be variables, and properties have their defaults.
    (group(http(), users="${n}", ramp_up="${__P(ramp,7)}"), {"users": 9, "ramp_up": 7 * NS_PER_S}),
]


@pytest.mark.parametrize(("written", "expected"), LOADS)
def test_a_thread_group_is_a_closed_load(tmp_path: Path, written: str, expected: dict[str, object]) -> None:
    """Users, ramp-up, loops or duration, and constant pauses are the load's."""
    whole = {"name": "2 users", "users": 2, "ramp_up": NS_PER_S, "iterations": 3, "duration": None, "think": 0}
    if "duration" in expected:
        whole["iterations"] = None
    whole |= expected
    whole["name"] = f"{whole['users']} users"
    assert load_of(read(tmp_path, plan(written, variables={"n": "9"}))).model_dump() == whole


CHANGED = [
    (group(timer(300), http()), "users pause between requests; in JMeter also before their first one"),
    (group(http(), loops=2, scheduler=True, duration=30), "after 2 iterations, in JMeter also after 30 s"),
    (group(http(), on_sample_error="stopthread"), "users go on after a failed request; in JMeter: stopthread"),
    (group(http(), same_user_on_next_iteration=False), "users keep their connection between iterations"),
    (group(http(), users="${__P(threads,5)}"), "property threads is taken at its default, 5"),
    (group(http("a"), loop(5, http("b"))), "it repeats a part of the way 5 times; here it is walked once"),
    (group(http("a"), http("a")), 'operations need names of their own: it is "a (2)"'),
    (group(http(follow_redirects=True)), "redirects are not followed"),
    (group(http(use_keepalive=False)), "users keep their connection; in JMeter each request opens a new one"),
    (group(http(below=headers(("Connection", "close")))), "its header Connection is left out"),
    (group(http(image_parser=True)), "only the page is asked for"),
    (group(http(connect_timeout=1000)), "JMeter waits without end for a connection and an answer"),
    (group(loop(2, http(path="/${__jm__Thread Group__idx}"))), "{{iteration}} counts the loops of the controller"),
    (group(http(path="/${__threadNum}")), "is {{user}}, which counts from 0, not from 1"),
]


@pytest.mark.parametrize(("written", "why"), CHANGED)
def test_what_is_carried_over_otherwise_is_said(tmp_path: Path, written: str, why: str) -> None:
    """What users here do otherwise than JMeter's is listed as changed."""
    assert any(why in each for each in said(read(tmp_path, plan(written)), "changed"))


LEFT_OUT = [
    (timer(100, "UniformRandomTimer"), "Uniform Random Timer: a pause that varies cannot be carried over"),
    (timer("${__Random(1,9)}"), "Constant Timer: its delay is not a fixed number: {{random_int:1:9}}"),
    (timer(100, "GaussianRandomTimer"), "Gaussian Random Timer: a pause that varies"),
    (element("ConstantThroughputTimer", "rate"), "Constant Throughput Timer: a fixed rate is an open load here"),
    (element("JSONPathAssertion", "json"), "JSON Assertion: only a whole JSON value can be checked"),
    (element("DurationAssertion", "slow"), "Duration Assertion: a slow answer does not fail here"),
    (element("CookieManager", "cookies"), "HTTP Cookie Manager: users here keep no cookies"),
    (element("CSVDataSet", "data"), "CSV Data Set Config: values are not read from files"),
    (element("JSR223PreProcessor", "script"), "JSR223 PreProcessor: scripts are not run"),
    (element("RegexExtractor", "token"), "Regular Expression Extractor: nothing is taken from answers"),
    (element("JDBCSampler", "query"), "JDBC Sampler: it is not an HTTP request"),
    (element("IfController", "if", below=http("inside")), "with the 1 element below it"),
    (element("OnceOnlyController", "login", below=http("inside")), "none only in the first; with the 1 element below"),
    (element("com.example.Strange", "odd"), "com.example.Strange: this element is not known"),
    (response_assertion("hello", field="response_data", kind=2), "Response Assertion: a check knows status, size"),
    (response_assertion("200", kind=12), "Response Assertion: a check says what an answer must be"),
    (response_assertion("404"), "JMeter fails a status of 400 and above, because"),
    (size_assertion(10, operator=3), "Size Assertion: only a size that is equal can be checked"),
    (size_assertion(10, field="response_network_size"), "Size Assertion: only the size of the body"),
    (http("other", domain="127.0.0.2", server=False), "it asks http://127.0.0.2:80; a study asks one server"),
    (http("unknown", path="/${token}"), "its path is not known beforehand: ${token}"),
    (http("time", path="/${__time()}"), "its path is not known beforehand: ${__time()}"),
    (http("index", path="/${__jm__Loop__idx}"), "its path is not known beforehand: ${__jm__Loop__idx}"),
    (http("trace", "TRACE"), "its method is TRACE"),
    (http("form", "POST", DO_MULTIPART_POST=True), "it sends a multipart form"),
    (http("template", path="/{{x}}"), "its path holds {{, which begins a template"),
    (http("bad", path="/a|b"), "its path holds characters that must be percent-encoded"),
    (http("varying", below=headers(("n", "${__Random(1,9)}"))), "its headers changes from request to request"),
    (pause(100) + http("b") + pause(200), "a load has one pause, think, between all requests; these differ"),
]


@pytest.mark.parametrize(("written", "why"), LEFT_OUT)
def test_what_cannot_be_carried_over_is_listed_and_the_rest_stands(tmp_path: Path, written: str, why: str) -> None:
    """Each such element is listed with its line and the reason; the request beside it is carried over."""
    imported = read(tmp_path, plan(group(http("kept"), written)))
    assert only(imported).operation[0].name == "kept"
    remark = next(each for each in imported.remarks if each.fate == "left out")
    assert any(why in each for each in said(imported, "left out")), said(imported, "left out")
    assert all(line > 5 for line in remark.lines)


def test_disabled_elements_are_listed_and_not_carried_over(tmp_path: Path) -> None:
    """Disabled thread groups, requests and timers do nothing, and are named with their lines."""
    off = group(http("off"), name="off", enabled=False)
    imported = read(tmp_path, plan(off, group(http("on"), http("no", enabled=False))))
    assert [each.name for each in only(imported).operation] == ["on"]
    assert [(each.element, each.named) for each in imported.remarks if each.fate == "disabled"] == [
        ("Thread Group", '"off"'),
        ("HTTP Request", '"no"'),
    ]


def test_timeouts_are_the_study_s(tmp_path: Path) -> None:
    """Timeouts of all requests are those of the study; none in JMeter is as long as the load may take."""
    timeouts = only(read(tmp_path, plan(group(http(connect_timeout=2000, response_timeout=9000))))).timeouts
    assert (timeouts.connect, timeouts.response) == (2 * NS_PER_S, 9 * NS_PER_S)
    without = only(read(tmp_path, plan(group(http())))).timeouts
    assert (without.connect, without.response) == (without.load, without.load)


def test_each_thread_group_is_a_study_of_its_own(tmp_path: Path) -> None:
    """Groups that run together are no one closed load: each becomes a study, and that is said."""
    imported = read(
        tmp_path, plan(group(http("a"), name="Read"), group(http("b"), name="Write"), group(http("c"), name="Read"))
    )
    assert [each.study.study for each in imported.studies] == ["small-read", "small-write", "small-read-2"]
    assert [each.study.operation[0].name for each in imported.studies] == ["a", "b", "c"]
    assert any("3 thread groups run together: here each is a study" in each for each in said(imported, "changed"))


@pytest.mark.parametrize(
    ("properties", "why"),
    [
        ({"protocol": "https"}, "its server: https is not spoken"),
        ({"server": False, "domain": "a b", "port": "80"}, "its server: http://a b:80 is not an address"),
        ({"server": False}, "its server: none is named"),
    ],
)
def test_a_server_that_cannot_be_asked_leaves_the_study_without_one(
    tmp_path: Path, properties: dict[str, object], why: str
) -> None:
    """Load and operations are carried over; the study names no stack, so that it cannot run before somebody does."""
    imported = read(tmp_path, plan(group(http(**properties))))  # type: ignore[arg-type]
    assert only(imported).stacks == ()
    assert any(why in each for each in said(imported, "left out"))


REFUSED = [
    (plan(group(http(), loops=-1)), "its users go on for ever"),
    # JMeter 5.6.3 really goes on for ever where the loop controller does not say that it does not.
    (plan(group(http(), for_ever=None)), "its users go on for ever"),
    (plan(group(loop(-1, http()))), "a Loop Controller around its requests has no end"),
    (plan(group(http(), users="many")), "its num_threads is not a number: many"),
    (plan(group(http(), users=60_000)), "less than or equal to 50000"),
    (plan(group(element("JDBCSampler", "query"))), "it has no HTTP sampler (JDBC Sampler in line"),
    (plan(group()), 'thread group "Thread Group" (line 11): it has no HTTP sampler'),
    (plan(group(http(path="/${x}"))), "none of its HTTP samplers can be carried over: line"),
    (plan(), "the plan has no enabled Thread Group"),
    (plan(element("SetupThreadGroup", "first", below=http())), "nothing is asked before the load"),
    (plan(group(http()), enabled=False), "the test plan is disabled"),
]


@pytest.mark.parametrize(("written", "why"), REFUSED)
def test_a_plan_that_is_no_load_is_refused_with_its_reasons(tmp_path: Path, written: str, why: str) -> None:
    """Without a closed load and a request there is no study."""
    with pytest.raises(PlanError) as refused:
        read(tmp_path, written)
    assert why in refused.value.what


def test_a_study_that_jmeter_drove_comes_back_the_same(tmp_path: Path) -> None:
    """The plan that is written for JMeter as an engine is read as the load and the operations that it was made of."""
    from bancada.engine.jmeter.plan import write_order_as_plan

    operations = (
        Operation(name="one", path="/a?n={{random_int:1:9}}&u={{user}}", headers={"accept": "text/html"}),
        Operation(
            name="two",
            path="/b/{{iteration}}",
            method="POST",
            headers={"Content-Type": "application/json"},
            body=Body(template='{"ids": [{{random_ints:3:1:5}}], "tag": "{{random_hex:4}}"}'),
            check=Check(status=(200, 201), size_bytes=12),
        ),
    )
    load = ClosedLoad(name="7 users", users=7, ramp_up=2 * NS_PER_S, iterations=4, think=50 * NS_PER_MS)
    order = LoadOrder(
        target="http://127.0.0.1:8080",
        seed=1,
        operations=tuple(map(operation_order, operations)),
        load=load_order(load),
        connect_timeout_ns=3 * NS_PER_S,
        response_timeout_ns=4 * NS_PER_S,
        samples=None,
    )
    imported = read_plan(write_order_as_plan(order, tmp_path))
    study = only(imported)
    assert (study.load, study.operation, study.stacks) == ((load,), operations, ("target=http://127.0.0.1:8080",))
    assert (study.timeouts.connect, study.timeouts.response) == (3 * NS_PER_S, 4 * NS_PER_S)
    assert imported.remarks == ()
