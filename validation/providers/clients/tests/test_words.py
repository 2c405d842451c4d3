"""Every documented word of the providers, over sockets: at their own test addresses, and as they document the rest."""

import json
from typing import Any

import pytest

from validation.engine import Category, Flag, Reason
from validation.providers.clients import mapping
from validation.providers.clients.tests.conftest import KEY, Played, Scripted

# What ZeroBounce documents for its test addresses, and what that is in our words.
ZEROBOUNCE_TESTS = {
    "valid": ("valid", "mailbox_exists"),
    "invalid": ("invalid", "mailbox_not_found"),
    "catch_all": ("catch_all", "accepts_all"),
    "spamtrap": ("spam_trap", "known_trap"),
    "abuse": ("unknown", "not_probed"),
    "unknown": ("unknown", "temporary"),
    "donotmail": ("valid", "mailbox_exists"),
    "toxic": ("unknown", "not_probed"),
    "disposable": ("disposable", "disposable_domain"),
    "role_based": ("valid", "mailbox_exists"),
    "role_based_catch_all": ("catch_all", "accepts_all"),
    "role_based_accept_all": ("valid", "mailbox_exists"),
    "global_suppression": ("unknown", "not_probed"),
    "possible_trap": ("unknown", "not_probed"),
    "possible_typo": ("invalid", "mailbox_not_found"),
    "antispam_system": ("unknown", "blocked"),
    "does_not_accept_mail": ("invalid", "no_mail_host"),
    "exception_occurred": ("unknown", "protocol_error"),
    "failed_smtp_connection": ("unknown", "connect_failed"),
    "failed_syntax_check": ("invalid", "syntax"),
    "forcible_disconnect": ("unknown", "connect_failed"),
    "greylisted": ("unknown", "greylisted"),
    "leading_period_removed": ("valid", "mailbox_exists"),
    "mail_server_did_not_respond": ("unknown", "timeout"),
    "mail_server_temporary_error": ("unknown", "temporary"),
    "mailbox_quota_exceeded": ("unknown", "mailbox_full"),
    "mailbox_not_found": ("invalid", "mailbox_not_found"),
    "no_dns_entries": ("invalid", "no_domain"),
    "timeout_exceeded": ("unknown", "timeout"),
    "unroutable_ip_address": ("invalid", "bogus_mx"),
    "free_email": ("valid", "mailbox_exists"),
    "gold": ("valid", "mailbox_exists"),
    "aiagentmailbox": ("valid", "mailbox_exists"),
}
ZEROBOUNCE_WARNED = {"spamtrap", "abuse", "toxic", "global_suppression", "possible_trap"}
KICKBOX_TESTS = {
    "deliverable": ("valid", "mailbox_exists"),
    "rejected-email": ("invalid", "mailbox_not_found"),
    "invalid-domain": ("invalid", "no_domain"),
    "invalid-email": ("invalid", "syntax"),
    "invalid-smtp": ("unknown", "protocol_error"),
    "low-quality": ("unknown", "not_probed"),
    "accept-all": ("catch_all", "accepts_all"),
    "role": ("valid", "mailbox_exists"),
    "disposable": ("disposable", "disposable_domain"),
    "timeout": ("unknown", "timeout"),
    "unexpected-error": ("unknown", "protocol_error"),
    "no-connect": ("unknown", "connect_failed"),
    "unavailable-smtp": ("unknown", "temporary"),
    "did-you-mean": ("invalid", "mailbox_not_found"),
    "anything-else": ("valid", "mailbox_exists"),
}


def test_zerobounce_answers_its_test_addresses_as_documented_and_free_of_charge(played: Played) -> None:
    said = {name: played["zerobounce"].check(f"{name}@example.com", timeout=20) for name in ZEROBOUNCE_TESTS}
    assert {name: (opinion.category, opinion.reason) for name, opinion in said.items()} == ZEROBOUNCE_TESTS
    assert {name for name, opinion in said.items() if opinion.advises_against} == ZEROBOUNCE_WARNED
    assert said["free_email"].flags == {Flag.FREE}
    assert said["role_based"].flags == said["role_based_accept_all"].flags == {Flag.ROLE}
    assert said["spamtrap"].is_spam_trap is True
    assert said["mailbox_quota_exceeded"].flags == {Flag.FULL}
    assert played["zerobounce"].balance() == 10_000


