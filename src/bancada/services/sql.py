# SPDX-License-Identifier: Apache-2.0
"""Find an SQL database: at a given URL, in a container, installed on this host, or fetched into the cache."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from bancada.errors import InputError, ServiceError
from bancada.model.service import PRODUCTS, SOURCES, ServiceSource
from bancada.services.container import in_container
from bancada.services.local import LocalServer
from bancada.services.mariadb import MariaDb
from bancada.services.mysql import MySql
from bancada.services.postgresql import PostgreSql
from bancada.services.product import Product
from bancada.services.running import Recipe
from bancada.services.service import DatabaseOffer, Needs, UnavailableError
from bancada.services.template import offer
from bancada.services.url import given

_PRODUCTS: tuple[Product, ...] = (MariaDb(), MySql(), PostgreSql())

_LOOK: dict[ServiceSource, Callable[[Product, Needs], Recipe]] = {
    "container": in_container,
    "path": lambda product, _: LocalServer(product, product.on_path()),
    "cache": lambda product, needs: LocalServer(product, product.fetched(needs)),
}


def find(asked: str, needs: Needs) -> DatabaseOffer:
    """The database that is asked for: `mariadb`, `mysql` or `postgresql`, or its URL.

    A product is taken from the first source that works: a container engine, this host, the cache. `mariadb@cache`
    allows that source alone. Raises InputError if what is asked for makes no sense; ServiceError, with the reason of
    every source, if none works; StorageError if the cache's disk is full.
    """
    if "://" in asked:
        return given(asked, _PRODUCTS)
    name, _, only = asked.partition("@")
    product = _product(name)
    if only and only not in SOURCES:
        raise InputError(f"unknown source {only!r} of {name}", where=asked, advice=f"known: {', '.join(SOURCES)}")
    passed_over: list[str] = []
    for source in SOURCES:
        if only in ("", source):
            try:
                found = offer(_LOOK[source](product, needs), needs)
            except UnavailableError as reason:
                passed_over.append(f"{source}: {reason}")
            else:
                found.facts = found.facts.model_copy(update={"passed_over": tuple(passed_over)})
                return found
    raise ServiceError(
        f"{name} can be had from nowhere",
        where="; ".join(passed_over),
        advice=f"install {name}, or give the URL of an empty database, as in {name}://user:password@host/database",
    )


def _product(name: str) -> Product:
    for product in _PRODUCTS:
        if product.name == name:
            return product
    near = difflib.get_close_matches(name, PRODUCTS["sql"], n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(
        f"{name!r} is not a known database{hint}",
        advice=f"known: {', '.join(PRODUCTS['sql'])}, or the URL of one",
    )
