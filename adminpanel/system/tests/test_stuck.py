"""Work that hangs is shown, done again and given up: once, with a trace."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from django_q.models import Failure, OrmQ
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.ledger.models import CreditAccount, CreditHold
from billing.ledger.services import reconcile_ledger
from billing.provider_sync.models import EventState, ProviderEvent
from conftest import client_of
from emailcheck.common.queue import tasks
from emailcheck.common.testing import age_leases, date_queue
from tests import checkout
from tests.paypal import Buyer
from validation.batches import services as batches
from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.models import Batch, BatchType
from validation.results.models import Result

LIST = "/api/admin/work"
LISTED = [f"person{number}@harborquill.com" for number in range(100)]


def travel_ahead(**delta: float) -> Any:
    return time_machine.travel(timezone.now() + timedelta(**delta), tick=False)


def list_shown(api: APIClient, **query: str) -> list[dict[str, Any]]:
    work: list[dict[str, Any]] = api.get(LIST, query).json()["work"]
    return work


def press_button(api: APIClient, work: dict[str, Any], verb: str) -> tuple[int, str]:
    answer = api.post(f"{LIST}/{work['kind']}/{work['id']}/{verb}")
    return answer.status_code, answer.json().get("message") or answer.json()["detail"]


def staff_lines() -> list[tuple[str, str]]:
    return list(Activity.objects.filter(kind="staff").order_by("pk").values_list("action", "target"))


@pytest.fixture
def batch(alice: User, settings: Any) -> Batch:
    """A list of which no worker knows."""
    settings.IMMEDIATE_ADDRESSES = 0
    made = batches.start_list(organisation=alice.own_organisation, lines=LISTED, batch_type=BatchType.BULK_TEXTAREA)
    OrmQ.objects.all().delete()
    return made


@pytest.fixture
def api(sam: User) -> APIClient:
    return client_of(sam)


@pytest.mark.spec("MON-041", "SEC-014")
def test_a_list_that_stands_still_is_shown_woken_and_cancelled(api: APIClient, batch: Batch, alice: User) -> None:
    with travel_ahead(minutes=9):
        assert list_shown(client_of(User.objects.get(role="admin"))) == []
    with travel_ahead(minutes=11):
        (work,) = list_shown(api, kind="batch")
        assert work == {
            "kind": "batch", "id": batch.public_id, "age_seconds": 660, "attempts": 0,
            "error": "Nothing has happened in it", "state": "queued",
        }  # fmt: skip
        for _ in range(2):
            assert press_button(api, work, "retry") == (200, "Queued again")
        assert {row.func() for row in OrmQ.objects.all()} == {"validation.tasks.work"}
        held = CreditAccount.objects.get(organisation=alice.own_organisation).held
        assert press_button(api, work, "cancel") == (200, "Cancelled")
        assert press_button(api, work, "cancel") == press_button(api, work, "retry") == (404, "Work not found")
        date_queue()
        assert list_shown(api) == []
    batch.refresh_from_db()
    assert (held, CreditAccount.objects.get(organisation=alice.own_organisation).held, batch.status) == (
        100,
        0,
        "cancelled",
    )
    assert CreditHold.objects.get().captured == 0
    assert reconcile_ledger() == []
    about = f"batch {batch.public_id}"
    assert staff_lines() == [("Stuck batch tried again", about)] * 2 + [("Stuck batch cancelled", about)]


@pytest.mark.spec("MON-041")
def test_a_list_that_moves_is_not_cancelled_from_here(api: APIClient, batch: Batch) -> None:
    work = {"kind": "batch", "id": batch.public_id}
    assert press_button(api, work, "cancel") == (409, "This work goes on by itself again. Nothing was changed.")
    assert press_button(api, work, "retry") == (200, "Queued again")
    batch.refresh_from_db()
    assert (batch.status, OrmQ.objects.count()) == ("queued", 0)


@pytest.mark.spec("MON-041")
@pytest.mark.parametrize("change", [
    {"not_before": timedelta(minutes=20)}, {"state": ChunkState.RUNNING, "lease_until": timedelta(minutes=12)},
])  # fmt: skip
def test_what_waits_for_greylisting_hosts_or_is_worked_on_is_not_stuck(
    api: APIClient, batch: Batch, change: dict[str, Any]
) -> None:
    now = timezone.now()
    Chunk.objects.update(**{k: now + v if isinstance(v, timedelta) else v for k, v in change.items()})
    with travel_ahead(minutes=11):
        assert list_shown(api) == []


@pytest.mark.spec("MON-041", "SEC-014")
def test_a_chunk_whose_worker_fell_silent_is_tried_again(api: APIClient, batch: Batch) -> None:
    Chunk.objects.update(state=ChunkState.RUNNING, lease="a", lease_until=timezone.now(), attempts=2)
    chunk = Chunk.objects.get()
    age_leases(Chunk, timedelta(seconds=90))
    assert list_shown(api, kind="chunk") == []
    age_leases(Chunk, timedelta(seconds=31))
    (work,) = list_shown(api, kind="chunk")
    assert (work["id"], work["age_seconds"], work["attempts"], work["state"]) == (
        str(chunk.pk), 121, 2, "running, 100 rows",
    )  # fmt: skip
    assert "fell silent" in work["error"]
    assert [press_button(api, work, "retry") for _ in range(2)] == [(200, "Queued again")] * 2
    chunk.refresh_from_db()
    assert (chunk.state, chunk.attempts, chunk.lease) == ("pending", 0, "")
    assert OrmQ.objects.count() == 1
    assert list_shown(api, kind="chunk") == []
    assert staff_lines() == [("Stuck chunk tried again", f"chunk {chunk.pk}")] * 2


@pytest.mark.spec("MON-041")
def test_a_chunk_that_is_given_up_is_unknown_and_costs_nothing(api: APIClient, batch: Batch, alice: User) -> None:
    Chunk.objects.update(state=ChunkState.RUNNING, lease="a", lease_until=timezone.now(), attempts=1)
    age_leases(Chunk, timedelta(seconds=121))
    (work,) = list_shown(api, kind="chunk")
    assert press_button(api, work, "cancel") == (200, "Cancelled")
    assert press_button(api, work, "cancel") == (404, "Work not found")
    batch.refresh_from_db()
    assert (batch.status, batch.unknown_count, batch.credits_used) == ("completed", 100, 0)
    assert Result.objects.filter(batch=batch, category="unknown", charged=False).count() == 100
    assert CreditAccount.objects.get(organisation=alice.own_organisation).held == 0
    assert reconcile_ledger() == []


@pytest.mark.spec("MON-041")
def test_tasks_that_wait_too_long_or_failed_are_shown_queued_again_and_dropped(api: APIClient) -> None:
    tasks.enqueue("validation.tasks.purge", 7, queue="bulk")
    now = timezone.now()
    result = "Traceback (most recent call last):\nValueError: no room for anna@x.com\n"
    failed = Failure.objects.create(
        id="f" * 32, name="one", func="validation.tasks.purge", args=(9,), cluster="bulk", started=now, stopped=now,
        result=result, success=False, attempt_count=1,
    )  # fmt: skip
    with travel_ahead(minutes=4):
        assert [one["state"] for one in list_shown(api)] == ["failed"]
    with travel_ahead(minutes=6):
        waits, ended = sorted(list_shown(api, kind="task"), key=lambda one: str(one["state"]), reverse=True)
        assert (waits["state"], waits["age_seconds"], waits["attempts"]) == ("waiting", 360, 0)
        assert ended == {
            "kind": "task", "id": failed.pk, "age_seconds": 360, "attempts": 1, "state": "failed",
            "error": "validation.tasks.purge: ValueError: no room for [address]",
        }  # fmt: skip
        assert press_button(api, ended, "retry") == (200, "Queued again")
        assert press_button(api, ended, "retry") == (404, "Work not found")
        assert sorted(row.args()[0] for row in OrmQ.objects.filter(key__startswith="bulk:")) == [7, 9]
        assert press_button(api, waits, "retry") == (200, "Queued again")
        date_queue()
        assert list_shown(api) == []
        assert press_button(api, waits, "cancel") == (200, "Cancelled")
        assert press_button(api, waits, "cancel") == (404, "Work not found")
        assert [row.args() for row in OrmQ.objects.all()] == [(9,)]


@pytest.mark.spec("MON-041", "PRC-023")
def test_a_webhook_that_could_not_be_acted_upon_is_acted_upon_later(
    api: APIClient, alice: User, alice_api: APIClient, buyer: Buyer
) -> None:
    buyer.press(checkout.order(alice_api))
    approved = buyer.delivery("CHECKOUT.ORDER.APPROVED")
    buyer.control("trouble", kind="unavailable", path="/v2/checkout/orders", times=6)
    for _ in range(2):
        assert checkout.send_event(*approved).status_code == 502
    balance = CreditAccount.objects.get(organisation=alice.own_organisation).balance
    assert list_shown(api) == []
    ProviderEvent.objects.update(received_at=timezone.now() - timedelta(minutes=11))
    (work,) = list_shown(api, kind="webhook")
    assert (work["attempts"], work["state"], bool(work["error"])) == (2, "PayPal: CHECKOUT.ORDER.APPROVED", True)
    assert press_button(api, work, "retry") == (200, "Queued again")
    assert press_button(api, work, "retry") == press_button(api, work, "cancel") == (404, "Work not found")
    assert checkout.send_event(*approved).status_code == 200
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == balance + 5_000
    assert ProviderEvent.objects.values_list("state", flat=True).get() == EventState.DONE
    assert reconcile_ledger() == []


@pytest.mark.spec("MON-041")
def test_a_webhook_that_is_given_up_has_no_effect_when_it_comes_again(
    api: APIClient, alice: User, alice_api: APIClient, buyer: Buyer
) -> None:
    buyer.press(checkout.order(alice_api))
    approved = buyer.delivery("CHECKOUT.ORDER.APPROVED")
    buyer.control("trouble", kind="unavailable", path="/v2/checkout/orders", times=6)
    assert checkout.send_event(*approved).status_code == 502
    ProviderEvent.objects.update(received_at=timezone.now() - timedelta(minutes=11))
    (work,) = list_shown(api, kind="webhook")
    refused = api.post(f"{LIST}/webhook/{work['id']}/retry")
    assert (refused.status_code, refused.json()["code"]) == (502, "PAYMENT_PROVIDER_ERROR")
    assert press_button(api, work, "cancel") == (200, "Cancelled")
    balance = CreditAccount.objects.get(organisation=alice.own_organisation).balance
    assert checkout.send_event(*approved).status_code == 200
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == balance
    assert (list_shown(api), ProviderEvent.objects.values_list("state", flat=True).get()) == ([], "given_up")


@pytest.mark.spec("MON-041")
@pytest.mark.parametrize("verb", ["retry", "cancel"])
@pytest.mark.parametrize("kind", ["batch", "chunk", "task", "webhook", "file", "nothing"])
def test_what_is_not_there_is_not_found(api: APIClient, kind: str, verb: str) -> None:
    for work_id in ("1", "q1", "x"):
        assert press_button(api, {"kind": kind, "id": work_id}, verb) == (404, "Work not found")
    assert staff_lines() == []
    assert api.get(LIST, {"kind": "nothing"}).status_code == 400
