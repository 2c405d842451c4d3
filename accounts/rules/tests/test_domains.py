"""Domains proved by DNS, and sign-in by Google required for their people."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import time_machine
from django.conf import settings as of_project
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.organisations.models import Membership
from accounts.organisations.roles import OrganisationRole
from accounts.rules import domains
from accounts.rules.models import OwnedDomain
from accounts.rules.tests.dns_server import Zone, serving_zone
from accounts.rules.tests.members import join, refusal
from accounts.signin.models import OneTimeToken, Purpose
from accounts.signin.one_time_tokens import create_token
from accounts.tasks import recheck_domains
from accounts.tests.mailed import post_auth, read_mails
from accounts.users.models import User
from conftest import PASSWORD, client_of, make_user
from emailcheck.common.testing import drain_queue, run_sixteen
from tests.world import Sandbox

DOMAINS = "/api/organisation/domains"
DAY_ONE = "2026-11-01 12:00:00+00:00"


@pytest.fixture
def zone(settings: Any) -> Iterator[Zone]:
    settings.GOOGLE_CLIENT_ID, settings.GOOGLE_CLIENT_SECRET = "id", "secret"
    with serving_zone(settings) as zone:
        yield zone


def add(api: APIClient, name: str) -> Any:
    return api.post(DOMAINS, {"name": name}, format="json")


def check(api: APIClient, pk: int) -> Any:
    return api.post(f"{DOMAINS}/{pk}/check")


def require(api: APIClient, pk: int, required: bool = True) -> Any:
    return api.put(f"{DOMAINS}/{pk}", {"google_required": required}, format="json")


def prove(owner: User, name: str, zone: Zone, *, google: bool = False) -> OwnedDomain:
    """A domain that DNS proves to be its owner's."""
    made = domains.add_domain(organisation=owner.own_organisation, name=name)
    zone.texts[made.record_name] = made.record_value
    domains.check_domain(organisation=owner.own_organisation, domain_id=made.pk)
    if google:
        domains.require_google(organisation=owner.own_organisation, domain_id=made.pk, required=True)
    made.refresh_from_db()
    return made


@pytest.mark.spec("TEA-011", "TEA-012")
@pytest.mark.parametrize("place", ["_emailcheck.birch.net", "birch.net"])
def test_a_text_at_either_name_proves_a_domain(alice: User, zone: Zone, place: str) -> None:
    api = client_of(alice)
    made = add(api, " Birch.NET. ").json()
    assert (made["name"], made["record_name"], made["proved_at"]) == ("birch.net", "_emailcheck.birch.net", None)
    assert made["record_value"] == f"emailcheck-domain={OwnedDomain.objects.get().token}"
    zone.texts[place] = made["record_value"]
    answer = check(api, made["id"]).json()
    assert (answer["found"], answer["domain"]["proved_at"] is None) == ("proved", False)
    changes = Activity.objects.get(action="Domain birch.net proved").changes
    assert changes == {"proved": [False, True]}


@pytest.mark.spec("TEA-011", "TEA-012")
def test_the_domain_of_the_demo_is_proved_by_a_record_at_the_registrar(world: Sandbox, alice: User) -> None:
    api = client_of(alice)
    made = add(api, "alder-and-ash.com").json()
    assert check(api, made["id"]).json()["found"] == "missing"
    record = {"name": made["record_name"], "text": made["record_value"]}
    panel = f"http://127.0.0.1:{world.http_port}/sandbox/dns"
    for path, found in (("", "proved"), ("/remove", "missing")):
        httpx2.post(f"{panel}{path}", json=record).raise_for_status()
        OwnedDomain.objects.update(asked_at=None)
        assert check(api, made["id"]).json()["found"] == found
    assert OwnedDomain.objects.get().proved_at is not None  # its rule lives on for 7 days


