# SPDX-License-Identifier: Apache-2.0
"""Servers that start from a copy of a data directory, which is initialised once and kept in the project's cache.

To initialise one takes MySQL four seconds and to copy it a quarter of one, and all trials start from the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bancada.errors import AddressError, ServiceError
from bancada.model.service import ServiceFacts
from bancada.process.ports import free_port
from bancada.services.copying import copy_folder
from bancada.services.database import Login
from bancada.services.fetch import kept
from bancada.services.product import short_version
from bancada.services.running import OwnService, Recipe, running
from bancada.services.service import Needs, UnavailableError

HOST = "127.0.0.1"
VERSION_FILE = "version.txt"


class TemplateOffer:
    """A server that is ready to be started from a copy of its template."""

    def __init__(self, recipe: Recipe, template: Path, facts: ServiceFacts) -> None:
        self.facts = facts
        self._recipe = recipe
        self._template = template

    @contextmanager
    def up(self, folder: Path, *, cpus: Sequence[int] = (), port: int | None = None) -> Iterator[OwnService]:
        """A fresh, empty server, as `services.service.Offer` has it."""
        folder = folder.absolute()
        product = self._recipe.product
        login = Login(product.name, HOST, free_port(port))
        with self._recipe.run_as.data(folder) as data:
            copy_folder(self._template / "data", data)
            start = self._recipe.start(data, login.port, cpus)
            with running(start, product.database(login), folder / "service.log") as service:
                try:
                    yield service
                finally:
                    service.end()


def offer(recipe: Recipe, needs: Needs) -> TemplateOffer:
    """Prove once that the server works, and offer it. Raises UnavailableError if it does not, or StorageError."""
    product = recipe.product
    identity = "\n".join((product.name, recipe.key(), *product.settings(port=0)))
    digest = hashlib.sha256(identity.encode()).hexdigest()[:12]
    template = kept(needs.cache, f"template-{product.name}-{digest}", lambda folder: _made(recipe, folder))
    version = (template / VERSION_FILE).read_text(encoding="utf-8")
    facts = ServiceFacts(kind="sql", product=product.name, version=version, source=recipe.source, detail=recipe.detail)
    return TemplateOffer(recipe, template, facts)


def _made(recipe: Recipe, folder: Path) -> Path:
    """A template in `folder`: initialised, started once, and ended in order, so that no trial begins with recovery."""
    made = folder / "template"
    made.mkdir()
    login = Login(recipe.product.name, HOST, free_port())
    with recipe.run_as.data(folder) as data:
        recipe.initialise(data)
        start = recipe.start(data, login.port, ())
        database = recipe.product.database(login)
        try:
            with running(start, database, folder / "service.log") as service:
                version = short_version(service.database.version())
        except (ServiceError, AddressError) as error:
            raise UnavailableError(error.what) from error
        copy_folder(data, made / "data")
    (made / VERSION_FILE).write_text(version, encoding="utf-8")
    return made
