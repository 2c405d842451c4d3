"""The operators of real life: true verdicts in the time that the rates allow, and nobody asked for more than they bear.

20,000 rows go through the whole product by one egress address, then by ten. Profiles have twice the shipped rates;
the operators tell off whoever asks for more than that.
"""

from collections.abc import Sequence
from typing import Any

from benchmarks import figures
from benchmarks.lists import life
from benchmarks.lists.life import Found, Ran
from validation.engine.profiles import Profiles

FACTOR = 2
ADDRESSES = 10


def operators(_seed: int, divide: int) -> None:
    """One egress address, and ten."""
    rows, profiles = life.real_rows(divide), life.times_the_rates(FACTOR)
    ran = {count: _run(rows, profiles, count) for count in (1, ADDRESSES)}
    title = f"{len(rows):,} rows"
    allowed = life.allowed_s(rows, profiles)
    print(f"### {title} of real operators, rates x {FACTOR}: one egress address, and {ADDRESSES}\n")
    print("the rates allow, by one: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in allowed.items()))
    for count, one in ran.items():
        what = f"[A1] {title}, one address" if count == 1 else f"[A2] {title}, {count} addresses"
        print(f"{count} addresses: {one.wall_s:.1f} s")
        tell_verdicts(what, one.found, life.truths(rows))
        tell_limits(what, one.pairs, profiles)
    longest, faster = max(allowed.values()), ran[1].wall_s / ran[ADDRESSES].wall_s
    print(f"{ran[1].wall_s / longest:.2f} x what the rates allow; ten addresses x {faster:.1f}\n")
    figures.at_most(
        f"[A1] {title}, one address: time, of what the rates allow", ran[1].wall_s / longest, 1.15, "times", digits=2
    )
    figures.at_least(f"[A2] {title}: speed by {ADDRESSES} addresses, of that by one", faster, 6, "times", digits=1)


def _run(rows: Sequence[str], profiles: Profiles, addresses: int) -> Ran:
    with life.running_life(profiles, addresses=addresses) as world:
        return world.check(rows)


def tell_verdicts(what: str, found: Sequence[Found], truths: Sequence[Found]) -> None:
    """Hold verdicts against the truth, and say how."""
    pairs = list(zip(found, truths, strict=True))
    exact = sum(said == true for said, true in pairs)
    unknown = sum(said[0] == "unknown" != true[0] for said, true in pairs)
    print(f"  exact {exact:,} of {len(pairs):,}, unknown in place of a verdict {unknown}")
    for said, true in dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]):
        count = pairs.count((said, true))
        print(f"  {count} x {'/'.join(said)} in place of {'/'.join(true)}")
    figures.at_most(f"{what}: unknown that the world does not hold", unknown, 0)
    figures.at_least(f"{what}: exact verdicts", 100 * exact / len(pairs), 100, "%", digits=3)


def tell_limits(what: str, pairs: Sequence[dict[str, Any]], profiles: Profiles) -> None:
    """Hold what operators counted of each source address against their limits, and say how."""
    limits = life.numbers_of(profiles)
    minute = max(_share(pair, "most_in_60_s", limits, "recipients_per_minute") for pair in pairs)
    sessions = max(_share(pair, "peak", limits, "sessions_at_once") for pair in pairs)
    refused = sum(sum(pair["refused"].values()) for pair in pairs)
    for company, numbers in limits.items():
        mine = [pair for pair in pairs if pair["company"] == company]
        print(
            f"  {company:10} {len(mine):2} addresses {sum(pair['recipients'] for pair in mine):7,} recipients, most of "
            f"one in 60 s {max(pair['most_in_60_s'] for pair in mine):6,} of {numbers['recipients_per_minute']:,}, in "
            f"1 s {max(pair['most_in_1_s'] for pair in mine)}, sessions {max(pair['peak'] for pair in mine)} of "
            f"{numbers['sessions_at_once']}"
        )
    print(f"  refused above limits: {refused}")
    figures.at_most(f"{what}: most recipients of an address in any 60 s, of an operator's limit", minute, 100, "%")
    figures.at_most(f"{what}: most sessions of an address at once, of an operator's limit", sessions, 100, "%")
    figures.at_most(f"{what}: told off above limits", refused, 0)


def _share(pair: dict[str, Any], counted: str, limits: life.Numbers, limit: str) -> float:
    return 100 * float(pair[counted]) / limits[pair["company"]][limit]
