# SPDX-License-Identifier: Apache-2.0
"""Builds are kept by a digest of everything that matters, and of nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.errors import BuildError, ToolMissingError
from bancada.model.base import NS_PER_S
from bancada.model.events import BuildEnded, Event
from bancada.model.stack import Image, Stack, StackVariant, Variant
from bancada.sut.build import Workshop, build, source_digest


def variant(folder: Path, build_command: tuple[str, ...] | None) -> StackVariant:
    """A stack in `folder` with one variant."""
    stack = Stack(
        stack="s",
        framework="f",
        language="l",
        scenarios=("sort",),
        requires={"java": 25},
        variant={"v": Variant(start=("true",), build=build_command, artefact="made")},
    )
    return StackVariant(stack=stack, variant="v", folder=str(folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A stack's sources."""
    place = tmp_path / "stack"
    place.mkdir()
    (place / "main.txt").write_text("hello")
    return place


@pytest.fixture
def workshop(tmp_path: Path) -> tuple[Workshop, list[Event]]:
    """A workshop, and what it tells."""
    told: list[Event] = []
    return (
        Workshop(
            cache=tmp_path / "cache",
            tools={},
            tool_versions={"java": "25"},
            env={},
            timeout_ns=20 * NS_PER_S,
            notify=told.append,
        ),
        told,
    )


def test_the_same_sources_are_built_once(folder: Path, workshop: tuple[Workshop, list[Event]]) -> None:
    """The second build is found; a changed source, command or tool builds anew."""
    work, told = workshop
    sut = variant(folder, ("cp", "main.txt", "made"))
    first = build(sut, work)
    assert (first.folder / "made").read_text() == "hello"
    assert first.record.artefact_bytes == 5
    second = build(sut, work)
    assert second.folder == first.folder
    assert [event.cached for event in told if isinstance(event, BuildEnded)] == [False, True]
    (folder / "main.txt").write_text("goodbye")
    third = build(sut, work)
    assert third.folder != first.folder
    assert (third.folder / "made").read_text() == "goodbye"


def test_only_what_matters_changes_the_digest(folder: Path) -> None:
    """What a build leaves in the folder, and the README, are no sources; tool versions and commands matter."""
    sut = variant(folder, ("true",))
    before = source_digest(sut, {"java": "25"})
    (folder / "README.md").write_text("read me")
    (folder / "target").mkdir()
    (folder / "target" / "x.class").write_text("x")
    assert source_digest(sut, {"java": "25", "node": "20"}) == before
    assert source_digest(sut, {"java": "26"}) != before
    assert source_digest(variant(folder, ("false",)), {"java": "25"}) != before


def test_a_failed_build_is_not_kept(folder: Path, workshop: tuple[Workshop, list[Event]]) -> None:
    """After a failure the next attempt builds again."""
    work, _ = workshop
    for _ in range(2):
        with pytest.raises(BuildError, match="no such luck"):
            build(variant(folder, ("sh", "-c", "echo no such luck; exit 4")), work)


def test_a_build_that_takes_too_long_is_ended(folder: Path, workshop: tuple[Workshop, list[Event]]) -> None:
    """A build that writes nothing is ended too when its time is up."""
    work, _ = workshop
    short = Workshop(work.cache, work.tools, work.tool_versions, work.env, NS_PER_S // 2, work.notify)
    with pytest.raises(BuildError, match="did not build within"):
        build(variant(folder, ("sleep", "30")), short)


def test_a_containerfile_and_the_image_are_no_sources(folder: Path) -> None:
    """They change the image alone: nothing is compiled again for them, and variants share a build."""
    (folder / "Containerfile").write_text("FROM x")
    plain = variant(folder, ("true",))
    image = Image(containerfile="Containerfile", base="b")
    boxed = plain.chosen.model_copy(update={"image": image})
    stack = plain.stack.model_copy(update={"variant": {"v": plain.chosen, "boxed": boxed}})
    both = [StackVariant(stack=stack, variant=name, folder=str(folder)) for name in ("v", "boxed")]
    before = source_digest(both[0], {})
    assert source_digest(both[1], {}) == before
    (folder / "Containerfile").write_text("FROM y")
    assert source_digest(both[0], {}) == before


def test_a_variants_own_tool_changes_the_digest(folder: Path) -> None:
    """Another GraalVM makes another executable."""
    sut = variant(folder, ("true",))
    native = sut.chosen.model_copy(update={"needs": ("native-image",)})
    sut = sut.model_copy(update={"stack": sut.stack.model_copy(update={"variant": {"v": native}})})
    assert source_digest(sut, {"native-image": "25.0.1"}) != source_digest(sut, {"native-image": "25.0.2"})


def test_without_a_container_engine_no_image_is_made(folder: Path, workshop: tuple[Workshop, list[Event]]) -> None:
    """It is an error that says so, and no variant without container in its place."""
    sut = variant(folder, ("cp", "main.txt", "made"))
    boxed = sut.chosen.model_copy(update={"image": Image(containerfile="Containerfile", base="b")})
    sut = sut.model_copy(update={"stack": sut.stack.model_copy(update={"variant": {"v": boxed}})})
    with pytest.raises(ToolMissingError, match="no container engine"):
        build(sut, workshop[0])
