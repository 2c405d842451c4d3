"""What the contract promises of every public call: refusals, limits, and what is deprecated."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from rest_framework.test import APIClient

from accounts.access.models import ApiKey
from accounts.keys import deprecation_notices, request_log
from accounts.keys.models import ApiRequest
from accounts.users.models import User
from billing.ledger.debits import count_spendable_credits
from emailcheck.common.api import deprecations
from emailcheck.common.api.deprecations import PAGES, UNKNOWN_NAMES
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue
from tests.keyed_clients import HISTORY, V1, client_of_key
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.results.models import Result
from validation.testmode import addresses
from validation.tests.stored import finished

pytestmark = pytest.mark.postgres


@pytest.fixture
def api(alice: User) -> APIClient:
    return client_of_key(alice)


@pytest.fixture
def early_api(alice: User) -> APIClient:
    return client_of_key(alice, early=True)


@pytest.fixture
def batch(alice: User) -> Batch:
    return finished(alice, [(f"{number}@b.com", "valid") for number in range(7)])


# What is not known


@pytest.mark.finding("G4")
@pytest.mark.spec("API-015")
@pytest.mark.parametrize(
    ("path", "name", "said"),
    [
        ("/validate/batches", "next", "Unknown parameter 'next'. Did you mean 'cursor'?"),
        ("/validate/batches", "limits", "Unknown parameter 'limits'. Did you mean 'limit'?"),
        ("/validate/batches", "per_page", "Unknown parameter 'per_page'. Did you mean 'limit'?"),
        ("/credits", "verbose", "Unknown parameter 'verbose'. This call takes no parameters."),
        ("/status", "verbose", "Unknown parameter 'verbose'. This call takes no parameters."),
    ],
)
def test_an_unknown_parameter_is_refused(api: APIClient, path: str, name: str, said: str) -> None:
    answer = api.get(f"{V1}{path}", {name: "7"})
    body = answer.json()
    assert (answer.status_code, body["code"], body["detail"]) == (400, "VALIDATION_ERROR", said)
    assert body["details"] == {"field": name, "provided_value": "7"}


@pytest.mark.spec("API-015")
def test_a_parameter_without_a_neighbour_gets_the_list_of_names(api: APIClient, batch: Batch) -> None:
    answer = api.get(f"{V1}/validate/batch/{batch.public_id}/export", {"colour": "red"})
    assert answer.json()["detail"].startswith("Unknown parameter 'colour'. Allowed: format, segment, ")


@pytest.mark.spec("API-015", "API-016")
def test_earlier_keys_are_answered_but_never_page_one_for_ever(early_api: APIClient, alice: User) -> None:
    answer = early_api.get(f"{V1}/credits", {"verbose": "1", "a b": "2"})
    assert (answer.status_code, answer["X-Unknown-Members"]) == (200, "verbose, a b")
    assert "changelog#unknown-parameters" in answer["Link"]
    assert early_api.get(HISTORY, {"next": "x"}).status_code == 400
    with time_machine.travel(datetime(2027, 12, 1, tzinfo=UTC)):
        assert UNKNOWN_NAMES.is_over
        assert early_api.get(f"{V1}/credits", {"verbose": "1"}).status_code == 400


@pytest.mark.spec("API-016")
@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("single", {"email": "x@at@all", "mood": 1}, "Unknown member 'mood'. Allowed: email, use_providers, repair."),
        ("single", {"emial": "no@at@all"}, "Unknown member 'emial'. Did you mean 'email'?"),
        ("single", {"address": "no@at@all"}, "Unknown member 'address'. Did you mean 'email'?"),
        ("bulk", {"emails": ["x"], "max_credit": 1}, "Unknown member 'max_credit'. Did you mean 'max_credits'?"),
    ],
)  # fmt: skip
def test_an_unknown_member_is_refused_and_nothing_is_done(
    api: APIClient, alice: User, path: str, body: dict[str, Any], said: str
) -> None:
    before = count_spendable_credits(alice.pk)
    answer = api.post(f"{V1}/validate/{path}", body, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (400, said)
    assert (Result.objects.count(), Batch.objects.count(), count_spendable_credits(alice.pk)) == (0, 0, before)


@pytest.mark.spec("API-016")
def test_earlier_keys_are_told_what_they_sent_for_nothing(early_api: APIClient) -> None:
    answer = early_api.post(f"{V1}/validate/single", {"email": "no@at@all", "mode": "test"}, format="json")
    assert (answer.status_code, answer["X-Unknown-Members"]) == (200, "mode")
    assert answer["Deprecation"] == "@1795824000"


@pytest.mark.spec("API-016", "API-017")
def test_an_unknown_member_makes_no_key(alice: User, alice_api: APIClient) -> None:
    answer = alice_api.post("/api/user/api-keys", {"name": "Shop", "mode": "test"}, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (400, "Unknown member 'mode'. Did you mean 'test'?")
    assert not ApiKey.objects.exists()
    made = alice_api.post("/api/user/api-keys", {"name": "Shop", "test": True}, format="json").json()
    assert made["key"].startswith("ec_test_")


@pytest.mark.spec("API-016")
def test_a_call_without_a_body_takes_no_members(api: APIClient, batch: Batch) -> None:
    answer = api.post(f"{V1}/validate/batch/{batch.public_id}/cancel", {"force": True}, format="json")
    assert answer.json()["detail"] == "Unknown member 'force'. This call takes no members."


# Headers


@pytest.mark.spec("API-018")
def test_what_is_accepted_says_where_and_when_to_ask(alice: User) -> None:
    api = client_of_key(alice, test=True)
    body = {"emails": [f"slow@{addresses.DOMAIN}"]}
    first, again = (
        api.post(f"{V1}/validate/bulk", body, format="json", headers={"Idempotency-Key": "one"}) for _ in range(2)
    )
    for answer in (first, again):
        assert answer.status_code == 202
        assert answer["Location"] == f"{V1}/validate/batch/{first.json()['batch_id']}/status"
        assert answer["Retry-After"] == "2"
    assert api.get(first["Location"]).json()["batch_id"] == first.json()["batch_id"]


@pytest.mark.spec("API-018")
def test_refusals_carry_their_headers(api: APIClient, anonymous_api: APIClient) -> None:
    unauthenticated = anonymous_api.get(f"{V1}/credits")
    assert (unauthenticated.status_code, unauthenticated["WWW-Authenticate"]) == (401, "Bearer")
    for answer, status in (
        (api.get(f"{V1}/validate/batch/bat_none"), 404),
        (api.get(f"{V1}/nowhere"), 404),
        (api.delete(f"{V1}/nowhere"), 404),
        (anonymous_api.post(f"{V1}/nowhere"), 404),
        (api.delete(f"{V1}/credits"), 405),
    ):
        assert answer.status_code == status
        assert answer["RateLimit"].startswith('"')
        assert answer.json()["code"] == ("NOT_FOUND" if status == 404 else "METHOD_NOT_ALLOWED")


@pytest.mark.spec("API-018")
@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (7, 7),
        (True, True),
        (["a", 2], ["a", 2]),
        ({"a": {"b": None}}, {"a": {"b": None}}),
        ({"password": "x", "name": "y"}, {"password": "[hidden]", "name": "y"}),
        ("z" * 300, "z" * 200),
        ("ec_live_Yg0dwpY1" + "x" * 49, "ec_live_Yg0dwpY1…"),
    ],
)
def test_what_was_sent_is_repeated_with_its_type_and_without_secrets(api: APIClient, sent: Any, shown: Any) -> None:
    body = api.post(f"{V1}/validate/bulk", {"emails": ["no@at@all"], "extra": sent}, format="json").json()
    assert body["details"] == {"field": "extra", "provided_value": shown}


@pytest.mark.spec("API-018")
def test_a_long_list_is_cut(api: APIClient) -> None:
    sent = ["x" * 30] * 50
    body = api.post(f"{V1}/validate/bulk", {"emails": ["no@at@all"], "extra": sent}, format="json").json()
    assert body["details"]["provided_value"] == [*sent[:5], "x" * 16]


# Limits and test addresses


@pytest.mark.spec("API-022")
def test_asking_how_it_stands_is_counted_apart(api: APIClient, batch: Batch) -> None:
    polled = [f"{V1}/validate/batch/{batch.public_id}/status", f"{V1}/credits", f"{V1}/auth/me"]
    with time_machine.travel("2026-11-28 12:00:00+00:00", tick=False):
        answers = [api.get(polled[number % 3]) for number in range(121)]
        assert {answer.status_code for answer in answers[:120]} == {200}
        assert answers[0]["RateLimit-Policy"] == '"api-status";q=120;w=60'
        assert (answers[120].status_code, answers[120]["Retry-After"]) == (429, "60")
        checked = api.post(f"{V1}/validate/single", {"email": "no@at@all"}, format="json")
        assert (checked.status_code, checked["X-RateLimit-Remaining"]) == (200, "99")


@pytest.mark.spec("API-023")
def test_a_test_address_that_meets_a_live_key_says_so_and_costs_nothing(
    world: Sandbox, alice: User, api: APIClient
) -> None:
    before = count_spendable_credits(alice.pk)
    said = "This is a test address. Use a key that begins with ec_test_ to get its verdict."
    one = api.post(f"{V1}/validate/single", {"email": f"valid@{addresses.DOMAIN}"}, format="json").json()
    assert (one["category"], one["reason"], one["credits_used"]) == ("unknown", "test_address", 0)
    assert one["sentence"] == said
    assert {check["outcome"] for check in one["evidence"] if check["check"] in {"domain", "mail_hosts", "mailbox"}} == {
        "skipped"
    }
    body = {"emails": [f"invalid@{addresses.DOMAIN}", f"typo+7@{addresses.DOMAIN.upper()}"]}
    listed = api.post(f"{V1}/validate/bulk", body, format="json").json()
    assert [(row["reason"], row["details"]["category_reason"]) for row in listed["results"]] == [
        ("test_address", said)
    ] * 2
    assert (listed["credits_used"], count_spendable_credits(alice.pk)) == (0, before)


@pytest.mark.spec("API-023")
def test_the_landing_page_says_the_same_of_a_test_address(world: Sandbox, db: None, anonymous_api: APIClient) -> None:
    tried = anonymous_api.post("/api/try", {"email": f"valid@{addresses.DOMAIN}"}, format="json").json()
    assert (tried["category"], tried["reason"]) == ("unknown", "test_address")
    assert tried["sentence"].startswith("This is a test address.")


# What is deprecated


@pytest.mark.spec("API-051")
def test_the_request_log_marks_such_calls_and_one_mail_a_month_names_them(
    alice: User, early_api: APIClient, alice_api: APIClient
) -> None:
    early_api.get(HISTORY, {"page": 1})
    early_api.get(HISTORY, {"page": 1})
    early_api.get(f"{V1}/credits")
    request_log.write_waiting()
    assert [line.deprecated for line in ApiRequest.objects.order_by("pk")] == [
        "cursors-and-limits", "cursors-and-limits", "",
    ]  # fmt: skip
    lines = alice_api.get("/api/user/requests").json()["requests"]
    assert [line["deprecated"] for line in lines] == ["", "cursors-and-limits", "cursors-and-limits"]
    for _ in range(2):
        deprecation_notices.send_notices()
    drain_queue()
    (mail,) = OutgoingMail.objects.filter(name="deprecated_calls")
    assert mail.key.startswith("deprecated:")
    with time_machine.travel(datetime(2027, 1, 2, tzinfo=UTC)):
        deprecation_notices.send_notices()
    assert OutgoingMail.objects.filter(name="deprecated_calls").count() == 1  # nothing of the last 30 days


@pytest.mark.spec("API-051")
def test_a_call_that_uses_nothing_of_it_carries_none_of_the_headers(api: APIClient, client: Client) -> None:
    for answer in (api.get(HISTORY, {"limit": 1}), api.get(f"{V1}/credits"), client.get("/status")):
        assert not {"Deprecation", "Sunset", "X-Unknown-Members"} & set(answer.headers)


@pytest.mark.spec("API-051", "API-052")
def test_what_is_deprecated_ends_a_year_after_it_was_announced(db: None) -> None:
    for one in deprecations.DEPRECATIONS:
        assert (one.sunset - one.since).days >= 365
    assert len({one.anchor for one in deprecations.DEPRECATIONS}) == len(deprecations.DEPRECATIONS)
    assert PAGES in deprecations.DEPRECATIONS
