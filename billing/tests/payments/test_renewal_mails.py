"""The mail of a renewal: what was paid, up to when, what came with it, and the invoice."""

from typing import Any

import pytest
from django.core import mail as django_mail
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.payments.models import Agreement, Payment, PaymentKind
from billing.provider_sync import sweeper
from billing.subscriptions.models import Subscription
from billing.tests.payments.test_sweeper import forward
from emailcheck.common.testing import drain_queue
from tests import checkout
from tests.paypal import Buyer


@pytest.mark.spec("SUB-072", "PRC-032")
def test_a_renewal_is_told_once_with_its_invoice(erin: User, erin_api: APIClient, buyer: Buyer, clock: Any) -> None:
    checkout.subscribe(erin_api, buyer)
    forward(clock, buyer, days=28, hours=6)
    drain_queue()
    django_mail.outbox.clear()
    for _ in range(2):
        sweeper.sweep_provider()
        drain_queue()
    number = Payment.objects.get(kind=PaymentKind.RENEWAL).invoice.number
    (message,) = [found for found in django_mail.outbox if found.attachments]
    assert (message.subject, message.to) == ("Your Growth plan was renewed", ["erin@elm.org"])
    for part in (
        number, "Amount: $79.00", "Paid until: 31 March 2030", "Credits added: 10,000", "Next charge: 31 March 2030"
    ):  # fmt: skip
        assert part in message.body
    assert message.attachments[0][0] == f"{number}-erin-elm.pdf"


def test_a_renewal_that_pays_for_nothing_has_its_invoice_mailed(
    erin: User, erin_api: APIClient, buyer: Buyer, clock: Any
) -> None:
    checkout.subscribe(erin_api, buyer)
    other = Agreement.objects.create(
        organisation=erin.own_organisation,
        provider_id="I-OTHER",
        plan="pro",
        cycle="monthly",
        price="199",
        ended_at=erin.created_at,
    )
    Subscription.objects.filter(organisation=erin.own_organisation).update(agreement=other)
    forward(clock, buyer, days=28, hours=6)
    drain_queue()
    django_mail.outbox.clear()
    sweeper.sweep_provider()
    drain_queue()
    number = Payment.objects.get(kind=PaymentKind.RENEWAL).invoice.number
    assert [found.subject for found in django_mail.outbox if found.attachments] == [f"Invoice {number}"]
