"""The big operators bear so much of each source address and no more, over real sockets and a clock turned by hand."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from emailcheck.sandbox import Sandbox, SandboxOptions, start_sandbox
from emailcheck.sandbox.mailworld.smtp.source_counters import Window
from emailcheck.sandbox.tests.dialogue import Clock, SmtpClient, address_of

FIRST, SECOND = "11.53.0.25", "11.53.0.27"
JSON = {"Accept": "application/json"}


@pytest.fixture
async def sandbox(tmp_path: Path, clock: Clock) -> AsyncIterator[Sandbox]:
    """A world at the limits of life, whose time stands still."""
    async with start_sandbox(SandboxOptions(data_dir=tmp_path, limits_factor=1.0, clock=clock)) as running:
        yield running


async def set_limits(web: httpx2.AsyncClient, company: str, **limits: int) -> None:
    (await web.post("/sandbox/limits", json={"companies": {company: limits}})).raise_for_status()


async def pairs(web: httpx2.AsyncClient) -> dict[tuple[str, str], dict[str, Any]]:
    told = (await web.get("/sandbox/stats")).json()["pairs"]
    return {(pair.pop("source"), pair.pop("company")): pair for pair in told}


async def ask(sandbox: Sandbox, operator: str, *recipients: str, user: str = "") -> list[str]:
    """What a host says to each recipient, in a session of its own; all in one flush."""
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, operator), user=user) as smtp:
        assert (await smtp.reply())[:3] == "220"
        await smtp.say("EHLO client.example", "MAIL FROM:<>")
        replies = await smtp.say(*(f"RCPT TO:<{recipient}>" for recipient in recipients))
        if not replies[-1].startswith("421"):
            await smtp.say("QUIT")
        return replies


@pytest.mark.parametrize(
    ("operator", "told"),
    [
        (
            "gmail",
            "421-4.7.0 Too many concurrent connections from [11.53.0.25]. Please\n"
            "421 4.7.0 reduce their number and try again later. 5b1f17b1804b1-simulated",
        ),
        (
            "exchange",
            "421 4.3.2 The maximum number of concurrent connections from [11.53.0.25] has exceeded a limit, "
            "closing transmission channel",
        ),
        (
            "aol",
            "421 4.7.0 mx-aol.mail.gm0.yahoodns.net Too many concurrent connections from 11.53.0.25, try again later",
        ),
        ("icloud", "421 4.7.0 mx01.mail.icloud.com Too many connections from your address, try again later"),
        (
            "webde",
            "421 4.7.0 mx-ha02.web.de (mxsim001) Nemesis ESMTP Service not available: "
            "too many concurrent connections from 11.53.0.25",
        ),
    ],
)
async def test_one_session_too_many_is_told_421(
    sandbox: Sandbox, web: httpx2.AsyncClient, operator: str, told: str
) -> None:
    company = sandbox.simulation.world.operators[operator].company
    await set_limits(web, company, sessions_at_once=1)
    address = address_of(sandbox.simulation.world, operator)
    async with SmtpClient(sandbox, address) as first, SmtpClient(sandbox, address) as second:
        assert (await first.reply())[:3] == "220"
        assert await second.reply() == told
        assert await second.rest() == b""
        counted = (await pairs(web))[FIRST, company]
    assert (counted["connections"], counted["open"], counted["peak"]) == (2, 1, 2)
    assert counted["refused"]["sessions_at_once"] == 1


@pytest.mark.finding("A2")
async def test_sessions_count_for_each_source_and_over_all_hosts_of_a_company(
    sandbox: Sandbox, web: httpx2.AsyncClient
) -> None:
    world = sandbox.simulation.world
    async with AsyncExitStack() as stack:
        greetings = []
        for operator, user in [("gmail", ""), ("workspace", "")] * 3 + [("gmail", ""), ("gmail", "egress-3")]:
            client = SmtpClient(sandbox, address_of(world, operator), user=user)
            greetings.append((await (await stack.enter_async_context(client)).reply())[:3])
    assert greetings == ["220"] * 6 + ["421", "220"]
    counted = await pairs(web)
    assert (counted[FIRST, "google"]["peak"], counted[SECOND, "google"]["peak"]) == (7, 1)


@pytest.mark.parametrize(
    ("operator", "domain", "told", "is_over"),
    [
        (
            "gmail",
            "gmail.com",
            "421-4.7.28 Gmail has detected an unusual rate of mail originating from\n"
            "421-4.7.28 your IP address [11.53.0.27]. To protect our users from spam, mail\n"
            "421 4.7.28 from it has been temporarily rate limited. 5b1f17b1804b1-simulated",
            True,
        ),
        (
            "outlook",
            "hotmail.com",
            "451 4.7.500 Server busy. Please try again later from [11.53.0.27]. (S77719) "
            "[outlook-com.olc.protection.outlook.com]",
            False,
        ),
        (
            "yahoo",
            "ymail.com",
            "421 4.7.0 [TSS04] Messages from 11.53.0.27 temporarily deferred due to unexpected volume "
            "or user complaints - 4.16.55.1",
            True,
        ),
        (
            "icloud",
            "me.com",
            "421 4.7.1 Too many recipients from [11.53.0.27]: excessive volume, try again later",
            True,
        ),
        (
            "gmx",
            "gmx.de",
            "421 4.7.0 mx00.gmx.net (mxsim001) Nemesis ESMTP Service not available: "
            "too many recipients from 11.53.0.27, try again later",
            True,
        ),
    ],
)
async def test_one_recipient_too_many_in_a_minute_is_told_in_the_operators_words(
    sandbox: Sandbox, web: httpx2.AsyncClient, operator: str, domain: str, told: str, is_over: bool
) -> None:
    company = sandbox.simulation.world.operators[operator].company
    await set_limits(web, company, recipients_per_minute=2)
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, operator), user=SECOND) as smtp:
        await smtp.reply()
        await smtp.say("EHLO client.example", "MAIL FROM:<>")
        replies = await smtp.say(*(f"RCPT TO:<{name}@{domain}>" for name in ("anna.keller", "gone.keller", "ida.holm")))
        assert [replies[0][:3], replies[1][:1], replies[2]] == ["250", "5", told]
        if is_over:
            assert await smtp.rest() == b""
        else:
            assert await smtp.say("QUIT") == ["221 2.0.0 Bye"]
    counted = (await pairs(web))[SECOND, company]
    assert (counted["recipients"], counted["most_in_60_s"], counted["most_in_1_s"]) == (3, 3, 3)
    assert counted["refused"]["recipients_per_minute"] == 1


@pytest.mark.finding("A2")
async def test_the_minute_slides_for_each_source_and_over_all_domains_of_a_company(
    sandbox: Sandbox, web: httpx2.AsyncClient, clock: Clock
) -> None:
    await set_limits(web, "yahoo", recipients_per_minute=3)
    assert await _codes(sandbox, "yahoo", "yahoo.com", 2) == ["250", "250"]
    clock.now += 30.0
    assert await _codes(sandbox, "aol", "aol.com", 2) == ["250", "421"]
    assert await _codes(sandbox, "aol", "aol.com", 3, user="egress-3") == ["250"] * 3
    clock.now += 29.9
    assert await _codes(sandbox, "yahoo", "yahoo.com", 1) == ["421"]
    clock.now += 0.1
    assert await _codes(sandbox, "yahoo", "yahoo.com", 3) == ["250", "250", "421"]
    counted = await pairs(web)
    assert (counted[FIRST, "yahoo"]["recipients"], counted[FIRST, "yahoo"]["most_in_60_s"]) == (8, 6)
    assert (counted[FIRST, "yahoo"]["most_in_1_s"], counted[SECOND, "yahoo"]["most_in_60_s"]) == (4, 3)
    assert counted[FIRST, "yahoo"]["refused"]["recipients_per_minute"] == 3


async def _codes(sandbox: Sandbox, operator: str, domain: str, count: int, user: str = "") -> list[str]:
    asked = [f"anna.keller+{number}@{domain}" for number in range(count)]
    return [reply[:3] for reply in await ask(sandbox, operator, *asked, user=user)]


async def test_a_transaction_and_a_session_have_their_limits(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await set_limits(web, "gmx", recipients_per_transaction=2, recipients_per_session=3)
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "gmx")) as smtp:
        await smtp.reply()
        again = "RCPT TO:<uwe.brandt@gmx.net>"
        replies = await smtp.say(
            "EHLO client.example", "MAIL FROM:<>", *[again] * 3, "RSET", "MAIL FROM:<>", *[again] * 2
        )
        assert [reply[:3] for reply in replies[2:5]] == ["250", "250", "452"]
        assert replies[-2:] == [
            "250 Requested mail action okay, completed",
            "421 4.7.0 mx00.gmx.net Too many recipients in this session, closing transmission channel",
        ]
        assert await smtp.rest() == b""
    refused = (await pairs(web))[FIRST, "gmx"]["refused"]
    assert refused == {
        "sessions_at_once": 0,
        "recipients_per_minute": 0,
        "recipients_per_session": 1,
        "recipients_per_transaction": 1,
    }


async def test_hosts_of_nobody_in_particular_count_each_source_too(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    address = address_of(sandbox.simulation.world, "two_lines")
    async with AsyncExitStack() as stack:
        for user, code in [("", "220"), ("", "220"), ("", "421"), ("egress-2", "220")]:
            client = await stack.enter_async_context(SmtpClient(sandbox, address, user=user))
            assert (await client.reply())[:3] == code
    assert (await pairs(web))[FIRST, "two_lines"]["refused"]["sessions_at_once"] == 1


async def test_greylisting_and_ehlo_know_the_chosen_address(sandbox: Sandbox, clock: Clock) -> None:
    recipient = "ida.holm@patientpine.org"
    assert (await ask(sandbox, "greylist", recipient))[0][:3] == "450"
    clock.now += 60.0
    assert (await ask(sandbox, "greylist", recipient, user="egress-2"))[0][:3] == "450"
    assert (await ask(sandbox, "greylist", recipient, user=FIRST))[0][:3] == "250"
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "northbeam"), user="egress-12") as smtp:
        await smtp.reply()
        (said,) = await smtp.say("EHLO out12.emailcheck.app")
    assert said.partition("\n")[0] == "250-mx1.northbeam-mail.net at your service, [11.53.0.36]"


@pytest.mark.parametrize("login", [b"\x01\x09egress-99\x01x", b"\x01\x0b203.0.113.7\x01x", b"\x02\x08egress-2\x01x"])
async def test_an_unknown_user_is_refused(sandbox: Sandbox, login: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.socks_port)
    writer.write(b"\x05\x02\x00\x02" + login)
    assert await reader.read() == b"\x05\x02\x01\x01"
    writer.close()


async def test_a_login_may_arrive_octet_by_octet(sandbox: Sandbox) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.socks_port)
    address = socket.inet_aton(address_of(sandbox.simulation.world, "oldpost"))
    for octet in b"\x05\x01\x02\x01\x08egress-2\x01x\x05\x01\x00\x01" + address + b"\x00\x19":
        writer.write(bytes((octet,)))
        await writer.drain()
    assert await reader.readexactly(14) == b"\x05\x02\x01\x00\x05\x00\x00\x01" + b"\x00" * 6
    assert await reader.readline() == b"220 mail.oldpost-hosting.com ESMTP Exim 4.98 ready\r\n"
    writer.close()


async def test_a_factor_and_numbers_set_the_limits(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    held = (await web.get("/sandbox/limits")).json()
    assert held["factor"] == 1.0
    assert {name: limits["recipients_per_minute"] for name, limits in held["companies"].items()} == {
        "google": 6000,
        "microsoft": 6000,
        "yahoo": 1200,
        "apple": 1200,
        "gmx": 1200,
    }
    changed = (
        await web.post("/sandbox/limits", json={"factor": 2, "companies": {"gmx": {"sessions_at_once": 9}}})
    ).json()
    assert changed["companies"]["google"]["recipients_per_minute"] == 12_000
    assert changed["companies"]["gmx"] == {
        "sessions_at_once": 9,
        "recipients_per_minute": 2400,
        "recipients_per_session": 60,
        "recipients_per_transaction": 10,
    }
    form = await web.post("/sandbox/limits", data={"factor": "0.5"})
    assert (form.status_code, form.headers["Location"]) == (303, "/sandbox#limits")
    assert (await web.get("/sandbox/limits")).json()["companies"]["gmx"]["sessions_at_once"] == 3


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"factor": -1}, "factor is a number from 0 to 1000."),
        ({"pace": 1}, "There is no field pace; there are factor, companies."),
        ({"companies": 1}, 'companies is an object such as {"google": {"sessions_at_once": 6}}.'),
        (
            {"factor": 5, "companies": {"aol": {}}},
            "There is no company aol; there are google, microsoft, yahoo, apple, gmx.",
        ),
        (
            {"companies": {"gmx": {"speed": 1}}},
            "There is no limit speed; there are sessions_at_once, recipients_per_minute, recipients_per_session, "
            "recipients_per_transaction.",
        ),
    ],
)
async def test_impossible_limits_change_nothing(
    sandbox: Sandbox, web: httpx2.AsyncClient, body: dict[str, Any], detail: str
) -> None:
    before = sandbox.simulation.limits.report()
    response = await web.post("/sandbox/limits", json=body)
    assert (response.status_code, response.json()) == (400, {"detail": detail})
    assert sandbox.simulation.limits.report() == before


async def test_a_reset_counts_anew_and_frees_the_rate(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await set_limits(web, "apple", recipients_per_minute=1)
    assert await _codes(sandbox, "icloud", "me.com", 2) == ["250", "421"]
    assert "11.53.0.25 at apple" in (await web.get("/sandbox")).text
    await web.post("/sandbox/reset", headers=JSON)
    assert (await pairs(web))[FIRST, "apple"]["recipients"] == 0
    assert await _codes(sandbox, "icloud", "me.com", 2) == ["250", "421"]


def test_a_window_is_exact() -> None:
    chance, window = random.Random("window"), Window(60.0)
    moments: list[float] = []
    most = 0
    now = 0.0
    for _ in range(3000):
        now += chance.choice((0.0, 0.0, 0.25, 7.5, 60.0))
        moments.append(now)
        window.add(now)
        inside = sum(moment > now - 60.0 for moment in moments)
        most = max(most, inside)
        assert window.count(now) == inside
    assert window.most == most
