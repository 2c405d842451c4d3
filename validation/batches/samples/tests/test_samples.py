"""The free sample of a list: figures before its start, verdicts with it."""

from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditEntry, CreditHold
from conftest import client_of, end_welcome, make_user
from emailcheck.common.errors import Conflict
from emailcheck.common.testing import age_leases, drain_queue, run_sixteen
from tests.world import Sandbox
from validation.batches.chunks import pipeline
from validation.batches.models import Batch
from validation.batches.retention import services as retention
from validation.batches.samples import runs, services
from validation.batches.samples.models import Sample
from validation.batches.samples.services import create_sample
from validation.batches.uploads import drafts
from validation.batches.uploads.models import Upload
from validation.providers.models import Question
from validation.results.models import Result

pytestmark = pytest.mark.postgres

INSPECT = "/api/validate/upload/inspect"
SLOW = "ida.holm@patientpine.org"


def address(number: int) -> str:
    return f"{'gone.' if number % 3 == 0 else ''}mara.{number}@harborquill.com"


def lines(count: int, *more: str) -> list[str]:
    return [*(address(number) for number in range(count)), *more]


def inspect(api: APIClient, content: list[str], **fields: Any) -> dict[str, Any]:
    file = SimpleUploadedFile("list.csv", "\n".join(["mail", *content]).encode())
    answer = api.post(INSPECT, {"file": file, **fields}, format="multipart")
    assert answer.status_code == 200, answer.json()
    body: dict[str, Any] = answer.json()
    return body


def url_of(draft: dict[str, Any], call: str = "") -> str:
    return f"/api/validate/upload/{draft['upload_id']}{call}"


