# SPDX-License-Identifier: Apache-2.0
"""`bancada load`: one load against any address, for a first look."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer

from bancada.catalog.toml import parse
from bancada.conductor.adhoc import AdhocLoad, run_adhoc
from bancada.console.load import load_observer, show_load
from bancada.console.screen import say
from bancada.errors import InputError, NoResultError
from bancada.model.base import NS_PER_S, parse_duration
from bancada.model.load import ClosedLoad, LoadProfile, OpenLoad
from bancada.model.measure import LoadRecord
from bancada.model.operation import Operation
from bancada.store.write import write_text

EXAMPLES = """
[bold]Examples[/]

  bancada load http://127.0.0.1:8080/ --users 20 --duration 10s
  bancada load http://127.0.0.1:8080/ --users 100 --ramp-up 10s --iterations 10 --think 1s
  bancada load http://127.0.0.1:8080/ --rate 500 --duration 30s --arrivals poisson
  bancada load http://127.0.0.1:8080/sort --users 8 --iterations 100 \\
      --method POST --header 'content-type: application/json' --body-file 300.json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("load", epilog=EXAMPLES)(load)


def load(
    url: Annotated[str, typer.Argument(help="Address to ask, as in http://127.0.0.1:8080/path.")],
    users: Annotated[int | None, typer.Option(help="Closed load: users that wait for their answers.")] = None,
    ramp_up: Annotated[str, typer.Option(help="Closed: time in which the users start.")] = "0s",
    iterations: Annotated[int | None, typer.Option(help="Closed: requests of each user.")] = None,
    think: Annotated[str, typer.Option(help="Closed: pause between an answer and the next request.")] = "0s",
    rate: Annotated[float | None, typer.Option(help="Open load: requests per second, whatever the answers do.")] = None,
    arrivals: Annotated[
        Literal["constant", "poisson"], typer.Option(help="Open: how arrivals are spaced.")
    ] = "constant",
    connections: Annotated[int, typer.Option(help="Open: most requests under way at once.")] = 1000,
    duration: Annotated[str | None, typer.Option(help="How long, as in 10s.")] = None,
    warm_up: Annotated[str, typer.Option(help="Run this long before anything counts.")] = "0s",
    method: Annotated[str, typer.Option(help="HTTP method.")] = "GET",
    header: Annotated[list[str] | None, typer.Option(help="A header, as in 'name: value'; repeatable.")] = None,
    body_file: Annotated[Path | None, typer.Option(help="File whose content is sent.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of all randomness.")] = 1,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file.")] = None,
    samples: Annotated[Path | None, typer.Option(help="Write every request to this Parquet file.")] = None,
) -> None:
    """Load one address and show response times; a single trial, so a first look and not a verdict."""
    target, operation = _operation(url, method, header or [], body_file)
    given: dict[str, object] = {"name": "load", "duration": duration}
    if rate is not None:
        given |= {"rate": rate, "arrivals": arrivals, "connections": connections}
    else:
        given |= {"users": users, "ramp_up": ramp_up, "iterations": iterations, "think": think}
    kind = _kind(users, rate)
    profile: LoadProfile = parse(
        {k: v for k, v in given.items() if v is not None}, kind, where="options of `bancada load`"
    )
    adhoc = AdhocLoad(target, operation, profile, _warm_up_ns(warm_up), seed, samples)
    with load_observer() as on_progress:
        record = run_adhoc(adhoc, on_progress)
    show_load(record)
    if json_file is not None:
        write_text(json_file, json.dumps(_figures(record), indent=1) + "\n")
        say(f"Figures: {json_file}")
    if record.latency_ns.count == 0:
        raise NoResultError("no request succeeded", where=url, advice="see the failures by kind above")


def _kind(users: int | None, rate: float | None) -> type[ClosedLoad | OpenLoad]:
    if (users is None) == (rate is None):
        raise InputError(
            "needs either --users (closed load) or --rate (open load)",
            where="options of `bancada load`",
            advice="as in --users 20 --duration 10s, or --rate 500 --duration 10s",
        )
    return ClosedLoad if users is not None else OpenLoad


def _operation(url: str, method: str, headers: list[str], body_file: Path | None) -> tuple[str, Operation]:
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.netloc:
        raise InputError("is not an address that can be loaded", where=url, advice="write http://host:port/path")
    pairs = [each.partition(":") for each in headers]
    wrong = [name for name, colon, _ in pairs if not colon]
    if wrong:
        raise InputError(f"a header needs a colon: {wrong[0]}", where="--header", advice="as in 'accept: text/html'")
    if body_file is not None and not body_file.is_file():
        raise InputError("there is no such file", where=f"--body-file {body_file}")
    given = {
        "name": "load",
        "method": method.upper(),
        "path": (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
        "headers": {name.strip(): value.strip() for name, _, value in pairs},
        "body": {"file": str(body_file.resolve())} if body_file else None,
    }
    return f"http://{parts.netloc}", parse(given, Operation, where="options of `bancada load`")


def _warm_up_ns(text: str) -> int:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise InputError(f"--warm-up {error}", where=f"--warm-up {text}") from error


def _figures(record: LoadRecord) -> dict[str, object]:
    """What `--json` writes; times in nanoseconds."""
    elapsed_s = (record.elapsed_ns or 0) / NS_PER_S
    return {
        "requests": record.requests,
        "failures": record.failures,
        "throughput_per_s": record.latency_ns.count / elapsed_s if elapsed_s else None,
        "latency_ns": record.latency_ns.model_dump(),
        "lateness_ns": record.lateness_ns.model_dump(),
        "unsent": record.unsent,
        "bytes_in": record.bytes_in,
        "bytes_out": record.bytes_out,
        "elapsed_ns": record.elapsed_ns,
        "engine": record.engine.model_dump(),
    }
