# SPDX-License-Identifier: Apache-2.0
"""Text with places to fill, in JMeter's functions.

`contracts/README.md` has the places. JMeter draws its random numbers from no seed of ours: they have the same
distribution, but each run sends others.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bancada.errors import PlanError

USERS = "users"
"""Name of the thread group, which is part of the name of its iteration's variable."""
_PLACE = re.compile(r"\{\{(.*?)\}\}")
_FUNCTIONS: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    # JMeter counts its threads from 1.
    (r"user", lambda _: "${__intSum(${__threadNum},-1)}"),
    (r"iteration", lambda _: f"${{__jm__{USERS}__idx}}"),
    (r"random_int:(-?\d+):(-?\d+)", lambda place: f"${{__Random({place[1]},{place[2]})}}"),
    (r"random_ints:(\d+):(-?\d+):(-?\d+)", lambda place: _random_ints(*map(int, place.groups()))),
    (r"random_hex:(\d+)", lambda place: f"${{__RandomString({place[1]},0123456789abcdef)}}"),
)


def filled_by_jmeter(text: str, where: str) -> str:
    """The text with JMeter's functions in its places; text without places stays as it is.

    Raises PlanError where JMeter has nothing for a place, or would take for its own what is meant as text.
    """
    if "${" in text:
        raise PlanError(f"{where}: JMeter takes ${{ for the beginning of a variable", advice="use Bancada's own engine")
    if not _PLACE.search(text):
        return text

    def replace(place: re.Match[str]) -> str:
        for pattern, function in _FUNCTIONS:
            if found := re.fullmatch(pattern, place[1]):
                return function(found)
        raise PlanError(f"{where}: JMeter has no function for {place[0]}")

    # Where a text has functions JMeter reads a backslash as the mark of a plain character.
    return _PLACE.sub(replace, text.replace("\\", "\\\\"))


def _random_ints(count: int, low: int, high: int) -> str:
    # JMeter has no function for many numbers; a comma that is Groovy's must not end the function's argument.
    numbers = f"new SplittableRandom().longs({count}\\,{low}L\\,{high + 1}L).toArray().join(String.valueOf((char)44))"
    return f"${{__groovy({numbers})}}"
