"""What customers' endpoints hear, and how they know that it comes from us."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient
from standardwebhooks import Webhook as Verifier

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger.models import CreditAccount
from billing.signals import quota_reached
from billing.subscriptions.models import Status, Subscription
from billing.usage.quota import Shortage
from conftest import client_of
from tests.hooks import EVERY_EVENT, Endpoint, Mode, body, endpoint, sent
from tests.world import Sandbox
from validation import tasks
from validation.batches import services as batches
from validation.batches.control import rechecks, stopping
from validation.batches.intake.choices import RepairChoices
from validation.batches.models import Batch, BatchType
from validation.results.ids import write_result_id
from validation.single.services import validate_single
from validation.webhooks import events as webhook_events
from validation.webhooks import examples
from validation.webhooks import services as webhooks
from validation.webhooks.models import Webhook, WebhookDelivery, WebhookEvent

LIST = ["ida.holm@harborquill.com", "gone.hannah.park@twolines.net", "someone@not-in-this-world.com"]
EMPTY = Shortage("empty", needed=0, balance=0)
pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def shop(world: Sandbox, alice: User) -> Endpoint:
    sent()
    return endpoint(world, alice)


def events(shop: Endpoint) -> list[str]:
    return [message["event"] for message in shop.messages]


@pytest.mark.spec("DOC-051", "DOC-053", "VAL-043")
def test_a_list_is_told_of_when_it_begins_and_when_it_ends(shop: Endpoint, alice: User) -> None:
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    sent()
    begun, ended = shop.messages
    assert begun["event"] == "batch.processing"
    assert begun["data"] | {"results": {}} == {
        "batch_id": batch.public_id, "total_emails": 3, "processed": 0, "results": {}, "credits_used": 0,
        "repaired_count": 0, "reused_count": 0, "checks": "full", "status": "processing",
    }  # fmt: skip
    assert ended == {
        "event": "batch.completed",
        "timestamp": ended["timestamp"],
        "data": {
            "batch_id": batch.public_id,
            "total_emails": 3,
            "processed": 3,
            "results": {
                "valid": 1, "invalid": 1, "disposable": 0, "catch_all": 0, "spam_trap": 0, "unknown": 1,
            },
            "credits_used": 2,
            "repaired_count": 0,
            "reused_count": 0,
            "checks": "full",
            "status": "completed",
        },
    }  # fmt: skip
    assert ended["timestamp"].endswith("Z")
    assert [one.status for one in shop.deliveries] == ["delivered", "delivered"]
    assert [one.attempts for one in shop.deliveries] == [1, 1]


@pytest.mark.spec("DOC-051", "DOC-053")
def test_a_single_check_is_told_of_with_its_verdict(shop: Endpoint, alice: User) -> None:
    result = validate_single(organisation=alice.own_organisation, address=LIST[1])
    sent()
    (message,) = shop.messages
    assert message["event"] == "validation.completed"
    assert message["data"] == {
        "id": write_result_id(result.pk),
        "batch_id": None,
        "total_emails": 1,
        "processed": 1,
        "results": {"valid": 0, "invalid": 1, "disposable": 0, "catch_all": 0, "spam_trap": 0, "unknown": 0},
        "credits_used": 1,
        "checks": "full",
        "result_id": result.pk,
        "email": LIST[1],
        "email_checked": LIST[1],
        "repaired_from": None,
        "category": "invalid",
        "reason": "mailbox_not_found",
        "confidence_score": result.confidence,
        "safe_to_send": False,
    }


@pytest.mark.spec("DOC-051", "REP-006")
def test_a_repaired_address_is_told_of_as_it_was_sent_and_as_it_was_checked(shop: Endpoint, alice: User) -> None:
    typed = f"Ida Holm <{LIST[0]}>"
    validate_single(organisation=alice.own_organisation, address=typed, repair=True)
    batches.start_list(
        organisation=alice.own_organisation,
        lines=[typed, LIST[1]],
        batch_type=BatchType.BULK_TEXTAREA,
        repair=RepairChoices(repair=True),
    )
    sent()
    single, _, ended = shop.messages
    assert [single["data"][name] for name in ("email", "email_checked", "repaired_from")] == [typed, LIST[0], typed]
    assert (ended["data"]["repaired_count"], ended["data"]["total_emails"]) == (1, 2)


@pytest.mark.spec("DOC-051", "DOC-052", "DOC-056")
@pytest.mark.parametrize(
    ("level", "event", "shortage", "more"),
    [
        ("warning", "quota.warning", None, {}),
        ("exceeded", "quota.exceeded", EMPTY, {"cause": "empty", "needed": 0, "balance": 0}),
    ],
)
def test_the_quota_is_told_of_once_a_period(
    shop: Endpoint, alice: User, level: str, event: str, shortage: Shortage | None, more: dict[str, Any]
) -> None:
    resets_at = timezone.now() + timedelta(days=6)
    for _ in range(2):
        quota_reached.send(
            sender=User,
            organisation=alice.own_organisation,
            level=level,
            used=80,
            limit=100,
            resets_at=resets_at,
            shortage=shortage,
        )
    sent()
    (message,) = shop.messages
    assert message["event"] == event
    assert message["data"] == {"used": 80, "limit": 100, "resets_at": webhook_events.format_utc(resets_at), **more}


@pytest.mark.spec("PEN-009")
@pytest.mark.finding("D7")
def test_a_refused_list_is_told_of_with_what_it_needed(shop: Endpoint, alice: User) -> None:
    api = client_of(alice)
    lines = {"emails": [f"ida.holm{number}@harborquill.com" for number in range(101)]}
    assert api.post("/api/validate/bulk", lines, format="json").json()["code"] == "QUOTA_EXCEEDED"
    assert api.post("/api/validate/bulk", lines, format="json").json()["code"] == "QUOTA_EXCEEDED"
    sent()
    (message,) = shop.messages
    assert message["event"] == "quota.exceeded"
    told = {name: message["data"][name] for name in ("used", "limit", "cause", "needed", "balance")}
    assert told == {"used": 0, "limit": 100, "cause": "refused", "needed": 101, "balance": 100}
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 100


@pytest.mark.spec("DOC-052", "DOC-056")
def test_eighty_percent_and_nothing_left_are_told_of_by_spending(shop: Endpoint, alice: User) -> None:
    """The 100 credits of her first month: 79 say nothing, the 80th warns, the last one ends them."""
    lines = [f"ida.holm{number}@harborquill.com" for number in range(100)]
    for part in (lines[:79], lines[79:80], lines[80:]):
        batches.start_list(organisation=alice.own_organisation, lines=part, batch_type=BatchType.BULK_TEXTAREA)
    sent()
    assert [message["event"] for message in shop.messages if message["event"].startswith("quota")] == [
        "quota.warning",
        "quota.exceeded",
    ]
    told = {message["event"]: message["data"]["used"] for message in shop.messages if "used" in message["data"]}
    assert told == {"quota.warning": 80, "quota.exceeded": 100}


def test_only_chosen_events_of_active_endpoints_are_sent(world: Sandbox, alice: User) -> None:
    chosen = endpoint(world, alice, "chosen", events=[WebhookEvent.BATCH_COMPLETED])
    off = endpoint(world, alice, "off")
    webhooks.update_endpoint(organisation=alice.own_organisation, webhook_id=off.hook.pk, is_active=False)
    batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    sent()
    assert events(chosen) == ["batch.completed"]
    assert (off.arrived, off.deliveries) == ([], [])


def test_a_strangers_endpoint_hears_nothing(shop: Endpoint, bob: User) -> None:
    batches.start_list(organisation=bob.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    sent()
    assert shop.arrived == []


@pytest.mark.spec("DOC-051")
def test_a_second_look_is_told_of_again_and_a_cancelled_list_is_not(shop: Endpoint, alice: User, settings: Any) -> None:
    batch = batches.start_list(organisation=alice.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    rechecks.recheck_unknown(batch=Batch.objects.get(pk=batch.pk))
    sent()
    assert events(shop) == ["batch.processing", "batch.completed"] * 2
    assert len({one.headers["webhook-id"] for one in shop.arrived}) == 4
    settings.IMMEDIATE_ADDRESSES = 0
    stopping.cancel_batch(
        batch=batches.start_list(
            organisation=alice.own_organisation, lines=LIST[:1], batch_type=BatchType.BULK_TEXTAREA
        )
    )
    sent()
    assert len(shop.arrived) == 4


def test_the_same_news_has_one_id_at_every_endpoint(shop: Endpoint, world: Sandbox, alice: User) -> None:
    other = endpoint(world, alice, "other")
    validate_single(organisation=alice.own_organisation, address=LIST[0])
    sent()
    (here,), (there,) = shop.arrived, other.arrived
    assert here.headers["webhook-id"] == there.headers["webhook-id"]
    assert here.headers["webhook-signature"] != there.headers["webhook-signature"]


@pytest.mark.spec("DOC-055")
def test_signatures_are_those_of_standard_webhooks(shop: Endpoint, alice: User) -> None:
    validate_single(organisation=alice.own_organisation, address=LIST[0])
    sent()
    (one,) = shop.arrived
    headers = dict(one.headers)
    assert Verifier(shop.secret).verify(one.body, headers)["event"] == "validation.completed"
    assert (one.method, headers["content-type"], headers["host"]) == ("POST", "application/json", "inbox.hookbarn.com")
    assert headers["webhook-id"].startswith("msg_")
    for name, value in (("webhook-id", "msg_other"), ("webhook-timestamp", str(int(timezone.now().timestamp()) - 5))):
        with pytest.raises(Exception, match="No matching signature"):
            Verifier(shop.secret).verify(one.body, headers | {name: value})
    with pytest.raises(Exception, match="No matching signature"):
        Verifier(shop.secret).verify(one.body.replace("completed", "exploded"), headers)


@pytest.mark.spec("DOC-057")
def test_for_a_day_after_a_rotation_both_secrets_sign(shop: Endpoint, alice: User) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        fresh, until = webhooks.rotate_secret(organisation=alice.own_organisation, webhook_id=shop.hook.pk)
    assert until == now + timedelta(hours=24)
    validate_single(organisation=alice.own_organisation, address=LIST[0])
    sent()
    (one,) = shop.arrived
    for secret in (fresh, shop.secret):
        assert Verifier(secret).verify(one.body, dict(one.headers))["event"] == "validation.completed"
    with time_machine.travel(until + timedelta(seconds=1), tick=False):
        validate_single(organisation=alice.own_organisation, address=LIST[0])
        sent()
        last = shop.arrived[-1]
        assert Verifier(fresh).verify(last.body, dict(last.headers))["event"] == "validation.completed"
        with pytest.raises(Exception, match="No matching signature"):
            Verifier(shop.secret).verify(last.body, dict(last.headers))


@pytest.mark.spec("DOC-054", "VAL-020")
def test_events_are_told_only_while_the_plan_includes_webhooks(shop: Endpoint, alice: User) -> None:
    for plan, count in ((Plan.FREE, 0), (Plan.STARTER, 0), (Plan.GROWTH, 1), (Plan.PRO, 2), (Plan.ENTERPRISE, 3)):
        Subscription.objects.filter(organisation=alice.own_organisation).update(plan=plan)
        validate_single(organisation=alice.own_organisation, address=LIST[0])
        sent()
        assert (plan, len(shop.arrived)) == (plan, count)
    Subscription.objects.filter(organisation=alice.own_organisation).update(
        plan=Plan.GROWTH, status=Status.TRIAL, trial_ends_at=timezone.now() + timedelta(days=14)
    )
    validate_single(organisation=alice.own_organisation, address=LIST[0])
    sent()
    assert len(shop.arrived) == 4


def test_what_is_rolled_back_is_not_told(shop: Endpoint, alice: User) -> None:
    with transaction.atomic():
        validate_single(organisation=alice.own_organisation, address=LIST[0])
        assert len(shop.deliveries) == 1
        transaction.set_rollback(True)
    assert sent() == []
    assert (shop.arrived, shop.deliveries) == ([], [])


@pytest.mark.parametrize("event", EVERY_EVENT)
def test_the_test_button_sends_an_example_that_says_so(shop: Endpoint, alice_api: APIClient, event: str) -> None:
    Webhook.objects.update(events=[event])
    answer = alice_api.post(f"/api/user/webhooks/{shop.hook.pk}/test").json()
    assert answer == {"delivered": True, "status_code": 200, "message": "The endpoint answered 200."}
    (message,) = shop.messages
    assert (message["event"], message["test"]) == (event, True)
    (delivery,) = shop.deliveries
    assert (delivery.status, delivery.is_test, delivery.attempts) == ("delivered", True, 1)


@pytest.mark.parametrize("event", EVERY_EVENT[:5])
def test_an_example_has_the_fields_of_the_real_thing(world: Sandbox, alice: User, event: str) -> None:
    shop = endpoint(world, alice)
    lines = [f"a{number}@harborquill.com" for number in range(99)]
    batches.start_list(organisation=alice.own_organisation, lines=lines,
                        batch_type=BatchType.BULK_TEXTAREA)  # fmt: skip
    validate_single(organisation=alice.own_organisation, address=LIST[0])
    sent()
    real = {message["event"]: set(message["data"]) for message in shop.messages}
    Webhook.objects.update(events=[event])
    webhooks.send_test(organisation=alice.own_organisation, webhook_id=shop.hook.pk)
    assert set(shop.messages[-1]["data"]) == real[event]


def test_a_test_that_fails_says_why_and_is_not_tried_again(shop: Endpoint, alice_api: APIClient) -> None:
    shop.answers(Mode.GONE)
    answer = alice_api.post(f"/api/user/webhooks/{shop.hook.pk}/test").json()
    assert answer == {"delivered": False, "status_code": 410, "message": "The endpoint answered 410."}
    tasks.sweep_webhooks()
    sent()
    assert len(shop.arrived) == 1
    assert Webhook.objects.get().is_active


def test_tests_are_counted(shop: Endpoint, alice_api: APIClient) -> None:
    path = f"/api/user/webhooks/{shop.hook.pk}/test"
    assert [alice_api.post(path).status_code for _ in range(11)] == [200] * 10 + [429]
    assert len(shop.arrived) == 10


def test_no_two_messages_share_an_id(shop: Endpoint, alice: User) -> None:
    for number in range(4):
        validate_single(organisation=alice.own_organisation, address=f"ida.holm{number}@harborquill.com")
    sent()
    assert all(one["data"] != two["data"] for one, two in itertools.combinations(shop.messages, 2))
    assert len({delivery.message_id for delivery in WebhookDelivery.objects.all()}) == 4
    assert body(shop.deliveries[0])["event"] == "validation.completed"
    assert examples.build_example("batch.completed", now=timezone.now()).count('"test":true') == 1
