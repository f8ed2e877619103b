# SPDX-License-Identifier: Apache-2.0
"""Charts as pictures: SVG and PNG for papers, and SVG that becomes part of the page.

The page holds drawings instead of Vega's run time: about 15 KB a chart instead of a megabyte of JavaScript, they print,
they follow the page's colours, and they open in twenty years. What hovering tells is in `<title>`s.
"""

from __future__ import annotations

import html
import re
from itertools import count
from typing import Any

import altair as alt
import vl_convert

from bancada.report import theme

_VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
_ROOT = re.compile(r"<svg [^>]*?width=\"([\d.]+)\" height=\"([\d.]+)\"[^>]*>")
_BACKGROUND = re.compile(rf'<rect width="[\d.]+" height="[\d.]+" fill="{theme.PAPER}"/>')
_MARK = re.compile(r'<(path|text|line|rect) aria-label="([^"]*)" role="graphics-symbol"([^>]*?)/>')
_ROLES = re.compile(r' (?:role|aria-[a-z]+|class|pointer-events)="[^"]*"')
_NOTHING = re.compile(r'<path d="(?:M0,0h0v0h0Z)?"(?: display="none")?/>| opacity="1"')
_GEOMETRY = re.compile(r' (?:d|transform|x2|y2)="[^"]*"')
_TENTHS = re.compile(r"(\.\d)\d+")
_COLOUR = re.compile(r'(fill|stroke)="(#[0-9a-f]{6})"')
_ID = re.compile(r'(id="|url\(#)([A-Za-z0-9_-]+)')


def as_svg(chart: alt.TopLevelMixin) -> str:
    """The chart as a stand-alone SVG document.

    Vega counts its ids on and on through the life of the process; counted anew, the same chart gives the same text.
    """
    drawing = vl_convert.vegalite_to_svg(_specification(chart), vl_version=_VEGA_LITE, format_locale=theme.NUMBERS)
    places: dict[str, int] = {}
    return _ID.sub(lambda match: f"{match[1]}part{places.setdefault(match[2], len(places) + 1)}", drawing)


def as_png(chart: alt.TopLevelMixin) -> bytes:
    """The chart as a PNG, twice as many dots a side as the SVG has pixels."""
    return bytes(
        vl_convert.vegalite_to_png(_specification(chart), vl_version=_VEGA_LITE, format_locale=theme.NUMBERS, scale=2)
    )


def in_page(chart: alt.TopLevelMixin, title: str, numbers: count[int]) -> str:
    """The chart as a piece of the page: coloured by its variables, named `title`, with ids that no other chart has."""
    return adapt(as_svg(chart), title, next(numbers))


def adapt(drawing: str, title: str, number: int) -> str:
    """Make Vega's SVG fit to stand inside the page; see the rules above each step."""
    root = _ROOT.search(drawing)
    assert root is not None, "Vega draws an <svg> with width and height"
    body = drawing[root.end() :]
    # The page's card is the background; roles inside an image say nothing to a reader of the page.
    body = _BACKGROUND.sub("", body)
    body = _MARK.sub(r"<\1\3><title>\2</title></\1>", body)
    body = _NOTHING.sub("", _ROLES.sub("", body))
    # Hundredths of a pixel are not seen, and are a third of the size.
    body = _GEOMETRY.sub(lambda match: _TENTHS.sub(r"\1", match[0]), body)
    body = _COLOUR.sub(_variable, body)
    body = re.sub(r' font-family="[^"]*"', "", body)
    body = _ID.sub(rf"\1chart{number}-\2", body)
    width, height = (round(float(each)) for each in root.groups())
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="chart{number}-title" '
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return f'{opening}{size}<title id="chart{number}-title">{html.escape(title)}</title>{body}'


def _variable(match: re.Match[str]) -> str:
    name = theme.VARIABLES.get(match[2])
    return f'{match[1]}="var(--{name})"' if name else match[0]


def _specification(chart: alt.TopLevelMixin) -> dict[str, Any]:
    with alt.data_transformers.disable_max_rows():
        specification: dict[str, Any] = chart.to_dict()
    return specification | {"config": theme.config()}