def test_kickbox_answers_a_test_key_as_documented(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER_KICKBOX_KEY", "test_sandbox8fa14cdd754f91cc")
    adapter = Played.reached("kickbox")
    said = {name: adapter.check(f"{name}@alder.com", timeout=20) for name in KICKBOX_TESTS}
    assert {name: (opinion.category, opinion.reason) for name, opinion in said.items()} == KICKBOX_TESTS
    assert said["did-you-mean"].did_you_mean == "did-you-mean@gmail.com"
    assert said["accept-all"].is_catch_all is True
    assert said["role"].flags == {Flag.ROLE}
    assert adapter.check("a+rejected-email@alder.com", timeout=20).category is Category.INVALID


@pytest.mark.parametrize("words", sorted(mapping.ZEROBOUNCE))
def test_zerobounce_words(words: tuple[str, str], scripted: Scripted) -> None:
    scripted.body = _zerobounce(status=words[0], sub_status=words[1])
    opinion = scripted.adapter("zerobounce").check("anna@alder.com", timeout=20)
    meaning = mapping.ZEROBOUNCE[words]
    assert (opinion.category, opinion.reason, opinion.advises_against) == (
        meaning.category,
        meaning.reason,
        meaning.advises_against,
    )
    assert (opinion.status, opinion.sub_status) == words
    assert opinion.charged is (words[0] != "unknown")


@pytest.mark.parametrize("words", sorted(mapping.NEVERBOUNCE))
def test_neverbounce_words(words: tuple[str, str], scripted: Scripted) -> None:
    result, flag = words
    scripted.body = json.dumps({"status": "success", "result": result, "flags": ["has_dns", flag]}).encode()
    opinion = scripted.adapter("neverbounce").check("anna@alder.com", timeout=20)
    meaning = mapping.NEVERBOUNCE[words]
    assert (opinion.category, opinion.reason) == (meaning.category, meaning.reason)
    assert (opinion.status, opinion.sub_status) == words


@pytest.mark.parametrize("words", sorted(mapping.KICKBOX))
def test_kickbox_words(words: tuple[str, str, str], scripted: Scripted) -> None:
    result, reason, trait = words
    scripted.body = json.dumps({"result": result, "reason": reason, "success": True, trait: True}).encode()
    opinion = scripted.adapter("kickbox").check("anna@alder.com", timeout=20)
    meaning = mapping.KICKBOX[words]
    assert (opinion.category, opinion.reason) == (meaning.category, meaning.reason)
    assert (opinion.status, opinion.sub_status) == (result, reason)


def test_older_surfaces_of_neverbounce_answer_with_numbers(scripted: Scripted) -> None:
    adapter, found = scripted.adapter("neverbounce"), []
    for number in range(5):
        scripted.body = json.dumps({"status": "success", "result": number, "flags": []}).encode()
        found.append(adapter.check("anna@alder.com", timeout=20).category)
    assert found == ["valid", "invalid", "disposable", "catch_all", "unknown"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("zerobounce", {"status": "quarantined", "sub_status": "awaiting_moon_phase"}),
        ("zerobounce", {"status": "invalid", "sub_status": "sleeping"}),
        ("neverbounce", {"status": "success", "result": "quarantined", "flags": []}),
        ("neverbounce", {"status": "success", "result": 17, "flags": []}),
        ("kickbox", {"success": True, "result": "quarantined", "reason": "awaiting_moon_phase"}),
        ("kickbox", {"success": True, "result": "undeliverable", "reason": "sleeping"}),
    ],
)
def test_new_words_are_unknown_and_kept(name: str, told: dict[str, Any], scripted: Scripted) -> None:
    scripted.body = json.dumps(told).encode()
    opinion = scripted.adapter(name).check("anna@alder.com", timeout=20)
    assert (opinion.category, opinion.reason) == (Category.UNKNOWN, Reason.PROTOCOL_ERROR)
    assert json.loads(opinion.raw) == told
    assert not opinion.advises_against


def test_a_new_kind_of_warning_still_warns(scripted: Scripted) -> None:
    scripted.body = _zerobounce(status="do_not_mail", sub_status="haunted")
    opinion = scripted.adapter("zerobounce").check("anna@alder.com", timeout=20)
    assert (opinion.category, opinion.advises_against) == (Category.UNKNOWN, True)


def test_strings_that_mean_yes_or_no(scripted: Scripted) -> None:
    scripted.body = _zerobounce(free_email="True", catchall_domain="false")
    opinion = scripted.adapter("zerobounce").check("anna@alder.com", timeout=20)
    assert (opinion.flags, opinion.is_catch_all) == ({Flag.FREE}, False)


def test_neither_persons_nor_keys_are_kept(scripted: Scripted) -> None:
    scripted.body = _zerobounce(firstname="Erika", city="Bonn", echo=f"your key {KEY}", long="x" * 5_000, api_key=KEY)
    opinion = scripted.adapter("zerobounce").check("anna@alder.com", timeout=20)
    kept = json.loads(opinion.raw)
    assert kept == {"status": "valid", "sub_status": "", "echo": "your key …", "long": "x" * 400}
    assert KEY not in repr(opinion)
    assert len(opinion.raw) <= 2_000


def _zerobounce(**members: Any) -> bytes:
    return json.dumps({"status": "valid", "sub_status": ""} | members).encode()
