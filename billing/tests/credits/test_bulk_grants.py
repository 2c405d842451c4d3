"""Credits given to many at once, and credits taken back."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.ledger import bulk_grants
from billing.ledger import services as ledger
from billing.ledger.models import BulkGrant, Clawback, CreditAccount, CreditEntry, CreditLot, LotKind
from billing.subscriptions import entitlements
from emailcheck.common.errors import BadInput, Unprocessable
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.postgres


def credits(user: User) -> int:
    total: int = entitlements.build_account_summary(user.own_organisation)["credits"]
    return total


def give(staff: User, **changes: Any) -> BulkGrant:
    call: dict[str, Any] = {
        "addresses": ["Alice@Alder.com ", "", "bob@birch.net"],
        "credits": 250,
        "reason": bulk_grants.GrantReason.COMPENSATION,
        "reference": "g1",
    }
    return bulk_grants.grant_to_accounts(staff=staff, **(call | changes))


@pytest.mark.spec("ADM-302", "ADM-306")
def test_each_account_gets_them_once(sam: User, alice: User, bob: User) -> None:
    listed = ["Alice@Alder.com ", "", "nobody@x.org", "alice@alder.com", "bob@birch.net"]
    for _ in range(2):
        done = give(sam, addresses=listed)
        assert (done.granted_count, done.not_found) == (2, ["nobody@x.org", "alice@alder.com"])
        assert (credits(alice), credits(bob), credits(sam)) == (350, 350, 100)
    lot = CreditLot.objects.get(organisation=alice.own_organisation, kind=LotKind.BONUS)
    assert lot.expires_at is not None
    assert timedelta(days=364) < lot.expires_at - timezone.now() <= timedelta(days=365)
    lines = Activity.objects.filter(action="250 credits added").order_by("user_id")
    assert [(line.organisation_id, line.staff_id) for line in lines] == [(alice.pk, sam.pk), (bob.pk, sam.pk)]
    assert CreditEntry.objects.get(lot=lot).reason == "Compensation"
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-303")
@pytest.mark.parametrize(
    "changes",
    [
        {"credits": 0},
        {"credits": -1},
        {"credits": 1.5},
        {"credits": True},
        {"credits": 1_000_001},
        {"addresses": ["", "  "]},
        {"addresses": ["alice@alder.com"] * 1_001},
    ],
)
def test_what_is_out_of_bounds_gives_nothing(sam: User, alice: User, bob: User, changes: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        give(sam, **changes)
    assert (credits(alice), credits(bob), BulkGrant.objects.count()) == (100, 100, 0)


@pytest.mark.parametrize("changes", [{"credits": 251}, {"addresses": ["bob@birch.net"]}, {"reason": "promotional"}])
def test_a_grant_id_belongs_to_one_grant(sam: User, alice: User, bob: User, changes: dict[str, Any]) -> None:
    give(sam)
    with pytest.raises(Unprocessable):
        give(sam, **changes)
    assert (credits(alice), credits(bob)) == (350, 350)


@pytest.mark.django_db(transaction=True)
def test_sixteen_grants_at_once_give_once(sam: User, alice: User, bob: User) -> None:
    assert run_sixteen(lambda _: give(sam).granted_count) == [2] * 16
    assert (credits(alice), credits(bob)) == (350, 350)
    assert ledger.reconcile_ledger() == []


def pack(user: User, amount: int, key: str) -> None:
    ledger.grant_credits(organisation_id=user.pk, kind=LotKind.PACK, amount=amount, reason="Pack", key=key)


def take(user: User, amount: int, key: str = "r1", granted_by: str = "p1") -> bool:
    return ledger.claw_back_credits(
        organisation_id=user.pk, amount=amount, reason="Refund", key=key, granted_by=granted_by
    )


def owed(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).debt


def test_a_refund_takes_its_own_lot_first_and_once(alice: User) -> None:
    pack(alice, 500, "p0")
    pack(alice, 500, "p1")
    assert [take(alice, 500), take(alice, 500)] == [True, False]
    assert (credits(alice), owed(alice)) == (600, 0)
    assert [
        lot.remaining
        for lot in CreditLot.objects.filter(organisation=alice.own_organisation, kind=LotKind.PACK).order_by("pk")
    ] == [500, 0]
    assert ledger.reconcile_ledger() == []


def test_what_was_spent_becomes_a_debt_that_later_credits_pay(alice: User) -> None:
    pack(alice, 500, "p1")
    hold = ledger.open_hold(organisation_id=alice.pk, amount=600, reason="Batch", key="b1")
    take(alice, 500)
    assert (credits(alice), owed(alice)) == (0, 500)
    ledger.close_hold(hold=hold, captured=550)  # 50 come back, and pay
    assert (credits(alice), owed(alice)) == (0, 450)
    pack(alice, 1_000, "p2")
    assert (credits(alice), owed(alice)) == (550, 0)
    assert Clawback.objects.get().outstanding == 0
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_sixteen_refunds_at_once_take_once(alice: User) -> None:
    pack(alice, 500, "p1")

    def once(_: int) -> bool:
        try:
            return take(alice, 500)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(once, range(16)))
    assert (answers.count(True), credits(alice), owed(alice)) == (1, 100, 0)
    assert ledger.reconcile_ledger() == []


def test_reconcile_looks_into_debts(alice: User) -> None:
    take(alice, 150, granted_by="")
    assert (credits(alice), owed(alice), ledger.reconcile_ledger()) == (0, 50, [])
    CreditAccount.objects.filter(organisation=alice.own_organisation).update(debt=49)
    Clawback.objects.update(outstanding=60)
    assert ledger.reconcile_ledger() == [
        f"account {alice.pk}: 49 stored, 60 by its clawbacks",
        f"clawback {Clawback.objects.get().pk}: 90 taken, 100 by its entries",
    ]
