# SPDX-License-Identifier: Apache-2.0
"""How the container engine is found."""

from __future__ import annotations

import pytest

from bancada.errors import ToolMissingError
from bancada.host.containers import find_container_engine
from bancada.host.tool_checks import Containers
from tests.host.conftest import EmptyHost


def test_docker_is_taken_before_podman_if_it_answers(empty_host: EmptyHost) -> None:
    """And Podman if only that answers."""
    empty_host.program("bin/podman", "4.3.1")
    docker = empty_host.program("bin/docker", "28.2.2")
    assert (find_container_engine().name, find_container_engine().path) == ("docker", docker)
    empty_host.program("bin/docker", "Cannot connect to the Docker daemon", exit_code=1)
    assert (find_container_engine().name, find_container_engine().version) == ("podman", "4.3.1")


def test_the_users_choice_is_taken_alone(empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name or by path; another one does not stand in for it."""
    empty_host.program("bin/docker", "28.2.2")
    monkeypatch.setenv("BANCADA_CONTAINER_ENGINE", "podman")
    with pytest.raises(ToolMissingError, match=r"no container engine answers \(podman: not on the PATH\)"):
        find_container_engine()
    mine = empty_host.program("opt/engine", "podman version 5.0")
    monkeypatch.setenv("BANCADA_CONTAINER_ENGINE", str(mine))
    assert (find_container_engine().name, find_container_engine().path) == ("podman", mine)


def test_podman_under_dockers_name_is_podman(empty_host: EmptyHost) -> None:
    """Distributions install it so; its options are Podman's nevertheless."""
    docker = empty_host.program("bin/docker", "podman version 4.3.1")
    assert (find_container_engine().name, find_container_engine().path) == ("podman", docker)


def test_without_any_each_is_told_with_what_is_wrong(empty_host: EmptyHost) -> None:
    """In one line, as the reason why a variant is skipped; doctor warns and says how to get one."""
    docker = empty_host.program("bin/docker")
    docker.write_text("#!/bin/sh\necho Is the docker daemon running? >&2\nexit 1\n")
    with pytest.raises(ToolMissingError) as raised:
        find_container_engine()
    assert raised.value.what == (
        "no container engine answers (docker: does not work: Is the docker daemon running?; podman: not on the PATH)"
    )
    result = Containers().result()
    assert (result.name, result.status) == ("container engine", "warn")
    assert "others do without it" in result.why
    assert result.advice is not None
    assert "podman" in result.advice
