"""One test at least for each rule that verifiers get wrong."""

import ast
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from validation.engine import Category, Flag, Outcome, Reason
from validation.engine.dns import Found, RecordType
from validation.engine.mailhosts import dial_order
from validation.engine.routes import Speaker
from validation.engine.tests.world import IMPATIENT, STEADY, FakeConnector, Host, World, all_verdicts

ENGINE = Path(__file__).parent.parent


@pytest.mark.spec("VAL-029")
class TestRule1FailuresOfOursOrThePathAreUnknown:
    @pytest.mark.parametrize(
        ("host", "reason"),
        [
            (Host(greeting="554 5.7.1 No SMTP service for you"), Reason.BLOCKED),
            (Host(greeting="421 4.3.2 Service shutting down"), Reason.TEMPORARY),
            (Host(greeting="hello there"), Reason.PROTOCOL_ERROR),
            (Host(ehlo="550 5.7.1 Go away", helo="550 Go away"), Reason.BLOCKED),
            (Host(mail="550 5.1.8 Sender address rejected"), Reason.BLOCKED),
            (Host(mail="451 4.3.0 Try again"), Reason.TEMPORARY),
            (Host(others="550 5.7.1 <{address}>: Blocked by our list"), Reason.BLOCKED),
            (Host(others="451 4.3.0 Internal error"), Reason.TEMPORARY),
            (Host(others="421 4.3.2 Closing"), Reason.TEMPORARY),
            (Host(raw=b"220 " + b"x" * 9000), Reason.PROTOCOL_ERROR),
        ],
    )
    async def test_by_stage(self, world: World, host: Host, reason: Reason) -> None:
        await world.domain("shop.com", host)
        verdict = await world.verdict("nobody@shop.com")
        assert (verdict.category, verdict.reason) == (Category.UNKNOWN, reason)
        assert verdict.smtp_valid is None

    @pytest.mark.parametrize("host", [Host(silent_after="MAIL"), Host(raw=b"")])
    async def test_silence(self, world: World, host: Host) -> None:
        await world.domain("shop.com", host)
        verdict = await world.verdict("nobody@shop.com", IMPATIENT)
        assert (verdict.category, verdict.reason, verdict.smtp_valid) == (Category.UNKNOWN, Reason.TIMEOUT, None)

    async def test_closed_port(self, world: World) -> None:
        world.dns.mx("shop.com", "mx.shop.com")
        world.dns.address("mx.shop.com", "11.0.0.9")
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.reason) == (Category.UNKNOWN, Reason.CONNECT_FAILED)
        assert verdict.domain_valid is True

    async def test_resolver_failure(self, world: World) -> None:
        world.dns.put("shop.com", RecordType.MX, Found.FAILED)
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.reason) == (Category.UNKNOWN, Reason.DNS_ERROR)
        assert verdict.domain_valid is None

    async def test_failure_to_look_up_the_hosts_address(self, world: World) -> None:
        world.dns.mx("shop.com", "mx.shop.com")
        world.dns.put("mx.shop.com", RecordType.A, Found.FAILED)
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.reason, verdict.domain_valid) == (Category.UNKNOWN, Reason.DNS_ERROR, None)


class TestRule2RepliesAreReadInLayers:
    async def test_postgrey_is_greylisting_although_it_says_rejected(self, world: World) -> None:
        host = Host(special={"alice": "450 4.2.0 <{address}>: Recipient address rejected: Greylisted"})
        await world.domain("shop.com", host)
        assert (await world.verdict("alice@shop.com")).reason == Reason.GREYLISTED

    async def test_access_denied_is_a_block(self, world: World) -> None:
        await world.domain("shop.com", Host(others="554 5.7.1 <{address}>: Access denied"))
        assert (await world.verdict("nobody@shop.com")).reason == Reason.BLOCKED

    async def test_except_where_the_operator_means_no_such_mailbox(self, world: World) -> None:
        host = Host(others="550 5.4.1 Recipient address rejected: Access denied. [AM5EUR02FT019.prod.protection]")
        world.dns.mx("shop.com", "shop-com.mail.protection.outlook.com")
        await world.host("shop-com.mail.protection.outlook.com", "11.0.0.1", host)
        verdict = await world.verdict("nobody@shop.com")
        assert (verdict.category, verdict.reason) == (Category.INVALID, Reason.MAILBOX_NOT_FOUND)

    @pytest.mark.parametrize(
        ("reply", "layer"),
        [
            ("550 5.1.1 No such user", "enhanced code"),
            ("550 No such user", "text"),
            ("552", "code"),
            ("450 4.3.0 hm", "code"),
        ],
    )
    async def test_the_evidence_names_the_layer_that_decided(self, world: World, reply: str, layer: str) -> None:
        await world.domain("shop.com", Host(special={"alice": reply}))
        sources = {check.name: check.source for check in (await world.verdict("alice@shop.com")).checks}
        assert sources["mailbox"].endswith(f", by {layer}")


