"""Long lists through the whole product: `make bench-lists`, or `python -m benchmarks.lists --help`."""

import argparse
import secrets
import sys
from collections.abc import Callable
from functools import partial

from benchmarks.engine import namespace, report
from benchmarks.lists import command, files, operators, pages, running, sharing, waiting

_PARTS: dict[str, Callable[[int, int], None]] = {
    "operators": operators.operators,
    "command": command.command,
    "sharing": sharing.sharing,
    "single": waiting.single,
    "waiting": waiting.waiting,
    "cost": running.cost,
    "workers": running.workers,
    "size": running.size,
    "pages": pages.pages,
    "files": files.files,
}


def main(arguments: list[str]) -> int:
    """Run what was asked for, in a network of its own."""
    options = _parser().parse_args(arguments)
    if not namespace.is_inside():
        code = namespace.enter([*arguments, "--seed", str(options.seed)], module="benchmarks.lists")
        if code is None:
            print("this takes a network of its own: root, or user namespaces", file=sys.stderr)
        return 1 if code is None else code
    namespace.furnish()
    print(f"seed {options.seed}, scale 1/{options.divide}\n\n{report.hardware()}\n", flush=True)
    parts = _PARTS | {"cost": partial(running.cost, rounds=options.rounds)}
    for part in options.only or parts:
        parts[part](options.seed, options.divide)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lists", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="repeat the world of an earlier run")
    parser.add_argument("--divide", type=int, default=1, help="lists so many times shorter")
    parser.add_argument(
        "--rounds", type=int, default=running.ROUNDS, help="runs of each, in turns, of which `cost` tells the medians"
    )
    parser.add_argument("--only", choices=_PARTS, action="append", help="only this part; may be given several times")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
