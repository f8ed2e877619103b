# SPDX-License-Identifier: Apache-2.0
"""Make the payloads of the scenario and their answers: python3 payloads/make.py

Every run writes the same bytes: of the standard library's generators, only ``random()`` keeps its sequence for one seed
through all Python versions. Values stay within ±999 999, so that the largest body is about 220 KB.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

SEED = 2020
LARGEST = 999_999
FOLDER = Path(__file__).parent


def write(name: str, integers: list[int]) -> None:
    """Write one array as compact JSON, on one line."""
    (FOLDER / name).write_text(json.dumps(integers, separators=(",", ":")) + "\n", encoding="ascii")


for count in (3, 300, 3_000, 30_000):
    random = Random(SEED + count)
    integers = [int(random.random() * (2 * LARGEST + 1)) - LARGEST for _ in range(count)]
    write(f"{count}.json", integers)
    write(f"{count}.sorted.json", sorted(integers))
