"""Endpoints that programs look after: made, listed, changed, tested and deleted with keys of the scope `webhooks`."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.access.models import ApiKey
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.users.models import User
from conftest import client_with
from emailcheck.common.api.models import IdempotentCall
from emailcheck.common.opaque_ids import encode_id
from emailcheck.common.testing import run_sixteen
from emailcheck.sandbox.receiver.inbox import Mode
from tests.hooks import HOST, Endpoint, endpoint, sent
from tests.world import Sandbox
from validation.webhooks.models import Webhook, WebhookDelivery, WebhookSecret

pytestmark = pytest.mark.django_db
PATH, PAGE = "/api/v1/webhooks", "/api/user/webhooks"
URL = f"https://{HOST}/shop"
FIELDS = {"url": URL, "events": ["batch.completed"]}


def program_of(user: User, *, test: bool = False, name: str = "Deployer") -> APIClient:
    scopes = ("read", "webhooks")
    _, text = keys.create_key(organisation=user.own_organisation, maker=user, name=name, scopes=scopes, test=test)
    return client_with(text)


@pytest.fixture
def program(world: Sandbox, alice: User) -> APIClient:
    sent()
    return program_of(alice)


def make(program: APIClient, **fields: Any) -> dict[str, Any]:
    answer = program.post(PATH, FIELDS | fields, format="json")
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


@pytest.mark.spec("API-032")
def test_a_key_makes_lists_changes_tests_and_deletes_an_endpoint(
    program: APIClient, world: Sandbox, alice: User
) -> None:
    world.simulation.inbox.clear("shop")
    world.simulation.inbox.box("shop").mode = Mode.OK
    made = make(program)
    secret = made.pop("secret")
    hook = Webhook.objects.get()
    assert (secret[:6], len(secret), hook.test) == ("whsec_", 50, False)
    assert made == {
        "id": encode_id("whk", hook.pk), "url": URL, "events": ["batch.completed"], "is_active": True,
        "disabled_reason": "", "created_at": made["created_at"],
    }  # fmt: skip
    assert program.get(PATH).json() == {"webhooks": [made], "next_cursor": None}
    assert secret not in str(list(IdempotentCall.objects.values_list("body", flat=True)))
    one = f"{PATH}/{made['id']}"
    changed = program.patch(one, {"events": ["quota.warning", "batch.completed"]}, format="json")
    assert changed.json() == made | {"events": ["batch.completed", "quota.warning"]}
    answers = [program.post(f"{one}/test", choice, format="json").json() for choice in ({}, {"event": "quota.warning"})]
    assert answers == [{"delivered": True, "status_code": 200, "message": "The endpoint answered 200."}] * 2
    shop = Endpoint(hook, secret, "shop", world)
    assert [(one["event"], one["test"]) for one in shop.messages] == [
        ("batch.completed", True),
        ("quota.warning", True),
    ]
    unheard = program.post(f"{one}/test", {"event": "credits.low"}, format="json")
    assert (unheard.status_code, unheard.json()["details"]["field"]) == (400, "event")
    assert program.delete(one).json() == {"message": "Webhook deleted"}
    assert program.get(PATH).json()["webhooks"] == []
    line = Activity.objects.filter(action=f"Webhook to {HOST} was added").get()
    assert (line.role, line.via) == ("key", ApiKey.objects.get().prefix)


@pytest.mark.spec("API-032")
def test_the_settings_page_names_the_key_that_made_an_endpoint(
    program: APIClient, alice_api: APIClient, alice: User
) -> None:
    make(program)
    alice_api.post(PAGE, FIELDS, format="json")
    rows = alice_api.get(PAGE).json()["webhooks"]
    assert [(row["made_by_key"], row["maker"]) for row in rows] == [("Deployer", "Alice Alder"), (None, "Alice Alder")]
    ApiKey.objects.all().delete()
    assert [row["made_by_key"] for row in alice_api.get(PAGE).json()["webhooks"]] == [None, None]


@pytest.mark.spec("API-032")
def test_a_key_sees_the_endpoints_of_its_own_mode_alone(program: APIClient, alice: User, alice_api: APIClient) -> None:
    trial = program_of(alice, test=True)
    live, test = make(program), make(trial)
    assert list(Webhook.objects.order_by("pk").values_list("test", flat=True)) == [False, True]
    assert test["test"] is True
    for api, own, other in ((program, live, test), (trial, test, live), (alice_api, live, test)):
        assert [row["id"] for row in api.get(PATH).json()["webhooks"]] == [own["id"]]
        assert_not_found(api, other["id"])
    assert Webhook.objects.filter(is_active=True, deleted_at=None).count() == 2


@pytest.mark.spec("API-032")
def test_ids_of_others_and_texts_that_are_none_are_not_found(program: APIClient, bob: User) -> None:
    of_bob = make(program_of(bob))
    number = Webhook.objects.get().pk
    for text in (of_bob["id"], str(number), "whk_1", encode_id("res", number), of_bob["id"].upper()):
        assert_not_found(program, text)
    assert Webhook.objects.filter(is_active=True, deleted_at=None, events=["batch.completed"]).count() == 1
    assert not WebhookDelivery.objects.exists()


def assert_not_found(api: APIClient, text: str) -> None:
    one = f"{PATH}/{text}"
    for answer in (
        api.patch(one, {"is_active": False}, format="json"),
        api.delete(one),
        api.post(f"{one}/test"),
    ):
        assert (answer.status_code, answer.json()["detail"]) == (404, "Webhook not found")


@pytest.mark.spec("API-032")
def test_one_idempotency_key_makes_one_endpoint_whose_secret_is_answered_again(program: APIClient) -> None:
    def post(body: dict[str, Any]) -> Any:
        return program.post(PATH, body, format="json", headers={"Idempotency-Key": "deploy-7"})

    first, again = post(FIELDS), post(FIELDS)
    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())
    assert again["Idempotent-Replayed"] == "true"
    assert (Webhook.objects.count(), WebhookSecret.objects.count()) == (1, 1)
    assert first.json()["secret"] not in str(IdempotentCall.objects.get().body)
    other = post({"url": URL, "events": ["quota.warning"]})
    assert (other.status_code, other.json()["code"], Webhook.objects.count()) == (422, "IDEMPOTENCY_MISMATCH", 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
@pytest.mark.spec("API-032")
def test_of_sixteen_calls_with_one_idempotency_key_one_makes_an_endpoint(world: Sandbox, alice: User) -> None:
    program = program_of(alice)

    def post(_: int) -> int:
        headers = {"Idempotency-Key": "deploy-7"}
        return program.post(PATH, FIELDS, format="json", headers=headers).status_code

    assert set(run_sixteen(post)) <= {201, 409}
    assert Webhook.objects.count() == 1


@pytest.mark.spec("API-032")
def test_the_eleventh_endpoint_is_refused_and_ten_are_paged_through(program: APIClient) -> None:
    made = [make(program, url=f"{URL}{number}")["id"] for number in range(10)]
    refused = program.post(PATH, FIELDS, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "TOO_MANY_WEBHOOKS")
    assert Webhook.objects.count() == 10
    first = program.get(PATH, {"limit": 4}).json()
    make_room = program.delete(f"{PATH}/{made[9]}")
    assert make_room.status_code == 200
    second = program.get(PATH, {"limit": 4, "cursor": first["next_cursor"]}).json()
    last = program.get(PATH, {"limit": 4, "cursor": second["next_cursor"]}).json()
    pages = [[row["id"] for row in page["webhooks"]] for page in (first, second, last)]
    assert pages == [made[9:5:-1], made[5:1:-1], made[1::-1]]
    assert last["next_cursor"] is None
    for query in ({"limit": 0}, {"limit": 1_001}, {"cursor": "nonsense"}):
        answer = program.get(PATH, query)
        assert (answer.status_code, answer.json()["details"]["field"]) == (400, next(iter(query)))


@pytest.mark.spec("API-032")
def test_a_private_address_is_refused_and_makes_nothing(program: APIClient) -> None:
    answer = program.post(PATH, FIELDS | {"url": "https://127.0.0.1/hook"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_WEBHOOK_URL")
    assert not Webhook.objects.exists()


@pytest.mark.spec("API-032")
def test_an_endpoint_that_a_key_made_is_told_of_events(program: APIClient, world: Sandbox, alice: User) -> None:
    shop = endpoint(world, alice, "other", events=["validation.completed"])
    hears = make(program, events=["validation.completed"])
    assert program.patch(f"{PATH}/{hears['id']}", {"is_active": False}, format="json").json()["is_active"] is False
    assert Webhook.objects.filter(is_active=True).get() == shop.hook
