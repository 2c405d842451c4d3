"""Rule 10: disposable with provenance and kind; and the other lists."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from MailChecker import MailChecker

from validation.engine import Flag
from validation.engine.knowledge.domains import DomainLists, Listing, is_one_slip
from validation.engine.knowledge.list_files import CURATED, read_sections


@pytest.mark.parametrize("domain", ["mailinator.com", "inbox.mailinator.com", "yopmail.com", "guerrillamail.com"])
def test_rule_10_disposable(knowledge: DomainLists, domain: str) -> None:
    listing = knowledge.listing(domain)
    assert listing is not None
    assert listing.kind == Flag.DISPOSABLE
    assert knowledge.date in listing.source


@pytest.mark.parametrize(
    ("domain", "kind"),
    [
        ("duck.com", Flag.RELAY),
        ("mozmail.com", Flag.RELAY),
        ("privaterelay.appleid.com", Flag.RELAY),
        ("simplelogin.com", Flag.RELAY),
        ("aleeas.com", Flag.RELAY),
        ("anonaddy.com", Flag.ALIAS),
        ("jane.anonaddy.com", Flag.ALIAS),
        ("pobox.com", Flag.FORWARDER),
    ],
)
def test_rule_10_relays_are_not_disposable(knowledge: DomainLists, domain: str, kind: Flag) -> None:
    listing = knowledge.listing(domain)
    assert listing is not None
    assert (listing.kind, listing.source) == (kind, "curated list, 2026-11-20")


@pytest.mark.parametrize(
    "domain", ["fastmail.com", "jane.fastmail.com", "gmail.com", "qq.com", "proton.me", "outlook.com"]
)
def test_rule_10_hosters_are_on_no_list(knowledge: DomainLists, domain: str) -> None:
    assert knowledge.listing(domain) is None


def test_rule_10_parents_end_at_the_registrable_domain(knowledge: DomainLists) -> None:
    assert knowledge.registrable("a.b.shop.co.uk") == "shop.co.uk"
    assert knowledge.listing("shop.co.uk") is None


def test_rule_10_the_allow_list_beats_the_lists_and_covers_what_is_below(tmp_path: Path) -> None:
    compiled = (
        "# date: 2026-01-02\n\n[disposable:both]\nhoster.com\nthrowaway.com\n\n[disposable:MailChecker]\nrelay.com\n"
    )
    compiled += "\n[disposable:disposable-email-domains]\n\n[free]\n"
    curated = "# date: 2026-03-04\n\n[relay]\nrelay.com\n\n[alias]\n\n[forwarder]\n\n[allowed]\nhoster.com\n"
    curated += "\n[free]\n\n[popular]\n\n[role]\n"
    (tmp_path / "compiled").write_text(compiled)
    (tmp_path / "curated").write_text(curated)
    lists = DomainLists(tmp_path / "compiled", tmp_path / "curated")
    both = "disposable-email-domains and MailChecker, 2026-01-02"
    assert [lists.listing(name) for name in ("hoster.com", "jane.hoster.com")] == [None, None]
    assert lists.listing("x.throwaway.com") == Listing(Flag.DISPOSABLE, "throwaway.com", both)
    assert lists.listing("relay.com") == Listing(Flag.RELAY, "relay.com", "curated list, 2026-03-04")


def test_rule_10_relays_that_the_public_lists_call_disposable_are_not(knowledge: DomainLists) -> None:
    curated = read_sections(CURATED).names
    mixed_in = set(MailChecker.blacklist) & {name for kind in ("relay", "alias", "forwarder") for name in curated[kind]}
    assert len(mixed_in) > 10
    assert Flag.DISPOSABLE not in {listing.kind for name in mixed_in if (listing := knowledge.listing(name))}


@pytest.mark.parametrize(("domain", "free"), [("gmail.com", True), ("web.de", True), ("shop-of-mine.com", False)])
def test_free_providers(knowledge: DomainLists, domain: str, free: bool) -> None:
    assert knowledge.is_free(domain) is free


@pytest.mark.parametrize(
    ("mailbox", "role"), [("info", True), ("Sales+eu", True), ("no-reply", True), ("informant", False)]
)
def test_role_accounts(knowledge: DomainLists, mailbox: str, role: bool) -> None:
    assert knowledge.is_role(mailbox) is role


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("gmial.com", "gmail.com"),
        ("gmail.con", "gmail.com"),
        ("hotmal.com", "hotmail.com"),
        ("outlookk.com", "outlook.com"),
        ("yahoo.com", None),
        ("gmx.com", None),
        ("ymail.com", None),
        ("shop.com", None),
    ],
)
def test_typing_errors(knowledge: DomainLists, typed: str, meant: str | None) -> None:
    assert knowledge.suggestion(typed) == meant


def make_slips(name: str) -> Iterator[str]:
    """The name with one letter missing, doubled, wrong or swapped, everywhere."""
    for at in range(len(name)):
        yield name[:at] + name[at + 1 :]
        yield name[: at + 1] + name[at:]
        yield f"{name[:at]}q{name[at + 1 :]}"
        yield name[:at] + name[at : at + 2][::-1] + name[at + 2 :]


def test_no_slip_is_overlooked(knowledge: DomainLists) -> None:
    popular = read_sections(CURATED).names["popular"]
    for typed in {slip for name in popular for slip in make_slips(name)}:
        near = [name for name in popular if is_one_slip(typed, name)]
        if typed in popular or knowledge.is_free(typed):
            assert knowledge.suggestion(typed) is None
        else:
            same, shorter, longer = ([one for one in near if len(one) == len(typed) + by] for by in (0, -1, 1))
            assert knowledge.suggestion(typed) == [*same, *shorter, *longer][0]


@pytest.mark.parametrize(
    ("typed", "meant", "slip"),
    [
        ("ab", "ab", False),
        ("abc", "ab", True),
        ("ab", "abc", True),
        ("acb", "abc", True),
        ("axc", "abc", True),
        ("xyc", "abc", False),
    ],
)
def test_one_slip(typed: str, meant: str, slip: bool) -> None:
    assert (typed != meant and is_one_slip(typed, meant)) is slip


def test_loading_is_fast() -> None:
    started = time.thread_time()
    DomainLists()
    assert time.thread_time() - started < 0.3
