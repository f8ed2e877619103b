# SPDX-License-Identifier: Apache-2.0
"""Test plan files are read safely: what is broken or no plan is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bancada.errors import InputError, NotFoundError
from bancada.jmeter.plan import read_plan
from tests.jmeter.plan_builder import (
    group,
    http,
    plan,
)
from tests.jmeter.plan_reader import only, read

BOMB = """<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]>
<jmeterTestPlan><hashTree>&c;</hashTree></jmeterTestPlan>"""
OUTSIDE = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><jmeterTestPlan/>'
NO_PLANS = [
    ("", "is not well-formed XML: no element found", "line 1"),
    ("<jmeterTestPlan>\n<hashTree>\n</jmeterTestPlan>", "is not well-formed XML: mismatched tag", "line 3"),
    (plan(group(http()))[:500], "is not well-formed XML: unclosed token", "line"),
    ("<html><body/></html>", "it holds <html>, not <jmeterTestPlan>", "line 1"),
    ("<jmeterTestPlan><hashTree/></jmeterTestPlan>", "holds no TestPlan element", "small.jmx"),
    (BOMB, "a DOCTYPE is refused", "small.jmx"),
    (OUTSIDE, "a DOCTYPE is refused", "small.jmx"),
    ("<a>" * 300, "elements are nested deeper than 200", "small.jmx"),
    ('<?xml version="1.0" encoding="klingon"?><a/>', "unknown encoding", "small.jmx"),
]


@pytest.mark.parametrize(("written", "what", "where"), NO_PLANS)
def test_a_file_that_is_no_plan_is_refused(tmp_path: Path, written: str, what: str, where: str) -> None:
    """Broken XML (with its line), other XML, and whatever could expand or fetch entities is an input error."""
    with pytest.raises(InputError) as refused:
        read(tmp_path, written)
    assert what in refused.value.what
    assert where in (refused.value.where or "")


def test_a_plan_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    """A missing file has the exit code of what is not found."""
    with pytest.raises(NotFoundError, match="there is no such file"):
        read_plan(tmp_path / "none.jmx")


def test_a_plan_of_latin_1_is_read_in_its_encoding(tmp_path: Path) -> None:
    """The XML declaration's encoding counts."""
    path = tmp_path / "latin.jmx"
    written = plan(group(http(name="Ação"))).replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
    path.write_bytes(written.encode("latin-1"))
    assert only(read_plan(path)).operation[0].name == "Ação"
