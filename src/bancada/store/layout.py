# SPDX-License-Identifier: Apache-2.0
"""The name of everything in a run's folder.

    run.json                         RunManifest: study, host, versions, order
    trials/NNNN-<cell>/trial.json    TrialRecord
                       samples.parquet   single requests of the measured load (contracts/README.md)
                       warm-up.parquet   single requests before it
                       probes.parquet    the probes' series, below
                       stdout.log stderr.log service.log
                       jmeter/           JMeter's test plan, log and JTL, where it was the load engine
    trials/.NNNN-<cell>.partial/     a trial in progress; left behind only by a kill
    summary.json  tables/*.csv  report.md  report.html    derived; can be made again at any time

A replication is a folder with a run for each of its parts:

    replication.json                 ReplicationManifest: which study, at which scale
    <part>/                          a run, as above
    judgements.json  report.html     derived; can be made again at any time

Columns of `probes.parquet`, one row for each look at the system under test: `at_ns` (since the measured load's start),
`cpu_ns` (CPU time of its process tree since it was started), `rss_bytes`, `threads`, `processes`,
`steal_ns` (CPU time that the hypervisor took from the host since boot).
"""

from __future__ import annotations

MANIFEST = "run.json"
REPLICATION = "replication.json"
JUDGEMENTS = "judgements.json"
TRIALS = "trials"
TRIAL = "trial.json"
SAMPLES = "samples.parquet"
WARM_UP = "warm-up.parquet"
JMETER = "jmeter"
PROBES = "probes.parquet"
STDOUT = "stdout.log"
STDERR = "stderr.log"
SUMMARY = "summary.json"
TABLES = "tables"
MARKDOWN = "report.md"
REPORT = "report.html"
LOCK = "run.lock"


def partial(folder: str) -> str:
    """Name of a trial's folder while the trial is in progress."""
    return f".{folder}.partial"
