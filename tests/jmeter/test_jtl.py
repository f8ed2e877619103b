# SPDX-License-Identifier: Apache-2.0
"""JTL files: every form that JMeter writes is read, everything else is refused with file and line."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from bancada.errors import InputError, NotFoundError
from bancada.jmeter.jtl import DEFAULT_COLUMNS, read_jtl, write_jtl

HEADER = ",".join(DEFAULT_COLUMNS)
ROW = "1700000000123,45,list,200,OK,Thread Group 1-1,text,true,,900,120,1,1,http://localhost:8080/list,40,0,2"


def jtl(folder: Path, text: str) -> Path:
    """A file of this text."""
    path = folder / "results.jtl"
    path.write_bytes(text.encode())
    return path


def test_a_file_with_jmeters_default_columns_is_read_typed(tmp_path: Path) -> None:
    """Numbers are numbers, success is a boolean, texts are texts, and an empty text stays empty."""
    (row,) = read_jtl(jtl(tmp_path, f"{HEADER}\n{ROW}\n")).to_dicts()
    assert list(row) == list(DEFAULT_COLUMNS)
    assert (row["timeStamp"], row["elapsed"], row["success"]) == (1_700_000_000_123, 45, True)
    assert (row["label"], row["failureMessage"], row["Connect"]) == ("list", "", 2)


FORMS = [
    pytest.param(f"{ROW}\n", id="without header"),
    pytest.param(f"{HEADER}\r\n{ROW}\r\n", id="ends of lines as on Windows"),
    pytest.param(f"{HEADER}\n{ROW}\n".replace(",", ";"), id="semicolons"),
    pytest.param(f"{HEADER}\n{ROW}\n".replace(",", "\t"), id="tabs"),
    pytest.param(f'{HEADER},"token"\n{ROW},abc\n', id="with a variable of the plan"),
    pytest.param("timeStamp,elapsed,label,success,Hostname\n1700000000123,45,list,true,h\n", id="few columns"),
    pytest.param("timeStamp,elapsed,label,success\n2023/11/14 22:13:20.123,45,list,true\n", id="dates"),
    pytest.param('timeStamp,elapsed,label,success\n1700000000123,45,"list",true\n', id="quoted without need"),
]


@pytest.mark.parametrize("text", FORMS)
def test_each_form_that_jmeter_can_write_is_read(tmp_path: Path, text: str) -> None:
    """Header or none, other separators, other columns, dates: the same sample comes out."""
    (row,) = read_jtl(jtl(tmp_path, text)).to_dicts()
    assert (row["timeStamp"], row["elapsed"], row["label"], row["success"]) == (1_700_000_000_123, 45, "list", True)
    assert "token" not in row


def test_quotation_marks_separators_and_line_ends_inside_a_text_come_back(tmp_path: Path) -> None:
    """A label with a comma, a quotation mark, a line's end and other letters is the same after writing and reading."""
    path = tmp_path / "out.jtl"
    label = 'GET "a", é\nand more'
    written = read_jtl(jtl(tmp_path, f"{HEADER}\n{ROW}\n")).with_columns(label=pl.lit(label))
    write_jtl(written, path)
    assert read_jtl(path).equals(written)


def test_a_file_is_written_as_jmeter_writes_it(tmp_path: Path) -> None:
    """Header, order and quoting are JMeter's, so that what was read is written again to the byte."""
    text = f"{HEADER}\n{ROW}\n{ROW.replace('list,', chr(34) + 'a,b' + chr(34) + ',', 1)}\n"
    path = tmp_path / "out.jtl"
    write_jtl(read_jtl(jtl(tmp_path, text)), path)
    assert path.read_text() == text


BAD = [
    pytest.param("", ["is empty"], id="empty"),
    pytest.param(f"{HEADER}\n", ["holds no sample"], id="only a header"),
    pytest.param('<?xml version="1.0"?>\n<testResults>\n', ["JTL in XML", "output_format=csv"], id="XML"),
    pytest.param("name,age\nAda,36\n", ["is not a JTL", "'name'", ":1"], id="another table"),
    pytest.param(f"{HEADER}\n{ROW}\n{ROW[:40]}", ["fields here", ":3", "remove its last line"], id="cut in a row"),
    pytest.param(f"{HEADER}\n{ROW}", ["cut in the middle", ":2"], id="cut in the last number"),
    pytest.param(f'{HEADER}\n{ROW}\n1,2,"li', ["cut in the middle", ":3"], id="cut in a text"),
    pytest.param(f"{HEADER}\n{ROW}\n{ROW},7\n", ["18 fields", ":3"], id="a field too many"),
    pytest.param(f"{HEADER}\n{ROW}\n{ROW.replace(',45,', ',4x,')}\n", ["elapsed", "'4x'", ":3"], id="not a number"),
    pytest.param(f"{HEADER}\n{ROW.replace(',45,', ',-4,')}\n", ["elapsed", "'-4'", ":2"], id="a negative time"),
    pytest.param(
        f"{HEADER}\n{ROW.replace(',true,', ',yes,')}\n", ["success", "'yes'", "true or false"], id="no boolean"
    ),
    pytest.param("timeStamp,label,success\n1,a,true\n", ["lacks the column elapsed", ":1"], id="no elapsed"),
    pytest.param("timeStamp,elapsed,elapsed,label,success\n", ["elapsed twice", ":1"], id="a column twice"),
    pytest.param(
        "timeStamp,elapsed,label,success,SampleCount,ErrorCount\n1,2,a,true,5,0\n", ["SampleCount"], id="sums"
    ),
]


@pytest.mark.parametrize(("text", "parts"), BAD)
def test_what_is_not_a_whole_jtl_is_refused_with_file_and_line(tmp_path: Path, text: str, parts: list[str]) -> None:
    """One message says what is wrong and where; nothing is read in part."""
    path = jtl(tmp_path, text)
    with pytest.raises(InputError) as refused:
        read_jtl(path)
    said = f"{refused.value.what} {refused.value.where} {refused.value.advice}"
    for part in (str(path), *parts):
        assert part in said


def test_a_file_that_is_no_text_or_not_there_is_refused(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are no JTL, and a missing file is not found."""
    path = tmp_path / "results.jtl"
    path.write_bytes(b"\xff\xfe\x00PK")
    with pytest.raises(InputError, match="not text"):
        read_jtl(path)
    with pytest.raises(NotFoundError):
        read_jtl(tmp_path / "missing.jtl")
