# SPDX-License-Identifier: Apache-2.0
"""Figures as readers see them: three or four significant digits, thin spaces for thousands, "unknown" for None."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from bancada.model.base import NS_PER_MS, NS_PER_S
from bancada.model.findings import Bounds

UNKNOWN = "unknown"
THIN = "\u202f"
MINUS = "\u2212"
_TINY = 1e-4
_SMALLEST_P = 0.001
_TWICE = 2.0
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decimals(value: float | None, digits: int = 4) -> int:
    """Places after the point that give `value` this many significant digits; whole digits are never cut."""
    if value is None or not math.isfinite(value) or value == 0:
        return 0
    return max(0, digits - 1 - math.floor(math.log10(abs(value))))


def fixed(value: float | None, places: int) -> str:
    """`value` with so many places after the point, thousands apart."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    if value == 0:
        return "0"
    text = f"{abs(value):,.{places}f}".replace(",", THIN)
    negative = value < 0 and any(digit in text for digit in "123456789")
    return MINUS + text if negative else text


def number(value: float | None, digits: int = 4) -> str:
    """`value` with this many significant digits, or as a power of ten when it is tiny."""
    if value is None or not math.isfinite(value):
        return UNKNOWN
    if value != 0 and abs(value) < _TINY:
        mantissa, exponent = f"{abs(value):.{digits - 2}e}".split("e")
        return f"{MINUS if value < 0 else ''}{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    return fixed(value, decimals(value, digits))


def interval(low: float | None, high: float | None, places: int) -> str:
    """`[low, high]`, or `~` where the data give no interval at all."""
    if low is None and high is None:
        return "~"
    return f"[{fixed(low, places)}, {fixed(high, places)}]"


def ratio(bounds: Bounds | None) -> str:
    """The point of a ratio with three places (fewer when it is large), or `~`."""
    return "~" if bounds is None else fixed(bounds.point, ratio_places(bounds))


def ratio_interval(bounds: Bounds | None) -> str:
    """The interval of a ratio with as many places as its point."""
    return "~" if bounds is None else interval(bounds.low, bounds.high, ratio_places(bounds))


def ratio_places(bounds: Bounds) -> int:
    """Three places near 1, else four significant digits."""
    return min(3, decimals(bounds.point)) if bounds.point >= 1 else max(3, decimals(bounds.point, 3))


def change(bounds: Bounds | None) -> str:
    """A ratio in words, as in `16.6 % lower` or `2.41 times as high`."""
    if bounds is None or not math.isfinite(bounds.point):
        return ""
    if bounds.point >= _TWICE:
        return f"{number(bounds.point, 3)} times as high"
    share = abs(bounds.point - 1) * 100
    if round(share, 1) == 0:
        return "no difference to speak of"
    return f"{share:.1f}{THIN}% {'lower' if bounds.point < 1 else 'higher'}"


def p_value(p: float | None) -> str:
    """A probability with three places, `~` when there was no test."""
    if p is None:
        return "~"
    return f"<{THIN}{_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.3f}"


def percent(share: float | None, digits: int = 3) -> str:
    """A share as a percentage."""
    return UNKNOWN if share is None else f"{number(share * 100, digits)}{THIN}%"


def setting(share: float) -> str:
    """A share that somebody has set, as they would write it."""
    return f"{share * 100:.6g}{THIN}%"


def duration(ns: float | None) -> str:
    """A duration in the unit that suits it."""
    if ns is None:
        return UNKNOWN
    minute, hour = 60 * NS_PER_S, 3600 * NS_PER_S
    if ns >= hour:
        return f"{int(ns // hour)} h {int(ns % hour // minute)} min"
    if ns >= minute:
        return f"{int(ns // minute)} min {int(ns % minute // NS_PER_S)} s"
    if ns >= NS_PER_S:
        return f"{ns / NS_PER_S:.3g} s"
    return f"{ns / NS_PER_MS:.3g} ms"


def size(count: int | None) -> str:
    """Bytes in the unit that suits them."""
    if count is None:
        return UNKNOWN
    value, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{number(value, 3)} {unit}"


def instant(unix_ns: int) -> str:
    """A moment in UTC, to the minute."""
    return datetime.fromtimestamp(unix_ns / NS_PER_S, tz=UTC).strftime("%Y-%m-%d %H:%M UTC")


def with_unit(text: str, unit: str) -> str:
    """A figure and its unit; an unknown figure has none."""
    return f"{text}{THIN}{unit}" if unit and text not in {UNKNOWN, "~"} else text
