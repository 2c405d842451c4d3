"""Lists that stop while providers are asked, second looks, and what plans without a number of their own may ask."""

from datetime import timedelta
from threading import Event, Semaphore
from typing import Any

import pytest
from django.utils import timezone

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditHold, LotKind
from billing.subscriptions.models import Subscription
from conftest import browser_of
from emailcheck.common.testing import drain_queue, run_sixteen
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.chunks import leases, pipeline
from validation.batches.chunks.models import Chunk
from validation.batches.chunks.question_limits import BatchQuestions
from validation.batches.control import rechecks, stopping
from validation.batches.models import Batch, BatchType
from validation.providers import allowance, booking, health
from validation.providers.booking import AllowanceUsed, QuestionBudget
from validation.providers.clients.base import StillRunning, Unavailable
from validation.providers.models import ProviderDay, ProviderMonth, Question
from validation.results.presentation import present_result_in_full
from validation.tests.outside import Outside, all_asked, asked, connect

pytestmark = pytest.mark.postgres

OPEN = [f"{name}@velvetcircuit.com" for name in ("tom.reed", "rosa.kent", "ida.holm", "anna.bell")]
CERTAIN = ["ida.holm@harborquill.com", "gone.holm@harborquill.com"]
GREY = ["ida.holm@patientpine.org"]


