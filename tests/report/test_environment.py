# SPDX-License-Identifier: Apache-2.0
"""What a reader must know of host, builds and probes."""

from __future__ import annotations

from bancada.report.environment import environment, probes, systems
from tests.report.conftest import Reported


def test_the_host_and_the_tools_are_named_with_their_versions(demo: Reported) -> None:
    """And which CPUs each side had."""
    facts = dict(environment(demo.run.manifest))
    assert facts["CPU"] == "Example CPU, 4 CPUs"
    assert facts["Memory"] == "16.0 GiB"
    assert facts["java"] == "25.0.1"
    assert facts["Pinning"] == "system under test on CPUs 0, 1, 2, load engine on CPU 3"


def test_what_the_host_does_not_tell_is_unknown(demo: Reported) -> None:
    """Never left blank, never guessed."""
    bare = {"cpu_model": None, "memory_bytes": None, "governor": None}
    manifest = demo.run.manifest.model_copy(update={"host": demo.run.manifest.host.model_copy(update=bare)})
    facts = dict(environment(manifest))
    assert facts["CPU"] == "unknown, 4 CPUs"
    assert facts["Memory"] == facts["Frequency governor"] == "unknown"


def test_a_missing_pinning_says_why(alone: Reported) -> None:
    """With the reason that the host gave."""
    assert dict(environment(alone.run.manifest))["Pinning"] == "none: the host has only one CPU"


def test_every_system_tells_how_it_was_built_and_started(demo: Reported) -> None:
    """In the study's order."""
    first, *others = systems(demo.run.manifest)
    assert (first.name, first.start, first.build, first.artefact) == ("spring-mvc:jar", "./start", "8 s", "19.1 MiB")
    assert len(others) == 3


def test_a_system_given_by_its_address_was_not_built_by_us(alone: Reported) -> None:
    """Its framework is unknown."""
    (row,) = systems(alone.run.manifest)
    assert (row.framework, row.build, row.start) == ("unknown", "not ours", "runs already at http://127.0.0.1:8080")


def test_a_probe_that_could_not_measure_says_why(alone: Reported) -> None:
    """In how many trials, and the reason."""
    for row in probes(alone.run):
        assert (row.available, row.trials) == (0, 1)
        assert row.notes == "this host has no /proc"
