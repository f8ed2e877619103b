# SPDX-License-Identifier: Apache-2.0
"""JMeter's result files (JTL, as CSV): read any that JMeter can write, and write one as JMeter would.

Columns and their order are those of JMeter 5.6.3's `CSVSaveService`; a file without header has the default columns.
`timeStamp` is the start of the sample (JMeter ships with `sampleresult.timestamp.start=true`; a file cannot tell).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from bancada.errors import InputError, NotFoundError

DEFAULT_COLUMNS = (
    *("timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "dataType", "success"),
    *("failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Latency", "IdleTime", "Connect"),
)
"""What JMeter writes by default, in its order."""

_TEXT = (
    *("label", "responseCode", "responseMessage", "threadName", "dataType", "failureMessage", "URL", "Filename"),
    *("Encoding", "Hostname"),
)
_COUNTS = (
    *("elapsed", "bytes", "sentBytes", "grpThreads", "allThreads", "Latency", "SampleCount", "ErrorCount"),
    *("IdleTime", "Connect"),
)
TYPES: dict[str, type[pl.DataType]] = {
    "timeStamp": pl.Int64,
    "success": pl.Boolean,
    **dict.fromkeys(_TEXT, pl.String),
    **dict.fromkeys(_COUNTS, pl.Int64),
}
"""Every column that JMeter can write, besides variables of the plan (in quotation marks, last), which are left out."""

_DATES = ("%Y/%m/%d %H:%M:%S%.3f", "%Y-%m-%d %H:%M:%S%.3f")
_CSV_ADVICE = (
    "have JMeter write CSV: run it with -Jjmeter.save.saveservice.output_format=csv, or open the file in a listener of "
    "its GUI and save the table"
)
_MOST_LINE = 65536


@dataclass(frozen=True)
class _Form:
    """How a file is laid out."""

    separator: str
    columns: tuple[str, ...]
    """Names in the file's order; a variable of the plan keeps its quotation marks."""
    header: bool


def read_jtl(path: Path) -> pl.DataFrame:
    """The samples of a JTL file in CSV: JMeter's column names, typed as in TYPES, rows and columns as in the file.

    Times are whole milliseconds (`timeStamp` since 1970; a date is read as UTC, as the file does not tell its zone).
    Raises NotFoundError if there is no file, InputError with file and line if it is not a whole JTL in CSV.
    """
    try:
        form = _form_of(path)
        lines = _check_lines(path, form)
    except UnicodeDecodeError as error:
        raise InputError("is not a JTL: not text in UTF-8", where=str(path)) from error
    except OSError as error:
        raise NotFoundError(f"cannot be read: {error.strerror}", where=str(path)) from error
    if not lines:
        raise InputError("holds no sample, only a header", where=str(path))
    text = pl.read_csv(
        path,
        separator=form.separator,
        has_header=False,
        glob=False,
        skip_rows=int(form.header),
        new_columns=list(form.columns),
        infer_schema=False,
    ).fill_null("")
    known = [name for name in form.columns if name in TYPES]
    typed = pl.DataFrame([_typed(text[name], name, path, form) for name in known])
    if "SampleCount" in known and (typed["SampleCount"] > 1).any():
        raise InputError(
            "holds sums of several samples in one row (SampleCount above 1)",
            where=str(path),
            advice="run JMeter with -Jmode=Standard",
        )
    return typed


def write_jtl(jtl: pl.DataFrame, path: Path) -> None:
    """Write a JTL in CSV with a header, quoted only where it must be. Raises OSError."""
    emptied = jtl.with_columns(pl.col(pl.String).replace("", None))
    emptied.write_csv(path, quote_style="necessary")