@pytest.fixture
def outside(world: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Outside:
    return connect(monkeypatch)


@pytest.fixture
def on_pro(alice: User) -> User:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.PRO)
    return alice


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for workers to hand anything in."""
    monkeypatch.setattr(stopping, "HANDING_IN_S", 0.0)


def start(user: User, lines: list[str]) -> Batch:
    return batches.start_list(organisation=user.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)


def waiting(user: User, lines: list[str]) -> Batch:
    """A list whose open rows wait for a worker that asks providers about them; the others are done."""
    batch = start(user, lines)
    while (chunk := leases.claim_chunk(batch.pk)) and not chunk.asks_providers:
        (item,) = pipeline._open_chunks([chunk])
        item.run.work.result()
        item.write_results()
    assert chunk is not None
    leases.release_chunk(chunk)
    return batch


def categories(batch: Batch) -> list[str]:
    return list(batch.results.order_by("position").values_list("category", flat=True))


def shared(batch: Batch, position: int) -> list[str]:
    told: list[str] = present_result_in_full(batch.results.get(position=position))["shared_with"]
    return told


def state_of(batch: Batch) -> tuple[Any, ...]:
    batch.refresh_from_db()
    charged = batch.results.filter(charged=True).count()
    return (batch.status, batch.processed, batch.credits_used, charged, CreditHold.objects.get().captured)


@pytest.mark.spec("VAL-042", "VAL-046")
def test_rows_that_wait_for_a_provider_end_with_our_verdict(alice: User, outside: Outside) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.STARTER)
    outside["zerobounce"].says = StillRunning("greylisted", again_after=600.0)
    batch = start(alice, [*OPEN[:1], *CERTAIN])
    drain_queue()
    assert categories(batch) == ["valid", "invalid"]
    for _ in range(2):
        assert stopping.cancel_batch(batch=batch) == 0
        assert state_of(batch) == ("cancelled", 3, 3, 3, 3)
    assert (categories(batch), shared(batch, 1), shared(batch, 2)) == (
        ["catch_all", "valid", "invalid"], ["ZeroBounce"], [],
    )  # fmt: skip
    drain_queue()
    assert (len(outside["zerobounce"].asked), ledger.reconcile_ledger()) == (1, [])
    assert not Chunk.objects.exclude(state="done").exists()


@pytest.mark.spec("VAL-046")
@pytest.mark.usefixtures("impatient")
def test_an_answer_that_was_kept_counts_when_a_list_is_cancelled(on_pro: User, outside: Outside, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    kept = start(on_pro, OPEN[:1])
    drain_queue()
    answer = Question.objects.get().answer
    batch = waiting(on_pro, OPEN[1:3])
    subject = f"{batch.pk}:1"
    Question.objects.create(
        organisation=on_pro.own_organisation,
        batch=batch,
        subject=subject,
        provider="kickbox",
        state="answered",
        answer=answer,
    )
    Question.objects.create(
        organisation=on_pro.own_organisation, batch=batch, subject=f"{batch.pk}:2", provider="neverbounce"
    )
    assert stopping.cancel_batch(batch=batch) == 0
    assert (categories(kept), categories(batch), batch.results.count()) == (["valid"], ["valid", "catch_all"], 2)
    assert shared(batch, 2) == ["NeverBounce"]  # asked, and whatever it answers comes too late
    assert (len(all_asked(outside)), ledger.reconcile_ledger()) == (1, [])


@pytest.mark.spec("VAL-046")
@pytest.mark.usefixtures("impatient")
def test_rows_that_no_credits_are_held_for_any_more_cost_nothing(on_pro: User, outside: Outside, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    batch = waiting(on_pro, [*CERTAIN, *OPEN])
    assert stopping.pause_batch(batch=batch, reason=stopping.SUSPENDED)
    assert state_of(batch) == ("paused", 2, 2, 2, 2)
    stopping.cancel_batch(batch=batch)
    assert state_of(batch) == ("cancelled", 6, 2, 2, 2)
    assert (categories(batch)[2:], all_asked(outside), ledger.reconcile_ledger()) == (["catch_all"] * 4, [], [])


@pytest.mark.spec("ADM-608")
def test_a_list_that_stops_asks_nobody_any_more(on_pro: User, outside: Outside, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    batch = waiting(on_pro, OPEN)
    stopping._request_stop(batch)
    asker = QuestionBudget(on_pro.pk, 100, BatchQuestions(batch.pk, 100))
    with pytest.raises(AllowanceUsed):
        booking.book_question(asker, asker.subject(1), health.load_states(["kickbox"])["kickbox"])
    batch.refresh_from_db()
    assert (Question.objects.count(), batch.questions_booked) == (0, 0)
    assert sum(ProviderDay.objects.values_list("spent", flat=True)) == 0
    assert sum(ProviderMonth.objects.values_list("questions", flat=True)) == 0


@pytest.mark.spec("ADM-608")
def test_a_provider_that_hangs_holds_nobody_up(on_pro: User, outside: Outside, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    sent, is_over = Semaphore(0), Event()

    def hang(address: str) -> str:
        sent.release()
        is_over.wait(30)
        return "valid"

    for provider in outside.values():
        provider.says = hang
    batch = waiting(on_pro, OPEN)
    (item,) = pipeline._open_chunks([chunk] if (chunk := leases.claim_chunk(batch.pk)) else [])
    item.collect_arrivals()
    assert all(sent.acquire(timeout=15) for _ in OPEN)
    assert (item.run.ended, batch.chunks.filter(asks_providers=True).count()) == (False, 1)
    item.run.stop()  # the time of the chunk is over
    assert pipeline._collect_arrivals(item) is True
    is_over.set()
    assert state_of(batch) == ("completed", 4, 4, 4, 4)
    assert categories(batch) == ["catch_all"] * 4
    assert set(Question.objects.values_list("state", "error")) == {("failed", "no answer within the time of its list")}
    assert [len(shared(batch, position)) for position in (1, 2, 3, 4)] == [1, 1, 1, 1]


@pytest.mark.usefixtures("outside")
def test_a_chunk_that_ends_while_it_is_claimed_is_not_opened(on_pro: User, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    batch = waiting(on_pro, OPEN)
    claimed = leases.claim_chunk(batch.pk)
    assert claimed is not None
    assert [chunk.pk for chunk in leases._load_claimed([claimed])] == [claimed.pk]
    assert pipeline.end_without_providers(claimed)
    assert leases._load_claimed([claimed]) == []


@pytest.mark.spec("VAL-046", "ADM-608")
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("impatient")
def test_sixteen_who_cancel_while_providers_answer_lose_no_row(on_pro: User, outside: Outside, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    settings.CHUNK_ROWS = 2
    batch = waiting(on_pro, [*OPEN, *CERTAIN])
    for provider in outside.values():
        provider.slow_s = 0.05

    def act(number: int) -> object:
        if number % 4:
            return stopping.cancel_batch(batch=Batch.objects.get(pk=batch.pk))
        pipeline.run_worker()
        return None

    assert {answer for answer in run_sixteen(act) if answer is not None} <= {0, "BATCH_ENDED"}
    state = state_of(batch)
    assert state[0] in ("cancelled", "completed")
    assert state[1:] == (6, 6, 6, 6)
    assert ledger.reconcile_ledger() == []
    titles = {provider.name: provider.title for provider in outside.values()}
    for question in Question.objects.filter(batch=batch):
        assert titles[question.provider] in shared(batch, int(question.subject.split(":")[1]))


@pytest.fixture
def greylisted(world: Sandbox, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host of `GREY` turns everybody away, at a second look too."""
    settings.IMMEDIATE_ADDRESSES = 0
    monkeypatch.setattr(world.simulation.switches, "greylist_s", 3_600.0)


