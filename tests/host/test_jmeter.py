# SPDX-License-Identifier: Apache-2.0
"""Finding JMeter, and putting a real one together."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from bancada.errors import ToolMissingError
from bancada.host import jmeter as jmeter_module
from bancada.host.jmeter import VERSION, provide_jmeter
from tests.host.conftest import EmptyHost


def say_nothing(text: str) -> None:
    """For a search that must not fetch anything."""
    pytest.fail(f"said {text}")


def lay_out(home: Path, version: str, groovy: str = "3.0.25") -> Path:
    """A folder like JMeter's, whose jar tells a version."""
    (home / "bin").mkdir(parents=True)
    (home / "lib").mkdir()
    (home / "lib" / f"groovy-{groovy}.jar").touch()
    with zipfile.ZipFile(home / "bin" / "ApacheJMeter.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\nImplementation-Version: {version}\r\n")
    return home


@pytest.fixture
def host(empty_host: EmptyHost, monkeypatch: pytest.MonkeyPatch) -> EmptyHost:
    """A host with nothing but JDK 25."""
    monkeypatch.delenv("JMETER_HOME", raising=False)
    monkeypatch.setenv("JAVA_HOME", str(empty_host.jdk("jdk", "25.0.1")))
    return empty_host


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_our_own_is_a_whole_jmeter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It starts and tells its version; a second search finds it without a word."""
    monkeypatch.delenv("JMETER_HOME", raising=False)
    monkeypatch.setattr(jmeter_module, "_home_on_path", lambda: None)
    ours = provide_jmeter(lambda _: None)
    assert provide_jmeter(say_nothing) == ours
    assert ours.version == VERSION
    command = [str(ours.java), "-jar", str(ours.jar), "--version"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert VERSION in told.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_report_can_be_made_with_it(tmp_path: Path) -> None:
    """`-g` needs the report's template and its properties, which come from the same parts."""
    rows = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,"
    rows += "sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n"
    rows += "".join(f"{1795219885000 + n},{n},get,200,OK,users 1-1,text,true,,9,9,1,1,x,{n},0,0\n" for n in range(9))
    (tmp_path / "log.jtl").write_text(rows)
    jmeter = provide_jmeter(lambda _: None)
    command = [str(jmeter.java), "-jar", str(jmeter.jar), "-g", "log.jtl", "-o", "report", "-j", "jmeter.log"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (tmp_path / "report" / "index.html").exists(), done.stdout + done.stderr


def test_jmeter_home_is_taken_at_its_word(host: EmptyHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's choice comes before the PATH and before the cache."""
    lay_out(host.root / "cache" / "tools" / f"apache-jmeter-{VERSION}", VERSION)
    mine = lay_out(host.root / "mine", "5.6.2")
    monkeypatch.setenv("JMETER_HOME", str(mine))
    found = provide_jmeter(say_nothing)
    assert (found.home, found.version, found.java) == (mine, "5.6.2", host.root / "jdk" / "bin" / "java")


@pytest.mark.parametrize(
    ("version", "groovy", "problem"),
    [
        ("5.4.3", "3.0.25", "version 5.4.3"),
        ("5.6.3", "3.0.20", "groovy-3.0.20 works with Java 22 at most"),
        (None, "", "no bin/ApacheJMeter.jar"),
    ],
)
def test_a_wrong_jmeter_home_is_an_error(
    host: EmptyHost, monkeypatch: pytest.MonkeyPatch, version: str | None, groovy: str, problem: str
) -> None:
    """Something else than what was named is never taken silently."""
    lay_out(host.root / "cache" / "tools" / f"apache-jmeter-{VERSION}", VERSION)
    named = lay_out(host.root / "named", version, groovy) if version else host.root / "nothing"
    monkeypatch.setenv("JMETER_HOME", str(named))
    with pytest.raises(ToolMissingError, match="JMETER_HOME") as raised:
        provide_jmeter(say_nothing)
    assert problem in str(raised.value.where)
    assert "unset JMETER_HOME" in str(raised.value.advice)


def test_one_on_the_path_is_used_if_it_is_new_enough(host: EmptyHost) -> None:
    """Through links, as package managers make them; an old one is passed over for that in the cache."""
    ours = lay_out(host.root / "cache" / "tools" / f"apache-jmeter-{VERSION}", VERSION)
    for name, version, expected in (("old", "2.13", ours), ("new", "5.7", host.root / "new")):
        home = lay_out(host.root / name, version)
        program = host.program(f"{name}/bin/jmeter")
        (host.root / "bin" / "jmeter").unlink(missing_ok=True)
        (host.root / "bin" / "jmeter").symlink_to(program)
        assert provide_jmeter(say_nothing).home == expected, home


@pytest.fixture
def maven(host: EmptyHost) -> EmptyHost:
    """A host whose Maven fails, in the words of the real one."""
    for name in ("sh", "printf", "echo"):
        program = shutil.which(name, path="/usr/bin:/bin")
        if program:
            (host.root / "bin" / name).symlink_to(program)
    script = host.program("bin/mvn")
    script.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "Apache Maven 3.9.11" && exit\necho "[ERROR] Unknown host"\nexit 1\n'
    )
    return host


def test_what_cannot_be_fetched_leaves_nothing_behind(maven: EmptyHost) -> None:
    """The error has Maven's words and the way out; a later try must not find half a JMeter."""
    said: list[str] = []
    with pytest.raises(ToolMissingError, match="could not fetch JMeter") as raised:
        provide_jmeter(said.append)
    tools = maven.root / "cache" / "tools"
    assert said == [f"fetching JMeter {VERSION} into {tools / f'apache-jmeter-{VERSION}'}"]
    assert "[ERROR] Unknown host" in str(raised.value.where)
    assert "export JMETER_HOME=" in str(raised.value.advice)
    assert list(tools.iterdir()) == []


def test_parts_that_are_not_the_expected_ones_are_refused(maven: EmptyHost) -> None:
    """Each file is compared with its digest; one that is missing or surplus is named too."""
    maven.program("bin/mvn").write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "Apache Maven 3.9.11" && exit\n'
        "for word; do case $word in -DoutputDirectory=*) folder=${word#*=};; esac; done\n"
        f'{shutil.which("mkdir", path="/usr/bin:/bin")} "$folder" && echo other >"$folder/oro-2.0.8.jar"\n'
        'echo more >"$folder/surplus.jar"\n'
    )
    with pytest.raises(ToolMissingError, match="not the one that was expected") as raised:
        provide_jmeter(lambda _: None)
    assert "surplus.jar" in str(raised.value.where)
    assert "oro-2.0.8.jar" in str(raised.value.where)
    assert list((maven.root / "cache" / "tools").iterdir()) == []
