"""Repair alone: how many lines a second one core reads, and how long a hostile cell takes (REP-010).

make bench-repair
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from benchmarks import figures
from benchmarks.engine import words
from validation.engine import read_addresses

LINES, MESSY_SHARE, ROUNDS = 100_000, 0.05, 3
CELL = 32_767  # the most characters of a cell in a work sheet
LEAST_A_SECOND, LEAST_MESSY_A_SECOND, MOST_MS = 200_000, 20_000, 50

_MESS: Sequence[Callable[[str, str], str]] = (
    lambda one, _: f"Anna Keller <{one}>",
    lambda one, _: f'"Keller, Anna" <{one}>',
    lambda one, _: f"<{one}>",
    lambda one, _: f"mailto:{one}?subject=Hi",
    lambda one, _: f"{one} (home)",
    lambda one, _: f"Anna Keller {one}",
    lambda one, _: f"\u200b{one}\u00a0",
    lambda one, _: f'"{one}"',
    lambda one, _: f"{one}.",
    lambda one, _: one.replace("@", "\uff20"),
    lambda one, other: f"{one}; {other}",
    lambda one, other: f'"Keller, Anna" <{one}>, Peter <{other}>',
    lambda one, _: one.replace("@", "(at)"),
)
_UNITS = (
    *('"', "'", "(", ")", "<", ">", "[", "@", ",", "/", ".", " ", "\\", "\u200d", "\uff20", "a", "é"),
    *("()", "(@)", '"@"', '"@" ', '\\"', '"\\', " @", "@ ", "a ", "a/", "a@", "a@b,", "a@b/", "a@.b/", "é@b-.cc,"),
    *("a@b.co,", "a@b.co/", "(a@b.co)", "<a@b.co>", "a@b.co <a@b.co>", "x@é.com ", "a@xn--0.co ", "mailto:a@b ", "((("),
)


def main() -> None:
    """Print the two rates and the slowest hostile cell."""
    rng = random.Random(28)
    plain = list(islice(_addresses(rng), LINES))
    messy = [rng.choice(_MESS)(one, other) for one, other in zip(plain[:LINES:4], plain[1:LINES:4], strict=True)]
    mixed = plain[: round(LINES * (1 - MESSY_SHARE))] + messy[: round(LINES * MESSY_SHARE)]
    rng.shuffle(mixed)
    rate, messy_rate = measure_rate(mixed), measure_rate(messy)
    print(f"lines of which {MESSY_SHARE:.0%} are messy: {rate:,.0f} a second; messy ones alone: {messy_rate:,.0f}")
    figures.at_least("REP-010: lines repaired, 5 % of them messy", rate, LEAST_A_SECOND, "a second of one core")
    figures.at_least("REP-010: messy lines repaired", messy_rate, LEAST_MESSY_A_SECOND, "a second of one core")
    slowest, unit = max((measure_ms(text), unit) for unit in _UNITS for text in _hostile(unit))
    print(f"the slowest hostile cell of {CELL:,} characters: {slowest:.1f} ms, of {unit!a}")
    figures.at_most("REP-010: the slowest hostile cell", slowest, MOST_MS, "ms", digits=1)


def measure_rate(lines: Sequence[str]) -> float:
    """Lines a second of processor time, in the best of some rounds."""
    return len(lines) / min(_time_s(lines) for _ in range(ROUNDS))


def measure_ms(text: str) -> float:
    """Milliseconds of processor time for one text, in the best of some rounds."""
    return 1e3 * min(_time_s([text]) for _ in range(ROUNDS))


def _time_s(texts: Sequence[str]) -> float:
    began = time.process_time()
    for text in texts:
        read_addresses(text)
    return time.process_time() - began


def _hostile(unit: str) -> Iterator[str]:
    """Cells full of the same: alone, behind and before an address, in an open quote and in open brackets."""
    for before, after in (("", ""), ("a@b.co ", ""), ("", " a@b.co"), ('"', ""), ("(" * (CELL // 2), "")):
        yield before + (unit * CELL)[: CELL - len(before) - len(after)] + after


def _addresses(rng: random.Random) -> Iterator[str]:
    domains = list(islice(words.domain_names(rng), 5_000))
    boxes = list(islice(words.mailboxes(rng), 20_000))
    while True:
        yield f"{rng.choice(boxes)}@{rng.choice(domains)}"


if __name__ == "__main__":
    main()
