# SPDX-License-Identifier: Apache-2.0
"""All that probes, verification and the engine may know of a started system under test."""

from __future__ import annotations

from bancada.model.base import Model


class RunningSut(Model):
    """A system under test that answers."""

    label: str
    base_url: str
    pid: int | None
    """Root of its process tree; None for a service that somebody else runs."""
    cgroup: str | None = None
    """Folder of the control group made for it, where one could be made."""
    started_monotonic_ns: int | None = None
    """Instant of its exec."""
