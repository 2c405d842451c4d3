"""Deleting an account: who may, what goes, what stays."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.conf import settings
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import ApiKey, SignIn
from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.privacy import services as privacy
from accounts.signin.sessions import list_open_sign_ins
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditedMailbox
from conftest import PASSWORD, client_of, client_with, make_user
from emailcheck.common import personal
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox

pytestmark = pytest.mark.postgres

DELETE = "/api/user"
LIVING = "ida.holm@harborquill.com"
CONFIRMED = {"email": "Alice@alder.com", "password": PASSWORD}


def everything() -> Iterator[str]:
    """Every value of every row of every table."""
    for model in apps.get_models(include_auto_created=True):
        for row in model._default_manager.values_list():
            yield from (f"{model._meta.db_table}: {value}" for value in row)


@pytest.fixture
def full_account(world: Sandbox, alice: User, alice_api: APIClient, sam: User) -> str:
    """Rows of Alice in as many tables as calls can make; answers the text of her key."""
    assert (
        alice_api.put("/api/user/profile", {"name": "Alice Alder", "company": "Alder & Ash"}, format="json").status_code
        == 200
    )
    file = SimpleUploadedFile("customers-of-alder.csv", LIVING.encode())
    assert alice_api.post("/api/validate/upload", {"file": file}, format="multipart").status_code == 200
    header = {"Idempotency-Key": "once"}
    assert alice_api.post("/api/validate/single", {"email": LIVING}, format="json", headers=header).status_code == 200
    audit_log.record_activity(
        user=alice, kind=ActivityKind.STAFF, action="Signed out everywhere", staff=sam, target=f"account {alice.pk}"
    )
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop of Alice Alder")
    return text


@pytest.mark.spec("SET-058", "ADM-226")
def test_nothing_of_the_person_is_left(full_account: str, alice: User, alice_api: APIClient, sam: User) -> None:
    uploads = settings.MEDIA_ROOT / "uploads"
    assert any(uploads.iterdir())
    answer = alice_api.delete(DELETE, CONFIRMED, format="json")
    assert (answer.status_code, answer.json()) == (200, {"message": "Your account has been deleted."})
    assert alice_api.get("/api/auth/me").status_code == 401
    assert client_with(full_account).get("/api/auth/me").json()["code"] == "INVALID_API_KEY"
    assert privacy.ERASE in drain_queue()
    left = list(everything())
    for trace in ("alice", "alder", "ida.holm", full_account[:16].lower()):
        assert [value for value in left if trace in value.lower()] == []
    assert [table.label for table in personal.list_tables() if table.rows_of(alice.pk).exists()] == []
    assert list(uploads.iterdir()) == []
    kept = Activity.objects.get(kind=ActivityKind.STAFF)
    assert (kept.user_id, kept.staff_id, kept.target) == (None, sam.pk, f"account {alice.pk}")
    assert User.objects.get() == sam
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("SET-058")
def test_name_and_address_are_gone_before_the_queue_comes_to_it(full_account: str, alice: User) -> None:
    privacy.close_account(user=alice)
    row = [str(value).lower() for value in User.objects.values_list().get(pk=alice.pk)]
    assert [value for value in row if "alice" in value or "alder" in value] == []
    assert not User.objects.get(pk=alice.pk).has_usable_password()


@pytest.mark.spec("SET-058")
def test_a_mail_confirms_it_and_names_the_credits_that_lapsed(alice: User, alice_api: APIClient) -> None:
    drain_queue()
    mail.outbox.clear()
    assert alice_api.delete(DELETE, CONFIRMED, format="json").status_code == 200
    drain_queue()
    assert [(sent.subject, sent.to) for sent in mail.outbox] == [("Your account was deleted", ["alice@alder.com"])]
    assert "100 unspent credits lapsed" in mail.outbox[0].body


@pytest.mark.spec("SET-058")
def test_pages_and_sessions_end_at_once(alice: User, alice_api: APIClient, client: Client) -> None:
    login = {"email": "alice@alder.com", "password": PASSWORD}
    assert client.post("/api/auth/login", login, content_type="application/json").status_code == 200
    assert client.get("/dashboard").status_code == 200
    assert alice_api.delete(DELETE, CONFIRMED, format="json").status_code == 200
    assert client.get("/dashboard").status_code == 302
    assert client.post("/api/auth/refresh").status_code == 401
    assert not list_open_sign_ins(alice).exists()
    again = client.post("/api/auth/login", login, content_type="application/json")
    assert again.json()["code"] == "INVALID_CREDENTIALS"


@pytest.mark.spec("SET-058")
@pytest.mark.parametrize(
    "wish",
    [
        {}, {"email": "alice@alder.com"}, {"email": "alice@alder.com", "password": ""},
        {"email": "alice@alder.com", "password": "wrong-horse-42"}, {"email": "bob@birch.net", "password": PASSWORD},
        {"email": "", "password": PASSWORD}, {"password": PASSWORD},
    ],
)  # fmt: skip
def test_without_address_and_password_nothing_happens(alice: User, alice_api: APIClient, wish: dict[str, str]) -> None:
    assert alice_api.delete(DELETE, wish, format="json").status_code == 400
    alice.refresh_from_db()
    assert (alice.email, alice.is_active, alice.deleted_at) == ("alice@alder.com", True, None)
    assert alice_api.get("/api/auth/me").status_code == 200


def test_a_wrong_confirmation_does_not_say_what_was_wrong(alice_api: APIClient) -> None:
    wrong = ({"email": "x@alder.com", "password": PASSWORD}, {"email": "alice@alder.com", "password": "wrong-horse-4"})
    for wish in wrong:
        answer = alice_api.delete(DELETE, wish, format="json").json()
        assert (answer["code"], answer["detail"]) == (
            "CONFIRMATION_FAILED", "The address or password does not match.",
        )  # fmt: skip


def test_guesses_of_the_password_are_counted(alice: User, alice_api: APIClient) -> None:
    wish = {"email": "alice@alder.com", "password": "wrong-horse-42"}
    answers = [alice_api.delete(DELETE, wish, format="json").status_code for _ in range(11)]
    assert answers == [400] * 10 + [429]


@pytest.mark.spec("SET-058")
def test_a_fresh_sign_in_with_google_stands_for_the_password(alice: User) -> None:
    SocialAccount.objects.create(user=alice, provider="google", uid="1")
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        api = client_of(alice)
        SignIn.objects.update(confirmed_at=timezone.now() - timedelta(minutes=15))
        late = api.delete(DELETE, {"email": "alice@alder.com"}, format="json")
        assert (late.status_code, late.json()["code"]) == (403, "REAUTH_REQUIRED")
        assert client_of(alice).delete(DELETE, {"email": "alice@alder.com"}, format="json").status_code == 200


@pytest.mark.spec("SET-058", "ADM-219")
def test_protected_accounts_stay(sam: User, settings: Any) -> None:
    settings.PROTECTED_ADMIN_EMAILS = ("sam@emailcheck.app",)
    answer = client_of(sam).delete(DELETE, {"email": sam.email, "password": PASSWORD}, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
        403, "PROTECTED_ACCOUNT", "This account is protected",
    )  # fmt: skip
    assert User.objects.get(pk=sam.pk).is_staff


@pytest.mark.spec("ADM-226")
@pytest.mark.parametrize("address", ["alice@alder.com", "Alice+again@ALDER.com"])
def test_sign_up_credits_are_not_given_again_after_deletion(alice: User, alice_api: APIClient, address: str) -> None:
    assert alice_api.delete(DELETE, CONFIRMED, format="json").status_code == 200
    again = make_user(address, "Alice Alder")
    assert CreditAccount.objects.get(organisation=again.own_organisation).balance == 0
    drain_queue()
    assert CreditAccount.objects.get(organisation=again.own_organisation).balance == 0
    assert CreditedMailbox.objects.count() == 1


def test_one_mailbox_has_sign_up_credits_once(db: None) -> None:
    addresses = ("a.b@gmail.com", "ab+x@gmail.com", "AB@googlemail.com", "a.b@birch.net", "ab@birch.net")
    balances = [
        CreditAccount.objects.get(organisation=make_user(address, "A").own_organisation).balance
        for address in addresses
    ]
    assert balances == [100, 0, 0, 100, 100]


def test_deleting_again_is_harmless_and_what_was_cut_off_goes_on(alice: User, bob: User) -> None:
    privacy.close_account(user=alice)
    privacy.close_account(user=alice)
    personal.delete_in_slices(ApiKey.objects.for_org(alice.own_organisation))
    with time_machine.travel(timezone.now() + timedelta(minutes=11), tick=False):
        privacy.resume_erasing()
    assert drain_queue().count(privacy.ERASE) == 2
    assert list(User.objects.all()) == [bob]
    privacy.erase_account(user_id=bob.pk)
    assert User.objects.filter(pk=bob.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_deletions_one_is_the_first(alice: User) -> None:
    drain_queue()
    mail.outbox.clear()

    def delete(_: int) -> None:
        try:
            privacy.close_account(user=alice)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(delete, range(16)))
    assert drain_queue().count(privacy.ERASE) == 1
    assert len(mail.outbox) == 1


@pytest.mark.spec("ORG-034")
def test_what_goes_with_an_account_is_named_beforehand(alice: User, bob: User, alice_api: APIClient) -> None:
    def name_departure() -> dict[str, list[str]]:
        answer = alice_api.get("/api/user/deletion")
        assert answer.status_code == 200
        return {part: [one["name"] for one in found] for part, found in answer.json().items()}

    client = Organisation.objects.create(name="Corner Shop", agency=alice.own_organisation)
    Membership.objects.create(organisation=bob.own_organisation, user=alice, role=OrganisationRole.VIEWER)
    User.objects.filter(pk=alice.pk).update(current_organisation=bob.own_organisation)
    planned = {"deleted": ["Alice Alder", "Corner Shop"], "left": ["Bob Birch"], "in_the_way": []}
    assert name_departure() == planned
    own = alice_api.get("/api/user/deletion").json()["deleted"][0]
    assert (own["subscription_plan"], own["credits"]) == ("growth", 100)
    assert own["lots"] == [{"kind": "plan", "remaining": 100}]
    Membership.objects.create(organisation=client, user=bob, role=OrganisationRole.OWNER)
    assert name_departure() == planned | {"deleted": ["Alice Alder"]}
    Membership.objects.create(organisation=alice.own_organisation, user=bob, role=OrganisationRole.ADMIN)
    assert name_departure() == {"deleted": [], "left": ["Bob Birch"], "in_the_way": ["Alice Alder"]}
    assert alice_api.delete(DELETE, CONFIRMED, format="json").json()["code"] == "LAST_OWNER"
    Membership.objects.filter(organisation=alice.own_organisation, user=bob).update(role=OrganisationRole.OWNER)
    assert name_departure() == {"deleted": [], "left": ["Alice Alder", "Bob Birch"], "in_the_way": []}
