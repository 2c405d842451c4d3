"""Deliveries arrive at least once, are tried again by the schedule, and end; slow endpoints hold nobody up."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.utils import timezone

from accounts.organisations.models import Organisation
from accounts.users.models import User
from conftest import make_user
from emailcheck.common.testing import age_leases, run_sixteen
from tests.hooks import HOST, Endpoint, Mode, endpoint, sent
from tests.world import Sandbox
from validation import tasks
from validation.tests import stored
from validation.webhooks import posting, queue, retry_schedule, worker
from validation.webhooks import services as webhooks
from validation.webhooks.events import announce_single
from validation.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
NOW = datetime.fromisoformat("2026-11-23T09:00:00+00:00")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def shop(clock: time_machine.Traveller, world: Sandbox, alice: User) -> Endpoint:
    sent()
    mail.outbox.clear()
    return endpoint(world, alice)


def tell(user: User, times: int = 1) -> None:
    for number in range(times):
        announce_single(stored.single(user, f"ida.holm{number}@harborquill.com"))


def turn() -> None:
    """One worker's turn, and what it asks for but the next turn: that waits for its time."""
    for taken in queue.lease_due(queue.AT_ONCE):
        queue.record_outcome(taken.delivery, posting.post_message(taken.message))


def test_the_schedule_is_the_published_one() -> None:
    waits = [
        "0:00:05",
        "0:05:00",
        "0:30:00",
        "2:00:00",
        "5:00:00",
        "10:00:00",
        "14:00:00",
        "20:00:00",
        "1 day, 0:00:00",
    ]
    assert [str(wait) for wait in retry_schedule.WAITS] == waits
    for step, wait in enumerate(retry_schedule.WAITS, start=1):
        at = retry_schedule.next_try_at(step=step, name="whd_1", now=NOW, headers={})
        assert at is not None
        assert NOW + wait <= at <= NOW + wait * 1.1
    assert retry_schedule.next_try_at(step=10, name="whd_1", now=NOW, headers={"retry-after": "60"}) is None


def test_what_fails_together_does_not_come_back_together() -> None:
    at = {retry_schedule.next_try_at(step=4, name=f"whd_{number}", now=NOW, headers={}) for number in range(100)}
    assert len(at) == 100


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("120", 120), ("Mon, 23 Nov 2026 09:10:00 GMT", 600), ("999999999999", 86_400), ("86401", 86_400),
        ("-5", 5), ("soon", 5), ("", 5), ("1e9", 5), ("Mon, 23 Nov 2020 09:10:00 GMT", 5), ("٣", 5),
    ],
)  # fmt: skip
def test_a_receiver_may_ask_for_more_time(asked: str, seconds: int) -> None:
    at = retry_schedule.next_try_at(step=1, name="whd_1", now=NOW, headers={"retry-after": asked})
    assert at is not None
    assert seconds <= (at - NOW).total_seconds() <= max(seconds, 5.5)


@pytest.mark.spec("DOC-055", "DOC-057")
def test_a_delivery_is_tried_ten_times_with_one_id_and_then_fails(
    shop: Endpoint, alice: User, clock: time_machine.Traveller
) -> None:
    shop.answers(Mode.ERROR)
    tell(alice)
    gaps, last = [], NOW
    for _ in range(9):
        turn()
        turn()
        next_at = shop.deliveries[0].next_attempt_at
        assert next_at is not None
        gaps.append(next_at - last)
        last = next_at
        clock.move_to(last - timedelta(seconds=1))
        turn()
        clock.move_to(last)
    turn()
    (delivery,) = shop.deliveries
    near = [1.0 <= gap / wait <= 1.1 for gap, wait in zip(gaps, retry_schedule.WAITS, strict=True)]
    assert near == [True] * 9
    assert (delivery.status, delivery.attempts, delivery.response_status) == ("failed", 10, 500)
    assert len(shop.arrived) == 10
    assert len({one.headers["webhook-id"] for one in shop.arrived}) == 1
    assert len({one.headers["webhook-timestamp"] for one in shop.arrived}) == 10
    assert delivery.log.count() == 10
    clock.shift(timedelta(days=2))
    turn()
    assert len(shop.arrived) == 10


