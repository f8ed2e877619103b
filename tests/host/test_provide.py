# SPDX-License-Identifier: Apache-2.0
"""Fetching what is missing, for real."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.errors import ToolMissingError
from bancada.host import provide as provide_module
from bancada.host.provide import MAVEN_VERSION, NODE_VERSION, provide
from bancada.host.tools import Tool, find_tool, tool_env
from tests.host.conftest import EmptyHost

PROJECT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def host_with_uv(usual_path: str, empty_host: EmptyHost) -> EmptyHost:
    """Nothing but uv and what shell scripts need; uv keeps its own cache of downloads."""
    for name in ("sh", "bash", "env", "uname", "dirname", "basename", "sed", "cat"):
        program = shutil.which(name, path=usual_path)
        if program is not None:
            (empty_host.root / "bin" / name).symlink_to(program)
    # With the usual PATH, because uv may be a version manager's stand-in that needs more programs.
    uv = empty_host.program("bin/uv")
    uv.write_text(f'#!/bin/sh\nPATH="{usual_path}" exec "{shutil.which("uv", path=usual_path)}" "$@"\n')
    return empty_host


def test_node_and_npm_are_fetched_and_install_a_stacks_packages(host_with_uv: EmptyHost) -> None:
    """One fetch, said before it is done, gives both; a stack's locked packages are installed and can be loaded."""
    said: list[str] = []
    node, npm = (provide(name, least, said.append) for name, least in (("node", 20), ("npm", 10)))
    assert said == [f"fetching Node.js {NODE_VERSION} into {host_with_uv.root}/cache/tools/node-{NODE_VERSION}"]
    assert node.version == NODE_VERSION
    stack = host_with_uv.root / "stack"
    stack.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PROJECT / "stacks" / "node-fastify" / name, stack)
    env = {**os.environ, **tool_env({"node": str(node.path), "npm": str(npm.path)})}
    install = [str(npm.path), "ci", "--omit=dev", "--no-audit", "--no-fund"]
    for command in (install, [str(node.path), "-e", 'require("fastify")()']):
        done = subprocess.run(command, cwd=stack, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def jdk() -> Tool:
    """The JDK of this host, found before the test takes everything away."""
    return find_tool("java", 25)


def test_maven_is_fetched_and_runs_with_the_chosen_jdk(
    jdk: Tool, host_with_uv: EmptyHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real one, from its makers' archive, said before it is fetched."""
    said: list[str] = []
    monkeypatch.setenv("JAVA_HOME", str(jdk.home))
    maven = provide("mvn", "3.9", said.append)
    assert said == [f"fetching Maven {MAVEN_VERSION} into {host_with_uv.root}/cache/tools/apache-maven-{MAVEN_VERSION}"]
    assert maven.version == MAVEN_VERSION
    told = subprocess.run([maven.path, "--version"], capture_output=True, text=True, check=True).stdout
    assert f"runtime: {jdk.home.resolve()}" in told


def test_an_archive_that_is_not_the_expected_one_is_refused(
    host_with_uv: EmptyHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is kept."""
    monkeypatch.setattr(provide_module, "MAVEN_SHA256", "0" * 64)
    with pytest.raises(ToolMissingError, match="not the one that was expected"):
        provide("mvn", "3.9", lambda _: None)
    assert list((host_with_uv.root / "cache" / "tools").iterdir()) == []


def test_without_network_the_error_says_so_and_nothing_is_left_behind(
    host_with_uv: EmptyHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later try must not find half a tool."""
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(host_with_uv.root / "no-downloads"))
    with pytest.raises(ToolMissingError) as raised:
        provide("node", 20, lambda _: None)
    assert "network" in str(raised.value.where)
    assert list((host_with_uv.root / "cache" / "tools").iterdir()) == []


@pytest.mark.usefixtures("empty_host")
def test_what_cannot_be_provided_is_told_with_the_command() -> None:
    """GraalVM is nothing that we fetch; the error is that of the search."""
    with pytest.raises(ToolMissingError, match="native-image"):
        provide("native-image", 25, lambda text: pytest.fail(f"said {text}"))


def test_without_uv_it_says_where_it_was_looked_for(empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """The launcher brings one."""
    monkeypatch.setattr(sys, "prefix", str(empty_host.root / "venv"))
    with pytest.raises(ToolMissingError, match="uv is needed") as raised:
        provide("node", 20, lambda _: None)
    assert f"{empty_host.root}/uv/bin/uv" in str(raised.value.where)
