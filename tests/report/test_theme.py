# SPDX-License-Identifier: Apache-2.0
"""Colours that everybody can read and tell apart."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from bancada.report import theme

STYLE = (files("bancada.report") / "templates" / "style.css").read_text()
LIGHT, DARK = (
    dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root \{(.*?)\n\s*\}", STYLE, re.DOTALL)[:2]
)
ON_CARD = ["ink", "muted", "accent", "high", "medium", "low", *(f"series-{place}" for place in range(1, 9))]
VERDICTS = ["better", "worse", "equivalent", "undecided"]


@pytest.mark.parametrize("mode", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", ON_CARD)
def test_text_and_lines_have_the_contrast_of_wcag_aa(mode: dict[str, str], name: str) -> None:
    """4.5 : 1 on the card and on the page, names at lines' ends included."""
    assert theme.contrast(mode[name], mode["card"]) >= 4.5
    assert theme.contrast(mode[name], mode["page"]) >= 4.5


@pytest.mark.parametrize("mode", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts_are_readable_on_their_own_ground(mode: dict[str, str], name: str) -> None:
    """4.5 : 1 on the tint behind them, and on the card for the whiskers."""
    assert theme.contrast(mode[name], mode[f"{name}-back"]) >= 4.5
    assert theme.contrast(mode[name], mode["card"]) >= 4.5


def test_the_page_has_the_charts_colours() -> None:
    """What the style sheet calls series-1 is the first colour of the theme."""
    for code, name in theme.VARIABLES.items():
        assert LIGHT[name] == code


def test_black_on_white_is_the_greatest_contrast() -> None:
    """21 : 1, the known answer of WCAG's formula."""
    assert theme.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert theme.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_systems_differ_in_more_than_colour() -> None:
    """Each of the first eight has a shape of its own; beyond, dashes tell lines of one colour apart."""
    marks = [(theme.colour(place), theme.shape(place), tuple(theme.dash(place))) for place in range(24)]
    assert len({shape for _, shape, _ in marks[:8]}) == 8
    assert len({(colour, dash) for colour, _, dash in marks}) == 24
    assert len(theme.OUTLINES) == len(theme.SHAPES)


# Machado, Oliveira & Fernandes (2009), "A physiologically-based model for simulation of color vision deficiency".
BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


@pytest.mark.parametrize("kind", BLIND)
@pytest.mark.parametrize("mode", [LIGHT, DARK], ids=["light", "dark"])
def test_the_first_four_colours_differ_for_colour_blind_readers(mode: dict[str, str], kind: str) -> None:
    """As such readers see them, any two are at least 10 apart in CIELAB; about 2 is just noticeable."""
    colours = [mode[f"series-{place}"] for place in range(1, 5)]
    for one, other in combinations(colours, 2):
        assert np.linalg.norm(_lab(one, kind) - _lab(other, kind)) > 10, (one, other)


def _lab(code: str, kind: str) -> NDArray[np.float64]:
    """CIELAB coordinates (D65) of a colour as seen with that colour blindness."""
    part = np.array([int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(BLIND[kind]) @ linear, 0, 1)
    x, y, z = np.cbrt(np.maximum(XYZ @ seen / XYZ.sum(axis=1), 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
