"""A hold is the same whether it is opened in a transaction or by itself, which PostgreSQL does in one statement."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.debits import LotOrder
from billing.ledger.models import CreditAccount, CreditEntry, CreditHold, CreditLot, EntryKind, LotKind
from conftest import make_user
from emailcheck.common.testing import run_sixteen

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@pytest.fixture
def una(transactional_db: None) -> User:
    """An account without credits."""
    user = make_user("una@umber.org", "Una Umber")
    ledger.claw_back_credits(organisation_id=user.own_organisation.pk, amount=100, reason="Test", key="none")
    return user


def grant(user: User, amount: int, kind: LotKind = LotKind.PACK, *, days: int | None = None) -> int:
    ends = timezone.now() + timedelta(days=days) if days is not None else None
    organisation = user.own_organisation.pk
    key = f"{kind}:{amount}:{days}"
    ledger.grant_credits(
        organisation_id=organisation, kind=kind, amount=amount, reason="Test", key=key, expires_at=ends
    )
    return CreditLot.objects.latest("pk").pk


def describe(user: User) -> dict[str, Any]:
    """Everything that holds change."""
    account = CreditAccount.objects.get(organisation=user.own_organisation)
    return {
        "account": (account.balance, account.held),
        "lots": list(CreditLot.objects.order_by("pk").values_list("pk", "remaining")),
        "holds": list(CreditHold.objects.order_by("pk").values_list("key", "amount", "captured", "state", "closed_at")),
        "entries": list(
            CreditEntry.objects.filter(kind=EntryKind.HOLD)
            .order_by("lot_id")
            .values_list("lot_id", "hold__key", "amount", "reason", "reference", "key")
        ),
    }


def hold(user: User, amount: int, key: str, order: LotOrder = LotOrder.BY_EXPIRY) -> CreditHold:
    return ledger.open_hold(
        organisation_id=user.own_organisation.pk, amount=amount, reason="Single check", key=key, order=order
    )


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_hold_moves_the_same_in_and_outside_a_transaction(una: User, *, is_inside: bool) -> None:
    later, soon = grant(una, 5, days=9), grant(una, 2, days=3)
    with transaction.atomic() if is_inside else nullcontext():
        first, again = hold(una, 1, "a"), hold(una, 1, "a")
        several = hold(una, 3, "b")
        with pytest.raises(ledger.InsufficientCredits, match="You need 4 but have 3"):
            hold(una, 4, "c")
    assert (first.pk, first.amount, first.key) == (again.pk, 1, "a")
    assert several.pk != first.pk
    found = describe(una)
    assert found["account"] == (3, 4)
    assert [lot for lot in found["lots"] if lot[0] in {later, soon}] == [(later, 3), (soon, 0)]
    assert found["holds"] == [("a", 1, 0, "open", None), ("b", 3, 0, "open", None)]
    assert found["entries"] == [
        (later, "b", -2, "Single check", "b", f"hold:b:{later}"),
        (soon, "a", -1, "Single check", "a", f"hold:a:{soon}"),
        (soon, "b", -1, "Single check", "b", f"hold:b:{soon}"),
    ]


def test_a_key_of_somebody_else_moves_nothing(una: User, bob: User) -> None:
    hold(bob, 1, "a")
    before = describe(una)
    with pytest.raises(CreditHold.DoesNotExist):
        hold(una, 1, "a")
    assert describe(una) == before


@pytest.mark.parametrize("order", LotOrder)
def test_sixteen_holds_at_once_take_what_there_is_and_no_more(una: User, order: LotOrder) -> None:
    lots = [grant(una, 4, days=3), grant(una, 3, LotKind.WELCOME, days=9), grant(una, 5)]

    def take(number: int) -> bool:
        try:
            hold(una, 1, f"k{number}", order)
        except ledger.InsufficientCredits:
            return False
        return True

    assert run_sixteen(take).count(True) == 12
    found = describe(una)
    assert (found["account"], {lot for lot in found["lots"] if lot[0] in lots}) == ((0, 12), {(pk, 0) for pk in lots})
    assert (len(found["holds"]), sum(amount for _, _, amount, *_ in found["entries"])) == (12, -12)
    assert ledger.reconcile_ledger() == []
