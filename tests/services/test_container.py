# SPDX-License-Identifier: Apache-2.0
"""A server in a real container, of an image that is made here from the fetched MariaDB: no registry is needed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from bancada.errors import ServiceError
from bancada.services.service import DatabaseOffer, Needs
from bancada.services.sql import find

pytestmark = pytest.mark.slow

IMAGE = "localhost/bancada-test-mariadb:1"
TOOLS = (
    "sh",
    "sed",
    "cat",
    "mkdir",
    "chmod",
    "chown",
    "rm",
    "ls",
    "dirname",
    "basename",
    "hostname",
    "expr",
    "id",
    "tr",
)
ENTRY = """#!/bin/sh
# What the official image's script does: make the data and the user if there are no data, then become the server.
set -e
options="--no-defaults --user=root --basedir=/opt/mariadb --datadir=/var/lib/mysql"
if [ ! -d /var/lib/mysql/mysql ]; then
    sh /opt/mariadb/scripts/mariadb-install-db $options --auth-root-authentication-method=normal --skip-test-db
    /opt/mariadb/bin/mariadbd $options --bootstrap <<SQL
FLUSH PRIVILEGES;
CREATE DATABASE $MARIADB_DATABASE;
CREATE USER '$MARIADB_USER'@'%' IDENTIFIED BY '$MARIADB_PASSWORD';
GRANT ALL PRIVILEGES ON $MARIADB_DATABASE.* TO '$MARIADB_USER'@'%';
SQL
fi
exec /opt/mariadb/bin/mariadbd $options "$@"
"""
CONTAINERS_CONF = """
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
{runtime}
"""


def _copy_with_libraries(program: str, root: Path) -> None:
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    for path in [program, *re.findall(r"(/\S+) \(0x", said)]:
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def _make_image(engine: str, base: Path, folder: Path) -> None:
    root = folder / "image"
    for place in ("tmp", "var/lib/mysql", "etc", "opt"):
        (root / place).mkdir(parents=True)
    shutil.copytree(base, root / "opt" / "mariadb")
    _copy_with_libraries(str(base / "bin" / "mariadbd"), root)
    shutil.rmtree(root / str(base).lstrip("/"))
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        _copy_with_libraries(os.path.realpath(found), root)
        if not (root / "bin" / tool).exists():
            (root / "bin").mkdir(exist_ok=True)
            (root / "bin" / tool).symlink_to(os.path.realpath(found))
    (root / "etc" / "passwd").write_text("root:x:0:0::/:/bin/sh\n")
    (root / "entry").write_text(ENTRY)
    (root / "entry").chmod(0o755)
    subprocess.run(["tar", "-C", str(root), "-cf", str(folder / "image.tar"), "."], check=True)
    entry = 'ENTRYPOINT ["/entry"]'
    subprocess.run([engine, "import", "--change", entry, str(folder / "image.tar"), IMAGE], check=True)


@pytest.fixture(scope="module")
def podman() -> Iterator[str]:
    """Podman with a store of its own, and settings with which a host without systemd can run containers."""
    engine = shutil.which("podman")
    if engine is None or os.geteuid() != 0:
        pytest.skip("podman is not on this host, or we are not root")
    # Not below pytest's own folder, whose path is too long for podman's sockets.
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    runtime = 'runtime = "runc"' if shutil.which("runc") else ""
    (folder / "containers.conf").write_text(CONTAINERS_CONF.format(runtime=runtime))
    (folder / "storage.conf").write_text(
        f'[storage]\ndriver = "overlay"\ngraphroot = "{folder}/graph"\nrunroot = "{folder}/run"\n'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTAINERS_CONF", str(folder / "containers.conf"))
        patch.setenv("CONTAINERS_STORAGE_CONF", str(folder / "storage.conf"))
        patch.setenv("BANCADA_MARIADB_IMAGE", IMAGE)
        yield engine
        left = subprocess.check_output([engine, "ps", "--all", "--quiet"], text=True)
        subprocess.run([engine, "system", "reset", "--force"], capture_output=True, check=False)
    shutil.rmtree(folder, ignore_errors=True)
    assert not left


@pytest.fixture(scope="module")
def contained(podman: str, needs: Needs, tmp_path_factory: pytest.TempPathFactory) -> DatabaseOffer:
    """MariaDB in a container."""
    fetched = find("mariadb@cache", needs)
    folder = tmp_path_factory.mktemp("image")
    _make_image(podman, Path(fetched.facts.detail).parents[1], folder)
    works = subprocess.run(
        [podman, "run", "--rm", "--network=host", "--entrypoint=/bin/ls", IMAGE],
        capture_output=True,
        text=True,
        check=False,
    )
    if works.returncode != 0:
        pytest.skip(f"podman runs no containers on this host: {works.stderr.strip()}")
    return find("mariadb@container", Needs(folder, None, {}, podman, lambda _: None))


def _gone(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 40
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def _containers(podman: str) -> str:
    return subprocess.check_output([podman, "ps", "--all", "--format={{.Names}}"], text=True).strip()


def test_a_server_in_a_container_is_fresh_every_time(contained: DatabaseOffer, podman: str, folder: Path) -> None:
    """It does what a server of this host does, and no container is left."""
    schema = folder / "schema.sql"
    schema.write_text("CREATE TABLE author (id INT PRIMARY KEY); INSERT INTO author VALUES (1), (2);")
    assert contained.facts.source == "container"
    assert contained.facts.detail == IMAGE
    assert contained.facts.version.startswith("11.4")
    for _ in range(2):
        started = time.monotonic()
        with contained.up(folder) as service:
            sys.stdout.write(f"container up in {time.monotonic() - started:.2f} s\n")
            service.apply(schema)
            assert service.count("author") == 2
            service.empty(["author"])
            assert service.count("author") == 0
            assert "bancada-mariadb-" in _containers(podman)
            assert service.pid is not None
            assert psutil.Process(service.pid).name() == "mariadbd"
        assert _containers(podman) == ""
    assert "ready for connections" in (folder / "service.log").read_text()


def test_a_killed_server_in_a_container_says_so(contained: DatabaseOffer, podman: str, folder: Path) -> None:
    """The engine's exit code is read back as the signal that it stands for."""
    with contained.up(folder) as service:
        assert service.pid is not None
        os.kill(service.pid, signal.SIGKILL)
        assert _gone(lambda: not service.still_runs())
        assert service.ended() == "signal 9"
    assert _containers(podman) == ""


