# SPDX-License-Identifier: Apache-2.0
"""Where studies, scenarios and stacks are: in the project, or wherever a path points."""

from __future__ import annotations

import os
from pathlib import Path

from bancada.catalog.toml import nearest
from bancada.errors import NotFoundError


def home() -> Path:
    """The project's folder: `BANCADA_HOME` as the launcher sets it, else the folder of this source tree."""
    named = os.environ.get("BANCADA_HOME")
    return Path(named) if named else Path(__file__).resolve().parents[3]


def cache() -> Path:
    """Folder for everything that can be made again, builds and tools: `BANCADA_CACHE`, else in the project."""
    named = os.environ.get("BANCADA_CACHE")
    return Path(named) if named else home() / ".bancada"


def names_in(kind: str, marker: str) -> list[str]:
    """Names of the shipped things of a kind, as in `names_in("stacks", "stack.toml")`."""
    return sorted(path.parent.name for path in (home() / kind).glob(f"*/{marker}"))


def find_folder(given: str, kind: str, marker: str) -> Path:
    """The folder that `given` names: a path that holds `marker`, or a name among the shipped ones.

    Raises NotFoundError that lists the known names and says every place searched.
    """
    as_path = Path(given).expanduser()
    places = [as_path, home() / kind / given]
    for place in places:
        if (place / marker).is_file():
            return place.resolve()
    known = names_in(kind, marker)
    word = kind.removesuffix("s")
    raise NotFoundError(
        f'there is no {word} "{given}"{nearest(given, known)}',
        where="searched " + ", ".join(str(place / marker) for place in places),
        advice=f"known: {', '.join(known) or 'none'}; or give the path of a folder with a {marker}",
    )
