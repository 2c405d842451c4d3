"""Each step is ticked by doing it through the calls of the product, and by nothing that others do."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from accounts.access.models import ApiKey
from accounts.keys.models import ApiRequest
from accounts.users.models import User
from billing.subscriptions.models import Subscription
from conftest import client_of, client_with
from tests.hooks import HOST, Endpoint, Mode, sent
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.first_hour.models import FirstHour
from validation.webhooks.models import Webhook, WebhookAttempt

pytestmark = pytest.mark.django_db
PATH = "/api/user/first-hour"
NOTHING = {"key": None, "call": None, "webhook": None, "list": None}
FIELDS = {"url": f"https://{HOST}/hour", "events": ["validation.completed", "batch.completed"], "test": True}
ADDRESS = "valid@test.emailcheck.app"
LIVING = "ida.holm@harborquill.com"


def done(api: APIClient) -> set[str]:
    """The steps that are ticked."""
    answer = api.get(PATH)
    assert answer.status_code == 200
    return {step for step, at in answer.json().items() if at}


def written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def make_key(api: APIClient, *, test: bool = True) -> APIClient:
    made = api.post("/api/user/api-keys", {"name": "Shop", "test": test, "scopes": ["read", "write"]}, format="json")
    assert made.status_code == 201
    return client_with(made.json()["key"])


def start_list(api: APIClient, address: str = ADDRESS) -> Any:
    return api.post("/api/v1/validate/bulk", {"emails": [address]}, format="json")


@pytest.mark.spec("SDK first hour")
def test_a_key_is_ticked_with_the_moment_it_was_made_and_stays_so_when_it_is_revoked(alice_api: APIClient) -> None:
    assert alice_api.get(PATH).json() == NOTHING
    make_key(alice_api)
    key = ApiKey.objects.get()
    expected = NOTHING | {"key": written(key.created_at)}
    assert alice_api.get(PATH).json() == expected
    assert alice_api.delete(f"/api/user/api-keys/{key.pk}").status_code == 200
    make_key(alice_api)
    assert alice_api.get(PATH).json() == expected


@pytest.mark.spec("SDK first hour")
def test_a_call_is_ticked_once_a_key_is_answered_with_success(alice_api: APIClient) -> None:
    program = make_key(alice_api)
    assert program.post("/api/v1/validate/single", {}, format="json").status_code == 400
    assert done(alice_api) == {"key"}
    for _ in range(2):
        assert program.post("/api/v1/validate/single", {"email": ADDRESS}, format="json").status_code == 200
    assert done(alice_api) == {"key", "call"}
    first = ApiRequest.objects.filter(status=200).order_by("pk")[0]
    assert alice_api.get(PATH).json()["call"] == written(first.time)


@pytest.mark.spec("SDK first hour")
def test_a_webhook_is_ticked_once_an_endpoint_of_test_mode_took_a_message(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan="free", status="active")
    program = make_key(alice_api)
    made = alice_api.post("/api/user/webhooks", FIELDS, format="json").json()
    box = Endpoint(Webhook.objects.get(), made["secret"], "hour", world)
    box.answers(Mode.ERROR)
    program.post("/api/v1/validate/single", {"email": ADDRESS}, format="json")
    sent()
    assert [one.status for one in box.deliveries] == ["pending"]
    assert done(alice_api) == {"key", "call"}
    box.answers(Mode.OK)
    assert alice_api.post(f"/api/user/webhooks/{made['id']}/test").json()["delivered"] is True
    assert done(alice_api) == {"key", "call", "webhook"}
    taken = WebhookAttempt.objects.get(status=200)
    assert alice_api.get(PATH).json()["webhook"] == written(taken.at)


@pytest.mark.spec("SDK first hour")
@pytest.mark.parametrize(("test", "address"), [(True, ADDRESS), (False, LIVING)])
def test_a_list_is_ticked_once_a_key_started_one(
    world: Sandbox, alice_api: APIClient, test: bool, address: str
) -> None:
    assert alice_api.post("/api/validate/bulk", {"emails": [LIVING]}, format="json").status_code == 200
    assert done(alice_api) == set()
    assert start_list(make_key(alice_api, test=test), address).status_code == 200
    assert done(alice_api) == {"key", "call", "list"}
    batch = Batch.objects.order_by("pk")[1]
    assert alice_api.get(PATH).json()["list"] == written(batch.created_at)


@pytest.mark.spec("SDK first hour")
def test_what_was_ticked_stays_so_when_what_showed_it_is_deleted(world: Sandbox, alice_api: APIClient) -> None:
    assert start_list(make_key(alice_api)).status_code == 200
    ticked = alice_api.get(PATH).json()
    assert {step for step, at in ticked.items() if at} == {"key", "call", "list"}
    ApiRequest.objects.all().delete()
    Batch.objects.all().delete()
    assert alice_api.get(PATH).json() == ticked


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("SDK first hour")
def test_sixteen_looks_at_once_keep_one_row(alice: User, alice_api: APIClient) -> None:
    make_key(alice_api)

    def look(_: int) -> Any:
        try:
            return client_of(alice).get(PATH).json()
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        seen = list(pool.map(look, range(16)))
    expected = NOTHING | {"key": written(ApiKey.objects.get().created_at)}
    assert (seen, FirstHour.objects.count()) == ([expected] * 16, 1)


@pytest.mark.spec("SDK first hour")
def test_what_others_do_ticks_nothing(world: Sandbox, alice: User, bob: User) -> None:
    stranger = client_of(bob)
    program = make_key(stranger)
    world.simulation.inbox.box("hour").mode = Mode.OK
    made = stranger.post("/api/user/webhooks", FIELDS, format="json").json()
    assert stranger.post(f"/api/user/webhooks/{made['id']}/test").json()["delivered"] is True
    assert start_list(program).status_code == 200
    assert done(stranger) == set(NOTHING)
    assert client_of(alice).get(PATH).json() == NOTHING
    assert program.get(PATH).status_code == 403