class TestRule3TheRealRecipientComesFirst:
    async def test_order_and_verdict(self, world: World) -> None:
        host = await world.domain("shop.com")
        verdict = await world.verdict("alice@shop.com")
        assert host.recipients_asked == ["alice@shop.com", "random"]
        assert (verdict.category, verdict.is_catch_all, verdict.smtp_valid) == (Category.VALID, False, True)

    async def test_catch_all_only_when_both_are_accepted(self, world: World) -> None:
        await world.domain("shop.com", Host(accepts_all=True))
        verdict = await world.verdict("anybody@shop.com")
        assert (verdict.category, verdict.reason) == (Category.CATCH_ALL, Reason.ACCEPTS_ALL)
        assert verdict.is_catch_all is True

    async def test_a_refused_mailbox_at_a_catch_all_is_invalid(self, world: World) -> None:
        await world.domain("shop.com", Host(accepts_all=True, special={"gone": "550 5.1.1 No such user"}))
        assert (await world.verdict("gone@shop.com")).category == Category.INVALID

    async def test_an_error_on_the_random_recipient_leaves_it_undecided(self, world: World) -> None:
        await world.domain("shop.com", Host(others="451 4.3.0 Temporary lookup failure"))
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.is_catch_all, verdict.confidence) == (Category.VALID, None, 0.8)

    async def test_a_full_random_recipient_sets_no_flag(self, world: World) -> None:
        await world.domain("shop.com", Host(others="552 5.2.2 Mailbox full"))
        assert Flag.FULL not in (await world.verdict("alice@shop.com")).flags

    async def test_a_full_random_recipient_leaves_it_undecided(self, world: World) -> None:
        """What is full is there: a mailbox for everybody may be what is full."""
        await world.domain("shop.com", Host(others="552 5.2.2 Mailbox full"))
        assert (await world.verdict("alice@shop.com")).is_catch_all is None

    async def test_real_recipients_of_one_domain_all_come_before_the_random_one(self, world: World) -> None:
        host = await world.domain("shop.com", Host(mailboxes=("a1", "b1", "c1")))
        await all_verdicts(world.verifier(), ["a1@shop.com", "b1@shop.com", "c1@shop.com"])
        assert host.recipients_asked == ["a1@shop.com", "b1@shop.com", "c1@shop.com", "random"]

    async def test_the_outcome_is_remembered_for_the_domain(self, world: World) -> None:
        host = await world.domain("shop.com", Host(mailboxes=("alice", "bob")))
        verifier = world.verifier()
        await verifier.verify("alice@shop.com")
        verdict = await verifier.verify("bob@shop.com")
        assert host.recipients_asked == ["alice@shop.com", "random", "bob@shop.com"]
        assert verdict.is_catch_all is False
        assert {check.name: check.source for check in verdict.checks}["catch_all"] == "cache"

    async def test_until_it_expires(self, world: World) -> None:
        host = await world.domain("shop.com", Host(mailboxes=("alice", "bob")))
        verifier = world.verifier()
        await verifier.verify("alice@shop.com")
        world.clock.now += STEADY.catch_all_ttl_s + 1
        await verifier.verify("bob@shop.com")
        assert host.recipients_asked == ["alice@shop.com", "random", "bob@shop.com", "random"]


class TestRule4FullMailboxes:
    @pytest.mark.parametrize(
        ("reply", "category", "reason"),
        [
            ("552 5.2.2 <{address}>: over quota", Category.INVALID, Reason.MAILBOX_FULL),
            (
                "452 4.2.2 The email account that you tried to reach is over quota",
                Category.UNKNOWN,
                Reason.MAILBOX_FULL,
            ),
            ("450 4.2.1 The user is receiving mail at a rate that prevents", Category.VALID, Reason.MAILBOX_EXISTS),
        ],
    )
    async def test_by_code(self, world: World, reply: str, category: Category, reason: Reason) -> None:
        await world.domain("shop.com", Host(special={"alice": reply}))
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.reason) == (category, reason)


async def test_rule_4_a_busy_mailbox_at_a_catch_all_was_not_accepted(world: World) -> None:
    busy = "450 4.2.1 The user is receiving mail at a rate that prevents additional messages"
    await world.domain("shop.com", Host(accepts_all=True, special={"alice": busy}))
    verdict = await world.verdict("alice@shop.com")
    assert (verdict.category, verdict.is_catch_all) == (Category.VALID, None)


