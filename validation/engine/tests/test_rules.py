"""Rules 1 to 6: one test at least for each that verifiers get wrong. Rules 7 to 14: `test_rules_of_manners.py`."""

import ast
import random
import re
from pathlib import Path

import pytest

from validation.engine import Category, Flag, Reason
from validation.engine.dns.lookups import order_hosts
from validation.engine.dns.resolver import Found, RecordType
from validation.engine.tests.world import IMPATIENT, STEADY, Host, World, all_verdicts

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
        orders = {tuple(order_hosts(exchanges, random.Random(seed))) for seed in range(60)}
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


def test_all_fourteen_rules_are_named() -> None:
    """A test or a class of tests carries the number of each rule."""
    names = " ".join(
        node.name
        for path in Path(__file__).parent.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert {int(number) for number in re.findall(r"\b(?:TestRule|test_rule_)(\d+)", names)} == set(range(1, 15))
