# SPDX-License-Identifier: Apache-2.0
"""Systems under test as people name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.catalog.stacks import systems_under_test
from bancada.errors import InputError, NotFoundError
from bancada.model.stack import StackByUrl, StackVariant

STACK = """
stack     = "pooled"
framework = "none"
language  = "none"
scenarios = ["sort"]

[setting.pool]
env     = "POOL_SIZE"
default = "200"

[variant.jar]
start = ["true"]
env   = { MODE = "jar" }

[variant.virtual]
start = ["true"]
"""


@pytest.fixture
def stack(tmp_path: Path) -> str:
    """A stack with a setting, by its folder."""
    (tmp_path / "stack.toml").write_text(STACK)
    return str(tmp_path)


def test_a_setting_is_part_of_the_name_and_of_the_environment(stack: str) -> None:
    """`pooled:jar,pool=400` is another system under test than `pooled:jar`, which has the default."""
    (plain,) = systems_under_test(f"{stack}:jar")
    (wide,) = systems_under_test(f"{stack}:jar,pool=400")
    assert isinstance(plain, StackVariant)
    assert isinstance(wide, StackVariant)
    assert (plain.label, wide.label) == ("pooled:jar", "pooled:jar,pool=400")
    assert plain.env == {"MODE": "jar", "POOL_SIZE": "200"}
    assert wide.env == {"MODE": "jar", "POOL_SIZE": "400"}


def test_a_setting_without_a_variant_is_that_of_all(stack: str) -> None:
    """A bare stack stands for all of its variants."""
    assert [each.label for each in systems_under_test(f"{stack},pool=7")] == [
        "pooled:jar,pool=7",
        "pooled:virtual,pool=7",
    ]


@pytest.mark.parametrize(
    ("written", "error", "told"),
    [
        ("jar,pol=400", NotFoundError, 'no setting "pol"; did you mean "pool"?'),
        ("jar,pool", InputError, '"pool" sets nothing'),
        ("jar,pool=", InputError, '"pool=" sets nothing'),
        ("jar,pool=1,pool=2", InputError, '"pool" is set twice'),
        ("jra,pool=1", NotFoundError, 'no variant "jra"; did you mean "jar"?'),
    ],
)
def test_a_wrong_setting_is_named(stack: str, written: str, error: type[InputError], told: str) -> None:
    """With the nearest name that there is."""
    with pytest.raises(error) as refused:
        systems_under_test(f"{stack}:{written}")
    assert told in refused.value.what


def test_an_address_may_hold_any_sign() -> None:
    """What follows a name and an equals sign is an address, and no setting."""
    (given,) = systems_under_test("mine=http://127.0.0.1:8080")
    assert given == StackByUrl(name="mine", url="http://127.0.0.1:8080")