def _form_of(path: Path) -> _Form:
    with path.open(encoding="utf-8", newline="") as file:
        first = file.readline(_MOST_LINE).rstrip("\r\n")
    if not first:
        raise InputError("is empty", where=str(path))
    if first.lstrip().startswith("<"):
        raise InputError("is a JTL in XML", where=f"{path}:1", advice=_CSV_ADVICE)
    separator = _separator_of(first)
    names = tuple(first.split(separator))
    unknown = [name for name in names if name not in TYPES and not _is_variable(name)]
    if not unknown:
        _check_header(names, path)
        return _Form(separator, names, header=True)
    if re.match(r"\d+,\d+,", first):
        return _Form(",", DEFAULT_COLUMNS, header=False)
    known = ", ".join(TYPES)
    raise InputError(
        f"is not a JTL: its first line has a column {_short(unknown[0])} that JMeter does not write",
        where=f"{path}:1",
        advice=f"JMeter's columns are {known}",
    )


def _separator_of(header: str) -> str:
    """As JMeter finds it: the first character that is not part of a name."""
    found = re.match(r"\w+(\W)", header)
    return found[1] if found else ","


def _is_variable(name: str) -> bool:
    return len(name) > 2 and name.startswith('"') and name.endswith('"')


def _check_header(names: Sequence[str], path: Path) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    missing = [name for name in ("timeStamp", "elapsed", "label", "success") if name not in names]
    if twice:
        raise InputError(f"has the column {twice[0]} twice", where=f"{path}:1")
    if missing:
        raise InputError(
            f"lacks the column {' and '.join(missing)}, without which nothing can be computed",
            where=f"{path}:1",
            advice="let JMeter save it: jmeter.save.saveservice.timestamp_format=ms, .time, .label, .successful = true",
        )


def _records(path: Path, form: _Form) -> Iterator[tuple[int, list[str]]]:
    """The file's records without the header, with the number of the line on which each ends."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, delimiter=form.separator, strict=True)
        try:
            for fields in reader:
                if reader.line_num > 1 or not form.header:
                    yield reader.line_num, fields
        except csv.Error as error:
            cut = "is cut in the middle: " if "end of data" in str(error) else "is not CSV: "
            raise InputError(f"{cut}{error}", where=f"{path}:{reader.line_num}") from error


def _check_lines(path: Path, form: _Form) -> int:
    """How many records the file has. Raises InputError at the first that has too few or too many fields."""
    count, line = 0, 1
    for line, fields in _records(path, form):
        count += 1
        if len(fields) != len(form.columns):
            said = f"has {len(fields)} fields here, and {len(form.columns)} columns"
            raise InputError(said, where=f"{path}:{line}", advice=_cut_advice(path))
    if not _ends_with_line(path):
        raise InputError(
            "is cut in the middle: its last line has no end",
            where=f"{path}:{line}",
            advice="remove that line, or end it if you know that it is whole",
        )
    return count


def _ends_with_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) in b"\r\n"


def _cut_advice(path: Path) -> str | None:
    return None if _ends_with_line(path) else "the file is cut in the middle; remove its last line"


def _typed(column: pl.Series, name: str, path: Path, form: _Form) -> pl.Series:
    """A column in its type. Raises InputError at the first value that does not fit."""
    if TYPES[name] == pl.String:
        return column
    if name == "success":
        typed = column.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
    else:
        typed = _instants(column) if name == "timeStamp" else column.cast(pl.Int64, strict=False)
        typed = typed.set(typed < 0, None)
    if typed.null_count():
        at = typed.is_null().arg_max() or 0
        line = next(line for index, (line, _) in enumerate(_records(path, form)) if index == at)
        wanted = {"success": "true or false", "timeStamp": "milliseconds since 1970"}.get(name, "a whole number")
        raise InputError(f"the column {name} holds {_short(column[at])}, not {wanted}", where=f"{path}:{line}")
    return typed


def _instants(column: pl.Series) -> pl.Series:
    """Milliseconds since 1970, from milliseconds or from one of JMeter's date formats with milliseconds."""
    numbers = column.cast(pl.Int64, strict=False)
    if numbers.null_count() < len(column):
        return numbers
    for form in _DATES:
        dates = column.str.to_datetime(form, time_unit="ms", strict=False)
        if not dates.null_count():
            return dates.cast(pl.Int64)
    return numbers


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