PARENT = """
import sys, time
from pathlib import Path
from bancada.services.service import Needs
from bancada.services.sql import find
cache, engine, folder = sys.argv[1:]
with find("mariadb@container", Needs(Path(cache), None, {}, engine, print)).up(Path(folder)) as service:
    print(service.pid, flush=True)
    time.sleep(600)
"""


def test_a_killed_bench_leaves_no_container(contained: DatabaseOffer, podman: str, tmp_path: Path) -> None:
    """Even SIGKILL to the bench ends the container and removes it."""
    cache = contained._template.parents[1]  # type: ignore[attr-defined]
    bench = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(cache), podman, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert bench.stdout is not None
    server = int(bench.stdout.readline())
    bench.kill()
    bench.communicate(timeout=30)
    assert _gone(lambda: not psutil.pid_exists(server))
    assert _gone(lambda: _containers(podman) == "")


def test_an_image_that_cannot_be_pulled_means_the_next_source(
    podman: str, needs: Needs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pull is announced and tried once; its failure is a reason, and the next source is taken."""
    monkeypatch.setenv("BANCADA_MARIADB_IMAGE", "localhost:1/there/is:none")
    said: list[str] = []
    with_podman = Needs(needs.cache, needs.mvn, needs.java_env, podman, said.append)
    found = find("mariadb", with_podman)
    assert found.facts.source in ("path", "cache")
    assert found.facts.passed_over[0].startswith("container: podman: ")
    assert said == ["pulling the container image localhost:1/there/is:none with podman"]
    with pytest.raises(ServiceError, match="from nowhere"):
        find("mariadb@container", with_podman)