@pytest.mark.spec("TEA-012")
def test_a_resolver_that_fails_says_nothing(alice: User, zone: Zone) -> None:
    api = client_of(alice)
    with time_machine.travel(DAY_ONE, tick=False) as clock:
        api = client_of(alice)
        made = add(api, "birch.net").json()
        zone.failing = {"_emailcheck.birch.net"}
        assert check(api, made["id"]).json()["found"] == "unknown"
        assert refusal(check(api, made["id"])) == (429, "RATE_LIMIT_EXCEEDED")
        clock.shift(11)
        zone.failing, zone.texts = set(), {"birch.net": "emailcheck-domain=other"}
        assert check(api, made["id"]).json()["found"] == "missing"
    assert OwnedDomain.objects.get().proved_at is None


@pytest.mark.spec("TEA-012")
@pytest.mark.parametrize("proved", [True, False])
@pytest.mark.django_db(transaction=True)
def test_a_domain_that_is_removed_while_dns_is_asked_is_not_found(alice: User, zone: Zone, proved: bool) -> None:
    api = client_of(alice)
    made = add(api, "birch.net").json()
    zone.texts = {made["record_name"]: made["record_value"]} if proved else {}

    def remove() -> None:
        OwnedDomain.objects.all().delete()
        connection.close()

    zone.meanwhile = remove
    assert refusal(check(api, made["id"])) == (404, "NOT_FOUND")
    assert not OwnedDomain.objects.exists()
    assert not Activity.objects.filter(action="Domain birch.net proved").exists()


@pytest.mark.spec("TEA-011")
@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("straße.de", "xn--strae-oqa.de"),
        ("STRASSE.de", "strasse.de"),
        ("bücher.example.org", "xn--bcher-kva.example.org"),
        ("XN--BCHER-KVA.example.org", "xn--bcher-kva.example.org"),
    ],
)
def test_a_name_is_stored_as_idna_2008_writes_it(alice: User, name: str, stored: str) -> None:
    assert add(client_of(alice), name).json()["name"] == stored
    assert refusal(add(client_of(alice), stored)) == (409, "DOMAIN_EXISTS")


@pytest.mark.spec("TEA-021", "TEA-011")
def test_the_rule_of_one_name_is_not_that_of_another(alice: User, zone: Zone, client: Client) -> None:
    prove(alice, "strasse.de", zone, google=True)
    person = make_user("bob@straße.de", "Bob Birch")
    join(person, alice.own_organisation)
    assert post_auth(client, "login", email="bob@straße.de", password=PASSWORD).status_code == 200
    prove(alice, "straße.de", zone, google=True)
    answer = post_auth(client, "login", email="bob@straße.de", password=PASSWORD)
    assert refusal(answer) == (403, "GOOGLE_REQUIRED")


@pytest.mark.spec("TEA-013")
@pytest.mark.parametrize(
    "name", ["gmail.com", "GMX.de", "mailinator.com", "mail.gmail.com", "a.b.mailinator.com", "co.uk", "github.io"]
)
def test_freemail_has_no_owner(alice: User, name: str) -> None:
    assert refusal(add(client_of(alice), name)) == (400, "FREE_MAIL_DOMAIN")
    assert not OwnedDomain.objects.exists()


@pytest.mark.spec("TEA-013")
@pytest.mark.parametrize(
    "name",
    [
        "localhost",
        "birch",
        "-a.net",
        "10.0.0.1",
        "a b.net",
        "a@birch.net/",
        "foo@birch.net",
        "@birch.net",
        "x" * 64 + ".net",
    ],
)
def test_what_is_no_domain_is_refused(alice: User, name: str) -> None:
    assert refusal(add(client_of(alice), name)) == (400, "VALIDATION_ERROR")
    assert not OwnedDomain.objects.exists()


