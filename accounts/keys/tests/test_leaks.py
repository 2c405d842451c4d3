"""Keys that were found in public: reported by anybody, revoked, told once to those whom it concerns."""

import logging
from typing import Any

import pytest
from django.core import mail
from rest_framework.test import APIClient

from accounts.access.models import ApiKey
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.keys.emails import unlink_place
from accounts.keys.leaks import clean_place
from accounts.keys.models import KeyLeak, KeyLeakNotice
from accounts.organisations.models import Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.tests.mailed import read_mails
from accounts.tests.team import add_member
from accounts.users.models import User
from conftest import browser_of, client_of, client_with
from emailcheck.common.testing import run_sixteen

REPORT, RULE = "/api/v1/keys/leaked", "/api/organisation/leaked-keys"
PLACE = "https://github.com/alder/shop/blob/1234/config.py"
RECEIVED = {"message": "Received. Keys of ours that work are dealt with."}


@pytest.fixture
def made(alice: User) -> tuple[ApiKey, str]:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")


def report(*tokens: str, url: str = PLACE, api: Any = None) -> Any:
    body = [{"token": token, "url": url, "type": "emailcheck_api_key", "source": "content"} for token in tokens]
    return (api or APIClient()).post(REPORT, body, format="json")


def works(text: str) -> bool:
    return client_with(text).get("/api/auth/me").status_code == 200


def told() -> list[str]:
    """To whom a leak is mailed now."""
    return sorted(to for to, subject in read_mails() if subject.startswith("An API key was found in public"))


@pytest.mark.spec("API-044")
@pytest.mark.parametrize("test", [False, True])
def test_a_live_key_that_was_found_is_revoked_at_once(alice: User, test: bool) -> None:
    key, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", test=test)
    assert works(text)
    answer = report(text)
    assert (answer.status_code, answer.json()) == (202, RECEIVED)
    assert not works(text)
    leak = KeyLeak.objects.get()
    assert (leak.key, leak.place, leak.revoked, leak.organisation) == (key, PLACE, True, alice.own_organisation)
    line = Activity.objects.latest("pk")
    assert (line.action, line.target) == (f"API key {key.prefix} was found in public and revoked", key.prefix)
    assert (line.changes, line.ip) == ({"found_at": [None, PLACE]}, None)  # who reported it is not told


@pytest.mark.spec("API-044")
def test_its_maker_owners_and_admins_get_a_mail_and_a_banner_and_nobody_else(alice: User, bob: User, sam: User) -> None:
    home = alice.own_organisation
    add_member(home, bob, OrganisationRole.DEVELOPER)
    add_member(home, sam, OrganisationRole.VIEWER)
    _, text = keys.create_key(organisation=home, maker=bob, name="Shop")
    read_mails()
    report(text)
    assert told() == ["alice@alder.com", "bob@birch.net"]
    assert sorted(KeyLeakNotice.objects.values_list("user__email", flat=True)) == ["alice@alder.com", "bob@birch.net"]
    (one, _) = mail.outbox
    assert "github[.]com/alder/shop/blob/1234/config.py" in str(one.body)
    assert "We revoked it at once" in str(one.body)
    assert text not in str(one.body)
    assert PLACE not in str(one.message())
    banner = 'data-island="key-leaks"'
    for path in ("/dashboard", "/account-settings"):
        seen = {user: browser_of(user).get(path).content.decode() for user in (alice, bob, sam)}
        assert [banner in page for page in seen.values()] == [True, True, False]
        assert PLACE in seen[alice]
        assert text not in seen[alice]


@pytest.mark.spec("API-044")
def test_who_has_left_is_not_told(alice: User, bob: User) -> None:
    _, text = keys.create_key(organisation=alice.own_organisation, maker=bob, name="Shop")
    read_mails()
    report(text)
    assert told() == ["alice@alder.com"]


@pytest.mark.spec("API-044")
def test_where_the_organisation_does_not_want_it_the_key_works_on_and_its_people_are_told(
    alice: User, alice_api: APIClient, made: tuple[ApiKey, str]
) -> None:
    assert alice_api.get(RULE).json() == {"revoke_leaked_keys": True}
    assert alice_api.put(RULE, {"revoke_leaked_keys": False}, format="json").json() == {"revoke_leaked_keys": False}
    line = Activity.objects.latest("pk")
    assert (line.action, line.changes) == ("Leaked keys changed", {"revoke_leaked_keys": [True, False]})
    read_mails()
    for _ in range(2):
        assert report(made[1]).json() == RECEIVED
    assert works(made[1])
    assert (told(), KeyLeak.objects.get().revoked) == (["alice@alder.com"], False)
    assert "It still works" in str(mail.outbox[0].body)
    for number in range(20):
        report(made[1], url=f"{PLACE}{number}")
    assert KeyLeak.objects.count() == 10  # whoever has the key could make up any number


@pytest.mark.spec("API-044")
def test_the_rule_is_set_by_those_who_manage_and_by_no_key(alice: User, bob: User, made: tuple[ApiKey, str]) -> None:
    add_member(alice.own_organisation, bob, OrganisationRole.DEVELOPER)
    developer, program = client_of(bob), client_with(made[1])
    assert developer.get(RULE).status_code == 200
    for api in (developer, program):
        assert api.put(RULE, {"revoke_leaked_keys": False}, format="json").status_code == 403
    assert Organisation.objects.get(pk=alice.pk).revoke_leaked_keys is True


