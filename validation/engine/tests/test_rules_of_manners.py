"""Rules 7 to 14: what goes over the wire, what lists may say, and what is never done. Rules 1 to 6: `test_rules.py`."""

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from validation.engine import Category, Flag, Outcome, Reason
from validation.engine.dns.resolver import Found, RecordType
from validation.engine.egress.connectors import Speaker
from validation.engine.tests.world import STEADY, FakeConnector, Host, World, all_verdicts
from validation.engine.vocabulary import FollowUp

ENGINE = Path(__file__).parent.parent


class TestRule7Smtputf8:
    async def test_a_host_without_it_cannot_take_the_address(self, world: World) -> None:
        host = await world.domain("shop.com", Host(extensions=("PIPELINING",)))
        verdict = await world.verdict("josé@shop.com")
        assert (verdict.category, verdict.reason) == (Category.INVALID, Reason.SMTPUTF8_REQUIRED)
        assert host.recipients_asked == []

    async def test_a_host_with_it_is_asked_in_utf8(self, world: World) -> None:
        host = await world.domain("shop.com", Host(mailboxes=("josé",)))
        verdict = await world.verdict("josé@shop.com")
        assert verdict.category == Category.VALID
        assert "MAIL FROM:<> SMTPUTF8" in host.log

    async def test_domains_travel_as_a_labels(self, world: World) -> None:
        host = await world.domain("xn--bcher-kva.de")
        verdict = await world.verdict("alice@Bücher.de")
        assert verdict.normalized == "alice@xn--bcher-kva.de"
        assert host.recipients_asked[0] == "alice@xn--bcher-kva.de"
        assert Flag.INTERNATIONALISED in verdict.flags
        assert "MAIL FROM:<>" in host.log  # the address itself is ASCII: SMTPUTF8 is not needed


class TestRule9TheWire:
    async def test_only_envelope_commands_are_sent_and_quit_at_the_end(self, world: World) -> None:
        host = await world.domain("shop.com")
        verifier = world.verifier()
        await verifier.verify("alice@shop.com")
        await verifier.aclose()
        assert {line.split(" ")[0] for line in host.log} == {"EHLO", "MAIL", "RCPT", "RSET", "QUIT"}
        assert host.quits == host.connections == 1

    async def test_no_injection(self, world: World) -> None:
        host = await world.domain("shop.com")
        verdict = await world.verdict('"a\r\nDATA\r\n"@shop.com')
        assert verdict.reason == Reason.SYNTAX
        assert host.log == []

    @pytest.mark.parametrize("raw", [b"220-x\r\n" * 500, b"220 x" * 5000, b"\xff\x00\r\n", b"99 no\r\n", b"220x\r\n"])
    async def test_replies_are_bounded(self, world: World, raw: bytes) -> None:
        await world.domain("shop.com", Host(raw=raw))
        assert (await world.verdict("alice@shop.com")).reason == Reason.PROTOCOL_ERROR


class TestRule10Disposable:
    async def test_a_disposable_domain_is_not_probed(self, world: World) -> None:
        host = await world.domain("mailinator.com")
        verdict = await world.verdict("alice@mailinator.com")
        assert (verdict.category, verdict.is_disposable) == (Category.DISPOSABLE, True)
        assert host.connections == 0
        assert verdict.flags[0] == Flag.DISPOSABLE

    async def test_a_relay_is_not_disposable(self, world: World) -> None:
        await world.domain("duck.com")
        verdict = await world.verdict("alice@duck.com")
        assert (verdict.category, verdict.is_disposable) == (Category.VALID, False)
        assert Flag.RELAY in verdict.flags


class TestRule11TypingErrors:
    async def test_no_suggestion_for_a_domain_whose_servers_answer(self, world: World) -> None:
        await world.domain("gmajl.com")
        verdict = await world.verdict("alice@gmajl.com")
        assert (verdict.category, verdict.did_you_mean) == (Category.VALID, None)

    async def test_nor_for_one_whose_servers_turn_us_away(self, world: World) -> None:
        await world.domain("gmajl.com", Host(greeting="554 5.7.1 Your address is listed"))
        verdict = await world.verdict("alice@gmajl.com")
        assert (verdict.category, verdict.did_you_mean) == (Category.UNKNOWN, None)

    async def test_a_suggestion_for_a_dead_domain(self, world: World) -> None:
        assert (await world.verdict("alice@gmail.con")).did_you_mean == "alice@gmail.com"

    async def test_a_suggestion_never_makes_an_address_invalid(self, world: World) -> None:
        world.dns.put("gmajl.com", RecordType.MX, Found.FAILED)
        verdict = await world.verdict("alice@gmajl.com")
        assert (verdict.category, verdict.did_you_mean) == (Category.UNKNOWN, "alice@gmail.com")


