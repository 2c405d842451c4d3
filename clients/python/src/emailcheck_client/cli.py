"""The command `emailcheck`. Results go to standard output; what is only said to a person goes to standard error."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from emailcheck_client import settings
from emailcheck_client.answers import Draft, Progress, Verdict
from emailcheck_client.client import EmailCheck
from emailcheck_client.errors import BadAnswer, BadUsage, EmailCheckError, NetworkFailed, QuotaExceeded
from emailcheck_client.listening import Receiver
from emailcheck_client.lists import MOST_BYTES
from emailcheck_client.splitting import describe_too_large, split_file
from emailcheck_client.words import Status

ALL_SAFE, NOT_ALL_SAFE, USAGE, REFUSED, NETWORK, INTERRUPTED, CLOSED = 0, 1, 2, 3, 4, 130, 141
_EXITS = """exit status:
  0  done; where addresses were checked, all are safe to send to
  1  done, and some address is not safe to send to
  2  the command, the file or the settings are wrong; nothing was checked
  3  the service refused, or the list did not come to its end
  4  the service was not reached

The key is read from EMAILCHECK_API_KEY, else from ~/.config/emailcheck/config.ini (mode 0600)."""
_COLUMNS = ("row", "email", "email_checked", "category", "reason", "label", "confidence_score", "did_you_mean")
_ASK_ABOVE = 1_000


def main(arguments: list[str] | None = None) -> int:
    """Run a command. Answers the exit status; argparse itself ends with 2."""
    asked = _build_parser().parse_args(arguments)
    asked.watcher = _Watcher()
    try:
        asked.run(asked)
        sys.stdout.flush()
        return int(asked.watcher.status)
    except BrokenPipeError:  # nobody reads on, as behind `head`; what waits to be written goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED
    except KeyboardInterrupt:
        if job_id := asked.watcher.job_id:
            print(f"\n{job_id} goes on. To wait for it: emailcheck watch {job_id}", file=sys.stderr)
        return INTERRUPTED
    except EmailCheckError as error:
        print(f"emailcheck: {error}", file=sys.stderr)
        if isinstance(error, NetworkFailed | BadAnswer):
            return NETWORK
        return USAGE if isinstance(error, BadUsage) else REFUSED


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("emailcheck", description="Check e-mail addresses with EmailCheck.")
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(name: str, run: Callable[[Any], None], help: str, under: Any = commands) -> Callable[..., Any]:
        kind = argparse.RawDescriptionHelpFormatter
        one = under.add_parser(name, help=help, description=help, epilog=_EXITS, formatter_class=kind)
        one.set_defaults(run=run)
        one.add_argument("--json", action="store_true", help="one JSON object a line")
        option: Callable[..., Any] = one.add_argument
        return option

    option = add("check", _check, "Check addresses; a list of several costs as much as each alone.")
    option("addresses", nargs="+", metavar="ADDRESS", help="an address; - reads them from standard input, one a line")
    _add_repair(option)
    option = add("file", _check_file, "Check a .csv, .txt, .xlsx or .xls file, and write its results.")
    option("file", type=Path, help="the file, of up to 10 MB")
    _add_output(option)
    _add_repair(option)
    option("--column", help="header or number of the column of addresses; left out: it is found")
    option("--sheet", help="name or number of the sheet")
    option("--max-credits", type=int, metavar="N", help="check the first addresses that so many credits pay for")
    option("--split", action="store_true", help="send a longer file in parts; an address of two parts is checked twice")
    option("--yes", action="store_true", help=f"do not ask before more than {_ASK_ABOVE:,} credits are spent")
    option = add("watch", _watch, "Wait until a list has ended.")
    option("job", help="its id")
    option = add("results", _write_results, "Write the results of a list once it has ended.")
    option("job", help="its id")
    _add_output(option)
    option("--format", choices=["csv", "ndjson"], default="csv", help="CSV with a header, or a JSON object a line")
    option("--after-row", type=int, default=0, metavar="N", help="begin behind this row")
    add("credits", _show_credits, "Show what can be spent.")
    keys = commands.add_parser("keys", help="About keys.").add_subparsers(required=True, metavar="command")
    add("test", _test_key, "Show mode, scopes, limits and credits of the key; spends nothing.", keys)
    option = add("listen", _listen, f"Receive webhooks on this machine; their secret is read from {settings.SECRET}.")
    option("--port", type=int, default=8787, help="8787, unless another is named")
    option("--count", type=int, default=-1, metavar="N", help="end after so many messages")
    return parser


def _add_output(option: Callable[..., Any]) -> None:
    option("-o", "--output", type=Path, help="write to this file; left out: to standard output")
    option("--only", choices=["safe", "risky", "do_not_send"], help="write those with this recommendation alone")


def _add_repair(option: Callable[..., Any]) -> None:
    option("--repair", action="store_const", const=True, help="take addresses out of names and brackets around them")


class _Watcher:
    """Shows on a terminal how far a list is; keeps its id, and the exit status of all."""

    def __init__(self) -> None:
        self.job_id, self.status = "", ALL_SAFE

    def __call__(self, now: Progress) -> None:
        self.job_id = now.id
        ended = now.status in (Status.COMPLETED, Status.FAILED, Status.CANCELLED)
        if ended and now.safe_to_send_count < now.total_emails:
            self.status = NOT_ALL_SAFE
        if sys.stderr.isatty():
            print(f"\r{now.id}: {now.processed:,} of {now.total_emails:,}", end="", file=sys.stderr, flush=True)


def _check(asked: Any) -> None:
    addresses = sys.stdin if asked.addresses == ["-"] else asked.addresses
    emails = [text.strip() for text in addresses if text.strip()]
    form = "ndjson" if asked.json else "text"
    with EmailCheck.from_environment() as client:
        if len(emails) == 1:
            verdict = client.check(emails[0], repair=asked.repair)
            asked.watcher.status = ALL_SAFE if verdict.safe_to_send else NOT_ALL_SAFE
            _write([verdict], sys.stdout, form)
            return
        job = client.check_many(emails, repair=asked.repair)
        asked.watcher.job_id = job.id
        _write(job.results(on_progress=asked.watcher), sys.stdout, form)


def _check_file(asked: Any) -> None:
    with EmailCheck.from_environment() as client:
        drafts = _inspect(client, asked)
        _confirm(sum(draft.cost for draft in drafts), drafts[-1].credits, sure=asked.yes)
        with _open_output(asked) as (out, form):
            _write(_check_drafts(client, drafts, asked), out, form)


def _inspect(client: EmailCheck, asked: Any) -> list[Draft]:
    path, left, drafts = asked.file, asked.max_credits, list[Draft]()
    options = {"column": asked.column, "sheet": asked.sheet, "repair": asked.repair}
    if not path.is_file() or path.stat().st_size <= MOST_BYTES:
        return [client.inspect(path, max_credits=left, **options)]
    if not asked.split:
        raise BadUsage(describe_too_large(path))
    for content, has_header in split_file(path):
        draft = client.inspect((path.name, content), max_credits=left, has_header=has_header, **options)
        drafts.append(draft)
        left = None if left is None else left - draft.cost
        if left is not None and left <= 0:
            break
    return drafts


def _confirm(cost: int, credits: int, *, sure: bool) -> None:
    if cost > credits:
        raise QuotaExceeded(f"It takes {cost:,} credits, and there are {credits:,}.")
    if cost <= _ASK_ABOVE or sure:
        return
    if not sys.stdin.isatty():
        raise BadUsage(f"It can cost {cost:,} credits. Say --yes to spend more than {_ASK_ABOVE:,}.")
    print(f"It can cost {cost:,} of {credits:,} credits. Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise BadUsage("Nothing was checked.")


def _check_drafts(client: EmailCheck, drafts: list[Draft], asked: Any) -> Iterator[Verdict]:
    """The results of the parts of a file, one after another, by the rows of the whole file."""
    before = 0
    for draft in drafts:
        job = client.start(draft)
        asked.watcher.job_id = job.id
        for verdict in job.results(decision=asked.only, on_progress=asked.watcher):
            row = verdict.row + before
            yield replace(verdict, row=row, raw={**verdict.raw, "row": row}) if before else verdict
        before += draft.rows


def _watch(asked: Any) -> None:
    with EmailCheck.from_environment() as client:
        job = client.job(asked.job).wait(asked.watcher)
    text = f"{job.id}\t{job.status}\t{job.safe_to_send_count} of {job.total_emails} safe to send to"
    print(json.dumps(job.raw) if asked.json else text)


def _write_results(asked: Any) -> None:
    with EmailCheck.from_environment() as client:
        job = client.job(asked.job)
        with _open_output(asked) as (out, form):
            rows = job.results(after_row=asked.after_row, decision=asked.only, on_progress=asked.watcher)
            _write(rows, out, "ndjson" if asked.format == "ndjson" else form)


def _show_credits(asked: Any) -> None:
    with EmailCheck.from_environment() as client:
        found = client.credits()
    text = f"{found.credits} credits, {found.held} held, plan {found.subscription_plan}"
    print(json.dumps(found.raw) if asked.json else text)


def _test_key(asked: Any) -> None:
    with EmailCheck.from_environment() as client:
        found = client.account()
    key = found.key
    if asked.json:
        print(json.dumps({**key.raw, "credits": found.credits, "subscription_plan": found.subscription_plan}))
        return
    shown = {
        "key": f"{key.prefix}… {key.name}",
        "mode": "test" if key.test else "live",
        "scopes": ", ".join(key.scopes),
        "ends": key.expires_at or "never",
        "calls a minute": key.requests_per_minute or "any number",
        "credits a day": key.daily_credit_cap or "any number",
        "from": ", ".join(key.allowed_ips) or "any address",
        "plan": found.subscription_plan,
        "credits": found.credits,
    }
    print("\n".join(f"{name:15} {value}" for name, value in shown.items()))


def _listen(asked: Any) -> None:
    secret = settings.load_value(settings.SECRET)
    if not secret:
        raise BadUsage(f"There is no secret. Set {settings.SECRET} to the secret of the webhook, whsec_….")
    with Receiver(asked.port, secret, as_json=asked.json) as server:
        print(f"Listening on http://127.0.0.1:{server.server_port}", file=sys.stderr, flush=True)
        while server.printed != asked.count:
            server.handle_request()


@contextmanager
def _open_output(asked: Any) -> Iterator[tuple[IO[str], str]]:
    """Where results go, and in which form."""
    path: Path | None = asked.output
    is_lines = asked.json or (path is not None and path.suffix in (".ndjson", ".jsonl"))
    with nullcontext(sys.stdout) if path is None else path.open("w", encoding="utf-8", newline="") as out:
        yield out, "ndjson" if is_lines else "csv"


def _write(verdicts: Iterable[Verdict], out: IO[str], form: str) -> None:
    table = csv.writer(out, lineterminator="\n")
    if form == "csv":
        table.writerow(_COLUMNS)
    for verdict in verdicts:
        if form == "csv":
            table.writerow([_protect(getattr(verdict, name), verdict) for name in _COLUMNS])
        elif form == "ndjson":
            out.write(json.dumps(verdict.raw, ensure_ascii=False) + "\n")
        else:
            out.write(f"{verdict.email}\t{verdict.category}\t{verdict.reason}\t{verdict.label}\n")


def _protect(cell: object, verdict: Verdict) -> object:
    """The cell, with an apostrophe before what a spreadsheet would run; an address may begin with a sign."""
    begin = cell.lstrip("\u00a0\ufeff ")[:1] if isinstance(cell, str) else ""
    runs = begin in tuple("=@\t\r\n＝＠") or (begin in tuple("+-＋－") and verdict.reason == "syntax")
    return f"'{cell}" if runs else cell
