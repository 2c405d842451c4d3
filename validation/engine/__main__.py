"""Check a list from the command line: `python -m validation.engine list.csv`, or addresses on standard input with `-`.

Verdicts go to standard output in the order of the input, progress to standard error.
"""

import argparse
import asyncio
import csv
import dataclasses
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import aclosing
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from validation.engine import Check, EngineConfig, Verdict, Verifier

_DEFAULTS = EngineConfig()
_PROGRESS_S = 2.0
_VERDICT_FIELDS = tuple(field.name for field in dataclasses.fields(Verdict) if field.name != "checks")
_READER_GONE = 128 + 13  # what a shell reports for SIGPIPE
_CHECK_FIELDS = tuple(field.name for field in dataclasses.fields(Check))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    options = _parser().parse_args(arguments)
    addresses = read_addresses(_text(options.list))
    config = EngineConfig(
        dns_servers=tuple(_host_and_port(text) for text in options.dns),
        smtp_port=options.port,
        helo=options.helo,
        mail_from=options.mail_from,
        routes=tuple(options.route) or ("direct",),
        address_s=options.deadline,
    )
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_check_all(config, addresses, as_json=options.json))
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _READER_GONE
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m validation.engine", description="Verdicts on e-mail addresses.")
    parser.add_argument("list", nargs="?", default="-", help="a file with one address a line, a CSV, or - for stdin")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--dns", action="append", default=[], metavar="HOST:PORT", help="resolver to ask")
    parser.add_argument("--port", type=int, default=_DEFAULTS.smtp_port, help="port of the mail hosts")
    parser.add_argument("--helo", default=_DEFAULTS.helo, help="our name in EHLO")
    parser.add_argument("--mail-from", default=_DEFAULTS.mail_from, help="sender; empty for the null sender")
    parser.add_argument(
        "--route", action="append", default=[], help="direct, direct:<source address> or socks5://host:port"
    )
    parser.add_argument("--deadline", type=float, default=_DEFAULTS.address_s, help="seconds for one address")
    return parser


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The faster loop where it is installed."""
    module = import_module("uvloop") if find_spec("uvloop") else asyncio
    factory: Callable[[], asyncio.AbstractEventLoop] = module.new_event_loop
    return factory


def _text(name: str) -> str:
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return data.decode("utf-8-sig", "replace")


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return (host.strip("[]"), int(port)) if host else (text, 53)


def read_addresses(text: str) -> list[str]:
    """The addresses of a list: one a line, or the e-mail column of a CSV."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    heading = lines[0].lower()
    delimiter = next((mark for mark in ",;\t|" if mark in heading), None)
    if delimiter is None:
        return lines[1:] if heading in ("email", "e-mail", "address") else lines
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(row)]
    column = _email_column(rows)
    start = 0 if "@" in rows[0][column] else 1
    return [row[column].strip() for row in rows[start:] if len(row) > column and row[column].strip()]


def _email_column(rows: list[list[str]]) -> int:
    for position, title in enumerate(rows[0]):
        if title.strip().lower() in ("email", "e-mail", "email address", "e-mail address", "address"):
            return position
    for row in rows[:2]:
        for position, cell in enumerate(row):
            if "@" in cell:
                return position
    return 0


async def _check_all(config: EngineConfig, addresses: list[str], *, as_json: bool) -> None:
    verifier = Verifier.build(config)
    waiting: dict[int, Verdict] = {}
    following, started = 0, time.monotonic()
    told = started
    try:
        async with aclosing(verifier.verify_many(addresses)) as verdicts:
            async for index, verdict in verdicts:
                waiting[index] = verdict
                ready = []
                while following in waiting:
                    ready.append(waiting.pop(following))
                    following += 1
                _write(ready, as_json=as_json)
                if time.monotonic() - told > _PROGRESS_S:
                    told = time.monotonic()
                    _tell(following + len(waiting), len(addresses), told - started)
    finally:
        await verifier.aclose()
    _tell(len(addresses), len(addresses), time.monotonic() - started)


def _write(verdicts: Iterable[Verdict], *, as_json: bool) -> None:
    for verdict in verdicts:
        if as_json:
            print(json.dumps(_as_row(verdict), ensure_ascii=False))
        else:
            print(
                f"{verdict.email}\t{verdict.category}\t{verdict.reason}\t{verdict.confidence:.2f}\t{verdict.sentence}"
            )


def _as_row(verdict: Verdict) -> dict[str, object]:
    row: dict[str, object] = {name: getattr(verdict, name) for name in _VERDICT_FIELDS}
    row["evidence"] = [{name: getattr(check, name) for name in _CHECK_FIELDS} for check in verdict.checks]
    return row


def _tell(done: int, total: int, seconds: float) -> None:
    rate = done / seconds if seconds else 0.0
    print(f"{done}/{total} addresses, {rate:.0f}/s", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
