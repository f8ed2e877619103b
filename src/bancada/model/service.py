# SPDX-License-Identifier: Apache-2.0
"""What a system under test needs and we do not judge: databases, brokers."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from bancada.model.base import Model

ServiceKind = Literal["sql", "upstream"]
ServiceSource = Literal["url", "container", "path", "cache", "engine"]

PRODUCTS: dict[ServiceKind, tuple[str, ...]] = {
    "sql": ("mariadb", "mysql", "postgresql"),
    "upstream": ("bancada-engine",),
}
"""Products of each kind; the first is taken where a study names none."""

SOURCES: tuple[ServiceSource, ...] = ("container", "path", "cache")
"""Where a product can be taken from if no URL is given, in the order in which they are tried."""

_URL = re.compile(
    r"(?P<product>[a-z]+)://(?:(?P<user>[^:@/]+)(?::(?P<password>[^@/]*))?@)?(?P<place>[^@/]+)/(?P<name>\w+)"
)


def _known(asked: str) -> str:
    products = [product for kind in PRODUCTS.values() for product in kind]
    url = _URL.fullmatch(asked)
    product, _, source = (url["product"], "", "") if url else asked.partition("@")
    if "://" in asked and url is None:
        raise ValueError("is not the URL of a database, as in mysql://user:password@127.0.0.1:3306/database")
    if product not in products:
        raise ValueError(f"is not a known product; known: {', '.join(products)}, or the URL of one")
    if source and product in PRODUCTS["upstream"]:
        raise ValueError("comes with Bancada; name no source")
    if source and source not in SOURCES:
        raise ValueError(f"names an unknown source {source!r}; known: {', '.join(SOURCES)}")
    return asked


ServiceChoice = Annotated[str, AfterValidator(_known)]
"""`mariadb`, `mysql@container`, or a URL."""


def product_of(asked: str) -> str:
    """The product that a choice names."""
    return re.split("[@:]", asked, maxsplit=1)[0]


def service_label(asked: str) -> str:
    """How readers see a choice: the product, or the address without user and password."""
    url = _URL.fullmatch(asked)
    return f"{url['product']}://{url['place']}/{url['name']}" if url else asked


def without_password(text: str) -> str:
    """A choice, or anything else that may hold a URL, as it may be kept in files."""
    return re.sub(r"(://[^:@/\s]+):[^@/\s]*@", r"\1@", text)


class ServiceFacts(Model):
    """Which service stood behind a run, and where it came from."""

    kind: ServiceKind
    product: str
    """As in `mariadb`."""
    version: str
    source: ServiceSource
    """A given URL, a container engine, a program of this host, fetched into the project's cache, or our own engine."""
    detail: str
    """The path, image or address (never with a password)."""
    passed_over: tuple[str, ...] = ()
    """Sources that were tried before, each with the reason why it did not do."""
