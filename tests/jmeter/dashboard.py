# SPDX-License-Identifier: Apache-2.0
"""What a real JMeter prints of a JTL: its dashboard, made by `jmeter -g` and read back."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from bancada.host.jmeter import provide_jmeter
from bancada.jmeter.home import JMeter
from bancada.stats.jmeter import JMeterStatistics, jmeter_statistics


@dataclass(frozen=True)
class Dashboard:
    """The dashboard's figures by label; `Total` is all of them."""

    statistics: dict[str, dict[str, Any]]
    """`statistics.json`."""
    error_percent: dict[str, float]
    """Of the page's own table, which has all digits where the JSON has a float's."""
    apdex: dict[str, float]


@functools.cache
def installed() -> JMeter:
    """The JMeter of this host, or the one in the project's cache."""
    return provide_jmeter(lambda _: None)


def dashboard_of(jtl: Path, folder: Path) -> Dashboard:
    """Let JMeter make its dashboard of a JTL in `folder`, and read the figures from it."""
    jmeter = installed()
    made = subprocess.run(
        [jmeter.java, "-jar", jmeter.jar, "-g", jtl, "-o", folder, "-j", folder.with_suffix(".log")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (folder / "statistics.json").is_file(), made.stdout + made.stderr
    script = (folder / "content" / "js" / "dashboard.js").read_text()
    return Dashboard(
        statistics=json.loads((folder / "statistics.json").read_text()),
        error_percent={row[0]: row[3] for row in _table(script, "statisticsTable")},
        apdex={row[3]: row[0] for row in _table(script, "apdexTable")},
    )


def _table(script: str, name: str) -> list[list[Any]]:
    found = re.search(rf'\$\("#{name}"\), (\{{.*?\}}), function', script)
    assert found is not None
    table = json.loads(found[1])
    return [each["data"] for each in (table["overall"], *table["items"])]


def printed(figures: JMeterStatistics, label: str) -> dict[str, Any]:
    """Our figures under the names of `statistics.json`, without the error's percentage, which it rounds."""
    return {
        "transaction": label,
        "sampleCount": figures.samples,
        "errorCount": figures.errors,
        "meanResTime": figures.mean_ms,
        "medianResTime": figures.median_ms,
        "minResTime": figures.min_ms,
        "maxResTime": figures.max_ms,
        "pct1ResTime": figures.p90_ms,
        "pct2ResTime": figures.p95_ms,
        "pct3ResTime": figures.p99_ms,
        "throughput": figures.throughput_per_s,
        "receivedKBytesPerSec": figures.received_kib_per_s,
        "sentKBytesPerSec": figures.sent_kib_per_s,
    }


def statistics_of(jtl: pl.DataFrame, label: str | None = None) -> JMeterStatistics:
    """Our statistics of a JTL, or of one label of it."""
    rows = jtl if label is None else jtl.filter(pl.col("label") == label)
    return jmeter_statistics(
        rows["timeStamp"].to_numpy(),
        rows["elapsed"].to_numpy(),
        rows["success"].to_numpy(),
        int(rows["bytes"].sum()),
        int(rows["sentBytes"].sum()),
    )


def assert_printed(shown: Dashboard, ours: dict[str, JMeterStatistics]) -> None:
    """The dashboard has the labels of `ours` (`Total` among them), and each figure is the same to the last digit."""
    assert shown.statistics.keys() == ours.keys()
    for label, figures in ours.items():
        told = {name: value for name, value in shown.statistics[label].items() if name != "errorPct"}
        assert told == printed(figures, label)
        assert shown.error_percent[label] == figures.error_percent
        assert shown.apdex[label] == figures.apdex
