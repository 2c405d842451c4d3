"""The ledger as staff read it."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import bulk_grants, services
from billing.ledger.models import CreditAccount, CreditEntry, LotKind
from billing.reports import movements
from billing.subscriptions import staff_changes
from conftest import client_of

pytestmark = pytest.mark.postgres


def read(api: APIClient, user: User, **query: Any) -> list[dict[str, Any]]:
    """All pages."""
    entries: list[dict[str, Any]] = []
    after: str | None = ""
    while after is not None:
        answer = api.get(f"/api/admin/users/{user.pk}/ledger", query | {"cursor": after}).json()
        entries += answer["entries"]
        after = answer["next"]
    return entries


@pytest.fixture
def busy(alice: User, bob: User, sam: User) -> User:
    """Many movements of Alice, with Bob's between them."""
    for number in range(60):
        for user in (alice, bob):
            made = services.open_hold(
                organisation_id=user.pk, amount=2, reason="A check", key=f"single:{user.pk}:{number}"
            )
            services.close_hold(hold=made, captured=1)
        if number % 25 == 0:
            services.grant_credits(
                organisation_id=alice.pk, kind=LotKind.PACK, amount=10, reason="A pack", key=f"pack:{number}"
            )
    return alice


@pytest.mark.spec("ADM-231")
def test_every_entry_newest_first_with_the_balance_after_it(busy: User, sam: User) -> None:
    entries = read(client_of(sam), busy)
    stored = list(
        CreditEntry.objects.filter(organisation=busy.own_organisation).order_by("-pk").values_list("amount", "reason")
    )
    assert [(entry["amount"], entry["reason"]) for entry in entries] == stored
    running = 0
    for entry in reversed(entries):
        running += entry["amount"]
        assert entry["balance"] == running
    credits = client_of(sam).get(f"/api/admin/users/{busy.pk}").json()["user"]["credits"]
    assert running == credits == CreditAccount.objects.get(organisation=busy.own_organisation).balance
    assert len(entries) > 2 * movements.PAGE_ROWS
    assert set(entries[0]) == {
        "time", "reason", "reference", "lot", "lot_expires_at", "amount", "balance", "staff",
    }  # fmt: skip


@pytest.mark.spec("ADM-231", "ADM-013")
@pytest.mark.parametrize("reason", ["a CHECK", "A pack", "Not used, returned", "nothing like it"])
def test_a_filter_leaves_the_balances_as_they_are(busy: User, sam: User, reason: str) -> None:
    api = client_of(sam)
    everything = read(api, busy)
    wanted = [entry for entry in everything if reason.lower() in entry["reason"].lower()]
    assert read(api, busy, reason=reason) == wanted


@pytest.mark.spec("ADM-231")
def test_whoever_of_the_staff_moved_credits_is_named(alice: User, sam: User) -> None:
    reason = bulk_grants.GrantReason.COMPENSATION
    bulk_grants.grant_to_accounts(staff=sam, addresses=[alice.email], credits=5, reason=reason, reference="g1")
    staff_changes.set_credits(organisation=alice.own_organisation, by=sam, credits=90, read=105, reason="Given twice")
    staff_changes.set_credits(organisation=alice.own_organisation, by=sam, credits=95, read=90, reason="Sorry")
    entries, who = read(client_of(sam), alice), "Sam Staff (sam@emailcheck.app)"
    assert [(entry["reason"], entry["amount"], entry["staff"]) for entry in entries] == [
        ("Sorry", 5, who), ("Given twice", -15, who), ("Compensation", 5, who),
        ("Free: full checks of the first month", 100, None),
    ]  # fmt: skip
    User.objects.filter(pk=sam.pk).update(email="other@emailcheck.app")
    assert read(client_of(sam), alice)[0]["staff"] == who


@pytest.mark.spec("ADM-231")
@pytest.mark.parametrize("cursor", ["nonsense", "WyJuZXdlc3QiLCAiIiwgMV0=", "WyJsZWRnZXIiLCAiIiwgMV0="])
def test_a_cursor_of_another_list_is_refused(alice: User, sam: User, cursor: str) -> None:
    answer = client_of(sam).get(f"/api/admin/users/{alice.pk}/ledger", {"cursor": cursor})
    assert (answer.status_code, answer.json()["details"]["field"]) == (400, "cursor")


def test_an_account_without_movements_has_an_empty_ledger(db: None, sam: User) -> None:
    nobody = User.objects.create_user("new@oak.de", name="New")
    assert client_of(sam).get(f"/api/admin/users/{nobody.pk}/ledger").json() == {"entries": [], "next": None}