@pytest.mark.spec("TEA-014")
def test_a_domain_is_of_one_organisation_until_that_gives_it_up(alice: User, bob: User, zone: Zone) -> None:
    first = prove(alice, "birch.net", zone)
    of_bob = client_of(bob)
    second = add(of_bob, "birch.net").json()
    assert refusal(add(of_bob, "BIRCH.net")) == (409, "DOMAIN_EXISTS")
    zone.texts["birch.net"] = second["record_value"]
    assert refusal(check(of_bob, second["id"])) == (409, "DOMAIN_TAKEN")
    assert OwnedDomain.objects.get(pk=second["id"]).proved_at is None
    assert of_bob.delete(f"{DOMAINS}/{first.pk}").status_code == 404
    for status in (200, 404):
        assert client_of(alice).delete(f"{DOMAINS}/{first.pk}").status_code == status
    OwnedDomain.objects.update(asked_at=None)
    assert check(of_bob, second["id"]).json()["found"] == "proved"


@pytest.mark.spec("TEA-014")
@pytest.mark.django_db(transaction=True)
def test_of_two_that_prove_a_domain_at_once_one_has_it(alice: User, bob: User, zone: Zone) -> None:
    made = [domains.add_domain(organisation=user.own_organisation, name="birch.net") for user in (alice, bob)]
    zone.texts = {"_emailcheck.birch.net": made[0].record_value, "birch.net": made[1].record_value}

    def once(number: int) -> str:
        mine = made[number % 2]
        OwnedDomain.objects.filter(pk=mine.pk).update(asked_at=None)
        return domains.check_domain(organisation=mine.organisation, domain_id=mine.pk)[1]

    assert set(run_sixteen(once)) <= {"proved", "DOMAIN_TAKEN", "RATE_LIMIT_EXCEEDED"}
    assert OwnedDomain.objects.exclude(proved_at=None).count() == 1


@pytest.mark.spec("TEA-015")
def test_a_lost_proof_is_mailed_and_ends_the_rule_after_seven_days(alice: User, bob: User, zone: Zone) -> None:
    with time_machine.travel(DAY_ONE, tick=False) as clock:
        domain = prove(alice, "alder.com", zone, google=True)
        join(bob, alice.own_organisation, OrganisationRole.ADMIN)
        read_mails()
        zone.texts = {}
        mailed = []
        for _ in range(7):
            clock.shift(86_400)
            recheck_domains()
            mailed.append(read_mails())
        told = [(to, "alder.com is no longer proved by DNS") for to in ("alice@alder.com", "bob@birch.net")]
        assert mailed == [told, *[[]] * 6]
        domain.refresh_from_db()
        assert domain.google_required
        clock.shift(86_400)
        recheck_domains()
        recheck_domains()
        assert read_mails() == [(to, "The rule for alder.com has ended") for to, _ in told]
        domain.refresh_from_db()
        assert (domain.proved_at, domain.google_required, domain.lost_at) == (None, False, None)
        ended = Activity.objects.get(action="Domain alder.com was not proved for 7 days: its rule ended")
        assert (ended.role, ended.changes) == ("", {"proved": [True, False], "google_required": [True, False]})


@pytest.mark.spec("TEA-015")
def test_an_outage_or_the_record_come_back_keep_the_rule(alice: User, zone: Zone) -> None:
    with time_machine.travel(DAY_ONE, tick=False) as clock:
        domain = prove(alice, "alder.com", zone, google=True)
        record, zone.texts = dict(zone.texts), {}
        recheck_domains()
        drain_queue()
        clock.shift(8 * 86_400)
        zone.failing = {"alder.com"}
        recheck_domains()
        drain_queue()
        domain.refresh_from_db()
        assert (domain.google_required, domain.lost_at is None) == (True, False)
        zone.texts, zone.failing = record, set()
        recheck_domains()
        drain_queue()
        domain.refresh_from_db()
        assert (domain.google_required, domain.lost_at) == (True, None)


def test_domains_are_asked_for_every_day() -> None:
    assert of_project.SCHEDULES["accounts.tasks.recheck_domains"] == 1_440


