"""Whoever works under a lease does so by the database's clock, however wrong the clock of a worker is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
import time_machine
from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from accounts.users.models import User
from adminpanel.backups import services as backups
from adminpanel.jobs import services as jobs
from adminpanel.jobs.models import Job
from billing.payments import agreement_sync
from billing.payments.models import Agreement
from emailcheck.common.outbound import mail
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.queue.leases import Leased, LeasedQuerySet
from emailcheck.common.testing import age_leases, run_sixteen
from validation.batches import services as batches
from validation.batches.chunks import leases
from validation.batches.chunks.models import Chunk
from validation.batches.models import BatchType
from validation.providers import booking
from validation.providers.models import Question
from validation.webhooks import queue
from validation.webhooks.models import Webhook, WebhookDelivery, WebhookHost

pytestmark = [pytest.mark.finding("B7"), pytest.mark.postgres]
A_WHILE_AGO = timedelta(hours=1)  # what is due, is so by every worker's clock


class Lessee(NamedTuple):
    """A kind of work: how a row of it comes to be, how a worker claims it, and how long its lease is."""

    rows: LeasedQuerySet[Any]
    prepare: Callable[[User], object]
    claim: Callable[[], Leased | None]
    lasts: timedelta


def prepare_chunk(alice: User) -> None:
    batches.start_list(
        organisation=alice.own_organisation, lines=["ida.holm@harborquill.com"], batch_type=BatchType.BULK_TEXTAREA
    )


def prepare_delivery(alice: User) -> None:
    host = WebhookHost.objects.create(name="hooks.example.com")
    hook = Webhook.objects.create(
        organisation=alice.own_organisation, url="https://hooks.example.com/", host=host, events=[]
    )
    due_at = timezone.now() - A_WHILE_AGO
    WebhookDelivery.objects.create(webhook=hook, message_id="msg_1", key="1", body="{}", next_attempt_at=due_at)


def prepare_mail(alice: User) -> None:
    mail.send_mail(name="verification", to=alice.email, context={"link": "https://example.com"}, key="of this test")
    OutgoingMail.objects.exclude(key="of this test").delete()
    OutgoingMail.objects.update(next_try_at=timezone.now() - A_WHILE_AGO)


def prepare_agreement(alice: User) -> None:
    Agreement.objects.create(
        organisation=alice.own_organisation,
        provider_id="I-1",
        plan="pro",
        cycle="monthly",
        price=Decimal("79.00"),
        sync_pending=True,
    )


LESSEES = {
    "chunk": Lessee(
        Chunk.objects.all(),
        prepare_chunk,
        lambda: next(iter(leases.claim_fairly()), None),
        timedelta(seconds=settings.LEASE_SECONDS),
    ),
    "delivery": Lessee(
        WebhookDelivery.objects.all(),
        prepare_delivery,
        lambda: next((taken.delivery for taken in queue.lease_due(8)), None),
        queue.LEASE,
    ),
    "job": Lessee(
        Job.objects.all(),
        lambda alice: backups.start_backup(staff=None),
        lambda: jobs._claim_job(Job.objects.get().pk),
        jobs.SILENT_FOR,
    ),
    "mail": Lessee(
        OutgoingMail.objects.all(), prepare_mail, lambda: mail._claim_mail(OutgoingMail.objects.get().pk), mail.LEASE
    ),
    "question": Lessee(
        Question.objects.all(),
        lambda alice: Question.objects.create(
            organisation=alice.own_organisation, subject="1:1", provider="zerobounce", state="running"
        ),
        lambda: booking.reclaim_question(Question.objects.get()),
        booking.LEASE,
    ),
    "agreement": Lessee(
        Agreement.objects.all(),
        prepare_agreement,
        lambda: agreement_sync._claim_agreement(Agreement.objects.get().pk),
        agreement_sync.LEASE,
    ),
}


@pytest.fixture(params=LESSEES)
def lessee(request: Any, alice: User, settings: Any) -> Lessee:
    """One kind of work, with one row of it that waits for a worker."""
    settings.IMMEDIATE_ADDRESSES = 0
    found = LESSEES[request.param]
    found.prepare(alice)
    return found


@pytest.fixture(params=[60, -60], ids=["ahead", "behind"])
def skew(request: Any) -> int:
    """By how many seconds the clock of a worker is wrong."""
    seconds: int = request.param
    return seconds


@contextmanager
def clock_off_by(seconds: int) -> Iterator[None]:
    """What is called here is a worker whose clock goes, but is wrong."""
    with time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=True):
        yield


def read_row(lessee: Lessee) -> dict[str, Any]:
    """The row as it is stored."""
    values: dict[str, Any] = lessee.rows.all().values().get()
    return values


def seconds_left(lessee: Lessee) -> float:
    """How long the lease lasts from now on, by the database."""
    left: timedelta = lessee.rows.all().values_list(F("lease_until") - Now()).get()[0]
    return left.total_seconds()


@pytest.mark.django_db
def test_a_worker_whose_clock_is_wrong_takes_nothing_that_others_work_on(lessee: Lessee, skew: int) -> None:
    holder = lessee.claim()
    assert holder is not None
    before = read_row(lessee)
    with clock_off_by(skew):
        assert lessee.claim() is None
    assert read_row(lessee) == before
    assert (before["lease"], before["attempts"]) == (holder.lease, holder.attempts)


@pytest.mark.django_db
def test_its_lease_lasts_as_long_as_that_of_the_others(lessee: Lessee, skew: int) -> None:
    with clock_off_by(skew):
        row = lessee.claim()
        assert row is not None
        assert seconds_left(lessee) == pytest.approx(lessee.lasts.total_seconds(), abs=3)
        age_leases(lessee.rows.model, lessee.lasts / 2)
        assert lessee.rows.renew(row, lasts=lessee.lasts)
        assert seconds_left(lessee) == pytest.approx(lessee.lasts.total_seconds(), abs=3)
    before = read_row(lessee)
    assert lessee.claim() is None
    assert read_row(lessee) == before


@pytest.mark.django_db
def test_what_it_let_fall_is_known_to_everybody_and_it_writes_nothing_more(lessee: Lessee, skew: int) -> None:
    with clock_off_by(skew):
        late = lessee.claim()
    assert late is not None
    age_leases(lessee.rows.model, lessee.lasts - timedelta(seconds=5))
    assert not lessee.rows.fallen().exists()
    age_leases(lessee.rows.model, timedelta(seconds=6))
    assert lessee.rows.fallen().exists()
    (heir,) = lessee.rows.claim(lasts=lessee.lasts)
    before = read_row(lessee)
    with clock_off_by(skew):
        written = [
            lessee.rows.renew(late, lasts=lessee.lasts),
            lessee.rows.complete(late, attempts=9),
            lessee.rows.release(late),
        ]
    assert written == [False, False, False]
    assert read_row(lessee) == before
    assert lessee.rows.complete(heir)


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_whose_clocks_are_wrong_one_works(lessee: Lessee, skew: int) -> None:
    with clock_off_by(skew):
        claimed = run_sixteen(lambda _: lessee.claim())
        again = run_sixteen(lambda _: lessee.claim())
    (row,) = filter(None, claimed)
    assert again == [None] * 16
    assert read_row(lessee)["lease"] == row.lease