def look_again(batch: Batch) -> None:
    rechecks.recheck_unknown(batch=batch)
    drain_queue()
    batch.refresh_from_db()


@pytest.mark.spec("VAL-047", "ADM-607")
@pytest.mark.usefixtures("greylisted")
def test_a_second_look_asks_the_one_who_was_not_asked(on_pro: User, outside: Outside) -> None:
    for provider in outside.values():
        provider.says = "unknown"
    batch = start(on_pro, GREY)
    drain_queue()
    assert (categories(batch), len(all_asked(outside))) == (["unknown"], 2)
    for provider in outside.values():
        provider.says = "valid"
    look_again(batch)
    assert (batch.status, categories(batch), batch.credits_used) == ("completed", ["valid"], 0)
    assert asked(outside) == dict.fromkeys(outside, GREY)
    assert (sorted(shared(batch, 1)), ledger.reconcile_ledger()) == (["Kickbox", "NeverBounce", "ZeroBounce"], [])


@pytest.mark.spec("VAL-047", "ADM-608")
@pytest.mark.usefixtures("greylisted")
def test_a_second_look_asks_nobody_twice_even_in_vain(on_pro: User, outside: Outside) -> None:
    for provider in outside.values():
        provider.says = Unavailable("down")
    batch = start(on_pro, GREY)
    drain_queue()
    for provider in outside.values():
        provider.says = "valid"
    look_again(batch)
    assert (categories(batch), asked(outside)) == (["unknown"], dict.fromkeys(outside, GREY))
    assert len(shared(batch, 1)) == 3


@pytest.mark.spec("VAL-046", "VAL-047")
@pytest.mark.usefixtures("greylisted", "impatient")
def test_a_second_look_that_is_cut_short_keeps_its_own_verdicts(on_pro: User, outside: Outside) -> None:
    for provider in outside.values():
        provider.says = "unknown"
    batch = start(on_pro, GREY)
    drain_queue()
    rechecks.recheck_unknown(batch=batch)
    chunk = leases.claim_chunk(batch.pk)
    assert chunk is not None
    (item,) = pipeline._open_chunks([chunk])
    item.run.work.result()
    item.write_results()
    assert stopping.cancel_batch(batch=batch) == 0
    assert state_of(batch) == ("completed", 1, 0, 0, 0)
    assert (categories(batch), batch.results.get().rechecked_at is not None) == (["unknown"], True)
    assert len(all_asked(outside)) == 2


@pytest.mark.spec("ADM-603")
@pytest.mark.parametrize(
    ("agreed", "year", "a_month"),
    [(60_000, 0, 6_000), (None, 0, 10), (0, 292_500, 2_447), (None, 1_200_000, 10_010)],
)
def test_plans_without_a_number_of_their_own_ask_by_what_they_were_given(
    alice: User, outside: Outside, agreed: int | None, year: int, a_month: int
) -> None:
    """Alice still has the 100 credits of her first month."""
    Subscription.objects.filter(organisation=alice.own_organisation).update(
        plan=Plan.ENTERPRISE, custom_monthly_credits=agreed
    )
    if year:
        ledger.grant_credits(
            organisation_id=alice.pk, kind=LotKind.PLAN, amount=year, reason="A year", key="year",
            expires_at=timezone.now() + timedelta(days=365),
        )  # fmt: skip
    gate = allowance.find_allowance(alice.own_organisation, choice=None)
    assert gate is not None
    assert gate.a_month == a_month


@pytest.mark.spec("SET-060")
@pytest.mark.parametrize(("account", "named"), [(True, '["ZeroBounce", "NeverBounce"]'), (False, "[]")])
def test_the_dashboard_names_the_providers_of_typed_lists(
    alice: User, outside: Outside, account: bool, named: str
) -> None:
    Organisation.objects.filter(pk=alice.pk).update(use_providers=account)
    page = browser_of(alice).get("/dashboard").content.decode()
    assert f'"providers": {named}' in page
