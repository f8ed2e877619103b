# SPDX-License-Identifier: Apache-2.0
"""Small test plans with the elements and properties that JMeter 5.6.3's window writes."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">\n'
PARAMETER = tuple[str | None, str, bool]
"""Name (None: none), value, and whether JMeter encodes it."""


def text(name: str, value: object) -> str:
    """A property that is a text, a number or a truth."""
    kind = "boolProp" if isinstance(value, bool) else "intProp" if isinstance(value, int) else "stringProp"
    written = str(value).lower() if isinstance(value, bool) else escape(str(value))
    return f"<{kind} name={quoteattr(name)}>{written}</{kind}>\n"


def collection(name: str, *items: str) -> str:
    """A property that is a list."""
    return f"<collectionProp name={quoteattr(name)}>{''.join(items)}</collectionProp>\n"


def element(kind: str, name: str, *parts: str, gui: str = "", below: str = "", enabled: bool = True) -> str:
    """An element with its properties, and the hashTree of what stands below it."""
    attributes = f'guiclass="{gui or kind + "Gui"}" testclass="{kind}" testname={quoteattr(name)}'
    state = "" if enabled else ' enabled="false"'
    return f"<{kind} {attributes}{state}>\n{''.join(parts)}</{kind}>\n<hashTree>\n{below}</hashTree>\n"


def plan(*below: str, variables: dict[str, str] | None = None, serialize: bool = False, enabled: bool = True) -> str:
    """A whole file."""
    defined = part("TestPlan.user_defined_variables", "Arguments", _variables(variables or {}))
    properties = (text("TestPlan.serialize_threadgroups", serialize), defined)
    tree = element("TestPlan", "Test Plan", *properties, below="".join(below), enabled=enabled)
    return f"{HEAD}<hashTree>\n{tree}</hashTree>\n</jmeterTestPlan>\n"


def part(name: str, kind: str, *parts: str) -> str:
    """A property that is an element."""
    return f'<elementProp name={quoteattr(name)} elementType="{kind}">\n{"".join(parts)}</elementProp>\n'


def group(
    *below: str,
    name: str = "Thread Group",
    users: object = 2,
    ramp_up: object = 1,
    loops: object = 3,
    for_ever: bool | None = False,
    enabled: bool = True,
    **more: object,
) -> str:
    """A Thread Group; `more` are its properties without `ThreadGroup.`."""
    said = "" if for_ever is None else text("LoopController.continue_forever", for_ever)
    loop = part("ThreadGroup.main_controller", "LoopController", said, text("LoopController.loops", loops)).replace(
        ">\n", ' guiclass="LoopControlPanel" testclass="LoopController" testname="Loop Controller">\n', 1
    )
    numbers = text("ThreadGroup.num_threads", users) + text("ThreadGroup.ramp_time", ramp_up)
    others = [text(f"ThreadGroup.{key}", value) for key, value in more.items()]
    return element("ThreadGroup", name, numbers, loop, *others, below="".join(below), enabled=enabled)


def parameters(*items: PARAMETER) -> str:
    """The parameters of a request."""
    written = [
        part(
            name or "",
            "HTTPArgument",
            text("HTTPArgument.always_encode", encode),
            text("Argument.value", value),
            text("Argument.metadata", "="),
            text("HTTPArgument.use_equals", True),
            text("Argument.name", name) if name is not None else "",
        )
        for name, value, encode in items
    ]
    return part("HTTPsampler.Arguments", "Arguments", collection("Arguments.arguments", *written))


def http(
    name: str = "get",
    method: str = "GET",
    path: str = "/",
    *items: PARAMETER,
    below: str = "",
    enabled: bool = True,
    **more: object,
) -> str:
    """An HTTP Request; `more` are its properties without `HTTPSampler.`, `server=False` leaves the server out."""
    server = {"domain": "127.0.0.1", "port": 8080} if more.pop("server", True) else {}
    raw = {"postBodyRaw": True} if items and all(each is None for each, *_ in items) else {}
    fixed = {"path": path, "method": method, "follow_redirects": False, "use_keepalive": True}
    properties = [text(f"HTTPSampler.{key}", value) for key, value in (server | fixed | raw | more).items()]
    return element(
        "HTTPSamplerProxy",
        name,
        *properties,
        parameters(*items),
        gui="HttpTestSampleGui",
        below=below,
        enabled=enabled,
    )


def defaults(*items: PARAMETER, **properties: object) -> str:
    """HTTP Request Defaults."""
    written = [text(f"HTTPSampler.{key}", value) for key, value in properties.items()]
    return element("ConfigTestElement", "HTTP Request Defaults", *written, parameters(*items), gui="HttpDefaultsGui")


def headers(*pairs: tuple[str, str]) -> str:
    """An HTTP Header Manager."""
    items = [part("", "Header", text("Header.name", name), text("Header.value", value)) for name, value in pairs]
    return element("HeaderManager", "Headers", collection("HeaderManager.headers", *items), gui="HeaderPanel")


def variables(**values: str) -> str:
    """User Defined Variables."""
    return element("Arguments", "Variables", _variables(values), gui="ArgumentsPanel")


def _variables(values: dict[str, str]) -> str:
    items = [
        part(name, "Argument", text("Argument.name", name), text("Argument.value", value))
        for name, value in values.items()
    ]
    return collection("Arguments.arguments", *items)


def timer(delay: object, kind: str = "ConstantTimer", name: str = "") -> str:
    """A timer with a delay in milliseconds."""
    return element(kind, name or kind, text("ConstantTimer.delay", str(delay)))


def pause(duration: object, action: int = 1) -> str:
    """A Flow Control Action."""
    properties = (text("ActionProcessor.action", action), text("ActionProcessor.duration", str(duration)))
    return element("TestAction", "Pause", *properties)


def loop(count: object, *below: str) -> str:
    """A Loop Controller, of which the window always writes that it goes on for ever."""
    properties = (text("LoopController.continue_forever", True), text("LoopController.loops", str(count)))
    return element("LoopController", "Loop", *properties, gui="LoopControlPanel", below="".join(below))


def response_assertion(*texts: str, field: str = "response_code", kind: int = 8, **more: object) -> str:
    """A Response Assertion."""
    strings = collection("Asserion.test_strings", *(text(each, each) for each in texts))
    properties = {"test_field": f"Assertion.{field}", "test_type": kind, **more}
    written = [text(f"Assertion.{key}", value) for key, value in properties.items()]
    return element("ResponseAssertion", "Response", strings, *written, gui="AssertionGui")


def size_assertion(size: object, field: str = "response_data", operator: int = 1) -> str:
    """A Size Assertion."""
    properties = (
        text("Assertion.test_field", f"SizeAssertion.{field}"),
        text("SizeAssertion.size", str(size)),
        text("SizeAssertion.operator", operator),
    )
    return element("SizeAssertion", "Size", *properties)
