"""The daily credit cap of an API key: exact, also when sixteen calls come at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from accounts.access.models import ApiKey
from accounts.keys import services as keys
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditHold
from conftest import client_with
from emailcheck.common.errors import Refused
from tests.world import Sandbox
from validation.batches.models import Batch

LIVING = "ida.holm@harborquill.com"


def capped(alice: User, cap: int | None) -> tuple[ApiKey, str]:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", daily_credit_cap=cap)


def spend(key: ApiKey, amount: int, name: str) -> bool:
    try:
        ledger.open_hold(organisation_id=key.organisation_id, amount=amount, reason="Test", key=name, api_key=key)
    except Refused:
        return False
    return True


@pytest.mark.spec("DOC-045")
def test_every_way_of_spending_counts_towards_the_cap(world: Sandbox, alice: User) -> None:
    _, text = capped(alice, 3)
    api = client_with(text)
    file = SimpleUploadedFile("a.csv", LIVING.encode())
    assert api.post("/api/validate/single", {"email": LIVING}, format="json").status_code == 200
    assert api.post("/api/validate/bulk", {"emails": [LIVING]}, format="json").status_code == 200
    assert api.post("/api/validate/upload", {"file": file}, format="multipart").status_code == 200
    balance = CreditAccount.objects.get(organisation=alice.own_organisation).balance
    over = [
        api.post("/api/validate/single", {"email": LIVING}, format="json"),
        api.post("/api/validate/bulk", {"emails": [LIVING]}, format="json"),
        api.post("/api/validate/upload", {"file": SimpleUploadedFile("a.csv", LIVING.encode())}, format="multipart"),
    ]
    detail = "This API key may spend 3 credits a day and has 0 left; you need 1."
    assert [(answer.status_code, answer.json()["code"], answer.json()["detail"]) for answer in over] == [
        (403, "KEY_CAP_EXCEEDED", detail)
    ] * 3
    assert (balance, CreditAccount.objects.get(organisation=alice.own_organisation).balance) == (97, 97)
    assert Batch.objects.count() == 2


@pytest.mark.spec("DOC-045")
def test_what_is_given_back_may_be_spent_again_and_midnight_begins_anew(alice: User) -> None:
    with time_machine.travel("2026-03-01 23:00:00+00:00", tick=False) as clock:
        key, _ = capped(alice, 10)
        assert spend(key, 8, "first")
        assert not spend(key, 3, "second")
        ledger.close_hold(hold=CreditHold.objects.get(key="first"), captured=7)
        assert spend(key, 3, "third")
        assert not spend(key, 1, "fourth")
        clock.shift(timedelta(hours=1))
        assert spend(key, 10, "fifth")
        assert not spend(key, 1, "sixth")


def test_the_cap_is_of_one_key(alice: User) -> None:
    small, _ = capped(alice, 1)
    other, _ = capped(alice, 1)
    free, _ = capped(alice, None)
    assert [spend(small, 1, "a"), spend(small, 1, "b"), spend(other, 1, "c"), spend(free, 50, "d")] == [
        True, False, True, True,
    ]  # fmt: skip
    assert ledger.open_hold(organisation_id=alice.pk, amount=5, reason="Site", key="e").api_key is None


def test_a_repeated_hold_is_the_same_hold(alice: User) -> None:
    key, _ = capped(alice, 1)
    assert [spend(key, 1, "once"), spend(key, 1, "once")] == [True, True]
    assert CreditHold.objects.filter(api_key=key).count() == 1


def test_revoking_a_key_keeps_its_holds(alice: User) -> None:
    key, _ = capped(alice, 5)
    assert spend(key, 5, "a")
    keys.revoke_key(organisation=alice.own_organisation, key_id=key.pk)
    assert CreditHold.objects.get().api_key == key
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("DOC-045")
@pytest.mark.django_db(transaction=True)
def test_of_sixteen_calls_at_once_the_cap_lets_five_pass(alice: User) -> None:
    key, _ = capped(alice, 5)

    def one(number: int) -> bool:
        try:
            return spend(key, 1, f"call {number}")
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(one, range(16))).count(True) == 5
    assert CreditAccount.objects.get(organisation=alice.own_organisation).held == 5