@pytest.mark.parametrize(
    ("mode", "status", "error"),
    [
        (Mode.ERROR, 500, "The endpoint answered 500."),
        (Mode.REDIRECT, 302, "Redirects are not followed."),
        (Mode.BROKEN, None, "The connection ended before the answer did."),
        (Mode.LATER, 503, "The endpoint answered 503."),
    ],
)
def test_the_log_says_what_went_wrong(shop: Endpoint, alice: User, mode: Mode, status: int | None, error: str) -> None:
    shop.answers(mode)
    tell(alice)
    turn()
    (attempt,) = WebhookAttempt.objects.all()
    assert (attempt.status, attempt.error) == (status, error)
    assert len(shop.arrived) == 1
    (delivery,) = shop.deliveries
    assert (delivery.status, delivery.response_status) == ("pending", status)
    wait = (delivery.next_attempt_at or NOW) - NOW
    assert timedelta(seconds=120 if mode is Mode.LATER else 5) <= wait <= timedelta(seconds=121)


def test_a_delivery_that_cannot_even_be_begun_stops_no_other(
    shop: Endpoint, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "SOON", timedelta(0))
    broken = endpoint(shop.world, alice, "broken")
    Webhook.objects.filter(pk=broken.hook.pk).update(url="https://[::1/")
    tell(alice)
    worker.run_worker()
    (failed,), (delivered,) = broken.deliveries, shop.deliveries
    assert (delivered.status, len(shop.arrived)) == ("delivered", 1)
    assert (failed.status, failed.attempts, failed.log.get().error) == ("pending", 1, worker.OUR_FAULT)


def test_a_body_without_end_is_cut_and_counts_as_delivered(shop: Endpoint, alice: User) -> None:
    shop.answers(Mode.HUGE)
    tell(alice)
    turn()
    (attempt,) = WebhookAttempt.objects.all()
    assert (attempt.status, attempt.error, len(attempt.response_body)) == (200, "", 4_096)
    assert shop.deliveries[0].status == "delivered"


