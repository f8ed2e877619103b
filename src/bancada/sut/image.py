# SPDX-License-Identifier: Apache-2.0
"""Make a container image of what was built, once for each state of build, Containerfile and base image."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.errors import BuildError, InputError, StorageError, ToolMissingError
from bancada.model.stack import Image, StackVariant
from bancada.process.container_engine import ContainerEngine, ContainerEngineError
from bancada.sut.workshop import Workshop, carry_out

REPOSITORY = "localhost/bancada"
"""Where our images are named; `localhost` is no registry, so nothing is looked for elsewhere."""
PULL_LIMIT_S = 120.0


@dataclass(frozen=True)
class ContainerImage:
    """An image that is ready to be run."""

    engine: ContainerEngine
    name: str
    digest: str
    """SHA-256 over the build that is inside, the Containerfile and the base image."""
    size_bytes: int | None
    """With the base image; None if the engine does not tell."""
    duration_ns: int | None
    """How long it took to make; None if another bench made it."""
    cached: bool


def base_reason(engine: ContainerEngine, base: str, limit_s: float = PULL_LIMIT_S) -> str | None:
    """Why containers cannot be made from the base image, or None if they can.

    An image that is not on this host is pulled, once, for at most `limit_s` seconds.
    """
    return _pulled(engine, base, limit_s)


@functools.cache
def _pulled(engine: ContainerEngine, base: str, limit_s: float) -> str | None:
    if engine.exists(base):
        return None
    try:
        engine.ask("pull", base, timeout_s=limit_s)
    except ContainerEngineError as error:
        return f"the base image {base} is not on this host and {engine.name} cannot pull it: {error}"
    return None


def make_image(sut: StackVariant, folder: Path, build_digest: str, workshop: Workshop) -> ContainerImage:
    """The image of `sut`, whose build is in `folder`, made now if it does not exist.

    Raises BuildError with the engine's words, InputError if there is no Containerfile, ToolMissingError without engine.
    """
    image, engine = sut.chosen.image, workshop.container_engine
    assert image is not None
    if engine is None:
        raise ToolMissingError(
            f"{sut.label} runs in a container, and no container engine answers",
            advice="install Docker or Podman; `bancada doctor` says what is missing",
        )
    base = workshop.base_image or image.base
    digest = _digest(sut, image, build_digest, _id_of_base(sut, engine, base))
    name = f"{REPOSITORY}/{sut.stack.stack}:{sut.variant}-{digest[:16]}"
    duration = workshop.cache / "builds" / f"{sut.stack.stack}-{sut.variant}-{digest[:16]}.image-ns"
    cached = engine.exists(name)
    if not cached:
        started = time.monotonic_ns()
        with _context(folder, sut.chosen.artefact) as context:
            argv = [str(engine.path), "build", "--tag", name, "--build-arg", f"BASE={base}"]
            argv += ["--file", str(_containerfile(sut, image)), str(context)]
            carry_out(sut, argv, workshop, context, duration.with_suffix(".log"))
        duration.write_text(str(time.monotonic_ns() - started), encoding="ascii")
    return ContainerImage(
        engine=engine,
        name=name,
        digest=digest,
        size_bytes=_size(engine, name),
        duration_ns=int(duration.read_text(encoding="ascii")) if duration.exists() else None,
        cached=cached,
    )


def _digest(sut: StackVariant, image: Image, build_digest: str, base_id: str) -> str:
    digest = hashlib.sha256(repr((build_digest, sut.chosen.artefact, base_id)).encode())
    digest.update(_containerfile(sut, image).read_bytes())
    return digest.hexdigest()


def _containerfile(sut: StackVariant, image: Image) -> Path:
    path = Path(sut.folder).resolve() / image.containerfile
    if not path.is_file():
        raise InputError(f"{sut.label} has no {image.containerfile}", where=str(path), advice="see docs/containers.md")
    return path


def _id_of_base(sut: StackVariant, engine: ContainerEngine, base: str) -> str:
    try:
        return engine.ask("image", "inspect", "--format", "{{.Id}}", base)
    except ContainerEngineError as error:
        raise BuildError(
            f"{sut.label} cannot be put into an image: {error}",
            where=f"base image {base}",
            advice=f"pull it with `{engine.name} pull {base}`, or name another one with --base-image",
        ) from error


def _size(engine: ContainerEngine, name: str) -> int | None:
    try:
        return int(engine.ask("image", "inspect", "--format", "{{.Size}}", name))
    except (ContainerEngineError, ValueError):
        return None


@contextmanager
def _context(folder: Path, artefact: str | None) -> Iterator[Path]:
    """A folder with the artefact alone, at its own path: a build's other files are many, and no part of the image."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".context-") as place:
        wanted, context = Path(artefact or "."), Path(place) / "context"
        try:
            (context / wanted).parent.mkdir(parents=True, exist_ok=True)
            if (folder / wanted).is_dir():
                ignore = shutil.ignore_patterns("bancada-build.json")
                shutil.copytree(
                    folder / wanted,
                    context / wanted,
                    symlinks=True,
                    copy_function=os.link,
                    ignore=ignore,
                    dirs_exist_ok=True,
                )
            else:
                os.link(folder / wanted, context / wanted)
        except OSError as error:
            raise StorageError(f"cannot collect what goes into the image: {error}", where=str(folder)) from error
        yield context
