"""Check a list from the command line: `python -m validation.engine list.csv`, or addresses on standard input with `-`.

Needs no Django and no settings. Lists of any length pass through in bounded memory; verdicts come in the order of the
list, each as soon as its turn has come.
"""

import argparse
import asyncio
import io
import os
import signal
import stat
import sys
from contextlib import suppress
from pathlib import Path

from validation.engine.cli.garbage_collection import relax_garbage_collection
from validation.engine.cli.list_reader import read_addresses
from validation.engine.cli.list_run import ListRun
from validation.engine.cli.printing import Columns, JsonLines
from validation.engine.cli.progress import Progress
from validation.engine.config import EngineConfig
from validation.engine.egress.addresses import build_egress
from validation.engine.loop import new_event_loop
from validation.engine.profiles import SHIPPED, ProfileError, Profiles
from validation.engine.verifier import Verifier

_DEFAULTS = EngineConfig()
_FAILED, _INTERRUPTED, _READER_GONE = 1, 128 + 2, 128 + 13  # the latter two as a shell reports SIGINT and SIGPIPE
_EPILOG = f"""\
The list holds one address a line, or is a CSV (comma, semicolon, tab or bar) with an e-mail column, in UTF-8 or UTF-16.
Verdicts go to standard output in the order of the list, progress to standard error.

Mail operators judge the address that knocks, so each is asked for so many recipients a minute and address, evenly.
Who stands in line for such a limit of ours is asked later, however long that takes; progress says how many do, and the
end for whom how long. The limits are in the file that --profiles replaces and --rate corrects:
{SHIPPED}

exit codes:
  0    every address has a verdict
  1    the list could not be read, or the output not be written
  2    the command line is wrong
  130  interrupted by Ctrl-C; what was finished has been printed
  141  whoever read the output has closed it

examples:
  python -m validation.engine customers.csv --json > verdicts.jsonl
  cut -f3 export.tsv | python -m validation.engine - --helo mail.example.com --mail-from bounce@example.com
  python -m validation.engine list.txt --dns 192.0.2.53 --route direct:192.0.2.10 --route socks5://proxy:1080
  python -m validation.engine list.txt --rate google=12000 --rate yahoo=2400
  python -m validation.engine list.txt --route "direct:192.0.2.10;helo=a.us.com" --route "direct:192.0.2.11"
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; answers the exit code."""
    parser = _build_parser()
    options = parser.parse_args(arguments)
    try:
        options.profiles = options.profiles.with_rates(dict(options.rate))
    except ProfileError as error:
        parser.error(f"argument --rate: {error}")
    try:
        source = _open_source(options.list)
        _run_list(options, source)
        source.close()  # only here: leaving early, a thread may still wait in it for more to read
    except (KeyboardInterrupt, asyncio.CancelledError):
        return _INTERRUPTED
    except BrokenPipeError:
        with suppress(OSError, ValueError):  # so that nothing complains when the interpreter flushes at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _READER_GONE
    except OSError as error:
        print(f"{error.filename or options.list}: {error.strerror or error}", file=sys.stderr)
        return _FAILED
    return 0


def _run_list(options: argparse.Namespace, source: io.BufferedReader) -> None:
    shown = sys.stderr.isatty() if options.progress is None else options.progress
    run = ListRun(
        lambda: Verifier.build(_build_config(options)),
        read_addresses(source),
        sys.stdout.buffer,
        JsonLines() if options.json else Columns(),
        Progress(sys.stderr, _count_lines(source) if shown else None, shown=shown),
        greylist_s=options.greylist,
    )
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_run_until_interrupted(run))


async def _run_until_interrupted(run: ListRun) -> None:
    """Run until the end or Ctrl-C, which cancels between two steps of the loop instead of inside one."""
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    await run.run()


def _build_config(options: argparse.Namespace) -> EngineConfig:
    return EngineConfig(
        dns_servers=tuple(options.dns),
        smtp_port=options.port,
        helo=options.helo,
        mail_from=options.mail_from,
        routes=tuple(options.route) or _DEFAULTS.routes,
        profiles=options.profiles,
        address_s=options.deadline,
        sessions=options.sessions,
        operator_sessions=options.operator_sessions,
        dns_at_once=options.dns_at_once,
    )


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m validation.engine",
        description="Verdicts on e-mail addresses, with evidence: asks name servers and mail servers, sends nothing.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("list", nargs="?", default="-", help="the list; - or nothing for standard input")
    shape = parser.add_argument_group("output")
    shape.add_argument("--json", action="store_true", help="one JSON object a line, with all evidence; else columns")
    shape.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        help="tell how far it is (default: where standard error is a terminal)",
    )
    _add_target_options(parser.add_argument_group("whom to ask, and as whom"))
    _add_limit_options(parser.add_argument_group("limits"))
    return parser


