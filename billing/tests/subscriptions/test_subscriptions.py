"""Credits of the month, plan by plan, through months of frozen time."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.signin import services as signin
from accounts.users.models import User
from billing import tasks
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import free_credits
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditedMailbox, CreditEntry, CreditLot, LotKind
from billing.subscriptions import entitlements, subscription_status
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.models import Status, Subscription
from conftest import PASSWORD, make_user
from emailcheck.common.errors import BadInput, Conflict

pytestmark = pytest.mark.django_db


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def newcomer(email: str = "nora@nettle.org") -> User:
    return make_user(email, "Nora Nettle", plan=Plan.FREE)


def grants(user: User) -> list[tuple[str, int]]:
    entries = CreditEntry.objects.filter(organisation=user.own_organisation, kind="grant").order_by("id")
    return [(f"{entry.created_at:%Y-%m-%d}", entry.amount) for entry in entries]


def credits(user: User) -> int:
    total: int = entitlements.build_account_summary(user.own_organisation)["credits"]
    return total


def pass_to(clock: time_machine.Traveller, text: str) -> None:
    clock.move_to(at(text), tick=False)
    tasks.keep_time()
    tasks.keep_time()


@pytest.mark.spec("PRC-027", "PRC-032")
def test_free_gives_100_a_month_from_sign_up_once_verified() -> None:
    with time_machine.travel(at("2025-12-31 10:00"), tick=False) as clock:
        user = signin.register_account(email="nora@nettle.org", password=PASSWORD, name="Nora")
        tasks.keep_time()
        assert (grants(user), credits(user)) == ([], 0)
        clock.move_to(at("2026-01-05 10:00"), tick=False)
        signin.verify_address(user=user)
        ledger.open_hold(organisation_id=user.pk, amount=30, reason="Batch", key="b1")
        assert credits(user) == 70
        pass_to(clock, "2026-01-31 09:59")
        assert credits(user) == 70
        for day in ("2026-01-31", "2026-02-28", "2026-03-31"):
            pass_to(clock, f"{day} 10:00")
            assert credits(user) == 100
        assert grants(user) == [
            ("2026-01-05", 100), ("2026-01-31", 100), ("2026-02-28", 100), ("2026-03-31", 100),
        ]  # fmt: skip
        assert entitlements.build_account_summary(user.own_organisation)["resets_at"] == at("2026-04-30 10:00")
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PRC-032", "PRC-029")
def test_a_yearly_plan_renews_monthly_and_packs_survive() -> None:
    with time_machine.travel(at("2027-08-31 08:00"), tick=False) as clock:
        user = newcomer()
        ledger.grant_credits(organisation_id=user.pk, kind=LotKind.PACK, amount=5_000, reason="Pack", key="p1")
        clock.shift(timedelta(minutes=1))
        subscriptions.activate_plan(
            organisation_id=user.pk, plan=Plan.STARTER, cycle=Cycle.YEARLY, paid_until=at("2028-08-31 08:01")
        )
        for day in ("2027-09-30", "2027-10-31", "2028-02-29", "2028-03-31", "2028-07-31"):
            pass_to(clock, f"{day} 08:01")
            assert credits(user) == 10_000
            ledger.open_hold(organisation_id=user.pk, amount=4_000, reason="Batch", key=day)
        assert [day for day, amount in grants(user) if amount == 5_000] == [
            "2027-08-31", "2027-08-31", "2027-09-30", "2027-10-31", "2028-02-29", "2028-03-31", "2028-07-31",
        ]  # fmt: skip
        pass_to(clock, "2028-08-31 08:01")
        assert (
            entitlements.load_current_plan(user.own_organisation).plan == Plan.FREE
        )  # the year is over, and nobody pays on
        assert credits(user) == 5_100
        subscriptions.activate_plan(
            organisation_id=user.pk, plan=Plan.STARTER, cycle=Cycle.YEARLY, paid_until=at("2029-08-31 08:01")
        )
        assert credits(user) == 10_100
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PRC-032")
def test_a_late_job_grants_the_current_month_once() -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        user = newcomer()
        pass_to(clock, "2026-06-25 08:00")
        assert grants(user) == [("2026-01-10", 100), ("2026-06-25", 100)]
        assert credits(user) == 100
        assert entitlements.build_account_summary(user.own_organisation)["resets_at"] == at("2026-07-10 08:00")


def test_held_credits_survive_the_end_of_a_month() -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        user = newcomer()
        held = ledger.open_hold(organisation_id=user.pk, amount=100, reason="Batch", key="b1")
        pass_to(clock, "2026-02-10 08:00")
        assert credits(user) == 100
        assert ledger.close_hold(hold=held, captured=60) == 40
        assert credits(user) == 100  # the 40 went back to a lot of the month before
        assert entitlements.count_monthly_usage(user.own_organisation) == 60
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("DASH-024", "SUB-001")
def test_what_is_charged_before_the_hour_of_the_billing_dates_counts_in_the_first_month() -> None:
    def check(number: int) -> None:
        held = ledger.open_hold(organisation_id=user.pk, amount=10, reason="Batch", key=f"b{number}")
        assert ledger.close_hold(hold=held, captured=number) == 10 - number

    def used() -> set[int]:
        return {
            entitlements.count_monthly_usage(user.own_organisation),
            subscription_status.load_account_figures([user.own_organisation])[user.pk].monthly_usage,
        }

    with time_machine.travel(at("2026-03-05 07:00"), tick=False) as clock:
        user = newcomer()
        check(1)
        assert used() == {1}
        pass_to(clock, "2026-03-05 08:00")
        subscriptions.activate_plan(
            organisation_id=user.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY, paid_until=at("2026-04-05 10:00")
        )
        assert used() == {0}  # what was charged before belongs to the free month
        check(2)
        assert used() == {2}
        pass_to(clock, "2026-03-05 10:00")
        check(4)
        assert used() == {6}
        pass_to(clock, "2026-04-05 09:59")
        assert used() == {6}
        subscriptions.extend_plan(organisation_id=user.pk, paid_until=at("2026-05-05 10:00"))
        pass_to(clock, "2026-04-05 10:00")
        assert used() == {0}
        check(8)
        assert used() == {8}


@pytest.mark.spec("SUB-050")
def test_an_upgrade_adds_its_share_and_toggling_adds_nothing() -> None:
    with time_machine.travel(at("2026-03-31 23:00"), tick=False) as clock:
        user = newcomer()
        clock.move_to(at("2026-04-01 00:00"), tick=False)
        subscriptions.activate_plan(
            organisation_id=user.pk, plan=Plan.STARTER, cycle=Cycle.MONTHLY, paid_until=at("2026-06-01")
        )
        clock.move_to(at("2026-04-16 00:00"), tick=False)
        starter, growth, pro = Plan.STARTER, Plan.GROWTH, Plan.PRO
        changes = (growth, starter, growth, starter, pro, starter, pro)
        added = [subscriptions.change_plan(organisation_id=user.pk, plan=plan, cycle=Cycle.MONTHLY) for plan in changes]
        assert added == [2_500, 0, 0, 0, 5_000, 0, 0]
        assert credits(user) == 100 + 5_000 + 7_500
        subscriptions.change_plan(organisation_id=user.pk, plan=Plan.STARTER, cycle=Cycle.MONTHLY)
        pass_to(clock, "2026-05-01 00:00")
        assert credits(user) == 5_000
        subscriptions.change_plan(organisation_id=user.pk, plan=Plan.GROWTH, cycle=Cycle.YEARLY)
        assert credits(user) == 10_000
    assert ledger.reconcile_ledger() == []


def test_nothing_can_be_changed_without_a_paid_plan() -> None:
    user = newcomer()
    with pytest.raises(Conflict, match="No active subscription"):
        subscriptions.change_plan(organisation_id=user.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY)
    start_trial(organisation=user.own_organisation)
    with pytest.raises(Conflict, match="No active subscription"):
        subscriptions.change_plan(organisation_id=user.pk, plan=Plan.PRO, cycle=Cycle.MONTHLY)
    assert credits(user) == 200


@pytest.mark.spec("PRC-029")
def test_plan_credits_lapse_with_the_plan_and_packs_stay() -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        user = newcomer()
        ledger.grant_credits(organisation_id=user.pk, kind=LotKind.PACK, amount=500, reason="Pack", key="p1")
        clock.move_to(at("2026-01-20 08:00"), tick=False)
        for _ in range(3):  # there and back again earns nothing: this month's free credits were given
            subscriptions.activate_plan(
                organisation_id=user.pk, plan=Plan.STARTER, cycle=Cycle.MONTHLY, paid_until=at("2026-02-20 08:00")
            )
            assert subscriptions.end_plan(organisation_id=user.pk) is True
            assert credits(user) == 600  # the pack, and what is left of the first month
            clock.shift(timedelta(hours=1))
        assert subscriptions.end_plan(organisation_id=user.pk) is False
        pass_to(clock, "2026-02-10 08:00")
        assert credits(user) == 600
    assert ledger.reconcile_ledger() == []


def test_the_same_plan_is_begun_once_and_another_one_is_refused() -> None:
    user = newcomer()
    until = timezone.now() + timedelta(days=30)
    begun = [
        subscriptions.activate_plan(organisation_id=user.pk, plan=Plan.GROWTH, cycle=Cycle.MONTHLY, paid_until=until)
        for _ in range(2)
    ]
    assert begun == [True, False]
    with pytest.raises(Conflict, match="Change the plan instead"):
        subscriptions.activate_plan(organisation_id=user.pk, plan=Plan.PRO, cycle=Cycle.MONTHLY, paid_until=until)
    assert credits(user) == 10_100


def test_a_plan_that_is_unpaid_gets_nothing_new() -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        user = newcomer()
        clock.shift(timedelta(seconds=1))
        subscriptions.activate_plan(organisation_id=user.pk, plan=Plan.STARTER, cycle=Cycle.MONTHLY, paid_until=None)
        Subscription.objects.filter(organisation=user.own_organisation).update(status=Status.PAST_DUE)
        pass_to(clock, "2026-02-10 08:01")
        assert credits(user) == 0
        subscriptions.extend_plan(organisation_id=user.pk, paid_until=at("2026-03-10 08:00"))
        assert credits(user) == 5_000


def test_what_was_agreed_upon_one_by_one_comes_every_month() -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        user = newcomer()
        clock.shift(timedelta(seconds=1))
        subscriptions.activate_plan(
            organisation_id=user.pk,
            plan=Plan.CUSTOM,
            cycle=Cycle.MONTHLY,
            paid_until=None,
            custom_monthly_credits=60_000,
        )
        assert entitlements.build_account_summary(user.own_organisation)["monthly_limit"] == 60_000
        pass_to(clock, "2026-02-10 08:01")
        assert credits(user) == 60_000


@pytest.mark.parametrize("second", ["nora+two@nettle.org", "Nora@Nettle.org "])
def test_free_credits_come_once_a_mailbox(second: str) -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        first = make_user("nora+one@nettle.org", "Nora", plan=Plan.FREE)
        again = newcomer(second)
        pass_to(clock, "2026-02-10 08:00")
        assert (credits(first), credits(again)) == (100, 0)


@pytest.mark.spec("PRC-027")
def test_free_credits_do_not_come_again_after_deletion() -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        first = newcomer()
        start_trial(organisation=first.own_organisation)
        first.own_organisation.delete()
        first.delete()
        again = newcomer()
        assert credits(again) == 0
        with pytest.raises(BadInput, match=r"^Growth trial already used$"):
            start_trial(organisation=again.own_organisation)
        pass_to(clock, "2026-02-10 08:00")
        assert credits(again) == 100


def test_gmail_writes_one_mailbox_in_many_ways() -> None:
    make_user("n.o.r.a@gmail.com", "Nora", plan=Plan.FREE)
    assert credits(make_user("nora+x@googlemail.com", "Nora", plan=Plan.FREE)) == 0
    assert credits(make_user("n.ora@nettle.org", "Nora", plan=Plan.FREE)) == 100
    assert credits(make_user("nora@nettle.org", "Nora", plan=Plan.FREE)) == 100


def test_throw_away_mailboxes_get_no_free_credits_and_no_trial() -> None:
    user = make_user("nora@mailinator.com", "Nora", plan=Plan.FREE)
    assert credits(user) == 0
    with pytest.raises(BadInput):
        start_trial(organisation=user.own_organisation)
    assert credits(user) == 0


@pytest.mark.django_db(transaction=True)
def test_sixteen_renewals_at_once_grant_once() -> None:
    with time_machine.travel(at("2026-01-10 08:00"), tick=False) as clock:
        user = newcomer()
        clock.move_to(at("2026-02-11 08:00"), tick=False)

        def renew(_: int) -> bool:
            try:
                return subscriptions.renew_credits(organisation_id=user.pk)
            finally:
                connection.close()

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(renew, range(16)))
    assert sorted(answers) == [False] * 15 + [True]
    account = CreditAccount.objects.get(organisation=user.own_organisation)
    assert (account.balance, CreditLot.objects.filter(organisation=user.own_organisation).count()) == (200, 2)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PRC-027")
def test_what_is_kept_of_a_deleted_account_is_a_hash_of_its_mailbox() -> None:
    user = newcomer()
    free_credits.detach_mailboxes(user.pk)
    user.own_organisation.delete()
    user.delete()
    kept = CreditedMailbox.objects.get()
    assert (kept.organisation_id, len(kept.digest), "nora" in kept.digest) == (None, 64, False)
    assert credits(newcomer()) == 0
