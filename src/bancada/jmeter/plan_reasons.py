# SPDX-License-Identifier: Apache-2.0
"""Why elements of a test plan cannot be carried over, or need not be."""

from __future__ import annotations

import re

from bancada.jmeter.plan_listing import Fate
from bancada.jmeter.plan_xml import Element

_OWN_REASONS: dict[str, tuple[Fate, str]] = {
    "CookieManager": ("left out", "users here keep no cookies"),
    "CacheManager": ("left out", "users here keep no cache: each request is sent in full"),
    "AuthManager": ("left out", "logins are not sent; a fixed one can be written as the header Authorization"),
    "DNSCacheManager": ("left out", "the address is looked up once, before the load"),
    "KeystoreConfig": ("left out", "client certificates need TLS, which the load engine does not speak"),
    "CSVDataSet": (
        "left out",
        "values are not read from files; templates such as {{random_int:1:9}} can vary a request",
    ),
    "CounterConfig": ("left out", "counters are not kept; {{iteration}} and {{user}} count from 0"),
    "RandomVariableConfig": ("left out", "no variables are drawn; {{random_int:LOW:HIGH}} draws a number in its place"),
    "UserParameters": ("left out", "users do not have values of their own; {{user}} is each user's number"),
    "TestAction": ("left out", "users here neither stop nor restart on command"),
    "SyncTimer": ("left out", "users are not held back to go together; a load without ramp-up begins at once"),
    "ConstantThroughputTimer": ("left out", "a fixed rate is an open load here: write rate and duration in [[load]]"),
    "PreciseThroughputTimer": ("left out", "a fixed rate is an open load here: write rate and duration in [[load]]"),
    "DurationAssertion": (
        "left out",
        "a slow answer does not fail here; the report has the share by Apdex and percentile",
    ),
    "JSONPathAssertion": ("left out", "only a whole JSON value can be checked: write check = { json = … } by hand"),
    "Summariser": ("not needed", "the report has it"),
    "BackendListener": ("not needed", "a listener does not change the load"),
    "SetupThreadGroup": ("left out", "nothing is asked before the load, except to warm up"),
    "PostThreadGroup": ("left out", "nothing is asked after the load"),
    "OpenModelThreadGroup": ("left out", "write its schedule as rate and duration, or segments, in [[load]]"),
    "TestFragmentController": ("not needed", "a fragment does not run by itself"),
    "WorkBench": ("not needed", "the workbench does not run"),
    "ProxyControl": ("not needed", "a recorder does not run in a test"),
    "HttpMirrorControl": ("not needed", "the mirror server does not run in a test"),
}
_BY_NAME: tuple[tuple[re.Pattern[str], Fate, str], ...] = (
    (re.compile("ResultCollector|Visualizer|ResultSaver$"), "not needed", "the report has it"),
    (re.compile("(JSR223|BSF|BeanShell)"), "left out", "scripts are not run"),
    (re.compile("Listener"), "left out", "it is not known what this listener does"),
    (
        re.compile("ThreadGroup$"),
        "left out",
        "this kind of thread group is not known; write its load as [[load]] by hand",
    ),
    (re.compile("Timer$"), "left out", "a pause that varies cannot be carried over; a load has one fixed pause, think"),
    (re.compile("Assertion$"), "left out", "a check knows status, size, JSON and SHA-256 of the body"),
    (re.compile("Extractor$|PostProcessor$|^ResultAction$"), "left out", "nothing is taken from answers"),
    (
        re.compile("PreProcessor$|Modifier$|^RegExUserParameters$|^SampleTimeout$"),
        "left out",
        "nothing changes requests",
    ),
    (re.compile("Sampler$|^MailReader|^Jms|^JMS"), "left out", "it is not an HTTP request"),
    (
        re.compile("Controller$|Control$|^RunTime$"),
        "left out",
        "users walk straight through the operations, in their order",
    ),
    (re.compile("Config|Defaults|DataSource|SourceElement|ConnectionElement"), "not needed", "no HTTP request uses it"),
)
_UNKNOWN: tuple[Fate, str] = ("left out", "this element is not known")


def why_not(element: Element) -> tuple[Fate, str]:
    """What becomes of an element that nothing here carries over, and why."""
    if element.kind in _OWN_REASONS:
        return _OWN_REASONS[element.kind]
    named = element.kind.rpartition(".")[2]
    return next(((fate, why) for pattern, fate, why in _BY_NAME if pattern.search(named)), _UNKNOWN)
