# SPDX-License-Identifier: Apache-2.0
"""Elements of a JMeter test plan (JMX) as JMeter's own window writes them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

Property = str | int | bool | ET.Element
GUI = {
    "TestPlan": "TestPlanGui",
    "ThreadGroup": "ThreadGroupGui",
    "LoopController": "LoopControlPanel",
    "HTTPSamplerProxy": "HttpTestSampleGui",
    "HeaderManager": "HeaderPanel",
    "Arguments": "HTTPArgumentsPanel",
    "ResponseAssertion": "AssertionGui",
    "SizeAssertion": "SizeAssertionGui",
    "JSR223Assertion": "TestBeanGUI",
    "TestAction": "TestActionGui",
}
"""The part of JMeter's window that shows each kind of element."""


def element(kind: str, name: str, properties: Mapping[str, Property]) -> ET.Element:
    """An element of the plan, called `name` in its tree."""
    made = ET.Element(kind, guiclass=GUI[kind], testclass=kind, testname=name)
    _fill(made, properties)
    return made


def part(kind: str, properties: Mapping[str, Property], name: str = "") -> ET.Element:
    """An element inside a property; it becomes an `elementProp` of that property's name."""
    made = ET.Element("elementProp", elementType=kind)
    if kind in GUI:
        made.attrib |= {"guiclass": GUI[kind], "testclass": kind, "testname": name}
    _fill(made, properties)
    return made


def texts(values: Mapping[str, str]) -> ET.Element:
    """A collection of strings, each under its key."""
    made = ET.Element("collectionProp")
    for key, value in values.items():
        ET.SubElement(made, "stringProp", name=key).text = value
    return made


def parts(*elements: ET.Element) -> ET.Element:
    """A collection of parts."""
    made = ET.Element("collectionProp")
    for each in elements:
        each.set("name", each.get("name", ""))
        made.append(each)
    return made


def tree(*branches: tuple[ET.Element, ET.Element | None]) -> ET.Element:
    """Elements, each followed by the tree of what hangs below it (None: nothing)."""
    made = ET.Element("hashTree")
    for branch, below in branches:
        made.append(branch)
        made.append(ET.Element("hashTree") if below is None else below)
    return made


def write_plan(root: ET.Element, path: Path) -> None:
    """Write the tree of a whole plan as a file that JMeter's window opens too."""
    document = ET.Element("jmeterTestPlan", version="1.2", properties="5.0", jmeter="5.6.3")
    document.append(root)
    ET.indent(document)
    ET.ElementTree(document).write(path, encoding="UTF-8", xml_declaration=True)


def _fill(made: ET.Element, properties: Mapping[str, Property]) -> None:
    for name, value in properties.items():
        if isinstance(value, ET.Element):
            value.set("name", name)
            made.append(value)
        elif isinstance(value, bool):
            ET.SubElement(made, "boolProp", name=name).text = str(value).lower()
        elif isinstance(value, int):
            ET.SubElement(made, "intProp", name=name).text = str(value)
        else:
            ET.SubElement(made, "stringProp", name=name).text = value
