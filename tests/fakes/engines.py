# SPDX-License-Identifier: Apache-2.0
"""Trials of a synthetic run as another load engine would have measured them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from bancada.store import layout
from bancada.store.read import read_run

ENGINES = ("bancada", "jmeter")
TWO_ENGINES: dict[str, Any] = {"engines": ENGINES}
"""Settings of `make_run` for a study by both engines."""


def measure_by_jmeter(folder: Path, *, slower: float = 1.0, cpu: float = 10.0, rss_bytes: int | None = 2**30) -> Path:
    """Make JMeter's trials of the run what it would tell: response times `slower` times, `cpu` times the CPU time.

    JMeter's trial of a block gets the requests of the other engine's, so that they differ by nothing else.
    """
    run = read_run(folder)
    place = {
        (plan.block, plan.cell.sut, plan.cell.load, plan.cell.factors["engine"]): trial
        for trial in run.trials
        for plan in [trial.record.plan]
    }
    for (block, sut, load, engine), trial in place.items():
        record = trial.record
        if engine != "jmeter" or record.load is None:
            continue
        twin = place[block, sut, load, "bancada"]
        samples = pl.read_parquet(twin.folder / layout.SAMPLES)
        longer = ((pl.col("done_ns") - pl.col("sent_ns")) * (slower - 1)).cast(pl.Int64)
        samples.with_columns(done_ns=pl.col("done_ns") + longer).write_parquet(trial.folder / layout.SAMPLES)
        assert twin.record.load is not None
        cpu_ns = twin.record.load.engine.cpu_ns
        assert cpu_ns is not None
        taken = {"cpu_ns": int(cpu_ns * cpu), "peak_rss_bytes": rss_bytes}
        cost = twin.record.load.engine.model_copy(update={"name": "jmeter", "version": "5.6.3", **taken})
        told = record.model_copy(update={"load": twin.record.load.model_copy(update={"engine": cost})})
        (trial.folder / layout.TRIAL).write_text(told.model_dump_json())
    return folder