class TestRule5MailHosts:
    async def test_null_mx(self, world: World) -> None:
        world.dns.mx("shop.com", "0 .")
        assert (await world.verdict("alice@shop.com")).reason == Reason.NULL_MX

    async def test_no_domain(self, world: World) -> None:
        verdict = await world.verdict("alice@nowhere.com")
        assert (verdict.category, verdict.reason, verdict.confidence) == (Category.INVALID, Reason.NO_DOMAIN, 0.0)

    async def test_neither_mx_nor_address(self, world: World) -> None:
        world.dns.put("shop.com", RecordType.MX, Found.NO_DATA)
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.reason, verdict.domain_valid) == (Reason.NO_MAIL_HOST, False)

    async def test_implicit_mx(self, world: World) -> None:
        await world.host("shop.com", "11.0.0.1")
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.mx_hosts) == (Category.VALID, ("shop.com",))

    async def test_implicit_mx_by_ipv6(self, world: World) -> None:
        await world.host("mx6.shop.com", "2600:1f00::5")
        world.dns.address("shop.com", "2600:1f00::5", kind=RecordType.AAAA)
        assert (await world.verdict("alice@shop.com")).category == Category.VALID

    async def test_every_host_is_tried_in_preference_order(self, world: World) -> None:
        world.dns.mx("shop.com", "20 b.shop.com", "10 a.shop.com", "30 c.shop.com")
        world.dns.address("a.shop.com", "11.0.0.1")
        await world.host("b.shop.com", "11.0.0.2", Host(greeting="554 busy"))
        await world.host("c.shop.com", "11.0.0.3")
        verdict = await world.verdict("alice@shop.com")
        assert world.connector.dialled == ["11.0.0.1", "11.0.0.2", "11.0.0.3"]
        assert verdict.category == Category.VALID

    @pytest.mark.parametrize("ip", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"])
    async def test_private_targets_are_never_dialled(self, world: World, ip: str) -> None:
        world.dns.mx("shop.com", "mx.shop.com")
        await world.host("mx.shop.com", ip)
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.reason) == (Category.INVALID, Reason.BOGUS_MX)
        assert world.connector.dialled == []

    async def test_a_bogus_host_beside_a_real_one_is_passed_over(self, world: World) -> None:
        world.dns.mx("shop.com", "5 lo.shop.com", "10 mx.shop.com")
        world.dns.address("lo.shop.com", "127.0.0.1")
        await world.host("mx.shop.com", "11.0.0.1")
        assert (await world.verdict("alice@shop.com")).category == Category.VALID

    @pytest.mark.parametrize(
        "ip",
        [
            "::1",
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::a00:1",
            "2002:a00:1::1",
            "2001:0:a00:1::1",
            "2600::5efe:10.0.0.1",
            "fc00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
        ],
    )
    async def test_nor_are_addresses_that_carry_another_inside(self, world: World, ip: str) -> None:
        world.dns.mx("shop.com", "mx.shop.com")
        world.dns.address("mx.shop.com", ip, kind=RecordType.AAAA)
        verdict = await world.verdict("alice@shop.com")
        assert (verdict.category, verdict.reason) == (Category.INVALID, Reason.BOGUS_MX)
        assert world.connector.dialled == []

    async def test_a_private_address_without_mx_is_no_implicit_mail_host(self, world: World) -> None:
        await world.host("shop.com", "10.0.0.1")
        assert (await world.verdict("alice@shop.com")).reason == Reason.BOGUS_MX
        assert world.connector.dialled == []

    async def test_a_null_mx_beside_a_real_one_counts_for_nothing(self, world: World) -> None:
        world.dns.mx("shop.com", "0 .", "10 mx.shop.com")
        await world.host("mx.shop.com", "11.0.0.1")
        assert (await world.verdict("alice@shop.com")).category == Category.VALID

    def test_equal_preferences_are_shuffled_and_others_kept_in_order(self) -> None:
        exchanges = ((10, "a"), (10, "b"), (10, "c"), (20, "z"))
        orders = {tuple(dial_order(exchanges, random.Random(seed))) for seed in range(60)}
        assert {order[-1] for order in orders} == {"z"}
        assert len(orders) == 6

    async def test_localhost_as_mail_host(self, world: World) -> None:
        world.dns.mx("shop.com", "localhost")
        assert (await world.verdict("alice@shop.com")).reason == Reason.BOGUS_MX


async def test_rule_6_the_announced_wait_is_reported(world: World) -> None:
    host = Host(special={"alice": "451 4.7.1 Greylisting in action, please come back in 00:04:30"})
    await world.domain("shop.com", host)
    verdict = await world.verdict("alice@shop.com")
    assert (verdict.reason, verdict.retry_after) == (Reason.GREYLISTED, 270.0)


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
    async def test_a_burner_is_not_probed(self, world: World) -> None:
        host = await world.domain("mailinator.com")
        verdict = await world.verdict("alice@mailinator.com")
        assert (verdict.category, verdict.is_disposable) == (Category.DISPOSABLE, True)
        assert host.connections == 0
        assert verdict.flags[0] == Flag.DISPOSABLE

    async def test_a_relay_is_no_burner(self, world: World) -> None:
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


def test_all_fourteen_rules_are_named() -> None:
    """A test or a class of tests carries the number of each rule."""
    names = " ".join(
        node.name
        for path in Path(__file__).parent.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert {int(number) for number in re.findall(r"\b(?:TestRule|test_rule_)(\d+)", names)} == set(range(1, 15))


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
