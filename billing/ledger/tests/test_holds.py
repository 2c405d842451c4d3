"""A hold is the same whether it is opened in a transaction or by itself, which PostgreSQL does in one statement."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.debits import LotOrder
from billing.ledger.models import CreditAccount, CreditEntry, CreditHold, CreditLot, EntryKind, HoldState, LotKind
from billing.signals import credits_moved
from conftest import make_user
from emailcheck.common.storage.statements import Statement
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


def note(key: str) -> Statement:
    """A statement of a caller: a hold of nothing, which counts nowhere."""
    columns = "user_id, key, amount, captured, state, created_at"
    values = "SELECT MIN(organisation_id), %s, 0, 0, 'settled', %s FROM accounts_membership"
    return Statement(f"INSERT INTO billing_credithold ({columns}) {values} RETURNING key", [key, timezone.now()])


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_hold_is_spent_once_together_with_what_the_caller_writes(una: User, *, is_inside: bool) -> None:
    lot, made = grant(una, 5), hold(una, 2, "a")
    with transaction.atomic() if is_inside else nullcontext():
        first = ledger.spend_hold(hold=made, before=[note("b1")], after=[note("a1")])
        again = ledger.spend_hold(hold=made, before=[note("b2")], after=[note("a2")])
    assert (first, again) == ([[("b1",)]], [[("b2",)]])
    found = describe(una)
    assert (found["account"], dict(found["lots"])[lot]) == ((3, 0), 3)
    told = [(key, captured) for key, _, captured, state, _ in found["holds"] if state == HoldState.CLOSED]
    assert told == [("a", 2), ("b1", 0), ("a1", 0), ("b2", 0), ("a2", 0)]
    assert ledger.reconcile_ledger() == []


@pytest.mark.parametrize("place", ["before", "after"])
def test_what_a_caller_cannot_write_spends_nothing(una: User, place: str) -> None:
    grant(una, 5)
    made = hold(una, 2, "a")
    before = describe(una)
    with pytest.raises(DatabaseError):
        ledger.spend_hold(hold=made, **{place: [note("b"), Statement("INSERT INTO nowhere VALUES (%s)", [1])]})
    assert describe(una) == before


def test_sixteen_that_spend_a_hold_spend_it_once(una: User) -> None:
    grant(una, 5)
    made = hold(una, 2, "a")
    run_sixteen(lambda number: ledger.spend_hold(hold=made, after=[note(f"n{number}")]))
    assert describe(una)["account"] == (3, 0)
    assert CreditHold.objects.filter(amount=0).count() == 16
    assert ledger.reconcile_ledger() == []


def test_a_notice_that_fails_takes_no_charge_back(una: User, caplog: pytest.LogCaptureFixture) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("no mail today")

    grant(una, 5)
    made = hold(una, 2, "a")
    credits_moved.connect(fail)
    try:
        ledger.spend_hold(hold=made)
    finally:
        credits_moved.disconnect(fail)
    assert describe(una)["account"] == (3, 0)
    assert "no mail today" in caplog.text


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_hold_of_several_lots_is_returned_to_them_once(una: User, *, is_inside: bool) -> None:
    later, soon = grant(una, 5, days=9), grant(una, 2, days=3)
    made = hold(una, 3, "a")
    with transaction.atomic() if is_inside else nullcontext():
        assert (ledger.close_hold(hold=made, captured=0), ledger.close_hold(hold=made, captured=0)) == (3, 0)
    found = describe(una)
    assert (found["account"], dict(found["lots"])[later], dict(found["lots"])[soon]) == ((7, 0), 5, 2)
    released = CreditEntry.objects.filter(kind=EntryKind.RELEASE).order_by("lot_id")
    assert list(released.values_list("lot_id", "amount", "hold_id", "reference", "key", "reason")) == [
        (later, 1, made.pk, "a", f"release:a:{later}", "Not used, returned"),
        (soon, 2, made.pk, "a", f"release:a:{soon}", "Not used, returned"),
    ]
    assert ledger.reconcile_ledger() == []


@pytest.mark.parametrize("first", [0, 2])
def test_a_hold_that_was_spent_or_returned_stays_so(una: User, first: int) -> None:
    grant(una, 5)
    made = hold(una, 2, "a")
    ledger.close_hold(hold=made, captured=first)
    before = describe(una)
    assert [ledger.close_hold(hold=made, captured=captured) for captured in (2, 0, 1)] == [0, 0, 0]
    assert describe(una) == before
    assert ledger.reconcile_ledger() == []


def test_of_sixteen_that_spend_or_return_a_hold_one_does(una: User) -> None:
    grant(una, 5)
    made = hold(una, 2, "a")
    returned = run_sixteen(lambda number: ledger.close_hold(hold=made, captured=2 * (number % 2)))
    account = describe(una)["account"]
    assert (sum(returned), account) in ((2, (5, 0)), (0, (3, 0)))
    assert ledger.reconcile_ledger() == []


def test_what_an_account_owes_is_taken_from_what_is_returned(una: User) -> None:
    lot, made = grant(una, 5), hold(una, 5, "a")
    ledger.claw_back_credits(organisation_id=una.own_organisation.pk, amount=2, reason="Refund", key="refund")
    assert ledger.close_hold(hold=made, captured=0) == 5
    account = CreditAccount.objects.get(organisation=una.own_organisation)
    assert (account.balance, account.held, account.debt, dict(describe(una)["lots"])[lot]) == (3, 0, 0, 3)
    assert ledger.reconcile_ledger() == []


@pytest.mark.parametrize("change", ["paused", "past its date"])
def test_what_is_returned_to_a_lot_that_cannot_be_spent_is_not_in_the_balance(una: User, change: str) -> None:
    lot, made = grant(una, 5, LotKind.PLAN, days=9), hold(una, 2, "a")
    if change == "paused":
        ledger.freeze_credits(organisation_id=una.own_organisation.pk)
    else:
        CreditLot.objects.filter(pk=lot).update(expires_at=timezone.now())
    assert ledger.close_hold(hold=made, captured=0) == 2
    frozen = 5 if change == "paused" else 0
    assert (describe(una)["account"], CreditLot.objects.get(pk=lot).frozen) == ((0, 0), frozen)
    assert ledger.reconcile_ledger() == []
