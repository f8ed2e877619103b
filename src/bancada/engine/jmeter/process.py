# SPDX-License-Identifier: Apache-2.0
"""JMeter as a process: how it is started, asked to stop, and what it takes."""

from __future__ import annotations

import os
import shlex
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil

from bancada.jmeter.home import JMeter
from bancada.model.base import NS_PER_S
from bancada.process.guarded import Command

JTL = "jmeter.jtl"
LOG = "jmeter.log"
SAID = "jmeter.out"
PROPERTIES = "jmeter.properties"
GRACE_S = 10
JVM = (
    *("-Xms1g", "-Xmx1g", "-XX:MaxMetaspaceSize=256m"),
    *("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=100", "-XX:G1ReservePercent=20"),
    *("-Djava.security.egd=file:/dev/urandom", "-Djava.awt.headless=true"),
    *("--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED"),
    *("--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.text=ALL-UNNAMED"),
    *("--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.management/javax.management=ALL-UNNAMED"),
)
"""What JMeter's own `bin/jmeter` gives to Java, without what is for its window."""
SAVED = {
    "time": "elapsed",
    "label": "label",
    "response_code": "responseCode",
    "response_message": "responseMessage",
    "thread_name": "threadName",
    "data_type": "dataType",
    "successful": "success",
    "assertion_results_failure_message": "failureMessage",
    "bytes": "bytes",
    "sent_bytes": "sentBytes",
    "thread_counts": "allThreads",
    "url": "URL",
    "latency": "Latency",
    "idle_time": "IdleTime",
    "connect_time": "Connect",
}
"""JMeter's switches for the columns of a JTL, with the (last) column of each."""
NOT_SAVED = ("hostname", "sample_count", "filename", "encoding", "subresults", "assertion_results")


def free_port() -> int:
    """A port on which JMeter can listen for our word to stop."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask_to_stop(port: int) -> None:
    """What JMeter's `shutdown.sh` does: let every user finish the request that it waits for, and end."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as told:
        told.sendto(b"Shutdown", ("127.0.0.1", port))


def command(jmeter: JMeter, plan: Path, port: int, cpus: Sequence[int]) -> Command:
    """How JMeter is started without a window in the plan's folder; writes its properties there.

    Java gets JMeter's own defaults, and after them what JVM_ARGS says, as in `bin/jmeter`.
    """
    (plan.parent / PROPERTIES).write_text(_properties(port), encoding="utf-8")
    flags = [*JVM, *shlex.split(os.environ.get("JVM_ARGS", ""))]
    files = ["-n", "-t", plan.name, "-l", JTL, "-j", LOG, "-q", PROPERTIES]
    argv = [str(jmeter.java), *flags, "-jar", str(jmeter.jar), *files]
    return Command(argv, cwd=plan.parent, cpus=cpus, grace_s=GRACE_S)


def _properties(port: int) -> str:
    """All 17 columns of a JTL, whatever the installation says, and each row as soon as it is known.

    JMeter holds rows back until it has 8 KiB of them; but whoever waits wants to see them, and a JMeter that dies must
    not take them along.
    """
    saved = dict.fromkeys(SAVED, "true") | dict.fromkeys(NOT_SAVED, "false")
    settings = {
        **{f"jmeter.save.saveservice.{name}": value for name, value in saved.items()},
        "jmeter.save.saveservice.output_format": "csv",
        "jmeter.save.saveservice.print_field_names": "true",
        "jmeter.save.saveservice.default_delimiter": ",",
        "jmeter.save.saveservice.timestamp_format": "ms",
        "jmeter.save.saveservice.autoflush": "true",
        "sampleresult.timestamp.start": "true",
        "jmeterengine.force.system.exit": "true",  # else Java may stay for a minute, for threads with nothing to do
        "jmeterengine.nongui.port": str(port),
        "jmeterengine.nongui.maxport": str(port),
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())


@dataclass
class Usage:
    """What a process takes, looked at again and again; it has to be known before the process ends."""

    pid: int
    unix_ns: list[int] = field(default_factory=list)
    cpu_ns: list[int] = field(default_factory=list)
    peak_rss_bytes: int | None = None

    def look(self, now_unix_ns: int) -> None:
        """Note what it has taken so far, unless it is gone."""
        try:
            times = psutil.Process(self.pid).cpu_times()
        except psutil.Error:
            return
        self.unix_ns.append(now_unix_ns)
        self.cpu_ns.append(round((times.user + times.system) * NS_PER_S))
        self.peak_rss_bytes = _peak_rss_bytes(self.pid) or self.peak_rss_bytes

    def cpu_between(self, from_unix_ns: int, to_unix_ns: int) -> int | None:
        """CPU time that it took between two instants, evenly distributed between one look and the next.

        None if it was never looked at.
        """
        if not self.unix_ns:
            return None
        at = np.interp([from_unix_ns, to_unix_ns], self.unix_ns, self.cpu_ns)
        return round(float(at[1] - at[0]))


def _peak_rss_bytes(pid: int) -> int | None:
    """Most memory that was resident at once, as the kernel keeps it; None where there is no such /proc."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    line = next((line for line in status.splitlines() if line.startswith("VmHWM:")), None)
    return int(line.split()[1]) * 1024 if line else None
