"""The full checks of a new account: a lot of its own, once for each mailbox, spent by jobs that it covers."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.signin import services as signin
from accounts.users.models import User
from billing import tasks
from billing.catalogue.plans import Plan
from billing.ledger import free_credits
from billing.ledger import services as ledger
from billing.ledger.debits import LotOrder
from billing.ledger.models import CreditAccount, CreditEntry, CreditLot, LotKind
from billing.subscriptions import entitlements, welcome_credits
from billing.subscriptions.lifecycle.trials import start_trial
from conftest import client_of, make_user
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.postgres

START = datetime(2026, 1, 10, 8, tzinfo=UTC)


def newcomer(email: str = "wes@willow.org") -> User:
    user = signin.register_account(email=email, password="correct-horse-42", name="Wes")
    signin.verify_address(user=user)
    return user


def lots(user: User) -> list[tuple[str, int]]:
    return list(
        CreditLot.objects.filter(organisation=user.own_organisation).order_by("pk").values_list("kind", "remaining")
    )


@pytest.fixture
def wes(db: None) -> User:
    """100 welcome credits until next month, and 50 others that end before."""
    user = make_user("wes@willow.org", "Wes Willow", plan=Plan.FREE)
    soon = timezone.now() + timedelta(days=3)
    ledger.grant_credits(
        organisation_id=user.pk, kind=LotKind.BONUS, amount=50, reason="Bonus", key="bonus", expires_at=soon
    )
    return user


def spend(user: User, amount: int, key: str, order: LotOrder = LotOrder.WELCOME_IF_ENOUGH) -> bool:
    """Whether it was paid by welcome credits."""
    return welcome_credits.is_welcome_hold(
        ledger.open_hold(organisation_id=user.pk, amount=amount, reason="Test", key=key, order=order)
    )


@pytest.mark.django_db
@pytest.mark.spec("PEN-021", "PRC-032")
@pytest.mark.finding("D2")
def test_the_first_month_is_the_welcome_and_the_others_are_not() -> None:
    with time_machine.travel(START, tick=False) as clock:
        user = newcomer()
        (lot,) = CreditLot.objects.filter(organisation=user.own_organisation)
        assert (lot.kind, lot.remaining, lot.expires_at) == ("welcome", 100, datetime(2026, 2, 10, 8, tzinfo=UTC))
        assert spend(user, 1, "one")
        clock.move_to("2026-02-10T08:00:00Z", tick=False)
        tasks.keep_time()
        assert lots(user) == [("welcome", 0), ("plan", 100)]
        assert (
            welcome_credits.load_welcome(user.own_organisation).left,
            welcome_credits.choose_checks(user.own_organisation),
        ) == (0, "basic")
        assert not spend(user, 1, "two")
    assert ledger.reconcile_ledger() == []


@pytest.mark.django_db
@pytest.mark.spec("PEN-027", "PRC-027")
def test_a_mailbox_is_welcomed_once() -> None:
    with time_machine.travel(START, tick=False) as clock:
        user = newcomer()
        free_credits.detach_mailboxes(user.pk)
        user.own_organisation.delete()
        user.delete()
        again = newcomer("Wes+again@willow.org")
        assert lots(again) == []
        clock.move_to("2026-02-11T08:00:00Z", tick=False)
        tasks.keep_time()
        assert lots(again) == [("plan", 100)]


@pytest.mark.django_db
@pytest.mark.spec("PEN-027")
def test_an_account_is_welcomed_once_whatever_its_addresses() -> None:
    with time_machine.travel(START, tick=False) as clock:
        user = newcomer()
        User.objects.filter(pk=user.pk).update(email="wes@wherever.org")
        clock.move_to("2026-02-10T08:00:00Z", tick=False)
        tasks.keep_time()
    assert lots(user) == [("welcome", 0), ("plan", 100)]


@pytest.mark.spec("PEN-022", "PRC-029")
def test_what_it_covers_altogether_is_paid_by_it_alone(wes: User) -> None:
    assert spend(wes, 100, "all")
    assert lots(wes) == [("welcome", 0), ("bonus", 50)]
    assert not spend(wes, 1, "more")
    assert lots(wes) == [("welcome", 0), ("bonus", 49)]
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PEN-022", "PRC-029")
def test_what_is_larger_spends_the_others_first_and_gets_them_back_last(wes: User) -> None:
    hold = ledger.open_hold(
        organisation_id=wes.pk, amount=120, reason="List", key="list", order=LotOrder.WELCOME_IF_ENOUGH
    )
    assert (welcome_credits.is_welcome_hold(hold), lots(wes)) == (False, [("welcome", 30), ("bonus", 0)])
    ledger.close_hold(hold=hold, captured=45)
    assert lots(wes) == [("welcome", 100), ("bonus", 5)]
    assert not spend(wes, 5, "small", LotOrder.WELCOME_LAST)
    assert lots(wes) == [("welcome", 100), ("bonus", 0)]
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PEN-022")
def test_what_was_not_used_of_it_returns_to_it(wes: User) -> None:
    hold = ledger.open_hold(
        organisation_id=wes.pk, amount=60, reason="List", key="list", order=LotOrder.WELCOME_IF_ENOUGH
    )
    assert ledger.close_hold(hold=hold, captured=10) == 50
    assert lots(wes) == [("welcome", 90), ("bonus", 50)]
    assert CreditEntry.objects.filter(lot__kind="bonus", kind="release").count() == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("PEN-022")
def test_sixteen_at_once_spend_no_welcome_credit_twice() -> None:
    user = make_user("wes@willow.org", "Wes Willow", plan=Plan.FREE)
    ledger.grant_credits(organisation_id=user.pk, kind=LotKind.BONUS, amount=500, reason="Bonus", key="bonus")
    paid = run_sixteen(lambda number: spend(user, 30, f"job{number}"))
    assert (sorted(paid).count(True), sorted(paid).count(False)) == (3, 13)
    assert sorted(lots(user)) == [("bonus", 110), ("welcome", 10)]
    assert CreditAccount.objects.get(organisation=user.own_organisation).balance == 120
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PEN-027", "SUB-017")
def test_a_trial_brings_full_checks_and_spends_what_ends_first(wes: User) -> None:
    start_trial(organisation=wes.own_organisation)
    ledger.open_hold(organisation_id=wes.pk, amount=60, reason="Test", key="trial")
    assert lots(wes) == [("welcome", 100), ("bonus", 0), ("trial", 90)]
    assert welcome_credits.choose_checks(wes.own_organisation, cost=5_000) == "full"


@pytest.mark.spec("PEN-023")
def test_the_credits_say_how_many_full_checks_are_left(wes: User) -> None:
    api: APIClient = client_of(wes)
    body = api.get("/api/credits").json()
    lot = CreditLot.objects.get(organisation=wes.own_organisation, kind="welcome")
    assert lot.expires_at is not None
    ends_at = f"{lot.expires_at:%Y-%m-%dT%H:%M:%SZ}"
    assert (body["welcome_credits"], body["welcome_ends_at"], body["checks"]) == (100, ends_at, "full")
    spend(wes, 100, "all")
    body = api.get("/api/credits").json()
    assert (body["welcome_credits"], body["welcome_ends_at"], body["checks"]) == (0, ends_at, "basic")
    ledger.grant_credits(organisation_id=wes.pk, kind=LotKind.PACK, amount=1, reason="Pack", key="pack")
    assert api.get("/api/credits").json()["checks"] == "full"
    assert entitlements.count_pack_credits(wes.own_organisation) == 1
