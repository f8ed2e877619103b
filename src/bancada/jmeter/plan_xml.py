# SPDX-License-Identifier: Apache-2.0
"""Read JMeter's test plan files (.jmx) as a tree of elements that know their lines.

The parser is expat, and a DOCTYPE is refused: without one there are no entities to expand and none to fetch, and JMeter
writes none. Each element of a plan is followed by the `hashTree` of what stands below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from bancada.errors import InputError, NotFoundError

_DEEPEST = 200
_CORE = "org.apache.jmeter."


@dataclass(eq=False)
class Node:
    """An XML element; two are the same only if they stand at the same place."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    nodes: list[Node] = field(default_factory=list)

    @property
    def property_name(self) -> str:
        """Under which name its value is kept; older properties write it as an element of its own."""
        return self.attributes.get("name") or next((each.text for each in self.nodes if each.tag == "name"), "")

    def part(self, name: str) -> Node | None:
        """The property of that name, or None."""
        return next((each for each in self.nodes if each.property_name == name), None)

    def value(self, name: str, default: str = "") -> str:
        """The text of the property of that name, or `default` where it is missing or empty."""
        part = self.part(name)
        return (part.text if part else "") or default

    def flag(self, name: str, *, default: bool) -> bool:
        """Whether the property of that name is true."""
        return self.value(name, str(default)).strip().lower() == "true"

    def items(self, *path: str) -> list[Node]:
        """What the collection holds that is reached by these names."""
        node: Node | None = self
        for name in path:
            node = node.part(name) if node else None
        return node.nodes if node else []


@dataclass(frozen=True)
class Element:
    """An element of a test plan, with the elements below it."""

    node: Node
    below: tuple[Element, ...]

    @property
    def kind(self) -> str:
        """Its class, as in `ThreadGroup`; of plug-ins with the package."""
        named = self.node.attributes.get("testclass") or self.node.tag
        return named.rpartition(".")[2] if named.startswith(_CORE) else named

    @property
    def gui(self) -> str:
        """The class of its form in JMeter's window, which tells apart what shares a class."""
        return self.node.attributes.get("guiclass", "").rpartition(".")[2]

    @property
    def name(self) -> str:
        """The name that the plan's author gave it, on one line."""
        return " ".join(self.node.attributes.get("testname", "").split())

    @property
    def line(self) -> int:
        """Where it begins in the file, from 1."""
        return self.node.line

    @property
    def enabled(self) -> bool:
        """Whether JMeter would use it."""
        return self.node.attributes.get("enabled", "true").strip().lower() != "false"

    def all_below(self) -> Iterator[Element]:
        """Everything below it, in the file's order."""
        for each in self.below:
            yield each
            yield from each.all_below()


@dataclass(frozen=True)
class PlanFile:
    """A test plan as it stands in its file."""

    path: Path
    version: str
    """Of the JMeter that wrote it; empty where the file does not say."""
    plan: Element


def read_jmx(path: Path) -> PlanFile:
    """The test plan in the file at `path`.

    Raises NotFoundError if it is not there, InputError (with the line) if it is not XML, or not a test plan.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError("there is no such file", where=str(path)) from error
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", where=str(path)) from error
    root = _parse(data, path)
    if root.tag != "jmeterTestPlan":
        raise InputError(
            f"is not a JMeter test plan: it holds <{root.tag}>, not <jmeterTestPlan>",
            where=f"{path}, line {root.line}",
            advice="save the plan in JMeter as a .jmx file",
        )
    plan = next((each for tree in root.nodes for each in _elements(tree) if each.kind == "TestPlan"), None)
    if plan is None:
        raise InputError("holds no TestPlan element", where=str(path), advice="save the plan in JMeter as a .jmx file")
    return PlanFile(path, root.attributes.get("jmeter", ""), plan)


def _elements(tree: Node) -> tuple[Element, ...]:
    """The elements of a `hashTree`; the hashTree behind an element holds what stands below it."""
    found: list[Element] = []
    for node in tree.nodes:
        if node.tag != "hashTree":
            found.append(Element(node, ()))
        elif found:
            found[-1] = Element(found[-1].node, _elements(node))
    return tuple(found)


class _Builder:
    """Takes expat's events and makes nodes of them."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[Node] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype

    def build(self, data: bytes) -> Node:
        """The root of the document. Raises ExpatError or ValueError (an encoding that is not known, a DOCTYPE)."""
        self._parser.Parse(data, True)
        assert self.root is not None
        return self.root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        node = Node(tag, attributes, self._parser.CurrentLineNumber)
        if len(self._open) >= _DEEPEST:
            raise ValueError(f"line {node.line}: elements are nested deeper than {_DEEPEST}")
        if self._open:
            self._open[-1].nodes.append(node)
        else:
            self.root = node
        self._open.append(node)

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        self._open[-1].text += text

    def _doctype(self, *_: object) -> None:
        raise ValueError(f"line {self._parser.CurrentLineNumber}: a DOCTYPE is refused; test plans have none")


def _parse(data: bytes, path: Path) -> Node:
    try:
        return _Builder().build(data)
    except expat.ExpatError as error:
        raise InputError(
            f"is not well-formed XML: {expat.ErrorString(error.code)}, column {error.offset + 1}",
            where=f"{path}, line {error.lineno}",
            advice="open the plan in JMeter and save it again",
        ) from error
    except (ValueError, LookupError) as error:
        raise InputError(f"cannot be read as a test plan: {error}", where=str(path)) from error
