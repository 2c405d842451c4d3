"""The operators of real life beside a running product: who they are, what they bear, and what they count.

The list is `samples/list-real-20000.csv`; its operators are those of the sandbox, which count every source address on
its own and tell off whoever asks for more than they bear. The product keeps to profiles that are the shipped ones with
other rates. Replies take 20 ms.
"""

import csv
import io
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from benchmarks.lists.running import start_list
from emailcheck.sandbox.mailworld.scenario.expectations import expect_verdict
from emailcheck.sandbox.mailworld.scenario.loader import load_world
from emailcheck.sandbox.mailworld.scenario.world import World
from tests.stack import ROOT, Stack, free_port, running_stack
from validation.engine.profiles import Profile, Profiles

LIST = ROOT / "samples" / "list-real-20000.csv"
WORLD = load_world()
LATENCY_MS = 20.0
LOOK_S = 0.25

Found = tuple[str, str]
Numbers = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a list: how long it took, the category and reason of each row, and what the operators counted of
    each source address."""

    wall_s: float
    found: list[Found]
    pairs: list[dict[str, Any]]


def real_rows(divide: int) -> list[str]:
    """The addresses of the list, or the first of them."""
    with LIST.open(encoding="utf-8", newline="") as file:
        addresses = [row["email"] for row in csv.DictReader(file)]
    return addresses[: len(addresses) // divide]


def truths(rows: Sequence[str]) -> list[Found]:
    """The verdict that the world holds for each address."""
    return [expect_verdict(WORLD, address).later for address in rows]


def times_the_rates(factor: float) -> Profiles:
    """The shipped profiles with so many times their rates, sessions unchanged, for warm addresses."""
    shipped = Profiles.shipped()
    return Profiles(replace(one, per_minute=round(one.per_minute * factor), warm_up=()) for one in shipped)


def write_profiles(profiles: Profiles, path: Path) -> Path:
    """Write a file of profiles, as `EGRESS_PROFILES` and `--profiles` take it."""
    path.write_text("\n".join(map(_table_of, profiles)), encoding="utf-8")
    return path


def _table_of(profile: Profile) -> str:
    values = {field.name: getattr(profile, field.name) for field in fields(profile) if field.name != "name"}
    return f"[{profile.name}]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


def numbers_of(profiles: Profiles) -> Numbers:
    """The same limits for the simulated companies, so that they tell off whoever asks for more."""
    named = {company: profiles.named(company) for company in WORLD.limits}
    return {
        company: {"sessions_at_once": one.sessions, "recipients_per_minute": one.per_minute}
        for company, one in named.items()
    }


def allowed_s(rows: Sequence[str], profiles: Profiles) -> dict[str, float]:
    """How long the rates allow a list to take by one address, by operator."""
    counted = Counter(filter(None, (operator_of(WORLD, address) for address in rows)))
    return {name: 60 * count / profiles.named(name).per_minute for name, count in counted.most_common()}


def operator_of(world: World, address: str) -> str:
    """The company with limits that serves an address; "" where there is none."""
    domain = world.domain_of(address.rpartition("@")[2])
    operator = world.mail_domain(domain).operator if domain else None
    return operator.company if operator and operator.company in world.limits else ""


class Life:
    """A running product among the operators of real life."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack

    def bear(self, numbers: Mapping[str, Mapping[str, int]]) -> None:
        """Have the companies bear so much of each source address; replies take `LATENCY_MS`."""
        self._change("/sandbox/limits", {"companies": numbers})
        self._change("/sandbox/switches", {"latency_ms": LATENCY_MS})

    def forget(self) -> None:
        """Have the operators count anew."""
        self._change("/sandbox/reset", {})

    def pairs(self) -> list[dict[str, Any]]:
        """What the companies with limits counted of each source address."""
        found = self.stack.get("/sandbox/stats")["pairs"]
        return [pair for pair in found if pair["company"] in WORLD.limits]

    def check(self, rows: Sequence[str], meanwhile: Callable[[float], None] = lambda _: None) -> Ran:
        """Take a list to its end; `meanwhile` is called four times a second with the seconds since its start."""
        batch_id = start_list(self.stack, rows)
        started = time.monotonic()
        while self.stack.status(batch_id)["status"] != "completed":
            meanwhile(time.monotonic() - started)
            time.sleep(LOOK_S)
        return Ran(time.monotonic() - started, self._found(batch_id), self.pairs())

    def _found(self, batch_id: str) -> list[Found]:
        answer = self.stack.client.get(f"/api/validate/batch/{batch_id}/export?format=csv")
        answer.raise_for_status()
        rows = csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff")))
        by_row = {int(row["Row"]): (row["Category"], row["Reason"]) for row in rows}
        return [by_row[number] for number in sorted(by_row)]

    def _change(self, path: str, fields_: Mapping[str, Any]) -> None:
        headers = {"Accept": "application/json"}
        self.stack.client.post(path, json=fields_, headers=headers).raise_for_status()


@contextmanager
def running_life(profiles: Profiles, addresses: int = 1, changes: Mapping[str, str] | None = None) -> Iterator[Life]:
    """The product with so many egress addresses, and operators that bear what the profiles say and no more."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        own = {
            "EGRESS_PROFILES": str(write_profiles(profiles, Path(directory, "profiles.toml"))),
            "SANDBOX_SOCKS_PORT": str(port),
            "VERIFIER_ROUTES": ",".join(_routes(port, addresses)),
            "WEBHOOK_ROUTE": f"socks5://127.0.0.1:{port}",
        }
        with running_stack(Path(directory, "var"), **own, **(changes or {})) as stack:
            life = Life(stack)
            life.bear(numbers_of(profiles))
            yield life


def _routes(port: int, addresses: int) -> list[str]:
    """The egress addresses of the world, as ways through its proxy."""
    visitors = WORLD.visitors[:addresses]
    return [f"socks5://{one.key}:x@127.0.0.1:{port};helo={one.name}" for one in visitors]
