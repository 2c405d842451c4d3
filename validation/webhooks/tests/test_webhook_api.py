"""The calls about webhooks: made, changed, deleted, rotated; the log and what is queued again."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from emailcheck.common import personal, secrecy
from emailcheck.common.errors import Conflict
from emailcheck.common.testing import run_sixteen
from tests.hooks import EVERY_EVENT, HOST, Endpoint, Mode, endpoint, sent
from tests.world import Sandbox
from validation import tasks
from validation.tests import stored
from validation.webhooks import services as webhooks
from validation.webhooks.events import announce_single
from validation.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery, WebhookSecret

pytestmark = pytest.mark.django_db
PATH = "/api/user/webhooks"
URL = f"https://{HOST}/shop"
NOT_IN_PLAN = "Live webhooks come with Growth, Pro and Enterprise. Endpoints of test mode are included in every plan."


@pytest.fixture
def shop(world: Sandbox, alice: User) -> Endpoint:
    sent()
    return endpoint(world, alice)


def tell(user: User, times: int = 1) -> None:
    for number in range(times):
        announce_single(stored.single(user, f"ida.holm{number}@harborquill.com"))


def failed(shop: Endpoint, user: User, times: int = 1) -> None:
    """Deliveries that were given up."""
    shop.answers(Mode.ERROR)
    tell(user, times)
    WebhookDelivery.objects.update(tries_since_queued=9)
    sent()
    assert {one.status for one in shop.deliveries} == {"failed"}


@pytest.mark.spec("DOC-055")
def test_an_endpoint_is_made_listed_changed_and_deleted(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    fields: dict[str, Any] = {"url": URL, "events": ["quota.warning", "batch.completed", "quota.warning"]}
    made = alice_api.post(PATH, fields, format="json")
    assert made.status_code == 201
    number, secret = made.json()["id"], made.json()["secret"]
    assert set(made.json()) == {"id", "secret"}
    assert (secret[:6], len(secret)) == ("whsec_", 50)
    row = {"id": number, "url": URL, "events": ["batch.completed", "quota.warning"], "is_active": True}
    assert alice_api.get(PATH).json() == {
        "webhooks": [row | {"test": False, "disabled_reason": "", "made_by_key": None, "maker": "Alice Alder"}]
    }
    assert secret not in alice_api.get(PATH).content.decode()
    assert secret not in str(list(WebhookSecret.objects.values_list("sealed", flat=True)))
    assert secrecy.unseal_text(WebhookSecret.objects.get().sealed) == secret
    changes = {"url": f"https://{HOST}/other", "is_active": False, "events": EVERY_EVENT}
    assert alice_api.put(f"{PATH}/{number}", changes, format="json").json() == {"id": number}
    found = Webhook.objects.get()
    assert (found.url, found.is_active, found.events) == (f"https://{HOST}/other", False, sorted(EVERY_EVENT))
    assert alice_api.put(f"{PATH}/{number}", {}, format="json").json() == {"id": number}
    assert alice_api.delete(f"{PATH}/{number}").json() == {"message": "Webhook deleted"}
    assert alice_api.get(PATH).json() == {"webhooks": []}
    sent()
    assert (Webhook.objects.count(), WebhookSecret.objects.count()) == (0, 0)
    assert list(Activity.objects.order_by("-pk").values_list("action", flat=True)[:3]) == [
        f"Webhook to {HOST} was deleted",
        f"Webhook to {HOST} was changed: events, is active, url",
        f"Webhook to {HOST} was added",
    ]


@pytest.mark.spec("ORG-024")
def test_the_audit_names_hosts_before_and_after_and_no_url(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    number = alice_api.post(PATH, {"url": URL, "events": ["batch.completed"]}, format="json").json()["id"]
    alice_api.put(f"{PATH}/{number}", {"url": "https://rebind.hookbarn.com/secret"}, format="json")
    line = Activity.objects.latest("pk")
    assert (line.organisation, line.role) == (alice.own_organisation, "owner")
    assert line.changes == {"host": [HOST, "rebind.hookbarn.com"]}


@pytest.mark.spec("ORG-024")
def test_the_audit_says_what_an_endpoint_was_and_is_and_no_secret(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    number = alice_api.post(PATH, {"url": URL, "events": ["batch.completed"]}, format="json").json()["id"]
    secret = alice_api.post(f"{PATH}/{number}/rotate-secret").json()["secret"]
    for _ in range(2):
        webhooks.disable_all(alice)
    for _ in range(2):
        alice_api.delete(f"{PATH}/{number}")
    lines = Activity.objects.filter(action__icontains="webhook").order_by("pk")
    assert list(lines.values_list("action", "changes")) == [
        (
            f"Webhook to {HOST} was added",
            {"host": [None, HOST], "events": [None, ["batch.completed"]], "is_active": [None, True]},
        ),
        (f"The secret of the webhook to {HOST} was rotated", {"secret": [None, "rotated"]}),
        (f"Webhook to {HOST} was switched off", {"is_active": [True, False]}),
        (
            f"Webhook to {HOST} was deleted",
            {"host": [HOST, None], "events": [["batch.completed"], None], "is_active": [False, None]},
        ),
    ]
    assert secret[6:] not in str(list(lines.values()))


@pytest.mark.spec("DOC-034", "DOC-055")
def test_an_endpoint_of_test_mode_stays_one(world: Sandbox, alice_api: APIClient) -> None:
    fields = {"url": URL, "events": ["batch.completed"], "test": True}
    made = alice_api.post(PATH, fields, format="json").json()
    assert alice_api.put(f"{PATH}/{made['id']}", {"test": False}, format="json").status_code == 200
    assert [hook["test"] for hook in alice_api.get(PATH).json()["webhooks"]] == [True]


@pytest.mark.spec("DOC-025", "DOC-057")
def test_a_number_that_no_database_holds_is_not_found(alice_api: APIClient) -> None:
    for path in (f"{PATH}/{10**30}/deliveries", f"{PATH}/{10**30}/deliveries/whd_1"):
        assert alice_api.get(path).status_code == 404


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"url": URL}, "events"),
        ({"url": URL, "events": []}, "events"),
        ({"url": URL, "events": ["batch.exploded"]}, "events"),
        ({"url": URL, "events": "batch.completed"}, "events"),
        ({"events": ["batch.completed"]}, "url"),
        ({"url": "", "events": ["batch.completed"]}, "url"),
        ({"url": URL, "events": ["batch.completed"], "is_active": "maybe"}, "is_active"),
    ],
)
def test_what_is_incomplete_is_refused(world: Sandbox, alice_api: APIClient, fields: Any, field: str) -> None:
    answer = alice_api.post(PATH, fields, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"]["field"] == field
    assert Webhook.objects.count() == 0


@pytest.mark.spec("DOC-054", "API-033")
def test_plans_below_growth_may_look_and_delete_but_not_add(shop: Endpoint, alice: User, alice_api: APIClient) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.STARTER)
    one = f"{PATH}/{shop.hook.pk}"
    webhooks.update_endpoint(organisation=alice.own_organisation, webhook_id=shop.hook.pk, is_active=False)
    for answer in (
        alice_api.post(PATH, {"url": URL, "events": ["batch.completed"]}, format="json"),
        alice_api.put(one, {"is_active": True}, format="json"),
        alice_api.put(one, {"events": ["quota.warning"]}, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "PLAN_REQUIRED")
        assert answer.json()["detail"] == NOT_IN_PLAN
        assert answer.json()["details"]["plans"] == ["growth", "pro", "enterprise"]
    assert [(hook.is_active, hook.events) for hook in Webhook.objects.all()] == [(False, sorted(EVERY_EVENT))]
    assert len(alice_api.get(PATH).json()["webhooks"]) == 1
    assert alice_api.delete(one).status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_at_once_ten_endpoints_are_made(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    def make(number: int) -> bool:
        try:
            webhooks.create_endpoint(
                organisation=alice.own_organisation, url=f"{URL}{number}", events=["batch.completed"]
            )
        except Exception:
            return False
        return True

    assert run_sixteen(make).count(True) == 10
    answer = alice_api.post(PATH, {"url": URL, "events": ["batch.completed"]}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "TOO_MANY_WEBHOOKS")
    assert Webhook.objects.count() == 10


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_rotations_at_once_four_pass_and_every_secret_signs(shop: Endpoint, alice: User) -> None:
    def rotate(_: int) -> str:
        try:
            return webhooks.rotate_secret(organisation=alice.own_organisation, webhook_id=shop.hook.pk)[0]
        except Conflict as error:
            return error.code

    found = run_sixteen(rotate)
    assert found.count("TOO_MANY_SECRETS") == 12
    tell(alice)
    sent()
    secrets = [shop.secret, *(one for one in found if one.startswith("whsec_"))]
    for secret in secrets:
        assert Endpoint(shop.hook, secret, shop.box, shop.world).messages[0]["event"] == "validation.completed"
    assert WebhookSecret.objects.filter(valid_until=None).count() == 1


@pytest.mark.spec("DOC-057")
def test_a_rotation_says_until_when_the_old_secret_counts(shop: Endpoint, alice_api: APIClient) -> None:
    answer = alice_api.post(f"{PATH}/{shop.hook.pk}/rotate-secret").json()
    assert set(answer) == {"secret", "old_secret_valid_until"}
    assert answer["secret"] != shop.secret
    old = WebhookSecret.objects.earliest("pk")
    assert old.valid_until is not None
    assert timedelta(hours=23) < old.valid_until - timezone.now() <= timedelta(hours=24)
    WebhookSecret.objects.filter(pk=old.pk).update(valid_until=timezone.now())
    tasks.forget_old_webhooks()
    assert WebhookSecret.objects.count() == 1


@pytest.mark.spec("DOC-057")
def test_the_log_shows_request_response_attempt_and_time(shop: Endpoint, alice: User, alice_api: APIClient) -> None:
    tell(alice)
    sent()
    (row,) = alice_api.get(f"{PATH}/{shop.hook.pk}/deliveries").json()["deliveries"]
    (arrived,) = shop.arrived
    assert row == {
        "id": row["id"], "event": "validation.completed", "webhook_id": arrived.headers["webhook-id"],
        "status": "delivered", "attempts": 1, "response_status": 200, "created_at": row["created_at"],
        "next_attempt_at": None,
    }  # fmt: skip
    full = alice_api.get(f"{PATH}/{shop.hook.pk}/deliveries/{row['id']}").json()
    assert {name: full[name] for name in row} == row
    assert full["request_body"] == arrived.body
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    assert {name: full["request_headers"][name] for name in names} == {name: arrived.headers[name] for name in names}
    (attempt,) = full["attempts_log"]
    assert attempt | {"time": "", "duration_ms": 0} == {
        "time": "", "status": 200, "response_body": "Thank you.", "error": "", "duration_ms": 0,
    }  # fmt: skip
    assert attempt["duration_ms"] >= 0


@pytest.mark.spec("DOC-057")
def test_the_log_is_read_page_by_page_and_by_state(shop: Endpoint, alice: User, alice_api: APIClient) -> None:
    failed(shop, alice, 2)
    shop.answers(Mode.OK)
    tell(alice, 60)
    sent()
    path = f"{PATH}/{shop.hook.pk}/deliveries"
    first = alice_api.get(path).json()
    last = alice_api.get(path, {"cursor": first["next"]}).json()
    assert (len(first["deliveries"]), len(last["deliveries"]), last["next"]) == (50, 12, None)
    counts = {
        status: len(alice_api.get(path, {"status": status}).json()["deliveries"])
        for status in ("pending", "delivered", "failed")
    }
    assert counts == {"pending": 0, "delivered": 50, "failed": 2}
    for query in ({"status": "lost"}, {"cursor": "nonsense"}):
        assert alice_api.get(path, query).status_code == 400


def test_the_log_costs_the_same_for_10_and_40_deliveries(
    shop: Endpoint, alice: User, alice_api: APIClient, django_assert_num_queries: Any
) -> None:
    path = f"{PATH}/{shop.hook.pk}/deliveries"
    alice_api.get("/api/credits")  # notes that she is there
    for times in (10, 30):
        tell(alice, times)
        with django_assert_num_queries(4):  # the sign-in, the membership, the endpoint, the page
            assert alice_api.get(path).status_code == 200


@pytest.mark.spec("DOC-057")
def test_one_failed_delivery_is_sent_again_with_its_id(shop: Endpoint, alice: User, alice_api: APIClient) -> None:
    failed(shop, alice, 2)
    shop.answers(Mode.OK)
    one, other = shop.deliveries
    path = f"{PATH}/{shop.hook.pk}/deliveries/{one.public_id}/replay"
    for _ in range(2):
        assert alice_api.post(path).json() == {"delivery_id": one.public_id, "message": "Delivery queued again"}
    sent()
    assert [(row.status, row.attempts) for row in shop.deliveries] == [("delivered", 2), ("failed", 1)]
    assert [row.headers["webhook-id"] for row in shop.arrived].count(one.message_id) == 2
    assert alice_api.post(path).status_code == 200  # what was delivered can be sent again too
    sent()
    assert [row.headers["webhook-id"] for row in shop.arrived].count(one.message_id) == 3
    assert other.message_id != one.message_id


@pytest.mark.spec("DOC-057")
def test_all_failed_are_sent_again_or_those_of_a_range(shop: Endpoint, alice: User, alice_api: APIClient) -> None:
    failed(shop, alice, 3)
    shop.answers(Mode.OK)
    first, second, _ = shop.deliveries
    WebhookDelivery.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=3))
    WebhookDelivery.objects.filter(pk=second.pk).update(created_at=timezone.now() - timedelta(days=2))
    path = f"{PATH}/{shop.hook.pk}/replay-failed"
    limits = {
        "since": (timezone.now() - timedelta(days=2, hours=1)).isoformat(),
        "until": (timezone.now() - timedelta(days=1)).isoformat(),
    }
    answer = alice_api.post(path, limits, format="json").json()
    assert answer == {"queued_count": 1, "message": "1 delivery queued again"}
    sent()
    assert [one.status for one in shop.deliveries] == ["failed", "delivered", "failed"]
    assert alice_api.post(path).json() == {"queued_count": 2, "message": "2 deliveries queued again"}
    sent()
    assert [one.status for one in shop.deliveries] == ["delivered"] * 3
    assert alice_api.post(path).json() == {"queued_count": 0, "message": "0 deliveries queued again"}
    assert len(shop.arrived) == 6
    assert alice_api.post(path, {"since": "soon"}, format="json").status_code == 400


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
@pytest.mark.spec("DOC-057")
def test_of_sixteen_replays_at_once_one_message_is_sent(shop: Endpoint, alice: User) -> None:
    failed(shop, alice)
    shop.answers(Mode.OK)
    (one,) = shop.deliveries
    run_sixteen(
        lambda _: webhooks.replay_delivery(
            organisation=alice.own_organisation, webhook_id=shop.hook.pk, delivery_id=one.public_id
        )
    )
    counts = run_sixteen(lambda _: webhooks.replay_failed(organisation=alice.own_organisation, webhook_id=shop.hook.pk))
    sent()
    assert (sum(counts), len(shop.arrived)) == (0, 2)
    assert [row.status for row in shop.deliveries] == ["delivered"]


@pytest.mark.spec("DOC-057")
def test_an_endpoint_that_was_disabled_says_why_is_enabled_and_replayed(
    shop: Endpoint, alice: User, alice_api: APIClient
) -> None:
    shop.answers(Mode.GONE)
    tell(alice)
    sent()
    assert alice_api.get(PATH).json()["webhooks"][0] | {"id": 0} == {
        "id": 0, "url": URL, "events": sorted(EVERY_EVENT), "is_active": False, "test": False,
        "disabled_reason": "The endpoint answered 410 Gone.", "made_by_key": None, "maker": None,
    }  # fmt: skip
    (one,) = shop.deliveries
    here = f"{PATH}/{shop.hook.pk}"
    for path in (f"{here}/deliveries/{one.public_id}/replay", f"{here}/replay-failed"):
        answer = alice_api.post(path)
        assert (answer.status_code, answer.json()["code"]) == (409, "WEBHOOK_OFF")
    assert [row.status for row in shop.deliveries] == ["failed"]
    shop.answers(Mode.OK)
    alice_api.put(here, {"is_active": True}, format="json")
    assert alice_api.get(PATH).json()["webhooks"][0]["disabled_reason"] == ""
    assert alice_api.post(f"{here}/replay-failed").json()["queued_count"] == 1
    sent()
    assert [row.status for row in shop.deliveries] == ["delivered"]


def test_a_strangers_delivery_is_not_found_below_ones_own_endpoint(
    shop: Endpoint, world: Sandbox, alice: User, bob: User, bob_api: APIClient
) -> None:
    tell(alice)
    (one,) = shop.deliveries
    own = endpoint(world, bob, "bob")
    for path in (f"{PATH}/{own.hook.pk}/deliveries/{one.public_id}", f"{PATH}/999/deliveries/{one.public_id}"):
        answer = bob_api.get(path)
        assert (answer.status_code, answer.json()["detail"]) == (404, "Delivery not found")
        assert bob_api.post(f"{path}/replay").status_code == 404
    assert bob_api.get(f"{PATH}/{shop.hook.pk}/deliveries").json()["detail"] == "Webhook not found"


def test_deleting_a_long_log_goes_on_by_itself(shop: Endpoint, alice: User) -> None:
    tell(alice, 3)
    sent()
    webhooks.delete_endpoint(organisation=alice.own_organisation, webhook_id=shop.hook.pk)
    assert WebhookDelivery.objects.for_org(alice.own_organisation).count() == 0
    tasks.forget_old_webhooks()
    tasks.purge_webhook(shop.hook.pk)
    assert (Webhook.objects.count(), WebhookDelivery.objects.count(), WebhookAttempt.objects.count()) == (0, 0, 0)


@pytest.mark.spec("SET-057", "SET-058")
def test_the_export_has_the_webhooks_without_secrets_and_erasure_leaves_none(shop: Endpoint, alice: User) -> None:
    tell(alice)
    sent()
    text = "".join(personal.export_person(alice.pk, timezone.now()))
    assert URL in text
    assert "validation.completed" in text
    assert shop.secret not in text
    assert WebhookSecret.objects.get().sealed not in text
    personal.erase_person(alice.pk)
    counts = [model._default_manager.count() for model in (Webhook, WebhookSecret, WebhookDelivery, WebhookAttempt)]
    assert counts == [0, 0, 0, 0]
