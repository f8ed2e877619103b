# SPDX-License-Identifier: Apache-2.0
"""Build a variant once for each state of its sources: the folder's name carries a digest of everything that matters."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.errors import StorageError
from bancada.model.events import BuildEnded
from bancada.model.stack import StackVariant
from bancada.model.trial import BuildRecord
from bancada.sut.image import ContainerImage, make_image
from bancada.sut.workshop import Workshop, carry_out

__all__ = ["Built", "Workshop", "build", "fill_in", "source_digest"]

NOT_SOURCES = frozenset({"target", "node_modules", ".git", ".gradle", ".idea", ".vscode", "stack.toml", "README.md"})
"""Names in a stack's folder that do not change what is built."""
RECORD = "bancada-build.json"


@dataclass(frozen=True)
class Built:
    """A variant ready to be started."""

    folder: Path
    record: BuildRecord
    image: ContainerImage | None = None
    """What is run, if it is run in a container."""


def fill_in(argv: tuple[str, ...], values: Mapping[str, str]) -> list[str]:
    """The command with `{java}`, `{port}`… replaced; other braces stay."""
    filled = []
    for argument in argv:
        text = argument
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        filled.append(text)
    return filled


def build(sut: StackVariant, workshop: Workshop) -> Built:
    """Build `sut` and its image, or find that the same sources were built before.

    Raises BuildError that shows the end of the build's log and where all of it is; ToolMissingError if it needs a
    container engine and the workshop has none.
    """
    digest = source_digest(sut, workshop.tool_versions)
    folder = workshop.cache / "builds" / f"{sut.stack.stack}-{digest[:16]}"
    with _lock(folder):
        record = _kept(sut, folder) or _build_anew(sut, workshop, digest, folder)
        built = Built(folder, record)
        if sut.chosen.image is not None:
            built = _with_image(built, make_image(sut, folder, digest, workshop))
    if built.record.cached or sut.chosen.build is not None or built.image is not None:
        workshop.notify(BuildEnded(label=sut.label, cached=built.record.cached, duration_ns=built.record.duration_ns))
    return built


def _kept(sut: StackVariant, folder: Path) -> BuildRecord | None:
    if not (folder / RECORD).is_file():
        return None
    record = BuildRecord.model_validate_json((folder / RECORD).read_text())
    return record.model_copy(update={"cached": True, "artefact_bytes": _size(folder, sut.chosen.artefact)})


def _with_image(built: Built, image: ContainerImage) -> Built:
    """The record then tells of both: the time is that of the build and of its image."""
    parts = (built.record.duration_ns, image.duration_ns)
    record = built.record.model_copy(
        update={
            "digest": image.digest,
            "duration_ns": None if None in parts else sum(part for part in parts if part is not None),
            "image_bytes": image.size_bytes,
            "cached": built.record.cached and image.cached,
        }
    )
    return Built(built.folder, record, image)


def source_digest(sut: StackVariant, tool_versions: Mapping[str, str]) -> str:
    """SHA-256 over the stack's sources, the build command and the versions of the tools that it requires."""
    digest = hashlib.sha256()
    used = {name: tool_versions.get(name) for name in sorted({*sut.stack.requires, *sut.chosen.needs})}
    digest.update(repr((sut.chosen.build, used)).encode())
    root = Path(sut.folder)
    no_sources = _no_sources(sut)
    for path in sorted(_sources(root, no_sources)):
        relative = path.relative_to(root).as_posix()
        digest.update(f"\n{relative}\0{path.stat().st_mode & 0o111}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _no_sources(sut: StackVariant) -> frozenset[str]:
    """With the Containerfiles, which change images, but not what goes into them."""
    images = (variant.image for variant in sut.stack.variant.values())
    return NOT_SOURCES | {image.containerfile for image in images if image is not None}


def _sources(root: Path, no_sources: frozenset[str]) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in no_sources]
        yield from (Path(folder, name) for name in files if name not in no_sources)


def _build_anew(sut: StackVariant, workshop: Workshop, digest: str, folder: Path) -> BuildRecord:
    # Built in the final place, because some tools write absolute paths; complete only once its record is there.
    try:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sut.folder, folder, ignore=shutil.ignore_patterns(*_no_sources(sut)))
    except OSError as error:
        raise StorageError(f"cannot copy the sources of {sut.label}: {error}", where=str(folder)) from error
    started = time.monotonic_ns()
    if sut.chosen.build is not None:
        carry_out(sut, fill_in(sut.chosen.build, workshop.tools), workshop, folder, folder.with_suffix(".log"))
    record = BuildRecord(
        digest=digest,
        duration_ns=time.monotonic_ns() - started,
        artefact_bytes=_size(folder, sut.chosen.artefact),
        cached=False,
    )
    (folder / RECORD).write_text(record.model_dump_json(indent=1))
    return record


def _size(folder: Path, artefact: str | None) -> int | None:
    if artefact is None:
        return None
    path = folder / artefact
    if path.is_file():
        return path.stat().st_size
    files = [each for each in path.rglob("*") if each.is_file()]
    return sum(each.stat().st_size for each in files) if files else None


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Two benches that want the same build do it one after the other."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = folder.with_suffix(".lock").open("w")
    except OSError as error:
        raise StorageError(f"cannot write builds: {error.strerror}", where=str(folder.parent)) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
