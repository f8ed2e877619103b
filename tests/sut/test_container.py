# SPDX-License-Identifier: Apache-2.0
"""The command that runs a container, and what a stack may say of one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from bancada.model.stack import Image, Network, Stack, Variant
from bancada.process.container_engine import ContainerEngine
from bancada.sut.container import group_of, new_container, run_command
from bancada.sut.image import ContainerImage


def argv(name: str, network: Network, cpus: tuple[int, ...] = ()) -> list[str]:
    """The command with an engine of that name."""
    engine = ContainerEngine("podman" if name == "podman" else "docker", Path("/usr/bin") / name)
    image = ContainerImage(engine, "localhost/bancada/s:v", "digest", None, None, cached=True)
    env = {"PATH": "/host/bin", "JAVA_HOME": "/host/jdk", "SQL_URL": "mysql://127.0.0.1/x"}
    start = ["java", "-jar", "a.jar"]
    return run_command(new_container(image, network), start, env=env, port=8080, cpus=cpus)


def test_on_a_bridge_its_port_is_published_on_loopback() -> None:
    """Nothing of it can be reached from other machines; inside it listens everywhere."""
    words = argv("docker", "bridge", (0, 2))
    assert words[words.index("--publish") + 1] == "127.0.0.1:8080:8080"
    assert words[words.index("--cpuset-cpus") + 1] == "0,2"
    assert "HOST=0.0.0.0" in words
    assert "PORT=8080" in words
    assert words[-4:] == ["localhost/bancada/s:v", "java", "-jar", "a.jar"]


def test_on_this_hosts_network_it_reaches_loopback_addresses() -> None:
    """It publishes nothing and listens on loopback; services keep their addresses."""
    words = argv("podman", "host")
    assert words[words.index("--network") + 1] == "host"
    assert "--publish" not in words
    assert "--cpuset-cpus" not in words
    assert "HOST=127.0.0.1" in words
    assert "SQL_URL=mysql://127.0.0.1/x" in words


def test_folders_of_this_host_are_not_told_to_the_container() -> None:
    """Its own PATH leads to its own Java."""
    assert not [word for word in argv("docker", "bridge") if "/host/" in word]


def test_each_container_has_a_name_of_its_own() -> None:
    """Two benches can work beside each other."""
    names = {words[words.index("--name") + 1] for words in (argv("docker", "bridge"), argv("docker", "bridge"))}
    assert len(names) == 2


def test_a_group_that_may_hold_others_is_not_taken() -> None:
    """Our own group is not called after any container."""
    assert group_of(os.getpid(), "0123456789abcdef") is None


def test_a_command_in_a_container_cannot_use_tools_of_the_host() -> None:
    """`{java}` is a path of this host; the mistake is found when the stack is read."""
    image = Image(containerfile="Containerfile", base="some/base")
    with pytest.raises(ValidationError, match=r"variant boxed runs in a container, where \{java\} does not exist"):
        Stack(
            stack="s",
            framework="f",
            language="l",
            scenarios=("sort",),
            requires={"java": 25},
            variant={"boxed": Variant(start=("{java}", "-jar", "a.jar"), image=image)},
        )
