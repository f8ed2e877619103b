# SPDX-License-Identifier: Apache-2.0
"""Debian packages without root: where the archive is read from this host's own sources."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bancada.services.debian import _debian_archive, unpack_package
from bancada.services.service import UnavailableError

DEB822 = """
Types: deb
# URIs: https://mirror.invalid/old/debian
URIs: https://mirror.invalid/debian-security
Suites: stable-security
Components: main
Signed-By: /etc/keys/security.gpg

Types: deb
URIs: https://mirror.invalid/debian/
Suites: stable stable-updates
Components: main
Signed-By: /etc/keys/main.gpg
"""
ONE_LINE = """
# deb https://mirror.invalid/old/debian stable main
deb [arch=amd64 signed-by=/etc/keys/other.gpg] https://mirror.invalid/other stable main
deb [arch=amd64 signed-by=/etc/keys/line.gpg] https://mirror.invalid/debian stable main
"""


@pytest.mark.parametrize(
    ("sources", "archive"),
    [
        (DEB822, ("https://mirror.invalid/debian", "/etc/keys/main.gpg")),
        (ONE_LINE, ("https://mirror.invalid/debian", "/etc/keys/line.gpg")),
        # Without a key of its own the archive is signed with Debian's.
        (
            "deb https://mirror.invalid/debian stable main",
            ("https://mirror.invalid/debian", "/usr/share/keyrings/debian-archive-keyring.gpg"),
        ),
    ],
)
def test_the_archive_is_read_from_the_hosts_sources(sources: str, archive: tuple[str, str]) -> None:
    """Both formats of apt's sources are understood, and comments and other archives are not taken for it."""
    assert _debian_archive(sources) == archive


def test_sources_without_debian_are_a_reason() -> None:
    """A host whose sources name no archive of Debian cannot fetch from it."""
    with pytest.raises(UnavailableError, match="no archive of Debian"):
        _debian_archive("deb https://mirror.invalid/ubuntu noble main")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="this host has no Debian packages")
def test_a_package_is_unpacked_with_what_it_depends_on(tmp_path: Path) -> None:
    """A package is unpacked down to the C library, nothing is installed, and only what is wanted is kept."""
    said: list[str] = []
    patterns = ("usr/bin/hello", "lib/*", "usr/lib/*")
    made = unpack_package(["no-such-package", "hello"], patterns, tmp_path, name="hello", say=said.append)
    assert made.parent == tmp_path
    assert made.name.startswith("hello-2")
    assert (made / "usr" / "bin" / "hello").is_file()
    assert list(made.glob("**/libc.so.6"))
    assert not list(made.glob("usr/share/*"))
    assert said[-1].startswith("fetching hello 2")