@pytest.mark.spec("TEA-021", "TEA-022")
def test_people_of_the_domain_sign_in_by_google_alone_and_owners_as_before(
    alice: User, bob: User, zone: Zone, client: Client
) -> None:
    User.objects.filter(pk=bob.pk).update(email="bob@alder.com")
    prove(alice, "alder.com", zone, google=True)
    assert post_auth(client, "login", email="bob@alder.com", password=PASSWORD).status_code == 200
    join(User.objects.get(pk=bob.pk), alice.own_organisation, OrganisationRole.ADMIN)
    refused = post_auth(client, "login", email="bob@alder.com", password=PASSWORD)
    assert (*refusal(refused), refused.json()["detail"]) == (
        403,
        "GOOGLE_REQUIRED",
        "Alice Alder requires you to sign in with Google.",
    )
    assert post_auth(client, "login", email="alice@alder.com", password=PASSWORD).status_code == 200
    Membership.objects.filter(user=bob, organisation=alice.pk).delete()
    assert post_auth(client, "login", email="bob@alder.com", password=PASSWORD).status_code == 200


@pytest.mark.spec("TEA-023")
def test_strangers_learn_nothing_from_the_rule(alice: User, bob: User, zone: Zone, client: Client) -> None:
    User.objects.filter(pk=bob.pk).update(email="bob@alder.com")
    prove(alice, "alder.com", zone, google=True)
    join(User.objects.get(pk=bob.pk), alice.own_organisation)
    known = post_auth(client, "login", email="bob@alder.com", password="wrong-horse-42")
    unknown = post_auth(client, "login", email="nobody@alder.com", password="wrong-horse-42")
    assert refusal(known) == refusal(unknown) == (401, "INVALID_CREDENTIALS")
    asked = [post_auth(client, "forgot-password", email=f"{name}@alder.com") for name in ("bob", "nobody")]
    assert (asked[0].status_code, asked[0].json()) == (asked[1].status_code, asked[1].json())
    assert [mail for mail in read_mails() if mail[0] == "bob@alder.com"][-1:] == [
        ("bob@alder.com", "Sign in with Google")
    ]
    assert not OneTimeToken.objects.filter(user=bob, purpose=Purpose.RESET).exists()


@pytest.mark.spec("TEA-023")
def test_an_earlier_reset_link_sets_no_password(alice: User, bob: User, zone: Zone, client: Client) -> None:
    User.objects.filter(pk=bob.pk).update(email="bob@alder.com")
    token = create_token(user=bob, purpose=Purpose.RESET)
    prove(alice, "alder.com", zone, google=True)
    join(User.objects.get(pk=bob.pk), alice.own_organisation)
    before = User.objects.get(pk=bob.pk).password
    answer = post_auth(client, "reset-password", token=token, password="another-horse-42")
    assert (refusal(answer), User.objects.get(pk=bob.pk).password == before) == ((403, "GOOGLE_REQUIRED"), True)


@pytest.mark.spec("TEA-021")
def test_google_is_required_of_a_proved_domain_alone(alice: User, bob: User, zone: Zone, settings: Any) -> None:
    api = client_of(alice)
    made = add(api, "alder.com").json()
    assert refusal(require(api, made["id"])) == (400, "DOMAIN_NOT_PROVED")
    proved = prove(alice, "birch.net", zone)
    settings.GOOGLE_CLIENT_ID = ""
    assert refusal(require(api, proved.pk)) == (400, "GOOGLE_NOT_SET_UP")
    settings.GOOGLE_CLIENT_ID = "id"
    viewer = join(bob, alice.own_organisation, OrganisationRole.VIEWER)
    assert refusal(require(viewer, proved.pk)) == (403, "PERMISSION_DENIED")
    assert not OwnedDomain.objects.filter(google_required=True).exists()
    for _ in range(2):
        assert require(api, proved.pk).json()["google_required"] is True
    assert Activity.objects.filter(action="Domain birch.net changed: sign-in by Google").count() == 1
