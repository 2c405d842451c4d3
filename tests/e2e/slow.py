"""A seeded copy of the product that asks operators less often: `python -m tests.e2e.slow yahoo=600 gmx=1`.

Each number is how many addresses it asks that operator about in a minute. Prints its address, and ends with its input.
"""

import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.stack import ROOT, running_stack

PROFILES = ROOT / "emailcheck" / "sandbox" / "profiles.toml"


def _with_rates(profiles: str, rates: Mapping[str, str]) -> str:
    """A file of profiles with these numbers a minute in place of its own."""
    tables = re.split(r"(?m)^(?=\[)", profiles)
    return "".join(_with_rate(table, rates.get(table[1:].partition("]")[0])) for table in tables)


def _with_rate(table: str, per_minute: str | None) -> str:
    return re.sub(r"(?m)^per_minute = \d+$", f"per_minute = {per_minute}", table) if per_minute else table


def main(*pairs: str) -> None:
    rates = dict(pair.split("=") for pair in pairs)
    with tempfile.TemporaryDirectory() as directory:
        paced = Path(directory) / "profiles.toml"
        paced.write_text(_with_rates(PROFILES.read_text(encoding="utf-8"), rates), encoding="utf-8")
        with running_stack(Path(directory) / "var", EGRESS_PROFILES=str(paced)) as stack:
            sys.stdout.write(f"{stack.address}\n")
            sys.stdout.flush()
            sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
