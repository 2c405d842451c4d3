"""Endpoints of test mode on every plan, and what becomes of live ones where the plan has none."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.keys import services as keys
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Status, Subscription
from conftest import client_with
from tests.hooks import HOST, Endpoint, Mode, endpoint, sent
from tests.world import Sandbox
from validation.single.services import validate_single
from validation.testmode import addresses
from validation.webhooks.models import Webhook, WebhookDelivery

pytestmark = pytest.mark.django_db
PAGE, PROGRAMS = "/api/user/webhooks", "/api/v1/webhooks"
FIELDS = {"url": f"https://{HOST}/trial", "events": ["validation.completed"]}
LIVING = "ida.holm@harborquill.com"
NOT_IN_PLAN = "Live webhooks come with Growth, Pro and Enterprise. Endpoints of test mode are included in every plan."


def move_to(user: User, plan: Plan) -> None:
    Subscription.objects.filter(organisation=user.own_organisation).update(plan=plan, status=Status.ACTIVE)


def key_of(user: User, *, test: bool) -> APIClient:
    scopes = ("read", "write", "webhooks")
    _, text = keys.create_key(organisation=user.own_organisation, maker=user, name="Shop", scopes=scopes, test=test)
    return client_with(text)


@pytest.mark.spec("API-033")
@pytest.mark.parametrize("plan", [Plan.FREE, Plan.STARTER])
def test_a_test_endpoint_lives_its_whole_life_on_plans_without_live_ones(
    world: Sandbox, alice: User, alice_api: APIClient, plan: Plan
) -> None:
    sent()
    move_to(alice, plan)
    world.simulation.inbox.clear("trial")
    made = alice_api.post(PAGE, FIELDS | {"test": True}, format="json")
    assert made.status_code == 201
    trial, one = Endpoint(Webhook.objects.get(), made.json()["secret"], "trial", world), f"{PAGE}/{made.json()['id']}"
    trial.answers(Mode.ERROR)
    program = key_of(alice, test=True)
    assert (
        program.post("/api/v1/validate/single", {"email": f"valid@{addresses.DOMAIN}"}, format="json").status_code
        == 200
    )
    WebhookDelivery.objects.update(tries_since_queued=9)
    sent()
    (row,) = alice_api.get(f"{one}/deliveries").json()["deliveries"]
    assert (row["event"], row["status"], row["response_status"]) == ("validation.completed", "failed", 500)
    trial.answers(Mode.OK)
    assert alice_api.post(f"{one}/deliveries/{row['id']}/replay").status_code == 200
    sent()
    assert [delivery.status for delivery in trial.deliveries] == ["delivered"]
    assert alice_api.post(f"{one}/test").json()["delivered"] is True
    assert [message["test"] for message in trial.messages] == [True, True]
    assert alice_api.put(one, {"events": ["batch.completed"]}, format="json").status_code == 200
    assert alice_api.post(f"{one}/rotate-secret").status_code == 200
    assert alice_api.get(PAGE).json()["webhooks"][0]["is_active"] is True


@pytest.mark.spec("API-033", "API-032")
def test_test_keys_make_endpoints_on_free_and_live_keys_do_not(world: Sandbox, alice: User) -> None:
    move_to(alice, Plan.FREE)
    trial, live = key_of(alice, test=True), key_of(alice, test=False)
    made = trial.post(PROGRAMS, FIELDS, format="json").json()
    assert trial.post(f"{PROGRAMS}/{made['id']}/test").json()["delivered"] is True
    refused = live.post(PROGRAMS, FIELDS, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "PLAN_REQUIRED")
    assert (refused.json()["detail"], refused.json()["details"]["plans"]) == (
        NOT_IN_PLAN, ["growth", "pro", "enterprise"],
    )  # fmt: skip
    assert list(Webhook.objects.values_list("test", flat=True)) == [True]


@pytest.mark.spec("API-033")
def test_after_a_downgrade_live_endpoints_are_listed_as_off_with_the_reason_and_test_ones_stay_on(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    sent()
    live = endpoint(world, alice, events=["validation.completed"])
    endpoint(world, alice, "trial", events=["validation.completed"], test=True)
    validate_single(organisation=alice.own_organisation, address=LIVING)
    sent()
    (before,) = live.deliveries
    move_to(alice, Plan.STARTER)
    rows = alice_api.get(PAGE).json()["webhooks"]
    assert [(row["test"], row["is_active"], row["disabled_reason"]) for row in rows] == [
        (False, False, NOT_IN_PLAN), (True, True, ""),
    ]  # fmt: skip
    (row,) = key_of(alice, test=False).get(PROGRAMS).json()["webhooks"]
    assert (row["is_active"], row["disabled_reason"]) == (False, NOT_IN_PLAN)
    validate_single(organisation=alice.own_organisation, address=LIVING)
    sent()
    one = f"{PAGE}/{live.hook.pk}"
    for path in (f"{one}/test", f"{one}/replay-failed", f"{one}/deliveries/{before.public_id}/replay"):
        answer = alice_api.post(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "PLAN_REQUIRED")
    assert (len(live.arrived), len(live.deliveries)) == (1, 1)
    move_to(alice, Plan.GROWTH)
    assert [row["is_active"] for row in alice_api.get(PAGE).json()["webhooks"]] == [True, True]


@pytest.mark.spec("API-033")
def test_a_trial_that_ends_leaves_the_same(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    endpoint(world, alice)
    mine = Subscription.objects.filter(organisation=alice.own_organisation)
    for end, is_on in ((timedelta(days=1), True), (timedelta(days=-1), False)):
        mine.update(plan=Plan.GROWTH, status=Status.TRIAL, trial_ends_at=timezone.now() + end)
        assert [row["is_active"] for row in alice_api.get(PAGE).json()["webhooks"]] == [is_on]