def _add_target_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--dns",
        action="append",
        default=[],
        type=_parse_server,
        metavar="HOST[:PORT]",
        help="resolver, not the system's",
    )
    group.add_argument(
        "--port", type=_parse_positive, default=_DEFAULTS.smtp_port, help="port of the mail hosts (%(default)s)"
    )
    group.add_argument("--helo", type=_parse_plain_text, default=_DEFAULTS.helo, help="our name in EHLO (%(default)s)")
    group.add_argument(
        "--mail-from", type=_parse_plain_text, default=_DEFAULTS.mail_from, help="sender (none: the null sender)"
    )
    group.add_argument(
        "--route",
        action="append",
        default=[],
        type=_parse_route,
        help="direct, direct:SOURCE-ADDRESS or socks5://HOST:PORT, each with ;helo=NAME behind it where it has its own "
        "name; may be given several times",
    )


def _add_limit_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--sessions",
        type=_parse_positive,
        default=_DEFAULTS.sessions,
        metavar="N",
        help="sessions in all (%(default)s)",
    )
    group.add_argument(
        "--operator-sessions",
        type=_parse_positive,
        metavar="N",
        help="sessions with one host or operator of hosts (2 to 10, as its profile says)",
    )
    group.add_argument(
        "--rate",
        action="append",
        default=[],
        type=_parse_rate,
        metavar="OPERATOR=N",
        help="recipients a minute at an operator for each of our addresses (0: no limit); may be given several times",
    )
    group.add_argument(
        "--profiles",
        type=_load_profiles,
        default=_DEFAULTS.profiles,
        metavar="FILE",
        help="limits of operators, instead of those that come with the engine",
    )
    group.add_argument(
        "--dns-at-once", type=_parse_positive, default=_DEFAULTS.dns_at_once, metavar="N", help="look-ups (%(default)s)"
    )
    group.add_argument(
        "--deadline",
        type=_parse_seconds,
        default=_DEFAULTS.address_s,
        metavar="S",
        help="seconds of work on one address",
    )
    group.add_argument(
        "--greylist",
        type=_parse_seconds,
        default=_DEFAULTS.address_s,
        metavar="S",
        help="seconds within which a host that says come back later is asked again (%(default)s; 0: never)",
    )


def _open_source(name: str) -> io.BufferedReader:
    """The list as a binary stream.

    Standard input gets its own reader, because the interpreter waits for `sys.stdin` at exit.
    """
    return open(0 if name == "-" else name, "rb", closefd=name != "-")


def _count_lines(source: io.BufferedReader) -> int | None:
    """How many lines a file has; None for what cannot be read twice."""
    if not stat.S_ISREG(os.fstat(source.fileno()).st_mode):
        return None
    start = source.tell()
    lines = 0
    while piece := source.read(2**20):
        lines += piece.count(b"\n")
    source.seek(start)
    return lines


def _parse_server(text: str) -> tuple[str, int]:
    """`192.0.2.1`, `192.0.2.1:53`, `[2001:db8::1]:53` or `2001:db8::1`."""
    host, _, port = text.rpartition(":")
    if not host or (":" in host and not host.endswith("]")):
        return text.strip("[]"), 53
    return host.strip("[]"), _parse_positive(port)


def _parse_positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _parse_seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < 86_400:
        raise argparse.ArgumentTypeError("must be between 0 and a day, in seconds")
    return seconds


def _parse_plain_text(text: str) -> str:
    if not text.isprintable() or " " in text:
        raise argparse.ArgumentTypeError("must not hold blanks or control characters")
    return text


def _load_profiles(name: str) -> Profiles:
    try:
        return Profiles.read(Path(name))
    except ProfileError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _parse_rate(text: str) -> tuple[str, int]:
    """`google=12000`."""
    operator, equals, number = text.partition("=")
    if not equals or not (number.isascii() and number.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not OPERATOR=N with a whole number from 0 on")
    return operator, int(number)


def _parse_route(text: str) -> str:
    try:
        build_egress(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


if __name__ == "__main__":
    relax_garbage_collection()
    sys.exit(main())
