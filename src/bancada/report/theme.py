# SPDX-License-Identifier: Apache-2.0
"""The one look of all charts: colours that colour-blind readers tell apart, quiet axes, the reader's own font."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

PANEL_WIDTH = 420
"""Width of a chart in pixels, axis and labels included; two stand beside each other on a desk, one on a phone."""
FONT = "'Helvetica Neue', Arial, 'Liberation Sans', Roboto, sans-serif"
"""Fonts as wide as Liberation Sans, by which vl-convert measures, so that no reader sees a label cut off."""
FONT_SIZE = 13

NUMBERS = {"decimal": ".", "thousands": "\u202f", "grouping": [3], "currency": ["", ""], "minus": "\u2212"}
"""How axes write numbers: as `model.quantities` does."""

INK = "#1d2126"
MUTED = "#5b6470"
GRID = "#e3e1da"
PAPER = "#fffffe"
SERIES = ("#0068a8", "#bc4c00", "#00805f", "#a8457c", "#8a6a00", "#3b4cc0", "#6b6b6b", "#b0332b")
"""Okabe and Ito's order (2008), darkened until each has a contrast of 4.5 : 1 on paper, so that labels may have it."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
OUTLINES = (
    "M4.4,0A4.4,4.4,0,1,1,-4.4,0A4.4,4.4,0,1,1,4.4,0",
    "M-4,-4h8v8h-8Z",
    "M0,-4.4L4.7,4h-9.4Z",
    "M0,-5L4.4,0L0,5L-4.4,0Z",
    "M-4.6,-1.6h3v-3h3.2v3h3v3.2h-3v3h-3.2v-3h-3Z",
    "M0,4.4L4.7,-4h-9.4Z",
    "M4.4,0L-4,4.7v-9.4Z",
    "M-4.4,0L4,4.7v-9.4Z",
)
"""The same shapes as paths around 0, for the names in the page's text and tables."""
DASHES: tuple[list[int], ...] = ([1, 0], [6, 3], [2, 2])

VARIABLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "card"} | {
    colour: f"series-{place}" for place, colour in enumerate(SERIES, 1)
}
"""Which variable of the page's style sheet stands for a colour, so that charts follow the dark mode."""


def colour(place: int) -> str:
    """Colour of the system under test at this place (from 0) of the study."""
    return SERIES[place % len(SERIES)]


def dash(place: int) -> list[int]:
    """Dashes of its lines: solid, until the colours are used up."""
    return DASHES[place // len(SERIES) % len(DASHES)]


def shape(place: int) -> str:
    """Shape of its dots."""
    return SHAPES[place % len(SHAPES)]


def contrast(one: str, other: str) -> float:
    """Contrast of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour_code: str) -> float:
    parts: Sequence[float] = [int(colour_code[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def config() -> dict[str, Any]:
    """Vega-Lite's `config` of every chart."""
    return {
        "background": PAPER,
        "font": FONT,
        "padding": 4,
        "mark": {"aria": False},
        "view": {"stroke": None},
        "axis": {
            "domainColor": MUTED,
            "gridColor": GRID,
            "labelColor": MUTED,
            "labelFontSize": FONT_SIZE - 1,
            "tickColor": MUTED,
            "tickSize": 4,
            "titleColor": INK,
            "titleFontSize": FONT_SIZE,
            "titleFontWeight": "normal",
            "titlePadding": 8,
        },
        "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
        "axisX": {"labelFlush": False, "labelOverlap": "greedy", "labelSeparation": 6},
        "text": {"color": INK, "fontSize": FONT_SIZE},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "color": INK,
            "fontSize": FONT_SIZE + 1,
            "fontWeight": 600,
            "offset": 10,
            "subtitleColor": MUTED,
            "subtitleFontSize": FONT_SIZE - 1,
            "subtitlePadding": 4,
        },
        "legend": {"disable": True},
    }
