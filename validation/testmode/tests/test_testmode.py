"""Test mode: the whole surface with a test key, deterministic, free, and apart from what is live."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.users.models import User
from billing.ledger.models import CreditAccount, CreditEntry, CreditHold
from billing.subscriptions.entitlements import TEST_CREDITS
from conftest import client_of, client_with
from emailcheck.common import personal
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue
from tests.hooks import endpoint
from tests.world import Sandbox
from validation.batches.models import Batch, BatchStatus
from validation.batches.retention import services as retention
from validation.daily.models import Day
from validation.results.models import Evidence, Result
from validation.testmode import addresses, verdicts

V1 = "/api/v1"
SINGLE = f"{V1}/validate/single"
BULK = f"{V1}/validate/bulk"


@pytest.fixture
def api_in_test_mode(alice: User) -> APIClient:
    return client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Trial", test=True)[1])


@pytest.fixture
def live_api(alice: User) -> APIClient:
    return client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1])


@pytest.fixture
def nothing_live(alice: User, api_in_test_mode: APIClient) -> Iterator[None]:
    """What the test does leaves credits, counts, mails and the activity log as they were."""

    def now() -> list[Any]:
        account = CreditAccount.objects.values("balance", "held").get(organisation=alice.own_organisation)
        rows = (CreditEntry, CreditHold, Day, OutgoingMail)
        lines = Activity.objects.filter(organisation=alice.own_organisation, kind="validation").count()
        return [account, lines, *(model._default_manager.count() for model in rows)]

    before = now()
    yield
    assert now() == before


def post(api: APIClient, address: str) -> Any:
    return api.post(SINGLE, {"email": address}, format="json")


@pytest.mark.spec("DOC-034")
@pytest.mark.parametrize("known", addresses.VERDICTS, ids=lambda known: known.name)
def test_each_magic_address_has_its_verdict(
    api_in_test_mode: APIClient, nothing_live: None, known: addresses.AddressVerdict
) -> None:
    answers = [post(api_in_test_mode, address) for address in (known.address, f"{known.name}+7@{addresses.DOMAIN}")]
    for answer in answers:
        said = answer.json()
        assert (answer.status_code, said["test"], said["credits_used"]) == (200, True, 0)
        assert (said["category"], said["reason"], said["sentence"]) == (known.category, known.reason, known.sentence)
        assert said["valid"] is (known.category == "valid")
        assert said["did_you_mean"] == known.did_you_mean
        assert answer["X-Credits-Remaining"] == str(TEST_CREDITS)


@pytest.mark.spec("DOC-034")
def test_every_other_address_is_unknown_and_nobody_is_asked(api_in_test_mode: APIClient, nothing_live: None) -> None:
    said = post(api_in_test_mode, "ida.holm@harborquill.com").json()
    assert (said["category"], said["reason"], said["test"]) == ("unknown", "not_probed", True)
    said = post(api_in_test_mode, "no@at@all").json()
    assert (said["category"], said["reason"], said["syntax_valid"]) == ("invalid", "syntax", False)


@pytest.mark.spec("DOC-034", "DOC-036")
def test_refusals_can_be_had(api_in_test_mode: APIClient, nothing_live: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "SLOW_S", 0.0)
    api_in_test_mode.raise_request_exception = False
    for body in ({"email": "{}"}, {"emails": ["valid@test.emailcheck.app", "{}"]}):
        call = BULK if "emails" in body else SINGLE

        def ask(name: str, body: Any = body, call: str = call) -> Any:
            address = f"{name}@{addresses.DOMAIN}"
            filled = {"email": address} if "email" in body else {"emails": [body["emails"][0], address]}
            return api_in_test_mode.post(call, filled, format="json")

        refused = ask("rate_limited")
        assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (
            429, "RATE_LIMIT_EXCEEDED", "30",
        )  # fmt: skip
        assert refused.json()["test"] is True
        refused = ask("out_of_credits")
        assert (refused.status_code, refused.json()["code"]) == (403, "QUOTA_EXCEEDED")
        assert ask("slow").json()["test"] is True
    failed = post(api_in_test_mode, f"failing@{addresses.DOMAIN}")
    assert (failed.status_code, failed.json()["code"]) == (500, "INTERNAL_ERROR")
    assert failed.json()["request_id"] == failed["X-Request-Id"]
    assert Batch.objects.filter(test=False).count() == 0
    assert Batch.objects.filter(batch_type="bulk_textarea").count() == 1


@pytest.mark.spec("DOC-034")
def test_a_failing_list_fails(api_in_test_mode: APIClient, nothing_live: None) -> None:
    names = ["valid", "failing"]
    answer = api_in_test_mode.post(BULK, {"emails": [f"{name}@{addresses.DOMAIN}" for name in names]}, format="json")
    batch_id = answer.json()["batch_id"]
    status = api_in_test_mode.get(f"{V1}/validate/batch/{batch_id}/status").json()
    assert (answer.status_code, status["status"], status["error"]) == (200, "failed", verdicts.FAILED)
    assert status["test"] is True


@pytest.mark.spec("DOC-034")
def test_a_slow_list_goes_on_in_the_background(
    api_in_test_mode: APIClient, nothing_live: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "SLOW_S", 1.0)
    lines = [f"slow@{addresses.DOMAIN}", f"invalid@{addresses.DOMAIN}"]
    answer = api_in_test_mode.post(BULK, {"emails": lines}, format="json")
    assert (answer.status_code, answer.json()["status"]) == (202, "processing")
    drain_queue()
    said = api_in_test_mode.get(f"{V1}/validate/batch/{answer.json()['batch_id']}").json()
    assert (said["processing_status"], said["valid_count"], said["invalid_count"]) == ("completed", 1, 1)
    assert [row["category"] for row in said["emails"]] == ["valid", "invalid"]


@pytest.mark.spec("DOC-034")
def test_a_list_to_its_end(api_in_test_mode: APIClient, nothing_live: None) -> None:
    lines = [f"{known.name}@{addresses.DOMAIN}" for known in addresses.VERDICTS]
    answer = api_in_test_mode.post(BULK, {"emails": lines}, format="json")
    said = answer.json()
    assert (answer.status_code, said["test"], said["status"], said["credits_used"]) == (200, True, "completed", 0)
    assert [row["category"] for row in said["results"]] == [known.category for known in addresses.VERDICTS]
    batch = f"{V1}/validate/batch/{said['batch_id']}"
    results = api_in_test_mode.get(f"{batch}/results").json()
    assert (results["total"], results["test"]) == (len(lines), True)
    one = api_in_test_mode.get(f"{V1}/validate/result/{results['results'][0]['id']}").json()
    assert (one["email"], one["test"]) == (f"valid@{addresses.DOMAIN}", True)
    exported = api_in_test_mode.get(f"{batch}/export?format=csv")
    assert "test-" in exported["Content-Disposition"]
    assert exported.getvalue().count(b"\n") == len(lines) + 1
    again = api_in_test_mode.post(f"{batch}/recheck").json()
    assert (again["rechecking"], again["test"]) == (2, True)
    drain_queue()
    assert api_in_test_mode.get(f"{batch}/status").json()["status"] == "completed"
    assert api_in_test_mode.delete(batch).json() == {"message": "Batch deleted", "test": True}
    assert api_in_test_mode.get(batch).status_code == 404
    drain_queue()
    assert not Result.objects.exists()


@pytest.mark.spec("DOC-034")
def test_a_file(api_in_test_mode: APIClient, nothing_live: None) -> None:
    lines = "email\n" + "\n".join(
        f"{name}+{n}@{addresses.DOMAIN}" for n in range(60) for name in ("valid", "disposable")
    )
    file = SimpleUploadedFile("list.csv", lines.encode())
    answer = api_in_test_mode.post(f"{V1}/validate/upload", {"file": file}, format="multipart")
    assert (answer.status_code, answer.json()["test"]) == (202, True)
    drain_queue()
    said = api_in_test_mode.get(f"{V1}/validate/batch/{answer.json()['batch_id']}/status").json()
    assert (said["status"], said["valid_count"], said["disposable_count"]) == ("completed", 60, 60)
    refused = SimpleUploadedFile("list.csv", f"email\nout_of_credits@{addresses.DOMAIN}\n".encode())
    answer = api_in_test_mode.post(f"{V1}/validate/upload", {"file": refused}, format="multipart")
    assert (answer.status_code, Batch.objects.count()) == (403, 1)


@pytest.mark.spec("DOC-034")
def test_test_and_live_do_not_see_each_other(api_in_test_mode: APIClient, live_api: APIClient, alice: User) -> None:
    single = post(api_in_test_mode, f"valid@{addresses.DOMAIN}").json()
    listed = api_in_test_mode.post(BULK, {"emails": [f"invalid@{addresses.DOMAIN}"]}, format="json").json()
    # A live list whose address costs nobody a question.
    live = live_api.post(BULK, {"emails": ["no@at@all"]}, format="json").json()
    site = client_of(alice)
    row = Result.objects.get(batch__public_id=listed["batch_id"])
    for stranger in (live_api, site):
        for path in (f"result/{single['id']}", f"result/{row.pk}", f"batch/{listed['batch_id']}"):
            assert stranger.get(f"{V1}/validate/{path}").status_code == 404
        for path in ("cancel", "recheck"):
            assert stranger.post(f"{V1}/validate/batch/{listed['batch_id']}/{path}").status_code == 404
        assert stranger.delete(f"{V1}/validate/batch/{listed['batch_id']}").status_code == 404
        history = stranger.get(f"{V1}/validate/batches").json()
        assert [batch["id"] for batch in history["batches"]] == [live["batch_id"]]
        assert (history["total"], history["individual_total"], "test" in history) == (1, 0, False)
        assert [row["email"] for row in history["validations"]] == ["no@at@all"]
        figures = stranger.get(f"{V1}/analytics/dashboard").json()
        assert (figures["total_validations"], len(figures["recent_validations"])) == (1, 1)
    history = api_in_test_mode.get(f"{V1}/validate/batches").json()
    assert [batch["id"] for batch in history["batches"]] == [listed["batch_id"]]
    assert [one["id"] for one in history["individual_validations"]] == [single["id"]]
    assert (history["batches_total"], history["individual_total"], history["total"]) == (1, 1, 2)
    assert api_in_test_mode.get(f"{V1}/validate/batch/{live['batch_id']}").status_code == 404
    figures = api_in_test_mode.get(f"{V1}/analytics/dashboard").json()
    assert (figures["total_validations"], figures["credits"], figures["test"]) == (2, TEST_CREDITS, True)


@pytest.mark.spec("DOC-034")
def test_clearing_the_live_history_leaves_test_data(api_in_test_mode: APIClient, alice: User) -> None:
    single = post(api_in_test_mode, f"valid@{addresses.DOMAIN}").json()
    assert client_of(alice).delete("/api/user/validation-history").json()["deleted_count"] == 0
    assert api_in_test_mode.get(f"{V1}/validate/result/{single['id']}").status_code == 200
    assert api_in_test_mode.delete(f"{V1}/validate/result/{single['id']}").status_code == 200
    assert not Result.objects.exists()


@pytest.mark.spec("DOC-034")
def test_credits_in_test_mode_are_always_the_same(api_in_test_mode: APIClient, nothing_live: None, alice: User) -> None:
    said = api_in_test_mode.get(f"{V1}/credits").json()
    assert (said["credits"], said["lots"], said["test"]) == (TEST_CREDITS, [], True)
    me = api_in_test_mode.get(f"{V1}/auth/me").json()
    assert (me["email"], me["credits"], me["monthly_usage"], me["test"]) == (alice.email, TEST_CREDITS, 0, True)


@pytest.mark.spec("DOC-034", "DOC-045")
def test_a_test_key_reaches_no_more_than_a_live_one(api_in_test_mode: APIClient) -> None:
    for path in ("user/api-keys", "user/activity", "subscriptions/status", "invoices"):
        assert api_in_test_mode.get(f"/api/{path}").status_code == 403
    assert api_in_test_mode.post("/api/user/api-keys", {"name": "More"}, format="json").status_code == 403


@pytest.mark.spec("DOC-034", "PRC-035")
def test_an_idempotency_key_of_test_mode_is_another(api_in_test_mode: APIClient, live_api: APIClient) -> None:
    body, again = {"email": "no@at@all"}, {"Idempotency-Key": "once"}
    tried = [api_in_test_mode.post(SINGLE, body, format="json", headers=again) for _ in range(2)]
    live = live_api.post(SINGLE, body, format="json", headers=again)
    assert tried[0].json() == tried[1].json()
    assert [answer.has_header("Idempotent-Replayed") for answer in (*tried, live)] == [False, True, False]
    assert (live.status_code, "test" in live.json()) == (200, False)
    assert live.json()["id"] != tried[0].json()["id"]


@pytest.mark.spec("DOC-034", "LIM-018")
def test_calls_in_test_mode_use_up_a_limit_of_their_own(api_in_test_mode: APIClient, live_api: APIClient) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False):
        first = api_in_test_mode.get(f"{V1}/validate/batches")
        assert first["RateLimit-Policy"] == '"test";q=100;w=60'
        assert {api_in_test_mode.get(f"{V1}/validate/batches").status_code for _ in range(99)} == {200}
        assert api_in_test_mode.get(f"{V1}/validate/batches").status_code == 429
        assert live_api.get(f"{V1}/validate/batches")["X-RateLimit-Remaining"] == "99"


@pytest.mark.spec("DOC-034")
def test_after_a_week_it_is_gone(api_in_test_mode: APIClient, live_api: APIClient) -> None:
    live = live_api.post(BULK, {"emails": ["no@at@all"]}, format="json").json()
    post(api_in_test_mode, f"valid@{addresses.DOMAIN}")
    api_in_test_mode.post(BULK, {"emails": [f"invalid@{addresses.DOMAIN}"]}, format="json")
    with time_machine.travel(timezone.now() + timedelta(days=6, hours=23)):
        retention.sweep_expired()
        assert Batch.objects.filter(test=True, expired_at=None).count() == 2
    with time_machine.travel(timezone.now() + timedelta(days=7, minutes=1)):
        retention.sweep_expired()
    assert [batch.public_id for batch in Batch.objects.all()] == [live["batch_id"]]
    assert Result.objects.count() == 1
    assert Evidence.objects.filter(batch__test=True).count() == 0
    assert Batch.objects.get().status == BatchStatus.COMPLETED


@pytest.mark.spec("DOC-034")
def test_a_deleted_account_leaves_no_test_data(api_in_test_mode: APIClient, alice: User) -> None:
    post(api_in_test_mode, f"valid@{addresses.DOMAIN}")
    api_in_test_mode.post(BULK, {"emails": [f"invalid@{addresses.DOMAIN}"]}, format="json")
    personal.erase_person(alice.pk)
    assert not Batch.objects.exists()
    assert not Result.objects.exists()


@pytest.mark.spec("DOC-034", "DOC-051")
def test_endpoints_of_test_mode_hear_of_it_and_live_ones_do_not(
    world: Sandbox, api_in_test_mode: APIClient, live_api: APIClient, alice: User
) -> None:
    events = ["validation.completed", "batch.processing", "batch.completed"]
    trial = endpoint(world, alice, "trial", events=events, test=True)
    shop = endpoint(world, alice, events=events)
    post(api_in_test_mode, f"valid@{addresses.DOMAIN}")
    api_in_test_mode.post(BULK, {"emails": [f"invalid@{addresses.DOMAIN}"]}, format="json")
    told = [json.loads(delivery.body) for delivery in trial.deliveries]
    assert [(one["event"], one["test"]) for one in told] == [(event, True) for event in events]
    assert shop.deliveries == []
    post(live_api, "ida.holm@harborquill.com")
    assert len(trial.deliveries) == 3
    (live,) = [json.loads(delivery.body) for delivery in shop.deliveries]
    assert (live["event"], "test" in live) == ("validation.completed", False)
