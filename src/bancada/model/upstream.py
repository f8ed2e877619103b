# SPDX-License-Identifier: Apache-2.0
"""The central service of a relay: an HTTP server that answers everything alike, after a set delay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from bancada.model.base import Model
from bancada.model.measure import Summary

MOST_BODY_BYTES = 64 * 2**20
_DURATION = r"\d+(\.\d+)?(ns|us|ms|s)"
_DELAY = f"^({_DURATION}|(uniform|normal):{_DURATION}:{_DURATION}|lognormal:{_DURATION}:[0-9.]+)$"


class Upstream(Model):
    """What it answers, and when. A study's takes the place of its scenario's, key by key."""

    delay: Annotated[str, Field(pattern=_DELAY)] | None = None
    """From a request's arrival to its answer: `320ms`, `uniform:LOW:HIGH`, `normal:MEAN:DEVIATION` or
    `lognormal:MEDIAN:SIGMA`."""
    body_file: str | None = None
    """File that it answers with."""
    body_bytes: Annotated[int, Field(ge=0, le=MOST_BODY_BYTES)] | None = None
    """Size of a body of its own making; else `body_file`."""
    content_type: str | None = None

    @model_validator(mode="after")
    def _one_body(self) -> Upstream:
        if self.body_file is not None and self.body_bytes is not None:
            raise ValueError("needs either body_file or body_bytes, and not both")
        return self

    @property
    def body(self) -> bytes:
        """The answer's body. Raises OSError if its file cannot be read."""
        if self.body_file is not None:
            return Path(self.body_file).read_bytes()
        filler = b"x" * (self.body_bytes or 0)
        # As the engine makes it: JSON where JSON is promised.
        return b'"' + filler[2:] + b'"' if "json" in (self.content_type or "") and len(filler) > 1 else filler

    def over(self, other: Upstream) -> Upstream:
        """What is said here, and what the other one says where nothing is said here."""
        said = {name: getattr(self, name) for name in self.model_fields_set}
        if {"body_file", "body_bytes"} & said.keys():
            said = {"body_file": None, "body_bytes": None, **said}
        return other.model_copy(update=said)


class UpstreamRecord(Model):
    """What the central service tells of itself after a trial: all of its loads, conforming and warm-up included."""

    connections: int
    requests: int
    lateness_ns: Summary
    """How much later than its delay it handed an answer over."""
    cpu_ns: int
    peak_rss_bytes: int | None
