"""Lists and single checks with outside providers: who is asked about what, and what comes of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.keys import services as keys
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.subscriptions.models import Subscription
from conftest import client_with
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation import tasks
from validation.batches import services as batches
from validation.batches.chunks import question_limits
from validation.batches.chunks.models import Chunk
from validation.batches.models import Batch, BatchType
from validation.providers import allowance
from validation.providers.clients.base import (
    BadAnswer,
    BadKey,
    OutOfCredit,
    RateLimited,
    Refused,
    StillRunning,
    Unavailable,
)
from validation.providers.models import ProviderDay, ProviderMonth, ProviderState, Question
from validation.results.models import Result
from validation.results.presentation import present_result_in_full
from validation.single.services import validate_single
from validation.tests.outside import Outside, all_asked, asked, connect

pytestmark = pytest.mark.postgres

OPEN = ["tom.reed@velvetcircuit.com", "rosa.kent@velvetcircuit.com", "buero@bluekettle.de"]  # they accept everything
CERTAIN = ["ida.holm@harborquill.com", "gone.holm@harborquill.com"]
SINGLE = "/api/validate/single"


@pytest.fixture
def outside(world: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Outside:
    return connect(monkeypatch)


@pytest.fixture
def on_pro(alice: User) -> User:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.PRO)
    return alice


def run(user: User, lines: list[str], **choices: Any) -> Batch:
    batch = batches.start_list(
        organisation=user.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA, **choices
    )
    drain_queue()
    batch.refresh_from_db()
    return batch


def categories(batch: Batch) -> list[str]:
    return list(batch.results.order_by("position").values_list("category", flat=True))


def in_full(batch: Batch, position: int) -> dict[str, Any]:
    return present_result_in_full(batch.results.get(position=position))


@pytest.mark.spec("ADM-607")
def test_open_rows_go_to_the_providers_in_turn_and_certain_ones_to_nobody(on_pro: User, outside: Outside) -> None:
    for provider in outside.values():
        provider.says = lambda address: "valid" if address.startswith("tom") else "catch_all"
    batch = run(on_pro, [*CERTAIN, *OPEN])
    assert (batch.status, categories(batch)) == ("completed", ["valid", "invalid", "valid", "catch_all", "catch_all"])
    assert sorted(map(len, asked(outside).values())) == [1, 1, 1]
    assert all_asked(outside) == sorted(OPEN)
    assert (batch.credits_used, ledger.reconcile_ledger()) == (5, [])
    assert [in_full(batch, position)["validation_provider"] for position in (1, 4)] == ["emailcheck"] * 2


@pytest.mark.spec("ADM-607", "SET-060")
def test_the_result_says_who_decided_and_who_received_the_address(on_pro: User, outside: Outside) -> None:
    outside["zerobounce"].says = outside["neverbounce"].says = outside["kickbox"].says = "valid"
    told = in_full(run(on_pro, OPEN[:1]), 1)
    decider = told["shared_with"][0]
    assert told["validation_provider"] == decider.lower()
    assert told["sentence"] == f"{decider} says that this mailbox takes mail; our own check left that open."
    said, decision = told["evidence"][-2:]
    assert (said["check"], said["outcome"], said["source"], said["time_ms"]) == (
        "outside_provider", "pass", decider, 250.0,
    )  # fmt: skip
    assert said["detail"].startswith("said valid (scripted), which we read as valid; asked at ")
    assert decision["detail"] == f"left open by our own check, decided by {decider}"
    assert (told["confidence_score"], told["is_catch_all"]) == (0.75, True)


@pytest.mark.spec("ADM-608")
def test_three_that_fail_in_turn_leave_the_engines_answers(on_pro: User, outside: Outside) -> None:
    errors = (Unavailable("down"), RateLimited("too many"), BadAnswer("a page"))
    for provider, error in zip(outside.values(), errors, strict=True):
        provider.says = error
    batch = run(on_pro, [*OPEN, *CERTAIN])
    assert (batch.status, categories(batch)) == ("completed", [*["catch_all"] * 3, "valid", "invalid"])
    told = in_full(batch, 1)
    assert (told["validation_provider"], sorted(told["shared_with"])) == ("emailcheck", sorted(told["shared_with"]))
    assert told["evidence"][-1]["detail"] == "no provider answered, so our own answer stands"
    assert (batch.credits_used, ledger.reconcile_ledger()) == (5, [])
    day = ProviderDay.objects.get(provider="neverbounce")
    assert (day.spent, day.calls > 0) == (0, True)  # what was refused was not paid for
    assert ProviderMonth.objects.get(organisation=on_pro.own_organisation).questions == sum(
        ProviderDay.objects.values_list("spent", flat=True)
    )


@pytest.mark.spec("ADM-608")
@pytest.mark.parametrize("error", [KeyError("schema"), BadKey("who"), OutOfCredit("none"), Refused("no")])
def test_whatever_a_provider_does_the_list_goes_on(on_pro: User, outside: Outside, error: Exception) -> None:
    for provider in outside.values():
        provider.says = error
    batch = run(on_pro, OPEN)
    assert (batch.status, categories(batch), batch.credits_used) == ("completed", ["catch_all"] * 3, 3)
    assert not Question.objects.filter(state="asked").exists()


@pytest.mark.spec("ADM-603", "ADM-607")
@pytest.mark.parametrize(
    ("plan", "who"),
    [
        (Plan.FREE, set()),
        (Plan.STARTER, {"zerobounce"}),
        (Plan.GROWTH, {"zerobounce", "neverbounce"}),
        (Plan.PRO, {"zerobounce", "neverbounce", "kickbox"}),
    ],
)
def test_each_plan_has_its_providers(alice: User, outside: Outside, plan: Plan, who: set[str]) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=plan)
    for provider in outside.values():
        provider.says = "unknown"
    gate = allowance.find_allowance(alice.own_organisation, choice=None)
    assert {provider.name for provider in (gate.providers if gate else ())} == who
    batch = run(alice, OPEN)
    assert {name for name, addresses in asked(outside).items() if addresses} == who
    assert batch.status == "completed"


@pytest.mark.spec("SET-060")
@pytest.mark.parametrize(
    ("account", "choice", "is_asked"),
    [(True, None, True), (True, False, False), (False, None, False), (False, True, True)],
)
def test_addresses_stay_in_house_where_account_or_list_say_so(
    on_pro: User, outside: Outside, account: bool, choice: bool | None, is_asked: bool
) -> None:
    Organisation.objects.filter(pk=on_pro.pk).update(use_providers=account)
    on_pro.refresh_from_db()
    batch = run(on_pro, OPEN, use_providers=choice)
    assert bool(all_asked(outside)) is is_asked
    assert bool(in_full(batch, 1)["shared_with"]) is is_asked
    assert Question.objects.exists() is is_asked


@pytest.mark.spec("SET-060")
def test_single_checks_and_typed_lists_take_the_choice(alice_api: APIClient, alice: User, outside: Outside) -> None:
    told = alice_api.post(SINGLE, {"email": OPEN[0], "use_providers": False}, format="json").json()
    assert (told["category"], told["shared_with"], asked(outside)["zerobounce"]) == ("catch_all", [], [])
    told = alice_api.post(SINGLE, {"email": OPEN[0]}, format="json").json()
    assert (told["category"], len(told["shared_with"]), told["credits_used"]) == ("valid", 1, 1)
    before = Question.objects.count()
    body = {"emails": OPEN, "use_providers": False}
    told = alice_api.post("/api/validate/bulk", body, format="json").json()
    assert (told["catch_all_count"], Question.objects.count(), before) == (3, before, 1)
    assert alice_api.post(SINGLE, {"email": CERTAIN[0]}, format="json").json()["shared_with"] == []


def test_test_mode_asks_nobody(alice: User, outside: Outside) -> None:
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Trial", test=True)[1])
    assert api.post(SINGLE, {"email": "unknown@test.emailcheck.app", "use_providers": True}, format="json").status_code
    assert (all_asked(outside), Question.objects.count()) == ([], 0)


@pytest.mark.spec("ADM-608")
def test_a_list_uses_no_more_than_its_allowance(
    on_pro: User, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_limits, "BATCH_LEAST", 2)
    batch = run(on_pro, OPEN)
    assert (categories(batch).count("valid"), batch.questions_booked, len(all_asked(outside))) == (
        2,
        2,
        2,
    )


def test_what_a_dead_worker_asked_is_not_asked_again(on_pro: User, outside: Outside, settings: Any) -> None:
    """It died with the question under way: another provider is asked, and the first is named all the same."""
    settings.IMMEDIATE_ADDRESSES = 0
    batch = batches.start_list(organisation=on_pro.own_organisation, lines=OPEN[:1], batch_type=BatchType.BULK_TEXTAREA)
    Question.objects.create(
        organisation=on_pro.own_organisation, batch=batch, subject=f"{batch.pk}:1", provider="zerobounce"
    )
    Question.objects.create(
        organisation=on_pro.own_organisation, batch=batch, subject=f"{batch.pk}:1", provider="kickbox"
    )
    drain_queue()
    assert asked(outside) == {"zerobounce": [], "neverbounce": OPEN[:1], "kickbox": []}
    told = in_full(batch, 1)
    assert (told["validation_provider"], told["shared_with"]) == (
        "neverbounce",
        ["ZeroBounce", "Kickbox", "NeverBounce"],
    )


def test_an_answer_that_was_kept_counts_after_a_restart(on_pro: User, outside: Outside, settings: Any) -> None:
    first = run(on_pro, OPEN[:1])
    kept = Question.objects.get()
    settings.IMMEDIATE_ADDRESSES = 0
    batch = batches.start_list(organisation=on_pro.own_organisation, lines=OPEN[:1], batch_type=BatchType.BULK_TEXTAREA)
    Question.objects.create(
        organisation=on_pro.own_organisation,
        batch=batch,
        subject=f"{batch.pk}:1",
        provider=kept.provider,
        state="answered",
        answer=kept.answer,
    )
    drain_queue()
    assert (categories(first), categories(batch), len(all_asked(outside))) == (["valid"], ["valid"], 1)


def test_one_that_still_works_on_it_is_asked_for_its_answer_later(alice: User, outside: Outside) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.STARTER)
    zerobounce = outside["zerobounce"]
    zerobounce.says = StillRunning("greylisted", again_after=600.0)
    batch = run(alice, [*OPEN[:1], *CERTAIN])
    assert (batch.status, categories(batch)) == ("processing", ["valid", "invalid"])
    waiting = Chunk.objects.get(batch=batch, state="pending")
    assert (waiting.asks_providers, waiting.size) == (True, 1)
    assert waiting.not_before is not None
    assert waiting.not_before > timezone.now() + timedelta(seconds=590)
    zerobounce.says = "valid"
    Chunk.objects.filter(pk=waiting.pk).update(not_before=timezone.now())
    tasks.sweep()
    drain_queue()
    batch.refresh_from_db()
    assert (batch.status, categories(batch), len(zerobounce.asked)) == ("completed", ["valid", "valid", "invalid"], 2)
    assert ProviderDay.objects.values_list("calls", "spent", "answers").get() == (1, 1, 1)
    assert (Question.objects.get().attempts, ledger.reconcile_ledger()) == (2, [])


def test_a_single_check_does_not_wait_for_one_that_still_works(alice: User, outside: Outside) -> None:
    outside["zerobounce"].says = outside["neverbounce"].says = StillRunning("greylisted", again_after=600.0)
    result = validate_single(organisation=alice.own_organisation, address=OPEN[0])
    assert (result.category, Question.objects.filter(state="running").count()) == ("catch_all", 2)


def test_disagreement_is_counted_once(alice: User, outside: Outside) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.STARTER)
    outside["zerobounce"].says = "invalid"
    batch = run(alice, OPEN[:1])
    assert (categories(batch), in_full(batch, 1)["flags"]) == (["invalid"], ["disputed"])
    day = ProviderDay.objects.get()
    assert (day.calls, day.spent, day.answers, day.hits, day.disagreements, day.time_ms) == (1, 1, 1, 1, 1, 250)


def test_the_providers_are_named_before_a_list_starts(on_pro: User, outside: Outside) -> None:
    assert allowance.list_provider_titles(on_pro.own_organisation) == ["ZeroBounce", "NeverBounce", "Kickbox"]
    Subscription.objects.filter(organisation=on_pro.own_organisation).update(plan=Plan.FREE)
    assert allowance.list_provider_titles(on_pro.own_organisation) == []


def test_a_provider_that_is_off_or_out_of_budget_is_left_out(on_pro: User, outside: Outside) -> None:
    ProviderState.objects.create(name="zerobounce", enabled=False)
    ProviderState.objects.create(name="kickbox", daily_budget=0)
    batch = run(on_pro, OPEN)
    assert (categories(batch), asked(outside)["neverbounce"]) == (["valid"] * 3, sorted(OPEN))
    assert Result.objects.filter(batch=batch).count() == 3
