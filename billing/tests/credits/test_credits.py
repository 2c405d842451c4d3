"""The credit ledger: exact, safe twice, safe sixteen times at once."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F, Sum
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.signin import services as signin
from accounts.users.models import User
from billing import tasks
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditEntry, CreditHold, CreditLot, LotKind
from billing.subscriptions import entitlements
from emailcheck.common.errors import Refused
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.postgres


def balance(user: User) -> tuple[int, int]:
    account = CreditAccount.objects.get(organisation=user.own_organisation)
    return account.balance, account.held


def remaining(user: User) -> dict[str, int]:
    return dict(CreditLot.objects.filter(organisation=user.own_organisation).values_list("kind", "remaining"))


def movements(user: User) -> list[tuple[str, int]]:
    return list(
        CreditEntry.objects.filter(organisation=user.own_organisation).order_by("id").values_list("kind", "amount")
    )


@pytest.mark.django_db
def test_a_verified_address_brings_100_credits_once() -> None:
    user = signin.register_account(email="New@Person.org", password="correct-horse-42", name="New")
    assert balance(user) == (0, 0)
    assert signin.verify_address(user=user) is True
    assert signin.verify_address(user=user) is False
    assert balance(user) == (100, 0)
    assert movements(user) == [("grant", 100)]


def test_a_hold_leaves_the_balance_and_settling_returns_the_rest(alice: User) -> None:
    hold = ledger.open_hold(organisation_id=alice.pk, amount=30, reason="Batch", key="b1")
    assert balance(alice) == (70, 30)
    assert ledger.close_hold(hold=hold, captured=12) == 18
    assert balance(alice) == (88, 0)
    assert ledger.close_hold(hold=hold, captured=30) == 0
    assert balance(alice) == (88, 0)
    assert movements(alice) == [("grant", 100), ("hold", -30), ("release", 18)]
    assert entitlements.count_monthly_usage(alice.own_organisation) == 12
    assert ledger.reconcile_ledger() == []


def test_the_same_key_holds_once(alice: User) -> None:
    first = ledger.open_hold(organisation_id=alice.pk, amount=30, reason="Batch", key="b1")
    again = ledger.open_hold(organisation_id=alice.pk, amount=30, reason="Batch", key="b1")
    assert first.pk == again.pk
    assert balance(alice) == (70, 30)


def test_a_grant_happens_once_per_key(alice: User) -> None:
    assert ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=5, reason="Pack", key="p1") is True
    assert ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=5, reason="Pack", key="p1") is False
    assert balance(alice) == (105, 0)


@pytest.mark.spec("VAL-022")
def test_too_few_credits_are_refused_and_nothing_moves(alice: User) -> None:
    with pytest.raises(Refused, match=r"^Insufficient credits\. You need 101 but have 100\.$") as refusal:
        ledger.open_hold(organisation_id=alice.pk, amount=101, reason="Batch", key="b1")
    assert refusal.value.code == "QUOTA_EXCEEDED"
    assert balance(alice) == (100, 0)
    assert not CreditHold.objects.exists()


def test_credits_that_expire_first_are_spent_first_and_return_to_their_lot(alice: User) -> None:
    soon = timezone.now() + timedelta(days=3)
    ledger.grant_credits(
        organisation_id=alice.pk, kind=LotKind.TRIAL, amount=10, reason="Trial", key="g1", expires_at=soon
    )
    hold = ledger.open_hold(organisation_id=alice.pk, amount=25, reason="Batch", key="b1")
    assert remaining(alice) == {"plan": 85, "trial": 0}
    ledger.close_hold(hold=hold, captured=4)
    assert remaining(alice) == {"plan": 100, "trial": 6}
    assert ledger.reconcile_ledger() == []


def test_credits_released_after_their_date_expire(alice: User) -> None:
    soon = timezone.now() + timedelta(days=3)
    ledger.grant_credits(
        organisation_id=alice.pk, kind=LotKind.TRIAL, amount=10, reason="Trial", key="g1", expires_at=soon
    )
    hold = ledger.open_hold(organisation_id=alice.pk, amount=10, reason="Batch", key="b1")
    CreditLot.objects.filter(kind="trial").update(expires_at=timezone.now() - timedelta(days=1))
    ledger.close_hold(hold=hold, captured=4)
    assert balance(alice) == (100, 0)
    assert movements(alice)[-2:] == [("release", 6), ("expire", -6)]
    assert ledger.reconcile_ledger() == []


def test_reconcile_names_a_difference(alice: User) -> None:
    CreditAccount.objects.filter(organisation=alice.own_organisation).update(balance=99)
    assert ledger.reconcile_ledger() == [
        f"account {alice.pk}: 99 stored, 100 by its entries",
        f"account {alice.pk}: 99 stored, 100 by its lots",
    ]


def test_the_log_names_the_first_differences_and_counts_the_others(
    alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    CreditAccount.objects.filter(organisation=alice.own_organisation).update(balance=99)
    closed = [
        CreditHold(
            organisation=alice.own_organisation,
            key=str(n),
            amount=1,
            captured=1,
            state="settled",
            closed_at=timezone.now(),
        )
        for n in range(23)
    ]
    CreditHold.objects.bulk_create(closed)
    tasks.reconcile()
    said = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert said[0] == f"credits differ: account {alice.pk}: 99 stored, 100 by its entries"
    assert said[20:] == ["credits differ: 5 more, which manage.py reconcile names"]


def test_reconcile_looks_into_lots_and_holds(alice: User) -> None:
    """Two lots that make up for each other, and holds that kept more than they took."""
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=50, reason="Pack", key="p1")
    first, second = CreditLot.objects.order_by("pk")
    opened = ledger.open_hold(organisation_id=alice.pk, amount=10, reason="Batch", key="b1")
    closed = ledger.open_hold(organisation_id=alice.pk, amount=10, reason="Batch", key="b2")
    ledger.close_hold(hold=closed, captured=4)
    assert ledger.reconcile_ledger() == []
    CreditLot.objects.filter(pk=first.pk).update(remaining=F("remaining") + 1)
    CreditLot.objects.filter(pk=second.pk).update(remaining=F("remaining") - 1)
    CreditHold.objects.filter(pk=closed.pk).update(captured=5)
    CreditEntry.objects.filter(hold=opened).update(hold=None)
    assert ledger.reconcile_ledger() == [
        f"lot {first.pk}: 87 remaining, 86 by its entries",
        f"lot {second.pk}: 49 remaining, 50 by its entries",
        f"hold {opened.pk}: 10 kept, 0 by its entries",
        f"hold {closed.pk}: 5 kept, 4 by its entries",
    ]


def test_what_has_expired_is_not_shown_as_spendable(alice: User, alice_api: APIClient) -> None:
    soon = timezone.now() + timedelta(days=3)
    ledger.grant_credits(
        organisation_id=alice.pk, kind=LotKind.TRIAL, amount=10, reason="Trial", key="g1", expires_at=soon
    )
    assert alice_api.get("/api/credits").json()["credits"] == 110
    CreditLot.objects.filter(kind="trial").update(expires_at=timezone.now() - timedelta(days=1))
    answer = alice_api.get("/api/credits").json()
    assert (answer["credits"], [lot["remaining"] for lot in answer["lots"]]) == (100, [100])


def test_a_lot_may_be_taken_from_returned_to_and_expire_any_number_of_times(alice: User) -> None:
    soon = timezone.now() + timedelta(days=3)
    ledger.grant_credits(
        organisation_id=alice.pk, kind=LotKind.TRIAL, amount=10, reason="Trial", key="g1", expires_at=soon
    )
    holds = [
        ledger.open_hold(organisation_id=alice.pk, amount=5, reason="Batch", key=f"b{number}") for number in range(2)
    ]
    CreditLot.objects.filter(kind="trial").update(expires_at=timezone.now() - timedelta(days=1))
    for hold in holds:
        ledger.close_hold(hold=hold, captured=2)
    assert movements(alice)[-4:] == [("release", 3), ("expire", -3), ("release", 3), ("expire", -3)]
    assert balance(alice) == (100, 0)
    assert ledger.reconcile_ledger() == []


@pytest.mark.parametrize("captured", [-1, 31])
def test_no_more_is_kept_than_was_held(alice: User, captured: int) -> None:
    hold = ledger.open_hold(organisation_id=alice.pk, amount=30, reason="Batch", key="b1")
    with pytest.raises(IntegrityError), transaction.atomic():
        ledger.close_hold(hold=hold, captured=captured)
    assert balance(alice) == (70, 30)
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db
def test_an_account_made_on_the_command_line_can_be_asked_for_credits() -> None:
    root = User.objects.create_superuser("root@emailcheck.app", "correct-horse-42", name="Root")
    with pytest.raises(Refused, match=r"^Insufficient credits\. You need 1 but have 0\.$"):
        ledger.open_hold(organisation_id=root.pk, amount=1, reason="Single check", key="single:1")


@pytest.mark.django_db(transaction=True)
def test_sixteen_spends_at_once_never_oversell(alice: User) -> None:
    def spend(number: int) -> CreditHold:
        return ledger.open_hold(organisation_id=alice.pk, amount=10, reason="Batch", key=f"b{number}")

    assert run_sixteen(spend).count("QUOTA_EXCEEDED") == 6
    assert balance(alice) == (0, 100)
    assert CreditEntry.objects.filter(organisation=alice.own_organisation).aggregate(sum=Sum("amount")) == {"sum": 0}
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_sixteen_settlements_at_once_release_once(alice: User) -> None:
    hold = ledger.open_hold(organisation_id=alice.pk, amount=50, reason="Batch", key="b1")

    assert sorted(run_sixteen(lambda _: ledger.close_hold(hold=hold, captured=20))) == [0] * 15 + [30]
    assert balance(alice) == (80, 0)
    assert ledger.reconcile_ledger() == []