def test_who_does_not_answer_in_time_is_tried_again(
    shop: Endpoint, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert posting.SECONDS == 15
    monkeypatch.setattr(posting, "SECONDS", 0.5)
    shop.answers(Mode.SLOW)
    tell(alice)
    turn()
    (attempt,) = WebhookAttempt.objects.all()
    assert (attempt.status, attempt.error) == (None, "No whole answer came within 15 seconds.")
    assert shop.deliveries[0].status == "pending"


@pytest.mark.spec("DOC-057")
def test_410_disables_the_endpoint_at_once_and_mails_its_owner(shop: Endpoint, alice: User) -> None:
    shop.answers(Mode.GONE)
    tell(alice, 3)
    turn()
    tasks.sweep_webhooks()
    hook = Webhook.objects.get()
    assert (hook.is_active, hook.disabled_reason) == (False, "The endpoint answered 410 Gone.")
    assert {one.status for one in shop.deliveries} == {"failed"}
    sent()
    assert [(message.to, message.subject) for message in mail.outbox] == [
        (["alice@alder.com"], "A webhook endpoint was disabled")
    ]
    text = str(mail.outbox[0].body)
    for line in (f"Address: https://{HOST}/shop", "Why: The endpoint answered 410 Gone.",
                 "Failing since: 23 November 2026, 09:00 UTC"):  # fmt: skip
        assert f"\n{line}\n" in text
    tell(alice)
    assert len(shop.deliveries) == 3


@pytest.mark.spec("DOC-057")
def test_five_days_of_failures_disable_it_and_a_success_starts_the_count_anew(
    shop: Endpoint, alice: User, clock: time_machine.Traveller
) -> None:
    shop.answers(Mode.ERROR)
    for day, mode in ((0, Mode.ERROR), (4, Mode.OK), (4, Mode.ERROR), (8, Mode.ERROR)):
        clock.move_to(NOW + timedelta(days=day))
        WebhookDelivery.objects.all().delete()
        shop.answers(mode)
        tell(alice)
        turn()
        assert Webhook.objects.get().is_active
    clock.move_to(NOW + timedelta(days=9, seconds=1))
    tell(alice)
    turn()
    hook = Webhook.objects.get()
    assert not hook.is_active
    assert hook.disabled_reason == "Every try failed for 5 days. The last: The endpoint answered 500."
    sent()
    assert [message.subject for message in mail.outbox] == ["A webhook endpoint was disabled"]
    assert "Failing since: 27 November 2026, 09:00 UTC" in str(mail.outbox[0].body)


def test_a_worker_that_dies_while_it_sends_loses_nothing(shop: Endpoint, alice: User) -> None:
    tell(alice)
    (taken,) = queue.lease_due(1)  # and is killed, before or after the message left
    assert queue.lease_due(1) == []
    age_leases(WebhookDelivery, queue.LEASE - timedelta(seconds=5))
    assert queue.lease_due(1) == []
    age_leases(WebhookDelivery, timedelta(seconds=5))
    tasks.sweep_webhooks()
    assert sent() == ["validation.tasks.send_webhooks"]
    (delivery,) = shop.deliveries
    assert (delivery.status, delivery.attempts) == ("delivered", 2)
    late = queue.record_outcome(taken.delivery, posting.post_message(taken.message))
    assert late is False
    assert shop.deliveries[0].attempts == 2
    assert {one.headers["webhook-id"] for one in shop.arrived} == {delivery.message_id}


def test_a_worker_that_comes_back_late_writes_nothing(shop: Endpoint, alice: User) -> None:
    tell(alice)
    (late,) = queue.lease_due(1)
    age_leases(WebhookDelivery, queue.LEASE)
    (taken,) = queue.lease_due(1)
    outcome = posting.post_message(late.message)
    assert queue.record_outcome(late.delivery, outcome) is False
    assert (shop.deliveries[0].status, WebhookAttempt.objects.count()) == ("pending", 0)
    assert queue.record_outcome(taken.delivery, outcome) is True
    assert (shop.deliveries[0].status, shop.deliveries[0].attempts) == ("delivered", 2)


def test_news_whose_wake_up_was_lost_is_sent_by_the_sweep(shop: Endpoint, alice: User) -> None:
    tell(alice)
    sent_before = len(shop.arrived)
    WebhookDelivery.objects.update(next_attempt_at=timezone.now() - timedelta(minutes=5))
    assert WebhookDelivery.objects.due(timezone.now() - timedelta(minutes=4)).count() == 1
    tasks.sweep_webhooks()
    tasks.sweep_webhooks()
    sent()
    assert (sent_before, len(shop.arrived)) == (0, 1)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="plans of SQLite")
def test_what_is_due_and_what_is_being_sent_are_ranges_of_an_index(db: None) -> None:
    due, held = WebhookDelivery.objects.due(timezone.now()), WebhookDelivery.objects.held()
    assert "USING INDEX webhook_due (status=? AND next_attempt_at<?)" in due.explain()
    assert "USING INDEX webhook_in_flight (lease_until>?)" in held.explain()


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_workers_at_once_one_sends_each_delivery(world: Sandbox, alice: User) -> None:
    shops = [endpoint(world, alice, f"sixteen{number}") for number in range(4)]
    tell(alice, 3)
    run_sixteen(lambda _: turn())
    turn()
    assert [len(shop.arrived) for shop in shops] == [3] * 4
    assert {one.attempts for one in WebhookDelivery.objects.all()} == {1}


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_at_once_a_host_gets_eight(world: Sandbox, alice: User, bob: User) -> None:
    for user in (alice, bob):
        endpoint(world, user, f"of-{user.pk}")
        tell(user, 12)
    taken = [one for some in run_sixteen(lambda _: queue.lease_due(32)) for one in some]
    assert len(taken) == queue.PER_HOST == 8
    assert len({one.delivery.pk for one in taken}) == 8
    assert queue.lease_due(32) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_who_write_one_outcome_one_does_and_one_mail_goes_out(world: Sandbox, alice: User) -> None:
    shop = endpoint(world, alice)
    sent()
    mail.outbox.clear()
    shop.answers(Mode.GONE)
    tell(alice)
    (taken,) = queue.lease_due(1)
    outcome = posting.post_message(taken.message)
    assert run_sixteen(lambda _: queue.record_outcome(taken.delivery, outcome)).count(True) == 1
    sent()
    assert (WebhookAttempt.objects.count(), len(mail.outbox)) == (1, 1)


