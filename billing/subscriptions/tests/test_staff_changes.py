"""Plans that staff change, and what becomes of the agreement that pays for them."""

import pytest

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.payments.models import Agreement
from billing.subscriptions import staff_changes
from conftest import client_of
from emailcheck.common.testing import drain_queue
from tests.subscriber import Subscriber


@pytest.mark.spec("ADM-228", "ADM-223")
@pytest.mark.parametrize("plan", ["pro", "free"])
def test_an_agreement_ends_with_the_plan_it_paid_for(nora: Subscriber, sam: User, plan: str) -> None:
    nora.subscribe("growth")
    answer = client_of(sam).put(f"/api/admin/users/{nora.user.pk}", {"plan": plan}, format="json").json()
    assert "The PayPal agreement is cancelled: nothing is charged any more." in answer["message"]
    assert Agreement.objects.get().desired_state == "cancelled"
    drain_queue()
    assert nora.running() == []
    nora.pass_to("2030-02-28T11:00", "2030-03-31T11:00")
    assert nora.charges() == [("01-31", "79.00")]
    assert nora.status()["subscription_plan"] == plan
    nora.check()


@pytest.mark.spec("ADM-228")
def test_while_paypal_is_silent_the_cancelling_is_tried_again(nora: Subscriber, sam: User) -> None:
    nora.subscribe("growth")
    known_as = Agreement.objects.get().provider_id
    cancelling = f"/v1/billing/subscriptions/{known_as}/cancel"
    nora.buyer.control("trouble", kind="unavailable", path=cancelling, times=3)
    words = [staff_changes.set_plan(organisation=nora.user.own_organisation, by=sam, plan=Plan.FREE) for _ in range(2)]
    assert words == ["The PayPal agreement is cancelled: nothing is charged any more.", ""]
    drain_queue()
    assert nora.running() == [("ACTIVE", "79.00")]
    nora.pass_to("2030-02-01T10:00")
    assert nora.running() == []
    nora.check()
