# SPDX-License-Identifier: Apache-2.0
"""Unpack a Debian package, with all that it depends on, into a folder: nothing is installed, and nobody must be root.

apt gets folders of its own for its lists, archives and status, and of this host's settings only where the archives are
and how to get there. As it believes that nothing is installed, it resolves down to the C library; `dpkg-deb -x` unpacks
what it fetched. No script of a package runs. apt checks the signatures as always. If this host's own release has no
such package, Debian's unstable release is asked at the same archive.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bancada.services.fetch import run_to_fetch
from bancada.services.service import UnavailableError

SOURCES = Path("/etc/apt")
_URI = r"(?P<uri>[a-z+]+:\S+/debian)/?"
_ONE_LINE = re.compile(rf"^deb\s+(?:\[(?P<options>[^\]]*)\]\s+)?{_URI}\s", re.MULTILINE)
_SIGNED_BY = re.compile(r"signed-by\s*[=:]\s*(?P<key>\S+)", re.IGNORECASE)
_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def unpack_package(
    packages: Sequence[str], kept: Sequence[str], folder: Path, *, name: str, say: Callable[[str], None]
) -> Path:
    """Fetch the first of `packages` that there is, and keep the paths that match the patterns `kept`.

    Returns a folder called `name-version` inside `folder`. Raises UnavailableError if that cannot be done here.
    """
    for tool in ("apt-get", "apt-cache", "apt-config", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise UnavailableError(f"there are no Debian packages here ({tool} is missing)")
    apt = _PrivateApt(folder / "apt")
    package, version = _found(apt, packages, say)
    say(f"fetching {name} {version}, the Debian package {package} with what it depends on, into the project's cache")
    apt.run("apt-get", "--yes", "--download-only", "install", package)
    whole = folder / "whole"
    for archive in sorted(apt.archives.glob("*.deb")):
        run_to_fetch(["dpkg-deb", "-x", str(archive), str(whole)], dict(os.environ))
    result = folder / f"{name}-{re.sub(r'[^0-9.].*', '', version.partition(':')[2] or version)}"
    for pattern in kept:
        for path in whole.glob(pattern):
            target = result / path.relative_to(whole)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
    return result


def _found(apt: _PrivateApt, packages: Sequence[str], say: Callable[[str], None]) -> tuple[str, str]:
    """The first package that there is and its version, in the host's own release or else in Debian's unstable one."""
    own = "\n".join(text for text in _source_files() if text)
    for package in packages:
        if _candidate(package, dict(os.environ)):
            for number, text in enumerate(_source_files()):
                apt.add_source(f"own-{number}", text)
            apt.update(say)
            return package, apt.candidate(package)
    uri, key = _debian_archive(own)
    apt.add_source("unstable", f"Types: deb\nURIs: {uri}\nSuites: unstable\nComponents: main\nSigned-By: {key}\n")
    say(f"this release has no {packages[0]}: reading the lists of Debian's unstable release, for a private folder only")
    apt.update(say)
    for package in packages:
        if version := apt.candidate(package):
            return package, version
    raise UnavailableError(f"neither this release nor Debian's unstable one has {packages[0]}")


def _source_files() -> Iterator[str]:
    places = [SOURCES / "sources.list", *sorted((SOURCES / "sources.list.d").glob("*"))]
    for place in places:
        if place.suffix in (".list", ".sources") and place.is_file():
            yield place.read_text(encoding="utf-8", errors="replace")


def _debian_archive(sources: str) -> tuple[str, str]:
    """Where this host gets Debian's packages from, and the keys that they are signed with."""
    for stanza in re.split(r"\n\s*\n", sources):
        one_line = _ONE_LINE.search(stanza)
        found = one_line or re.search(rf"^URIs:\s*{_URI}\s*$", stanza, re.MULTILINE)
        if found:
            signed = _SIGNED_BY.search((one_line["options"] or "") if one_line else stanza)
            return found["uri"], signed["key"] if signed else _KEYRING
    raise UnavailableError("this release does not have it, and apt's sources name no archive of Debian")


def _candidate(package: str, env: dict[str, str]) -> str:
    """The version that apt would install, or an empty string."""
    asked = subprocess.run(
        ["apt-cache", "policy", package], capture_output=True, text=True, env={**env, "LC_ALL": "C"}, check=False
    )
    found = re.search(r"^\s*Candidate: (\S+)$", asked.stdout, re.MULTILINE)
    return "" if found is None or found[1] == "(none)" else found[1]


class _PrivateApt:
    """apt with its own folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archives = folder / "cache" / "archives"
        for place in ("state/lists/partial", "cache/archives/partial", "sources", "empty"):
            (folder / place).mkdir(parents=True)
        (folder / "status").touch()
        self._configure()

    def add_source(self, name: str, text: str) -> None:
        suffix = "sources" if "Types:" in text else "list"
        (self.folder / "sources" / f"{name}.{suffix}").write_text(text, encoding="utf-8")

    def update(self, say: Callable[[str], None]) -> None:
        """Fetch the lists of packages."""
        try:
            self.run("apt-get", "--error-on=any", "update")
        except UnavailableError as error:
            if "expired" not in str(error):
                raise
            say("the archive's lists are older than they say they may be: not checking their date, in that folder only")
            self._configure('Acquire::Check-Valid-Until "false";\n')
            self.run("apt-get", "--error-on=any", "update")

    def candidate(self, package: str) -> str:
        return _candidate(package, self._env())

    def run(self, *command: str) -> str:
        return run_to_fetch(list(command), self._env())

    def _env(self) -> dict[str, str]:
        return {
            **os.environ,
            "APT_CONFIG": str(self.folder / "apt.conf"),
            "DEBIAN_FRONTEND": "noninteractive",
            "LC_ALL": "C",
        }

    def _configure(self, more: str = "") -> None:
        said = run_to_fetch(["apt-config", "dump"], {**os.environ, "LC_ALL": "C"})
        # Proxies and the like; not what this host additionally fetches, nor checks that it has switched off.
        transport = [
            line for line in said.splitlines() if re.match(r"Acquire::(?!IndexTargets|Check-|Changelogs)", line)
        ]
        own = self.folder
        (own / "apt.conf").write_text(
            "\n".join(transport)
            + f"""
Dir::State "{own}/state/"; Dir::State::status "{own}/status"; Dir::Cache "{own}/cache/";
Dir::Etc::sourcelist "{own}/none"; Dir::Etc::sourceparts "{own}/sources"; Dir::Etc::parts "{own}/empty";
Dir::Etc::main "{own}/none"; Dir::Etc::preferences "{own}/none"; Dir::Etc::preferencesparts "{own}/empty";
Acquire::Languages "none"; APT::Install-Recommends "false"; APT::Sandbox::User ""; Debug::NoLocking "true";
"""
            + more,
            encoding="utf-8",
        )
