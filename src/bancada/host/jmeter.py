# SPDX-License-Identifier: Apache-2.0
"""Find Apache JMeter, or put it together in the project's cache.

JMeter's archive is on no package registry, but all of its parts are on Maven Central: the same jars, and one with the
files of `bin/`. Maven fetches what `locks/jmeter/pom.xml` names; each file must have its digest of
`locks/jmeter/jars.sha256`. Laid out as in JMeter's archive they are a JMETER_HOME for everything that is run without
a window. (The shell scripts of `bin/` are not among the parts; Java is told to run `bin/ApacheJMeter.jar`.)

One part is newer than in the archive: scripts in test plans are in Groovy, and JMeter 5.6.3's Groovy 3.0.20 compiles
nothing on Java 23 or newer.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from bancada.errors import ToolMissingError
from bancada.host.provide import provide
from bancada.host.tool_places import tools_folder
from bancada.host.tools import Tool, tool_env
from bancada.host.versions import is_at_least, parse_version
from bancada.jmeter.home import JMeter

LOCK = Path(__file__).parent / "locks" / "jmeter"
VERSION = "5.6.3"  # as LOCK has it
LEAST = "5.6"
"""The line of releases that our test plans are written for."""
JAVA = 17
GROOVY, MOST_JAVA_OF_OLD_GROOVY = (3, 0, 25), 22
"""A Groovy before this one cannot read the classes of a Java after that one."""
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.10.0:copy-dependencies"


def provide_jmeter(say: Callable[[str], None]) -> JMeter:
    """JMeter 5.6 or newer: what JMETER_HOME names, else `jmeter` on the PATH, else our own in the cache.

    What is about to be done to the cache is told to `say` before it is done. Raises ToolMissingError if JMETER_HOME
    names something else, or if ours or its Java cannot be had.
    """
    java = provide("java", JAVA, say)
    named = os.environ.get("JMETER_HOME")
    if named and (problem := _problem(Path(named), java)):
        raise ToolMissingError(
            f"JMETER_HOME names no JMeter of version {LEAST} or newer that works with Java {java.version}",
            where=f"{named}: {problem}",
            advice="unset JMETER_HOME, and Bancada gets its own; or set JAVA_HOME to a JDK that it works with",
        )
    for home in (Path(named) if named else _home_on_path(), tools_folder() / f"apache-jmeter-{VERSION}"):
        if home and _problem(home, java) is None:
            return JMeter(home, _version_of(home) or VERSION, java.path)
    return JMeter(_assemble(java, say), VERSION, java.path)


def _home_on_path() -> Path | None:
    program = shutil.which("jmeter")
    return Path(program).resolve().parent.parent if program else None


def _problem(home: Path, java: Tool) -> str | None:
    """Why the JMeter there is of no use; None if it is."""
    version = _version_of(home)
    if version is None:
        return "no bin/ApacheJMeter.jar that tells its version"
    if not is_at_least(parse_version(version) or (0,), parse_version(LEAST) or (0,)):
        return f"version {version}"
    groovy = next(iter(sorted((home / "lib").glob("groovy-[0-9]*.jar"))), None)
    if groovy is None:
        return "no lib/groovy-*.jar"
    is_old = (parse_version(groovy.name) or (0,)) < GROOVY
    if is_old and (parse_version(java.version) or (0,))[0] > MOST_JAVA_OF_OLD_GROOVY:
        return f"its {groovy.stem} works with Java {MOST_JAVA_OF_OLD_GROOVY} at most"
    return None


def _version_of(home: Path) -> str | None:
    """The version that a JMeter's jar says of itself; None if there is none."""
    try:
        with zipfile.ZipFile(home / "bin" / "ApacheJMeter.jar") as jar:
            manifest = jar.read("META-INF/MANIFEST.MF").decode(errors="replace")
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    lines = (line.partition(": ") for line in manifest.splitlines())
    return next((value.strip() for key, _, value in lines if key == "Implementation-Version"), None)


def _assemble(java: Tool, say: Callable[[str], None]) -> Path:
    maven = provide("mvn", "3.8", say)
    home = tools_folder() / f"apache-jmeter-{VERSION}"
    say(f"fetching JMeter {VERSION} into {home}")
    tools_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tools_folder(), prefix=".fetching-") as folder:
        parts, made = Path(folder) / "parts", Path(folder) / "made"
        _fetch(java, maven, parts)
        _check(parts)
        _lay_out(parts, made)
        if not home.exists():
            made.rename(home)
    return home


def _fetch(java: Tool, maven: Tool, parts: Path) -> None:
    command = [str(maven.path), "--batch-mode", "--quiet", "--strict-checksums", "--file", str(LOCK / "pom.xml")]
    done = subprocess.run(
        [*command, COPY, "-DincludeScope=runtime", f"-DoutputDirectory={parts}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
        env={**os.environ, **tool_env({"java": str(java.path), "mvn": str(maven.path)})},
    )
    if done.returncode != 0:
        raise ToolMissingError(
            f"could not fetch JMeter {VERSION} from Maven Central",
            where="\n".join((done.stdout + done.stderr).strip().splitlines()[-5:]),
            advice="look at the network, a proxy or Maven's settings.xml; or unpack JMeter's archive somewhere, and "
            "export JMETER_HOME=/path/of/apache-jmeter-5.6.3",
        )


def _check(parts: Path) -> None:
    """Exactly the files of the lock must have come; raises ToolMissingError that names those that are others."""
    wanted = {line.split()[1]: line.split()[0] for line in (LOCK / "jars.sha256").read_text().splitlines()}
    found = {jar.name: hashlib.sha256(jar.read_bytes()).hexdigest() for jar in parts.iterdir()}
    if wrong := sorted({name for name, _ in wanted.items() ^ found.items()}):
        raise ToolMissingError(
            f"the fetched JMeter {VERSION} is not the one that was expected",
            where=f"missing, surplus or other: {', '.join(wrong)}",
            advice="unpack JMeter's own archive, and export JMETER_HOME; a mirror or proxy may have changed the files",
        )


def _lay_out(parts: Path, home: Path) -> None:
    """As in JMeter's archive: it looks for plugins, itself among them, in lib/ext, and for all else in lib."""
    plugins = home / "lib" / "ext"
    for folder in (plugins, home / "lib" / "junit", home / "bin"):
        folder.mkdir(parents=True)
    with zipfile.ZipFile(parts / f"ApacheJMeter_config-{VERSION}.jar") as config:
        config.extractall(home, [name for name in config.namelist() if name.startswith("bin/")])
    for jar in parts.iterdir():
        if jar.name == f"ApacheJMeter-{VERSION}.jar":
            jar.rename(home / "bin" / "ApacheJMeter.jar")
        elif not jar.name.startswith("ApacheJMeter_config-"):
            jar.rename((plugins if jar.name.startswith("ApacheJMeter_") else home / "lib") / jar.name)
