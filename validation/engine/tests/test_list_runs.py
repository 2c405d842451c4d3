"""A run over a list: hosts that ask for patience get it, as long as there is any."""

import io
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from validation.engine.cli.list_run import ListRun
from validation.engine.cli.printing import JsonLines
from validation.engine.cli.progress import Progress
from validation.engine.profiles import Profiles
from validation.engine.tests.world import STEADY, Host, World

GREYLISTED = "450 4.2.0 <{address}>: Recipient address rejected: Greylisted, please try again in 60 seconds"


async def _run(world: World, addresses: Sequence[str], hosts: Sequence[Host], *, greylist_s: float) -> list[list[str]]:
    """The verdicts on a list, printed; all hosts become friendly after the second wait."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        world.clock.now += seconds
        for host in hosts if len(waits) == 2 else ():
            host.others = "550 5.1.1 User unknown"
            host.mailboxes = ("alice",)

    output = io.BytesIO()
    progress = Progress(io.StringIO(), None, shown=False)
    run = ListRun(world.verifier, iter(addresses), output, JsonLines(), progress, greylist_s=greylist_s, sleep=sleep)
    await run.run()
    rows = [json.loads(line) for line in output.getvalue().splitlines()]
    return [[row["email"], row["category"], row["reason"]] for row in rows]


@pytest.mark.parametrize(
    ("greylist_s", "alice", "nobody"),
    [
        (0.0, ["unknown", "greylisted"], ["unknown", "greylisted"]),
        (119.0, ["unknown", "greylisted"], ["unknown", "greylisted"]),
        (120.0, ["valid", "mailbox_exists"], ["invalid", "mailbox_not_found"]),
    ],
)
async def test_who_was_greylisted_is_asked_again_within_the_time_given(
    world: World, greylist_s: float, alice: list[str], nobody: list[str]
) -> None:
    grey = await world.domain("grey.com", Host(mailboxes=(), others=GREYLISTED))
    await world.domain("shop.com", ip="11.0.0.2")
    addresses = ["alice@grey.com", "alice@shop.com", "nobody@grey.com", "nothing"]
    assert await _run(world, addresses, [grey], greylist_s=greylist_s) == [
        ["alice@grey.com", *alice],
        ["alice@shop.com", "valid", "mailbox_exists"],
        ["nobody@grey.com", *nobody],
        ["nothing", "invalid", "syntax"],
    ]


@pytest.mark.finding("A3")
async def test_who_stands_in_line_for_a_limit_of_ours_gets_an_answer_all_the_same(world: World) -> None:
    """A hundred a second, of whom the engine has no more than a second's worth stand in its line."""
    names = [f"user{number}" for number in range(120)]
    world.dns.mx("yahoo.com", "mx.am0.yahoodns.net")
    host = await world.host("mx.am0.yahoodns.net", "11.0.0.1", Host(mailboxes=names[::2]))
    config = replace(STEADY, profiles=Profiles.shipped().with_rates({"yahoo": 6_000}))
    output, told = io.BytesIO(), io.StringIO()
    run = ListRun(
        lambda: world.verifier(config=config),
        iter([f"{name}@yahoo.com" for name in names]),
        output,
        JsonLines(),
        Progress(told, 120, shown=True),
        greylist_s=0.0,
        patience_s=1.0,
    )
    await run.run()
    rows = [json.loads(line) for line in output.getvalue().splitlines()]
    assert [row["email"] for row in rows] == [f"{name}@yahoo.com" for name in names]
    assert [row["category"] for row in rows] == ["valid", "invalid"] * 60
    assert len(host.recipients_asked) >= 120
    assert told.getvalue().splitlines()[-1].startswith("waited for limits of ours: Yahoo ")