def balance(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance


@pytest.fixture(autouse=True)
def short_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of forty addresses have samples of ten."""
    monkeypatch.setattr(services, "LEAST_ADDRESSES", 40)
    monkeypatch.setattr(services, "SIZE", 10)


@pytest.mark.spec("REP-041", "REP-042", "VAL-043")
def test_a_sample_costs_nothing_and_shows_figures_alone(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    draft, before = inspect(alice_api, lines(40)), (balance(alice), CreditEntry.objects.count())
    assert draft["sample"] == {"offered": True, "reason": "", "running": False, "result": None}
    answer = alice_api.post(url_of(draft, "/sample"))
    used = "These addresses have had their free sample."
    assert (answer.status_code, answer.json()) == (
        202, {"offered": False, "reason": used, "running": True, "result": None},
    )  # fmt: skip
    drain_queue()
    shown = alice_api.get(url_of(draft, "/sample")).json()
    result, counts = shown["result"], shown["result"]["counts"]
    assert (shown["running"], result["size"], sum(counts.values())) == (False, 10, 10)
    assert counts["valid_count"] + counts["invalid_count"] == 10
    invalid = counts["invalid_count"] / 10
    assert (result["cost"]["estimate"], result["bounce_rate"]["estimate"]) == (30, invalid)  # what a start would cost
    assert result["cost"]["low"] < 30 == result["cost"]["high"]
    assert result["unknown_share"]["estimate"] == 0.0
    assert (balance(alice), CreditEntry.objects.count()) == before
    assert not Result.objects.exists()
    assert not CreditHold.objects.exists()
    assert not Question.objects.exists()
    for text in (str(shown), str(alice_api.get(url_of(draft)).json())):
        assert not any(one in text for one in map(address, range(5, 40)))


@pytest.mark.spec("REP-041", "REP-044")
def test_the_list_takes_the_sample_over_free_of_charge(
    world: Sandbox, alice: User, alice_api: APIClient, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    draft, before = inspect(alice_api, lines(40)), balance(alice)
    alice_api.post(url_of(draft, "/sample"))
    drain_queue()
    now = alice_api.get(url_of(draft)).json()
    assert (now["cost"], now["known"], now["reuse_days"]) == (30, None, 0)
    started = alice_api.post(url_of(draft, "/start")).json()
    assert (started["held"], started["reused_count"]) == (30, 10)
    drain_queue()
    batch = Batch.objects.get()
    assert (batch.status, batch.processed, batch.credits_used, before - balance(alice)) == ("completed", 40, 30, 30)
    sample = Sample.objects.get()
    drawn = {address for address, _ in sample.verdicts}
    reused = batch.results.exclude(reused_from=None)
    assert set(reused.values_list("email", flat=True)) == drawn
    assert set(reused.values_list("reused_from", "charged")) == {(sample.ended_at, False)}
    assert Counter(reused.values_list("category", flat=True)) == +Counter(sample.counts)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("REP-041", "REP-042")
def test_verdicts_wait_until_the_list_runs_full_checks(world: Sandbox, alice: User, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    free = make_user("wes@willow.org", "Wes Willow", plan=Plan.FREE)
    end_welcome(free)
    api = client_of(free)
    draft = inspect(api, lines(40))
    assert draft["checks"] == "basic"
    api.post(url_of(draft, "/sample"))
    drain_queue()
    shown = api.get(url_of(draft)).json()
    assert sum(shown["sample"]["result"]["counts"].values()) == 10
    assert (shown["cost"], shown["known"]) == (40, None)


@pytest.mark.spec("REP-041")
def test_refusals_say_why_and_change_nothing(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    small = inspect(alice_api, lines(39, "no address"))
    reason = "A free sample takes a list of at least 40 addresses."
    assert (small["sample"]["offered"], small["sample"]["reason"]) == (False, reason)
    answer = alice_api.post(url_of(small, "/sample"))
    assert (answer.status_code, answer.json()["detail"], Sample.objects.count()) == (400, reason, 0)
    draft = inspect(alice_api, lines(40))
    assert alice_api.post(url_of(draft, "/sample")).status_code == 202
    again = inspect(alice_api, list(reversed(lines(40))))
    for one in (draft, again):
        answer = alice_api.post(url_of(one, "/sample"))
        assert (answer.status_code, answer.json()["code"]) == (409, "SAMPLE_USED")
    alice_api.post(url_of(draft, "/start"))
    assert alice_api.post(url_of(draft, "/sample")).json()["code"] == "CONFLICT"
    assert Sample.objects.count() == 1


@pytest.mark.spec("REP-041")
@pytest.mark.parametrize(("plan", "most"), [(Plan.FREE, 1), (Plan.STARTER, 10)])
def test_free_has_one_sample_a_month_and_paid_plans_ten(world: Sandbox, alice: User, plan: Plan, most: int) -> None:
    user = make_user("wes@willow.org", "Wes Willow", plan=plan)
    api, organisation = client_of(user), user.own_organisation
    for number in range(most):
        create_sample(organisation, lines(40), possible=40, content_hash=f"hash {number}")
    draft = inspect(api, lines(40))
    answer = api.post(url_of(draft, "/sample"))
    assert (answer.status_code, answer.json()["code"], Sample.objects.count()) == (409, "SAMPLE_USED", most)
    assert answer.json()["detail"] == draft["sample"]["reason"]
    Sample.objects.update(created_at=timezone.now() - timedelta(days=32))
    assert api.post(url_of(draft, "/sample")).status_code == 202


@pytest.mark.spec("REP-041")
def test_addresses_are_drawn_evenly_and_none_twice(alice: User) -> None:
    drawn: Counter[str] = Counter()
    for seed in range(200):
        sample = create_sample(alice.own_organisation, lines(40), possible=40, content_hash=str(seed), rng=Random(seed))
        sample.refresh_from_db()
        addresses = [address for address, _ in sample.verdicts]
        assert len(set(addresses)) == len(addresses) == sample.size == 10
        drawn.update(addresses)
        Sample.objects.update(created_at=timezone.now() - timedelta(days=40))
    assert sorted(drawn) == sorted(lines(40))
    assert 25 <= min(drawn.values()) <= max(drawn.values()) <= 80


@pytest.mark.spec("REP-041")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_make_one_sample(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    upload = Upload.objects.get(public_id=inspect(alice_api, lines(40))["upload_id"])
    answers = run_sixteen(lambda _: drafts.start_sample(upload=Upload.objects.get(pk=upload.pk)))
    assert Counter(answers) == {None: 1, "SAMPLE_USED": 15}
    assert Sample.objects.count() == 1


@pytest.mark.spec("REP-042")
def test_what_is_undecided_at_the_end_counts_as_unknown(
    world: Sandbox, alice: User, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "SECONDS", 0.0)
    draft = inspect(alice_api, lines(40))
    alice_api.post(url_of(draft, "/sample"))
    drain_queue()
    result = alice_api.get(url_of(draft, "/sample")).json()["result"]
    assert (result["counts"]["unknown_count"], result["bounce_rate"], result["cost"]["estimate"]) == (10, None, 0)
    assert alice_api.get(url_of(draft)).json()["cost"] == 40  # unknown ones are asked about again


@pytest.mark.spec("REP-041")
def test_a_worker_that_dies_leaves_the_sample_to_another(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    draft = inspect(alice_api, lines(40))
    alice_api.post(url_of(draft, "/sample"))
    killed = runs.SampleRuns()
    killed.claim_due()
    assert killed.are_busy
    pipeline.run_worker()
    assert Sample.objects.get().ended_at is None
    age_leases(Sample, timedelta(minutes=5))
    assert runs.has_waiting()
    pipeline.run_worker()
    ended = Sample.objects.get()
    assert (ended.attempts, sum((ended.counts or {}).values())) == (2, 10)
    killed.advance()  # the first returns, and writes nothing
    killed.stop()
    assert Sample.objects.get().ended_at == ended.ended_at


@pytest.mark.spec("REP-041")
def test_test_mode_has_samples_of_its_own(world: Sandbox, alice: User) -> None:
    live, test = (Organisation.objects.get(pk=alice.pk) for _ in range(2))
    test.in_test_mode = True
    assert create_sample(test, lines(40), possible=40, content_hash="same").test
    create_sample(live, lines(40), possible=40, content_hash="same")
    with pytest.raises(Conflict):
        create_sample(test, lines(40), possible=40, content_hash="same")
    drain_queue()
    counts = [sample.counts for sample in Sample.objects.order_by("test")]
    assert [(counted or {}).get("unknown", 0) for counted in counts] == [0, 10]  # nobody is asked in test mode


@pytest.mark.spec("REP-041", "VAL-044")
def test_verdicts_are_forgotten_after_a_month_and_figures_stay(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    draft = inspect(alice_api, lines(40))
    alice_api.post(url_of(draft, "/sample"))
    drain_queue()
    retention.sweep_expired()
    assert Sample.objects.get().verdicts is not None
    Sample.objects.update(ended_at=timezone.now() - timedelta(days=30))
    later = inspect(alice_api, lines(40))
    assert (later["cost"], later["sample"]["offered"]) == (40, False)
    retention.sweep_expired()
    sample = Sample.objects.get()
    assert (sample.verdicts, sum((sample.counts or {}).values())) == (None, 10)
