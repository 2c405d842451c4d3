"""Webhooks on their way that nobody sends are shown to staff, sent and given up."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django_q.models import OrmQ

from accounts.activity.models import Activity
from accounts.users.models import User
from conftest import client_of
from emailcheck.common.testing import age_leases
from tests.hooks import HOST, Endpoint, endpoint, sent
from tests.world import Sandbox
from validation.tests import stored
from validation.webhooks import queue
from validation.webhooks.events import announce_single
from validation.webhooks.models import WebhookDelivery

pytestmark = pytest.mark.django_db
LIST = "/api/admin/work"
NOW = datetime.fromisoformat("2026-11-23T09:00:00+00:00")


@pytest.fixture
def shop(world: Sandbox, alice: User) -> Endpoint:
    """An endpoint with a delivery of which no worker knows."""
    with time_machine.travel(NOW, tick=False):
        sent()
        made = endpoint(world, alice)
        announce_single(stored.single(alice, "ida.holm@harborquill.com"))
        OrmQ.objects.all().delete()
    return made


@pytest.mark.spec("MON-041", "SEC-014")
def test_a_delivery_that_nobody_sends_is_shown_and_sent(shop: Endpoint, sam: User) -> None:
    with time_machine.travel(NOW + timedelta(minutes=4), tick=False):
        assert client_of(sam).get(LIST).json()["work"] == []
    with time_machine.travel(NOW + timedelta(minutes=6), tick=False):
        api = client_of(sam)
        (delivery,) = shop.deliveries
        assert api.get(LIST, {"kind": "webhook"}).json()["work"] == [
            {
                "kind": "webhook", "id": delivery.public_id, "age_seconds": 360, "attempts": 0,
                "error": "Nobody sends it, though its time has come", "state": f"to {HOST}",
            }
        ]  # fmt: skip
        path = f"{LIST}/webhook/{delivery.public_id}/retry"
        assert [api.post(path).json()["message"] for _ in range(2)] == ["Queued again"] * 2
        sent()
        assert [one.status for one in shop.deliveries] == ["delivered"]
        assert len(shop.arrived) == 1
        assert api.post(path).status_code == 404
        assert api.get(LIST).json()["work"] == []
    lines = Activity.objects.filter(kind="staff").values_list("action", "target")
    assert list(lines) == [("Stuck webhook tried again", f"webhook {delivery.public_id}")] * 2


@pytest.mark.spec("MON-041")
def test_a_delivery_is_given_up_once_and_not_when_it_moves_again(shop: Endpoint, sam: User) -> None:
    (delivery,) = shop.deliveries
    path = f"{LIST}/webhook/{delivery.public_id}/cancel"
    with time_machine.travel(NOW + timedelta(minutes=6), tick=False):
        (taken,) = queue.lease_due(1)
        answer = client_of(sam).post(path)
        assert (answer.status_code, answer.json()["code"]) == (409, "NOT_STUCK")
        assert [one.status for one in shop.deliveries] == ["pending"]
    age_leases(WebhookDelivery, queue.LEASE)
    with time_machine.travel(NOW + timedelta(minutes=13), tick=False):
        api = client_of(sam)
        assert api.post(path).json()["message"] == "Cancelled"
        assert api.post(path).status_code == 404
        assert queue.lease_due(1) == []
    assert [one.status for one in shop.deliveries] == ["failed"]
    assert (taken.delivery.pk, shop.arrived) == (delivery.pk, [])


def test_what_waits_for_its_next_try_is_not_stuck(shop: Endpoint, sam: User) -> None:
    WebhookDelivery.objects.update(next_attempt_at=NOW + timedelta(hours=5))
    with time_machine.travel(NOW + timedelta(hours=4), tick=False):
        assert client_of(sam).get(LIST).json()["work"] == []