@pytest.mark.spec("API-044")
def test_a_wrong_checksum_costs_no_query(db: None, made: tuple[ApiKey, str], django_assert_num_queries: Any) -> None:
    text = made[1]
    wrong = [text[:-1], text + "x", text.swapcase(), text.replace("live", "test"), "ec_live_", "sk_1", "ec_live_ä"]
    with django_assert_num_queries(0):
        answer = report(*wrong)
    assert (answer.status_code, answer.json()) == (202, RECEIVED)
    assert works(text)


@pytest.mark.spec("API-044")
def test_the_answer_is_the_same_whatever_was_sent(alice: User, made: tuple[ApiKey, str]) -> None:
    ended, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Old")
    keys.revoke_key(organisation=alice.own_organisation, key_id=ended.pk)
    answers = [report(), report("nonsense"), report(text), report(made[1]), report(made[1])]
    assert {(answer.status_code, answer.content) for answer in answers} == {(202, answers[0].content)}
    assert [{*answer.headers} for answer in answers] == [{*answers[0].headers}] * 5
    assert KeyLeak.objects.get().key == made[0]


@pytest.mark.spec("API-044")
@pytest.mark.parametrize(
    "body",
    [
        {}, {"keys": []}, "text", None, 5, [5], [[]], [{}], [{"token": 5.5e300}, {}], [{"token": None}],
        [{"token": ["a"]}], [{"token": "a", "url": {}}], [{"token": "a", "url": PLACE}] * 101,
    ],
    ids=str,
)  # fmt: skip
def test_another_shape_is_refused_whole(made: tuple[ApiKey, str], body: Any) -> None:
    sent = [{"token": made[1], "url": PLACE}, *body] if isinstance(body, list) else body
    answer = APIClient().post(REPORT, sent, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert made[1] not in answer.content.decode()
    assert works(made[1])
    assert not KeyLeak.objects.exists()


@pytest.mark.spec("API-044")
def test_a_hundred_are_taken_and_members_that_we_do_not_know_are_the_scanner_s(made: tuple[ApiKey, str]) -> None:
    body = [{"token": "x", "url": ""}] * 99 + [{"token": made[1], "confidence": "high"}]
    assert APIClient().post(REPORT, body, format="json").json() == RECEIVED
    assert not works(made[1])
    assert KeyLeak.objects.get().place == ""


@pytest.mark.spec("API-044")
def test_an_address_has_a_hundred_calls_a_minute(db: None) -> None:
    statuses = [report("x").status_code for _ in range(101)]
    assert statuses == [202] * 100 + [429]
    assert report("x", api=APIClient(REMOTE_ADDR="203.0.113.9")).status_code == 202


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
@pytest.mark.spec("API-044")
@pytest.mark.parametrize("revokes", [True, False])
def test_sixteen_reports_at_once_are_told_once(alice: User, revokes: bool) -> None:
    Organisation.objects.filter(pk=alice.pk).update(revoke_leaked_keys=revokes)
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    read_mails()
    assert run_sixteen(lambda _: report(text).status_code) == [202] * 16
    assert (works(text), told()) == (not revokes, ["alice@alder.com"])
    assert (KeyLeak.objects.count(), KeyLeakNotice.objects.count()) == (1, 1)
    assert Activity.objects.filter(action__contains="found in public").count() == 1


@pytest.mark.spec("API-044")
def test_a_notice_is_dismissed_by_whom_it_is_for_and_stays_for_the_others(
    alice: User, bob: User, bob_api: APIClient, made: tuple[ApiKey, str]
) -> None:
    add_member(alice.own_organisation, bob, OrganisationRole.ADMIN)
    report(made[1])
    page = browser_of(alice)
    notice = page.get("/dashboard").context["key_leaks"][0]["id"]
    assert bob_api.delete(f"/api/user/key-leaks/{notice}").status_code == 404
    alice_api = client_of(alice)
    assert alice_api.delete(f"/api/user/key-leaks/{notice}").json() == {"message": "Notice dismissed"}
    assert alice_api.delete(f"/api/user/key-leaks/{notice}").status_code == 404
    assert page.get("/dashboard").context["key_leaks"] == []
    assert len(browser_of(bob).get("/dashboard").context["key_leaks"]) == 1


@pytest.mark.spec("API-044")
def test_no_log_has_the_key(made: tuple[ApiKey, str], caplog: pytest.LogCaptureFixture, settings: Any) -> None:
    with caplog.at_level(logging.DEBUG):
        report(made[1], url=f"https://paste.example/{made[1]}?k={made[1]}")
        APIClient().post(REPORT, [{"token": made[1], "url": []}], format="json")
        APIClient().post(REPORT, {"token": made[1]}, format="json")
    assert made[1] not in caplog.text
    assert KeyLeak.objects.get().place == "https://paste.example/[key]?k=[key]"
    assert made[1] not in str(list(Activity.objects.values()))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (PLACE, PLACE), ("  a\tb\n c\u202ed\x00 ", "a b c d"), ("x" * 400, "x" * 300), ("", ""),
        ("https://www.npmjs.com/package/@alder/shop", "https://www.npmjs.com/package/@alder/shop"),
    ],
)  # fmt: skip
def test_a_place_is_shown_as_one_line_of_text(url: str, shown: str) -> None:
    assert clean_place(url) == shown


@pytest.mark.parametrize(
    ("place", "written"),
    [
        (PLACE, "github[.]com/alder/shop/blob/1234/config.py"), ("evil.example", "evil[.]example"), ("", ""),
        ("https://www.evil.example?a.b", "www[.]evil[.]example?a[.]b"),
    ],
)  # fmt: skip
def test_a_mail_makes_no_link_of_a_place(place: str, written: str) -> None:
    assert unlink_place(place) == written
