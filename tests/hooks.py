"""Webhooks for tests: endpoints at the receiver of the simulated world, and what arrived there."""

import json
from dataclasses import dataclass
from typing import Any

from standardwebhooks import Webhook as Verifier

from accounts.users.models import User
from emailcheck.common.testing import drain_queue
from emailcheck.sandbox.receiver.host_names import HOST
from emailcheck.sandbox.receiver.inbox import Delivery, Mode
from tests.world import Sandbox
from validation.webhooks import services as webhooks
from validation.webhooks.models import Webhook, WebhookDelivery, WebhookEvent

__all__ = ["EVERY_EVENT", "HOST", "Endpoint", "Mode", "body", "endpoint", "sent"]

EVERY_EVENT = list(WebhookEvent)


@dataclass(slots=True)
class Endpoint:
    """An endpoint of an account, and its box at the receiver."""

    hook: Webhook
    secret: str
    box: str
    world: Sandbox

    def answers(self, mode: Mode) -> None:
        self.world.simulation.inbox.box(self.box).mode = mode

    @property
    def arrived(self) -> list[Delivery]:
        """What came, the oldest first."""
        return self.world.simulation.inbox.deliveries(self.box)[::-1]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What came, as a receiver that checks signatures reads it, in the order of the events."""
        read = {
            one.headers["webhook-id"]: Verifier(self.secret).verify(one.body, dict(one.headers)) for one in self.arrived
        }
        return [read[delivery.message_id] for delivery in self.deliveries if delivery.message_id in read]

    @property
    def deliveries(self) -> list[WebhookDelivery]:
        return list(WebhookDelivery.objects.filter(webhook=self.hook).order_by("pk"))


def endpoint(
    world: Sandbox, user: User, box: str = "shop", *, events: list[str] | None = None, test: bool = False
) -> Endpoint:
    """A fresh endpoint whose box answers 200 and holds nothing."""
    world.simulation.inbox.clear(box)
    world.simulation.inbox.box(box).mode = Mode.OK
    hook, secret = webhooks.create_endpoint(
        organisation=user.own_organisation, url=f"https://{HOST}/{box}", events=events or EVERY_EVENT, test=test
    )
    return Endpoint(hook, secret, box, world)


def sent() -> list[str]:
    """Do what is queued. Answers what ran."""
    return drain_queue()


def body(delivery: WebhookDelivery) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(delivery.body)
    return found
