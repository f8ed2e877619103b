# SPDX-License-Identifier: Apache-2.0
"""What trials share."""

from __future__ import annotations

import pytest

from bancada.conductor.bench import build_key


@pytest.mark.parametrize("choice", ["mysql", "mysql@cache", "mysql://127.0.0.1:3306/shop"])
def test_a_build_for_a_product_is_found_wherever_the_product_comes_from(choice: str) -> None:
    """A cell names the choice, `mysql@cache` say; the build is for MySQL."""
    assert build_key("quarkus-jpa:jar", choice) == "quarkus-jpa:jar for mysql"
