# SPDX-License-Identifier: Apache-2.0
"""Figures as a test reads them back from the page."""

from __future__ import annotations

import re

import pytest

from bancada.model.quantities import MINUS, THIN

_FIGURE = re.compile(rf"[{MINUS}+-]?\d[\d{THIN}]*(?:\.\d+)?")


def figures_in(text: str) -> list[float]:
    """Every figure in `text`, in its order."""
    return [float(_plain(each)) for each in _FIGURE.findall(text)]


def shows(text: str, value: float) -> bool:
    """Whether the first figure of `text` is `value`, rounded to the digits that are shown."""
    shown = _plain(_FIGURE.findall(text)[0])
    places = len(shown.partition(".")[2])
    return float(shown) == pytest.approx(value, abs=0.5000001 * 10**-places)


def _plain(text: str) -> str:
    return text.replace(THIN, "").replace(MINUS, "-")
