"""A repeated call happens once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIClient, APIRequestFactory

from accounts.users.models import User
from billing.ledger.models import CreditAccount
from conftest import client_of
from emailcheck.common.api import idempotency
from emailcheck.common.api.models import IdempotentCall
from emailcheck.common.errors import Conflict
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.results.models import Result

pytestmark = pytest.mark.postgres

SINGLE, UPLOAD = "/api/validate/single", "/api/validate/upload"
LIVING = "ida.holm@harborquill.com"


def post(api: APIClient, email: str, key: str) -> Any:
    return api.post(SINGLE, {"email": email}, format="json", headers={"Idempotency-Key": key})


def test_a_repetition_gets_the_first_answer_and_costs_nothing(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    first, again = post(alice_api, LIVING, "k1"), post(alice_api, LIVING, "k1")
    assert (again.status_code, again.json()) == (200, first.json())
    assert ("Idempotent-Replayed" in first, again["Idempotent-Replayed"]) == (False, "true")
    assert Result.objects.count() == 1
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 99


def test_the_same_key_with_another_body_is_refused(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    post(alice_api, LIVING, "k1")
    answer = post(alice_api, "other@harborquill.com", "k1")
    assert (answer.status_code, answer.json()["code"]) == (422, "IDEMPOTENCY_MISMATCH")
    assert Result.objects.count() == 1


def test_the_same_key_for_another_call_is_refused(world: Sandbox, alice_api: APIClient) -> None:
    post(alice_api, LIVING, "k1")
    answer = alice_api.post("/api/validate/bulk", {"email": LIVING}, format="json", headers={"Idempotency-Key": "k1"})
    assert (answer.status_code, answer.json()["code"]) == (422, "IDEMPOTENCY_MISMATCH")
    assert not Batch.objects.exists()


def test_a_key_belongs_to_one_account(world: Sandbox, alice_api: APIClient, bob_api: APIClient) -> None:
    assert post(alice_api, LIVING, "k1").json()["id"] != post(bob_api, LIVING, "k1").json()["id"]


def test_an_unanswered_first_call_is_a_conflict(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    post(alice_api, LIVING, "k1")
    IdempotentCall.objects.update(status=None, body=None)
    answer = post(alice_api, LIVING, "k1")
    assert (answer.status_code, answer.json()["code"]) == (409, "IDEMPOTENCY_IN_FLIGHT")
    assert Result.objects.count() == 1


def test_a_refused_call_may_be_tried_again(world: Sandbox, alice_api: APIClient) -> None:
    assert post(alice_api, "", "k1").status_code == 400
    assert post(alice_api, LIVING, "k1").status_code == 200


def test_after_a_fault_the_key_stays_taken(alice: User) -> None:
    """Nobody knows what was done before the fault: a repetition must not do it again."""
    done: list[str] = []

    @idempotency.idempotent
    def post(view: object, request: Request) -> Response:
        done.append("charged")
        raise RuntimeError("a fault after the work")

    call = APIRequestFactory().post("/api/x", {}, format="json", headers={"Idempotency-Key": "k1"})
    request = Request(call, parsers=[JSONParser()])
    request.user = alice
    with pytest.raises(RuntimeError):
        post(None, request)
    with pytest.raises(Conflict) as refusal:
        post(None, request)
    assert refusal.value.code == "IDEMPOTENCY_IN_FLIGHT"
    assert done == ["charged"]


def test_a_file_is_compared_by_its_content(world: Sandbox, alice_api: APIClient) -> None:
    def send(content: str) -> Any:
        file = SimpleUploadedFile("list.csv", content.encode())
        return alice_api.post(UPLOAD, {"file": file}, format="multipart", headers={"Idempotency-Key": "k1"})

    first = send(f"email\n{LIVING}\n")
    assert send(f"email\n{LIVING}\n").json() == first.json()
    assert send(f"email\n{LIVING}\nmore@harborquill.com\n").status_code == 422
    assert Batch.objects.count() == 1


def test_keys_live_24_hours(world: Sandbox, alice_api: APIClient) -> None:
    post(alice_api, LIVING, "k1")
    idempotency.delete_old_keys()
    assert IdempotentCall.objects.count() == 1
    IdempotentCall.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert "Idempotent-Replayed" not in post(alice_api, LIVING, "k1")
    IdempotentCall.objects.update(created_at=timezone.now() - timedelta(hours=25))
    idempotency.delete_old_keys()
    assert not IdempotentCall.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_happen_once(world: Sandbox, alice: User) -> None:
    clients = [client_of(alice) for _ in range(16)]

    def send(api: APIClient) -> int:
        try:
            status: int = post(api, LIVING, "k1").status_code
        finally:
            connection.close()
        return status

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(send, clients))
    assert set(answers) <= {200, 409}
    assert 200 in answers
    assert Result.objects.count() == 1
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 99
