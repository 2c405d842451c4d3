"""Sixteen at once of every verb of a subscription: it happens once, and the books agree."""

from collections.abc import Callable

import pytest

from billing import tasks
from billing.catalogue.plans import Cycle, Plan
from billing.checkout.payment_return import complete_plan_change
from billing.ledger.models import CreditEntry
from billing.payments.models import Agreement, Purchase
from billing.provider_sync import agreements, polling
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle import cancellations, pauses, plan_changes
from billing.subscriptions.models import Pause
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue, run_sixteen
from tests.subscriber import Subscriber

pytestmark = pytest.mark.django_db(transaction=True)
STARTER, MONTHLY = Plan.STARTER, Cycle.MONTHLY


def at_once(act: Callable[[], object]) -> list[str]:
    """What each of the sixteen is told: the answer, or the code of the refusal."""
    told = sorted(str(one) for one in run_sixteen(lambda _: act()))
    drain_queue()
    return told


def sent(name: str) -> int:
    return OutgoingMail.objects.filter(name=name).count()


@pytest.mark.spec("SUB-070", "SUB-064")
def test_sixteen_pauses_and_resumes(nora: Subscriber) -> None:
    nora.subscribe("growth")
    assert at_once(lambda: pauses.pause_plan(organisation=nora.user.own_organisation)).count("CANNOT_PAUSE") == 15
    assert (Pause.objects.count(), nora.credits, nora.running()) == (1, 100, [("SUSPENDED", "79.00")])
    assert at_once(lambda: pauses.resume_plan(organisation=nora.user.own_organisation)).count("NOT_PAUSED") == 15
    assert (sent("subscription_paused"), sent("subscription_resumed")) == (1, 1)
    assert (nora.credits, nora.running()) == (10_100, [("ACTIVE", "79.00")])
    assert CreditEntry.objects.filter(kind__in=["freeze", "thaw"]).count() == 2
    nora.check()


@pytest.mark.spec("SUB-071")
def test_sixteen_cancellations_and_returns(nora: Subscriber) -> None:
    nora.subscribe("growth")
    assert len(set(at_once(lambda: cancellations.cancel_plan(organisation=nora.user.own_organisation)))) == 1
    assert (sent("subscription_cancelled"), nora.running()) == (1, [])
    _, answer = nora.call("reactivate")
    nora.buyer.press(answer["approval_url"])
    purchase = Purchase.objects.latest("pk")
    at_once(lambda: polling.poll_purchase(Purchase.objects.get(pk=purchase.pk)))
    assert (nora.status()["subscription_status"], nora.running()) == ("active", [("ACTIVE", "79.00")])
    nora.pass_to("2030-02-28T11:00")
    assert nora.charges() == [("01-31", "79.00"), ("02-28", "79.00")]
    nora.check()


@pytest.mark.spec("SUB-049", "SUB-050", "SUB-052")
def test_sixteen_completions_of_an_upgrade(nora: Subscriber) -> None:
    nora.subscribe("starter")
    _, answer = nora.call("plan-change/create-payment", new_plan_id="growth", billing_cycle="monthly")
    nora.buyer.press(answer["approval_url"])
    token = Purchase.objects.latest("pk").public_id
    told = at_once(lambda: complete_plan_change(organisation=nora.user.own_organisation, token=token))
    assert set(told) == {"Your plan is now Growth, billed monthly."}
    assert (nora.grants(), nora.running()) == (
        [("01-31", 100), ("01-31", 5_000), ("01-31", 5_000)], [("ACTIVE", "79.00")],
    )  # fmt: skip
    nora.check()


@pytest.mark.spec("SUB-047")
def test_sixteen_schedules_and_undoings(nora: Subscriber) -> None:
    nora.subscribe("growth")
    told = at_once(
        lambda: (
            plan_changes.schedule_change(organisation=nora.user.own_organisation, plan=STARTER, cycle=MONTHLY).message
        )
    )
    assert (len(set(told)), nora.running()) == (1, [("ACTIVE", "49.00")])
    assert (
        at_once(lambda: plan_changes.undo_scheduled_change(organisation=nora.user.own_organisation)).count(
            "NOTHING_SCHEDULED"
        )
        == 15
    )
    assert (nora.status()["scheduled_plan"], nora.running()) == (None, [("ACTIVE", "79.00")])


@pytest.mark.spec("SUB-072")
def test_sixteen_looks_at_a_renewal_and_at_a_failure(nora: Subscriber) -> None:
    nora.subscribe("growth")
    agreement = Agreement.objects.get()
    for day, action in (("2030-02-28T11:00:00Z", "fail"), ("2030-03-31T11:00:00Z", "fail")):
        nora.buyer.control("clock", to=day)
        nora.clock.move_to(day, tick=False)
        at_once(lambda: agreements.poll_agreement(agreement))
        nora.buyer.control(f"subscriptions/{agreement.provider_id}", action=action)
    assert nora.grants()[2:] == [("02-28", 10_000)]
    assert (sent("payment_failed_1"), nora.status()["subscription_status"]) == (1, "past_due")
    nora.check()


@pytest.mark.spec("SUB-070", "SUB-071")
def test_sixteen_schedulers_at_once(nora: Subscriber) -> None:
    nora.subscribe("growth")
    nora.say("pause")
    nora.pass_to("2030-03-30T10:00")
    day = "2030-04-02T10:00:00Z"
    nora.buyer.control("clock", to=day)
    nora.clock.move_to(day, tick=False)
    at_once(tasks.keep_time)
    assert (nora.status()["subscription_status"], sent("subscription_resumed")) == ("active", 1)
    assert CreditEntry.objects.filter(kind="thaw").count() == 1
    nora.check()


@pytest.mark.spec("SUB-052")
def test_pauses_resumes_and_cancellations_all_at_once(nora: Subscriber) -> None:
    nora.subscribe("growth")
    verbs = [pauses.pause_plan, pauses.resume_plan, cancellations.cancel_plan, pauses.pause_plan]

    def some(user_id: int = nora.user.pk) -> str:
        verb = verbs[Pause.objects.filter(organisation_id=user_id).count() % 4]
        return verb(organisation=nora.user.own_organisation)

    at_once(some)
    drain_queue()
    wanted = {"active": [("ACTIVE", "79.00")], "paused": [("SUSPENDED", "79.00")], "cancelled": []}
    assert nora.running() == wanted[nora.status()["subscription_status"]]
    nora.check()


def test_a_plan_ends_once(nora: Subscriber) -> None:
    nora.subscribe("growth")
    assert at_once(lambda: subscriptions.end_plan(organisation_id=nora.user.pk)) == ["False"] * 15 + ["True"]
    assert (nora.running(), nora.credits) == ([], 100)
    nora.check()
