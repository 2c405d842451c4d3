"""A subscriber through months of time: our clock and PayPal's move together, and everything in between happens."""

from datetime import UTC, datetime
from typing import Any

import time_machine
from rest_framework.test import APIClient

from accounts.users.models import User
from billing import tasks
from billing.ledger import services as ledger
from billing.ledger.models import CreditEntry
from billing.payments.models import Agreement
from billing.payments.paypal import paypal
from billing.provider_sync import agreements, next_charges
from billing.subscriptions.models import Subscription
from conftest import client_of
from emailcheck.common.testing import drain_queue
from tests import checkout
from tests.paypal import Buyer

CHANGE = "/api/subscriptions/plan-change"


class Subscriber:
    """An account with a plan, and both clocks."""

    def __init__(self, user: User, buyer: Buyer, clock: time_machine.Traveller) -> None:
        self.user, self.buyer, self.clock = user, buyer, clock

    @property
    def api(self) -> APIClient:
        """Signed in anew: tokens do not last for months."""
        return client_of(self.user)

    @property
    def plan(self) -> Subscription:
        return Subscription.objects.get(organisation=self.user.own_organisation)

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = self.api.get("/api/subscriptions/status").json()
        return found

    @property
    def credits(self) -> int:
        return int(self.status()["credits"])

    def subscribe(self, plan: str = "growth", cycle: str = "monthly") -> None:
        checkout.subscribe(self.api, self.buyer, plan, cycle)
        drain_queue()

    def call(self, verb: str, **body: str) -> Any:
        """A call of the subscription and what it sets going; answers status and body."""
        path = f"/api/subscriptions/{verb}"
        answer = self.api.post(path, body, format="json") if body else self.api.post(path)
        drain_queue()
        return answer.status_code, answer.json()

    def say(self, verb: str, **body: str) -> str:
        status, answer = self.call(verb, **body)
        assert status == 200, answer
        return str(answer["message"])

    def undo(self) -> str:
        answer = self.api.delete(CHANGE)
        drain_queue()
        return str(answer.json()["message"])

    def upgrade(self, plan: str, cycle: str = "monthly", outcome: str = "pay") -> str:
        """Approve a change at PayPal and come back. Answers the purchase's token."""
        status, answer = self.call("plan-change/create-payment", new_plan_id=plan, billing_cycle=cycle)
        assert status == 200, answer
        return self.approve(answer["approval_url"], outcome)

    def approve(self, url: str, outcome: str = "pay") -> str:
        end = checkout.arrive(self.buyer.press(url, outcome))
        drain_queue()
        return end.rpartition("token=")[2]

    def pass_to(self, *days: str) -> None:
        """Let it become each of these moments; PayPal's news arrive, and the scheduler runs, twice."""
        for day in days:
            moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
            self.buyer.control("clock", to=moment.isoformat())
            self.clock.move_to(moment, tick=False)
            for _ in range(2):
                self.look()
                tasks.keep_time()
                tasks.ask_paypal()
                tasks.settle_refunds()
                drain_queue()

    def look(self) -> None:
        for agreement in Agreement.objects.order_by("pk"):
            agreements.poll_agreement(agreement)

    def charges(self) -> list[tuple[str, str]]:
        """Everything that PayPal took, oldest first: day and amount."""
        paid = [one for one in self.buyer.overview()["payments"] if one["status"] == "COMPLETED"]
        return sorted((one["create_time"][5:10], one["amount"]["value"]) for one in paid)

    def running(self) -> list[tuple[str, str]]:
        """The agreements at PayPal that have not ended: their state and price."""
        known = [paypal().fetch_subscription(one["id"]) for one in self.buyer.overview()["subscriptions"]]
        running = [one for one in known if one.status in {"ACTIVE", "SUSPENDED"}]
        return sorted((one.status, str(one.price.value)) for one in running if one.price)

    def grants(self) -> list[tuple[str, int]]:
        entries = CreditEntry.objects.filter(
            organisation=self.user.own_organisation, kind="grant", lot__kind__in=["plan", "welcome"]
        ).order_by("id")
        return [(f"{entry.created_at:%m-%d}", entry.amount) for entry in entries]

    def check(self) -> None:
        """The books agree, and PayPal will charge what its owner was told."""
        assert ledger.reconcile_ledger() == []
        assert next_charges.compare_next_charges().differ == []