class TestRule12WhoWeAre:
    async def test_configured_names_are_used(self, world: World) -> None:
        host = await world.domain("shop.com")
        await world.verdict("alice@shop.com", replace(STEADY, helo="probe.us.com", mail_from="check@us.com"))
        assert host.log[:2] == ["EHLO probe.us.com", "MAIL FROM:<check@us.com>"]

    async def test_the_null_sender_where_the_mailbox_is_refused(self, world: World) -> None:
        host = await world.domain(
            "shop.com", Host(mail=lambda line: "250 Ok" if "<>" in line else "550 5.1.8 Sender rejected")
        )
        verdict = await world.verdict("alice@shop.com", replace(STEADY, mail_from="check@us.com"))
        assert verdict.category == Category.VALID
        assert [line for line in host.log if line.startswith("MAIL")] == ["MAIL FROM:<check@us.com>", "MAIL FROM:<>"]

    async def test_the_mailbox_where_a_second_look_by_the_null_sender_is_refused(self, world: World) -> None:
        host = await world.domain(
            "shop.com", Host(mail=lambda line: "550 5.1.8 No null sender" if "<>" in line else "250 Ok")
        )
        verifier = world.verifier(config=replace(STEADY, mail_from="check@us.com"))
        earlier = FollowUp(world.connector.name, "", "", world.clock.now - 60, 1, 60.0)
        [(_, verdict)] = [
            arrived async for arrived in verifier.verify_many(["alice@shop.com"], follow_ups={0: earlier})
        ]
        assert verdict.category == Category.VALID
        assert [line for line in host.log if line.startswith("MAIL")] == ["MAIL FROM:<>", "MAIL FROM:<check@us.com>"]

    @pytest.mark.parametrize("extensions", [("PIPELINING",), ()])
    async def test_never_the_recipient_as_sender(self, world: World, extensions: tuple[str, ...]) -> None:
        host = await world.domain("shop.com", Host(extensions=extensions))
        await world.verdict("alice@shop.com", replace(STEADY, mail_from="alice@shop.com"))
        assert "MAIL FROM:<>" in host.log
        assert "MAIL FROM:<alice@shop.com>" not in host.log


class TestRule14OnlyMailHostsAreAsked:
    """No account-recovery or sign-up page is looked at: the engine has nothing to look with."""

    def test_no_module_speaks_http(self) -> None:
        spoken = {name for path in ENGINE.rglob("*.py") if "tests" not in path.parts for name in imported_by(path)}
        assert not spoken & {
            "http",
            "urllib.request",
            "urllib3",
            "requests",
            "httpx",
            "aiohttp",
            "webbrowser",
            "selenium",
        }

    async def test_only_the_configured_port_is_dialled(self, world: World) -> None:
        ports: list[int] = []

        class Recording(FakeConnector):
            async def connect(self, factory: Callable[[], Speaker], ip: str, port: int) -> Speaker:
                ports.append(port)
                return await super().connect(factory, ip, port)

        await world.domain("shop.com")
        await world.verifier(Recording(world)).verify("alice@shop.com")
        assert ports == [STEADY.smtp_port]


def imported_by(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    plain = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    return plain | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


class TestRoutes:
    async def test_a_route_that_is_turned_away_is_left_for_another(self, world: World) -> None:
        first, second = FakeConnector(world, "direct:192.0.2.1"), FakeConnector(world, "direct:192.0.2.2")
        world.dns.mx("shop.com", "mx.shop.com")
        blocked = Host(greeting="554 5.7.1 Your address is listed")
        await world.host("mx.shop.com", "11.0.0.1", blocked, route=first.name)
        await world.host("mx.shop.com", "11.0.0.1", Host(mailboxes=("alice", "bob")), route=second.name)
        verifier = world.verifier(first, second)
        verdicts = [await verifier.verify("alice@shop.com"), await verifier.verify("bob@shop.com")]
        assert [verdict.category for verdict in verdicts] == [Category.VALID, Category.VALID]
        assert blocked.connections == 1

    async def test_a_block_at_rcpt_changes_the_route_too(self, world: World) -> None:
        first, second = FakeConnector(world, "direct:192.0.2.1"), FakeConnector(world, "direct:192.0.2.2")
        world.dns.mx("shop.com", "mx.shop.com")
        blocked = Host(mailboxes=(), others="550 5.7.1 Client host blocked")
        await world.host("mx.shop.com", "11.0.0.1", blocked, route=first.name)
        await world.host("mx.shop.com", "11.0.0.1", route=second.name)
        assert (await world.verifier(first, second).verify("alice@shop.com")).category == Category.VALID


@pytest.mark.spec("VAL-029")
async def test_traps_are_known_only_by_a_configured_list(world: World) -> None:
    host = await world.domain("shop.com")
    without = await world.verdict("alice@shop.com")
    config = replace(STEADY, traps=frozenset({"trap@shop.com", "@pure-trap.com"}))
    world.dns.mx("pure-trap.com", "mx.shop.com")
    verdicts = await all_verdicts(world.verifier(config=config), ["alice@shop.com", "trap@shop.com", "x@pure-trap.com"])
    assert without.is_spam_trap is None
    assert {check.name: check.outcome for check in without.checks}["spam_trap"] == Outcome.SKIPPED
    assert [(verdict.category, verdict.is_spam_trap) for verdict in verdicts] == [
        (Category.VALID, False),
        (Category.SPAM_TRAP, True),
        (Category.SPAM_TRAP, True),
    ]
    assert "trap@shop.com" not in host.recipients_asked