def test_a_slow_endpoint_holds_nobody_up(
    world: Sandbox, alice: User, bob: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "SECONDS", 3.0)
    settings.SLICE_SECONDS = 1
    slow, quick = endpoint(world, alice, "slow"), endpoint(world, bob, "quick")
    slow.answers(Mode.SLOW)
    tell(alice)
    tell(bob, 5)
    begun = time.monotonic()
    worker.run_worker()
    assert time.monotonic() - begun >= 3.0
    assert [one.status for one in quick.deliveries] == ["delivered"] * 5
    ends = [attempt.at for attempt in WebhookAttempt.objects.filter(delivery__webhook=quick.hook)]
    (stuck,) = WebhookAttempt.objects.filter(delivery__webhook=slow.hook)
    assert max(ends) < stuck.at


def test_endpoints_that_fail_leave_places_for_those_that_work(
    shop: Endpoint, world: Sandbox, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "FAILING_AT_ONCE", 1)
    tell(alice, 4)
    Webhook.objects.update(failing_since=timezone.now())
    carol = make_user("carol@cedar.org", "Carol Cedar")
    works = endpoint(world, carol, "works")
    tell(carol, 4)
    taken = queue.lease_due(8)
    by_hook = [one.delivery.webhook_id for one in taken]
    assert by_hook[:4] == [works.hook.pk] * 4
    assert by_hook.count(shop.hook.pk) == 4
    assert queue.lease_due(8) == []


def test_a_suspended_account_is_told_nothing(shop: Endpoint, alice: User) -> None:
    Organisation.objects.filter(pk=alice.pk).update(is_active=False)
    tell(alice)
    assert shop.deliveries == []


def test_what_waits_for_an_endpoint_that_is_off_is_given_up(shop: Endpoint, alice: User) -> None:
    tell(alice)
    webhooks.update_endpoint(organisation=alice.own_organisation, webhook_id=shop.hook.pk, is_active=False)
    assert [one.status for one in shop.deliveries] == ["failed"]
    WebhookDelivery.objects.update(status="pending", next_attempt_at=NOW)  # as if it was written at the same moment
    tasks.sweep_webhooks()
    sent()
    assert [one.status for one in shop.deliveries] == ["failed"]
    assert shop.arrived == []


def test_the_log_is_kept_for_thirty_days(shop: Endpoint, alice: User, clock: time_machine.Traveller) -> None:
    tell(alice)
    turn()
    clock.shift(timedelta(days=29))
    shop.answers(Mode.ERROR)
    tell(alice)
    turn()
    tasks.forget_old_webhooks()
    assert len(shop.deliveries) == 2
    clock.shift(timedelta(days=1, seconds=1))
    tasks.forget_old_webhooks()
    assert [one.status for one in shop.deliveries] == ["pending"]
    assert WebhookAttempt.objects.count() == 1


def test_a_secret_that_cannot_be_read_sends_nothing(shop: Endpoint, alice: User) -> None:
    shop.hook.secrets.update(sealed="damaged")
    tell(alice)
    turn()
    (attempt,) = WebhookAttempt.objects.all()
    assert attempt.error == posting.UNSIGNED
    assert shop.arrived == []
