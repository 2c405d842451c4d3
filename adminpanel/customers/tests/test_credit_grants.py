"""Credits for many accounts at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import BulkGrant, CreditAccount, CreditEntry
from conftest import client_of
from emailcheck.common.testing import run_sixteen

GRANT = "/api/admin/credits/bulk-grant"
LISTED = [" Alice@Alder.com ", "", "nobody@x.org", "bob@birch.net", "alice@alder.com", "no address"]
IN_DIGITS = "Enter a whole number in plain digits, such as 250."
WISH: dict[str, Any] = {"user_emails": LISTED, "credits": 250, "reason": "promotional"}


def balances() -> list[int]:
    return list(CreditAccount.objects.order_by("pk").values_list("balance", flat=True))


@pytest.mark.spec("ADM-302", "ADM-306")
def test_a_preview_tells_whom_it_would_reach_and_moves_nothing(sam: User, alice: User, bob: User) -> None:
    before = balances()
    wish = {"user_emails": LISTED, "credits": 250}
    found = client_of(sam).post(f"{GRANT}/preview", wish, format="json").json()
    assert found == {
        "found": [
            {"email": "alice@alder.com", "name": "Alice Alder", "organisation": "Alice Alder",
             "other_organisations": []},
            {"email": "bob@birch.net", "name": "Bob Birch", "organisation": "Bob Birch",
             "other_organisations": []},
        ],
        "not_found": ["nobody@x.org", "no address"], "duplicates": ["alice@alder.com"], "total_credits": 500,
    }  # fmt: skip
    assert balances() == before


@pytest.mark.spec("ADM-305", "ADM-306", "SEC-003")
def test_a_grant_gives_each_its_credits_once(sam: User, alice: User, bob: User) -> None:
    api = client_of(sam)
    answers = [api.post(GRANT, WISH, format="json", headers={"Idempotency-Key": "monday"}) for _ in range(2)]
    for answer in answers:
        assert answer.json() == {
            "granted_count": 2, "not_found": ["nobody@x.org", "no address", "alice@alder.com"],
            "message": "Credits granted to 2 users successfully!",
        }  # fmt: skip
    assert answers[1]["Idempotent-Replayed"] == "true"
    assert balances() == [100, 350, 350]
    entry = CreditEntry.objects.get(organisation=alice.own_organisation, amount=250)
    assert (entry.reason, BulkGrant.objects.get(reference=entry.reference).staff_id) == ("Promotional", sam.pk)
    assert Activity.objects.filter(staff_id=sam.pk, action="250 credits added").count() == 2
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-303", "ADM-304", "ADM-305")
@pytest.mark.parametrize(
    "change",
    [
        {"credits": 0}, {"credits": "many"}, {"credits": 1.5}, {"reason": ""}, {"reason": "because"},
        {"user_emails": []}, {"user_emails": ["", " "]}, {"user_emails": "alice@alder.com"},
    ],
)  # fmt: skip
def test_a_wrong_wish_gives_nothing(sam: User, alice: User, bob: User, change: dict[str, Any]) -> None:
    before = balances()
    answer = client_of(sam).post(GRANT, WISH | change, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert balances() == before
    assert not BulkGrant.objects.exists()


@pytest.mark.finding("I3")
@pytest.mark.parametrize("credits", [" 5 ", "5.0", 5.0, "5\n", "\uff15", "\u0665", "+5", "1_0", "5e1", True, None, ""])
def test_credits_are_a_whole_number_in_plain_digits(sam: User, alice: User, bob: User, credits: Any) -> None:
    before, api = balances(), client_of(sam)
    for path in (GRANT, f"{GRANT}/preview"):
        answer = api.post(path, WISH | {"credits": credits}, format="json")
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, "credits")
        assert (answer.json()["detail"] == IN_DIGITS) == (credits is not None)
    assert (balances(), BulkGrant.objects.count()) == (before, 0)
    assert api.post(GRANT, WISH | {"credits": "5"}, format="json").json()["granted_count"] == 2
    assert balances() == [100, 105, 105]


@pytest.mark.spec("ADM-304")
@pytest.mark.parametrize(
    "reason", ["beta_testing", "customer_service", "emergency_topup", "promotional", "compensation"]
)
def test_each_reason_is_taken(sam: User, alice: User, reason: str) -> None:
    answer = client_of(sam).post(GRANT, WISH | {"reason": reason}, format="json")
    assert answer.json()["granted_count"] == 1
    assert BulkGrant.objects.get().reason == reason


@pytest.mark.spec("SEC-015")
def test_a_grant_asks_who_is_there(sam: User, alice: User) -> None:
    api, before = client_of(sam), balances()
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    assert api.post(GRANT, WISH, format="json").json()["code"] == "REAUTH_REQUIRED"
    assert balances() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-306")
def test_sixteen_times_the_same_grant_give_once(sam: User, alice: User, bob: User) -> None:
    api = client_of(sam)
    headers = {"Idempotency-Key": "monday"}
    answers = run_sixteen(lambda _: api.post(GRANT, WISH, format="json", headers=headers).status_code)
    assert set(answers) <= {200, 409}
    assert 200 in answers
    assert balances() == [100, 350, 350]
    assert ledger.reconcile_ledger() == []
