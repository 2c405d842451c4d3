"""The command line over the list of real life: how long it takes, and what it says of whom it waits for."""

import csv
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import figures
from benchmarks.lists import life
from benchmarks.lists.operators import tell_limits, tell_verdicts
from tests.stack import ROOT
from tests.world import Sandbox, running_world

FACTOR = 2


def command(_seed: int, divide: int) -> None:
    """`python -m validation.engine` with twice the shipped rates, by one address."""
    rows, profiles = life.real_rows(divide), life.times_the_rates(FACTOR)
    longest = max(life.allowed_s(rows, profiles).values())
    with tempfile.TemporaryDirectory() as directory, running_world(Path(directory, "sandbox")) as world:
        life.write_profiles(profiles, Path(directory, "profiles.toml"))
        world.simulation.limits.set_numbers(life.numbers_of(profiles))
        world.simulation.switches.latency_ms = life.LATENCY_MS
        started = time.monotonic()
        found, told = _run(world, Path(directory), rows)
        seconds = time.monotonic() - started
        pairs = [pair for pair in world.simulation.stats.pairs() if pair["company"] in life.WORLD.limits]
    title = f"[A3] {len(rows):,} rows through the command line"
    print(f"### {title}, rates x {FACTOR}\n")
    print(f"{seconds:.1f} s, {seconds / longest:.2f} x what the rates allow; it says:")
    print("\n".join(f"  {line}" for line in (told[len(told) // 3], *told[-2:])))
    tell_verdicts(title, found, life.truths(rows))
    tell_limits(title, pairs, profiles)
    figures.at_most(f"{title}: time, of what the rates allow", seconds / longest, 1.15, "times", digits=2)
    waits = next((line for line in told if line.startswith("waited for limits of ours")), "nothing")
    figures.tell(f"{title}: says for whom it waited", "Yahoo", waits.partition(" (")[0], met="Yahoo" in waits)


def _run(world: Sandbox, folder: Path, rows: list[str]) -> tuple[list[life.Found], list[str]]:
    """The verdicts of a run of the command line, and what it told of its progress."""
    path = folder / "list.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([address] for address in rows)
    ways = ("--dns", f"127.0.0.1:{world.dns_port}", "--route", f"socks5://127.0.0.1:{world.socks_port}")
    names = ("--helo", life.WORLD.visitor.name, "--mail-from", "probe@emailcheck.app")
    options = ("--json", "--progress", "--profiles", str(folder / "profiles.toml"))
    ended = subprocess.run(
        [sys.executable, "-m", "validation.engine", str(path), *options, *ways, *names],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    verdicts = map(json.loads, ended.stdout.splitlines())
    return [(one["category"], one["reason"]) for one in verdicts], ended.stderr.splitlines()
