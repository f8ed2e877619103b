# SPDX-License-Identifier: Apache-2.0
"""How tools are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.errors import ExitCode, ToolMissingError
from bancada.host import apt
from bancada.host.tools import find_tool, install_command, tool_env
from bancada.host.versions import is_at_least, parse_version
from tests.host.conftest import EmptyHost


def test_of_several_jdks_the_one_of_the_wanted_major_is_taken(empty_host: EmptyHost) -> None:
    """A newer one may not build what was tried with the wanted one."""
    for version in ("17.0.15", "25.0.3", "26.0.1"):
        empty_host.jdk(f"jvm/jdk-{version}", version)
    tool = find_tool("java", 25)
    assert (tool.version, tool.home) == ("25.0.3", empty_host.root / "jvm" / "jdk-25.0.3")


def test_else_the_newest_jdk_is_taken(empty_host: EmptyHost) -> None:
    """Wherever it is: here one of SDKMAN's."""
    empty_host.jdk("jvm/jdk-26", "26.0.1")
    newest = empty_host.jdk("home/.sdkman/candidates/java/27-tem", "27")
    assert find_tool("java", 25).home == newest


def test_the_jdk_that_java_home_names_is_the_users_choice(
    empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken if it is new enough, and passed over if not."""
    empty_host.jdk("jvm/jdk-25", "25.0.3")
    monkeypatch.setenv("JAVA_HOME", str(empty_host.jdk("opt/mine", "26.0.1")))
    assert find_tool("java", 25).version == "26.0.1"
    monkeypatch.setenv("JAVA_HOME", str(empty_host.jdk("opt/old", "21.0.8")))
    assert find_tool("java", 25).version == "25.0.3"


def test_a_java_on_the_path_is_followed_to_its_jdk(empty_host: EmptyHost) -> None:
    """JAVA_HOME must name the JDK's own folder, not that of a link to its program."""
    jdk = empty_host.jdk("opt/jdk", "25.0.3")
    (empty_host.root / "bin" / "java").symlink_to(jdk / "bin" / "java")
    assert find_tool("java", 25).home == jdk


def test_a_jdk_without_the_usual_file_is_asked_itself(empty_host: EmptyHost) -> None:
    """Some distributions leave `release` out."""
    jdk = empty_host.jdk("jvm/jdk", "25.0.3")
    (jdk / "release").unlink()
    assert find_tool("java", 25).version == "25.0.3"


def test_a_missing_jdk_is_told_with_every_place_and_what_was_wrong_there(
    empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too old, without a compiler, not there: each with its path; then the command that installs one."""
    old = empty_host.jdk("jvm/old", "17.0.15")
    bare = empty_host.jdk("jvm/runtime", "25.0.3", compiler=False)
    monkeypatch.setenv("JAVA_HOME", "/no/such/jdk")
    with pytest.raises(ToolMissingError) as raised:
        find_tool("java", 25)
    error = raised.value
    assert error.exit_code == ExitCode.TOOL_MISSING
    assert error.what == "java 25 or newer is needed and was not found"
    assert error.where is not None
    for place in (
        f"{old}/bin/java (version 17.0.15)",
        f"{bare}/bin/java (without javac)",
        "JAVA_HOME=/no/such/jdk (not there)",
        f"{empty_host.root}/home/.sdkman/candidates/java/*/bin/java (not there)",
        f"{empty_host.root}/cache/tools/jdk*/bin/java (not there)",
        "java on the PATH (not there)",
    ):
        assert place in error.where
    assert error.advice is not None
    assert error.advice.startswith("install it: ")


def test_mavens_colours_are_not_taken_for_its_version(empty_host: EmptyHost) -> None:
    """It prints `ESC[1mApache Maven 3.8.7ESC[m` even into a pipe."""
    empty_host.program("bin/mvn", "\\033[1mApache Maven 3.8.7\\033[m")
    assert find_tool("mvn", "3.8").version == "3.8.7"
    with pytest.raises(ToolMissingError, match=r"mvn 3\.9 or newer"):
        find_tool("mvn", "3.9")


def test_the_first_program_on_the_path_that_is_new_enough_is_taken(
    empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old Node.js before a new one does not hide it."""
    empty_host.program("bin/node", "v18.20.4")
    new = empty_host.program("other/node", "v24.1.0")
    monkeypatch.setenv("PATH", f"{empty_host.root / 'bin'}:{new.parent}")
    assert find_tool("node", 20).path == new


def test_npm_is_asked_with_the_node_beside_it(empty_host: EmptyHost) -> None:
    """Its first line says `env node`, and there may be no node on the PATH."""
    folder = empty_host.root / "home/.nvm/versions/node/v24.1.0/bin"
    empty_host.program(f"{folder}/node")
    npm = empty_host.program(f"{folder}/npm")
    npm.write_text("#!/bin/sh\ncommand -v node >/dev/null && echo 11.0.0\n")
    assert find_tool("npm", 10).path == npm


def test_a_container_engine_without_its_daemon_does_not_count(empty_host: EmptyHost) -> None:
    """What it says itself is passed on, with the advice to repair it."""
    empty_host.program("bin/docker", "Cannot connect to the Docker daemon", exit_code=1)
    with pytest.raises(ToolMissingError) as raised:
        find_tool("docker")
    assert "Cannot connect to the Docker daemon" in str(raised.value.where)
    assert "is its daemon running?" in str(raised.value.advice)


def test_the_graalvm_that_its_variable_names_is_found(empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else there is none."""
    with pytest.raises(ToolMissingError):
        find_tool("native-image")
    program = empty_host.program("graalvm/bin/native-image", "native-image 25.0.4 2026-10-20")
    monkeypatch.setenv("GRAALVM_HOME", str(empty_host.root / "graalvm"))
    assert (find_tool("native-image").path, find_tool("native-image").version) == (program, "25.0.4")


def test_builds_see_the_tools_that_were_chosen(empty_host: EmptyHost) -> None:
    """Maven takes its JDK from JAVA_HOME, and npm its node from the PATH."""
    jdk = empty_host.jdk("jvm/jdk", "25.0.3")
    node = empty_host.program("opt/node/bin/node", "v24.1.0")
    env = tool_env({"java": str(jdk / "bin" / "java"), "node": str(node), "mvn": "/usr/bin/mvn"})
    assert env["JAVA_HOME"] == str(jdk)
    assert env["PATH"].split(":") == [str(node.parent), str(jdk / "bin"), str(empty_host.root / "bin")]


def test_a_path_that_leads_to_the_tools_already_is_left_alone(empty_host: EmptyHost) -> None:
    """A folder of the system that is moved to the front would hide programs that have nothing to do with it."""
    node = empty_host.program("bin/node", "v24.1.0")
    assert tool_env({"node": str(node)}) == {}


@pytest.mark.parametrize("name", ["java", "mvn", "node", "npm", "native-image", "docker", "podman", "chromium"])
def test_there_is_one_command_for_each_tool(name: str) -> None:
    """On whatever system this is."""
    command = install_command(name, (25,) if name == "java" else (0,))
    assert command
    assert "\n" not in command
    assert "{" not in command


@pytest.mark.skipif(not apt.is_debian(), reason="only Debian has apt")
def test_apt_is_asked_before_a_package_is_named() -> None:
    """Every Debian has bash, and none a JDK from the future."""
    assert is_at_least(apt.candidate("bash") or (0,), (4,))
    assert apt.candidate("openjdk-999-jdk-headless") is None
    assert install_command("java", (999,)) == "sdk install java 999-tem"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("v20.20.2", (20, 20, 2)),
        ('JAVA_VERSION="25"', (25,)),
        ("Apache Maven 3.8.7", (3, 8, 7)),
        ("Chromium 156.0.8078.79 built on Debian", (156, 0, 8078, 79)),
        ("none at all", None),
    ],
)
def test_the_first_number_of_a_text_is_its_version(text: str, version: tuple[int, ...] | None) -> None:
    """As programs write it."""
    assert parse_version(text) == version


@pytest.mark.parametrize(
    ("version", "least", "enough"),
    [
        ((25,), (25, 0, 0), True),
        ((25, 0, 1), (25,), True),
        ((3, 10), (3, 9), True),  # numbers, not letters
        ((3, 8, 7), (3, 9), False),
        ((9,), (10,), False),
    ],
)
def test_versions_are_compared_by_number(version: tuple[int, ...], least: tuple[int, ...], enough: bool) -> None:
    """Parts that are not written count as 0."""
    assert is_at_least(version, least) is enough


def test_a_program_that_does_not_run_is_told(empty_host: EmptyHost) -> None:
    """A damaged file is not the same as none."""
    file: Path = empty_host.program("bin/node")
    file.write_bytes(b"\x7fELF no program")
    with pytest.raises(ToolMissingError) as raised:
        find_tool("node", 20)
    assert "does not run" in str(raised.value.where)
