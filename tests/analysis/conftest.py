# SPDX-License-Identifier: Apache-2.0
"""A run made to order, read back and judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bancada.analysis.findings import find
from bancada.model.base import NS_PER_MS
from bancada.model.findings import Findings
from bancada.model.load import ClosedLoad
from bancada.store.read import Run, read_run
from tests.fakes.run_folder import make_run

USERS = ClosedLoad(name="8 users", users=8, iterations=60, ramp_up=8 * NS_PER_MS)

MakeRun = Callable[..., Run]
Judge = Callable[..., Findings]


@pytest.fixture
def made(tmp_path: Path) -> MakeRun:
    """Make a run with the settings of `make_run`; one small closed load and one operation unless told otherwise."""

    def make(name: str = "run", **settings: Any) -> Run:
        asked = {"loads": (USERS,), "operations": {"sort": 1.0}, **settings}
        return read_run(make_run(tmp_path / name, **asked))

    return make


@pytest.fixture
def judged(made: MakeRun) -> Judge:
    """The findings of a run made so."""
    return lambda **settings: find(made(**settings))
