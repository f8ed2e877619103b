# SPDX-License-Identifier: Apache-2.0
"""What became of each element of a test plan that is not simply carried over: nothing is dropped in silence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bancada.jmeter.plan_xml import Element

Fate = Literal["left out", "changed", "disabled", "not needed"]
FATES: dict[Fate, str] = {
    "left out": "Left out; the study does not do this:",
    "changed": "Carried over, but not just as JMeter does it:",
    "disabled": "Disabled in the plan, and so not carried over:",
    "not needed": "Not needed here:",
}
"""Each fate as the heading of its list, the gravest first."""

_TITLES = {
    "TestPlan": "Test Plan",
    "ThreadGroup": "Thread Group",
    "SetupThreadGroup": "setUp Thread Group",
    "PostThreadGroup": "tearDown Thread Group",
    "OpenModelThreadGroup": "Open Model Thread Group",
    "HTTPSamplerProxy": "HTTP Request",
    "HTTPSampler": "HTTP Request",
    "HTTPSampler2": "HTTP Request",
    "Arguments": "User Defined Variables",
    "HeaderManager": "HTTP Header Manager",
    "CookieManager": "HTTP Cookie Manager",
    "CacheManager": "HTTP Cache Manager",
    "AuthManager": "HTTP Authorization Manager",
    "CSVDataSet": "CSV Data Set Config",
    "GenericController": "Simple Controller",
    "OnceOnlyController": "Once Only Controller",
    "RunTime": "Runtime Controller",
    "InterleaveControl": "Interleave Controller",
    "TestAction": "Flow Control Action",
    "SyncTimer": "Synchronizing Timer",
    "JSONPathAssertion": "JSON Assertion",
    "MD5HexAssertion": "MD5Hex Assertion",
    "JSONPostProcessor": "JSON Extractor",
    "RegexExtractor": "Regular Expression Extractor",
    "BackendListener": "Backend Listener",
}
_GUI_TITLES = {
    "HttpDefaultsGui": "HTTP Request Defaults",
    "StatVisualizer": "Aggregate Report",
    "StatGraphVisualizer": "Aggregate Graph",
    "SummaryReport": "Summary Report",
    "RespTimeGraphVisualizer": "Response Time Graph",
    "ViewResultsFullVisualizer": "View Results Tree",
    "TableVisualizer": "View Results in Table",
    "GraphVisualizer": "Graph Results",
    "SimpleDataWriter": "Simple Data Writer",
    "AssertionVisualizer": "Assertion Results",
    "RecordController": "Recording Controller",
}
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])(?<!Pre)(?<!Post)(?<!Bean)|(?<=[A-Z])(?=[A-Z][a-z])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True)
class Remark:
    """What became of one or several like elements, and why."""

    fate: Fate
    element: str
    """The kind of element, as JMeter's menus name it."""
    names: tuple[str, ...]
    """The names that the plan gives them."""
    lines: tuple[int, ...]
    """Where they stand in the file."""
    why: str

    @property
    def where(self) -> str:
        """Their lines, as in `12, 40`."""
        return ", ".join(map(str, self.lines))

    @property
    def named(self) -> str:
        """Their names, each once and in quotes; empty if they are called as their kind is."""
        return ", ".join(f'"{each}"' for each in dict.fromkeys(self.names) if each not in {"", self.element})


def title(element: Element) -> str:
    """What JMeter's menus call an element; of those that it does not have, the class."""
    if element.gui in _GUI_TITLES:
        return _GUI_TITLES[element.gui]
    if element.kind in _TITLES:
        return _TITLES[element.kind]
    return element.kind if "." in element.kind else _WORDS.sub(" ", element.kind)


class Listing:
    """Takes remarks as elements are read."""

    def __init__(self) -> None:
        self.noted: list[Remark] = []
        """One remark for each element, in the order in which they were read."""

    def add(self, fate: Fate, element: Element, why: str) -> None:
        """Note what became of an element."""
        self.noted.append(Remark(fate, title(element), (element.name,), (element.line,), why))

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """All remarks; elements of one kind, fate and reason together, in the order of the file."""
        grouped: dict[tuple[Fate, str, str], list[Remark]] = {}
        for each in sorted(dict.fromkeys(self.noted), key=lambda each: each.lines):
            grouped.setdefault((each.fate, each.element, each.why), []).append(each)
        return tuple(
            Remark(
                fate,
                element,
                tuple(name for each in same for name in each.names),
                tuple(line for each in same for line in each.lines),
                why,
            )
            for (fate, element, why), same in grouped.items()
        )


def together(*listings: Listing) -> tuple[Remark, ...]:
    """The remarks of several listings as one."""
    whole = Listing()
    for each in listings:
        whole.noted += each.noted
    return whole.remarks


def comment(heading: Iterable[str], remarks: Iterable[Remark]) -> str:
    """The remarks as comments of a TOML file, below the lines of the heading."""
    lines = list(heading)
    remarks = tuple(remarks)
    for fate, says in FATES.items():
        of_fate = [each for each in remarks if each.fate == fate]
        if of_fate:
            lines += ["", says]
        lines += [f"- line {each.where}: {f'{each.element} {each.named}'.rstrip()}: {each.why}" for each in of_fate]
    return "".join(f"# {_CONTROL.sub(' ', line)}".rstrip() + "\n" for line in lines)
