"""What a plan does not include is not done, is not guessed, and says so."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import Feature
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions import entitlements
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.models import Subscription
from conftest import client_of, end_welcome, make_user
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation import tasks
from validation.batches import coverage
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType

LIVING = "ida.holm@harborquill.com"
NOT_INCLUDED = "Not included in your plan"
GATED = {"smtp_connection", "mailbox", "catch_all", "disposable_domain"}


@pytest.fixture
def fay(db: None) -> User:
    return end_welcome(make_user("fay@fern.org", "Fay Fern", plan=Plan.FREE))


@pytest.fixture
def fay_api(fay: User) -> APIClient:
    return client_of(fay)


def checked(api: APIClient, address: str) -> dict[str, Any]:
    answer = api.post("/api/validate/single", {"email": address}, format="json")
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.spec("VAL-020", "VAL-021")
def test_on_free_a_living_mailbox_is_not_called_valid(world: Sandbox, fay: User, fay_api: APIClient) -> None:
    result = checked(fay_api, LIVING)
    assert (result["category"], result["reason"], result["safe_to_send"]) == ("unknown", "not_in_plan", False)
    nulls = [result[name] for name in ("smtp_valid", "is_catch_all", "is_disposable", "disposable")]
    assert nulls == [None, None, None, None]
    assert (result["syntax_valid"], result["domain_valid"]) == (True, True)
    evidence = {check["check"]: (check["outcome"], check["detail"]) for check in result["evidence"]}
    assert {evidence[name] for name in GATED} == {("skipped", NOT_INCLUDED)}
    assert (result["credits_used"], result["transcript"]) == (1, [])
    assert entitlements.build_account_summary(fay.own_organisation)["credits"] == 99
    assert world.simulation.stats.report()["commands"].get("RCPT", 0) == 0


@pytest.mark.spec("VAL-021")
@pytest.mark.parametrize(
    ("address", "category", "reason", "cost"),
    [
        ("somebody@mailinator.com", "unknown", "not_in_plan", 1),
        ("no address", "invalid", "syntax", 0),
        ("somebody@neverregistered.com", "invalid", "no_domain", 1),
    ],
)
def test_on_free_the_rest_is_done(
    world: Sandbox, fay_api: APIClient, address: str, category: str, reason: str, cost: int
) -> None:
    result = checked(fay_api, address)
    assert (result["category"], result["reason"], result["credits_used"]) == (category, reason, cost)


@pytest.mark.spec("VAL-021")
def test_pack_credits_bring_the_checks_of_starter(world: Sandbox, fay: User, fay_api: APIClient) -> None:
    ledger.grant_credits(organisation_id=fay.pk, kind=LotKind.PACK, amount=5, reason="Pack", key="p")
    assert checked(fay_api, LIVING)["category"] == "valid"
    assert entitlements.list_features(fay.own_organisation) == {Feature.CATCH_ALL, Feature.SMTP, Feature.DISPOSABLE}
    assert not entitlements.has_feature(fay.own_organisation, Feature.WEBHOOKS)


@pytest.mark.spec("DASH-013", "DASH-020", "DOC-054")
def test_a_trial_brings_the_checks_of_growth_until_it_ends(world: Sandbox, fay: User, fay_api: APIClient) -> None:
    start_trial(organisation=fay.own_organisation)
    assert checked(fay_api, LIVING)["category"] == "valid"
    assert entitlements.list_features(fay.own_organisation) == frozenset(Feature)
    Subscription.objects.filter(organisation=fay.own_organisation).update(
        trial_ends_at=timezone.now() - timedelta(seconds=1)
    )
    assert entitlements.list_features(fay.own_organisation) == frozenset()
    assert checked(fay_api, LIVING)["reason"] == "not_in_plan"


@pytest.mark.spec("VAL-020", "VAL-021")
def test_a_list_keeps_the_checks_that_it_began_with(world: Sandbox, fay: User) -> None:
    batch = batches.start_list(organisation=fay.own_organisation, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)
    batch.refresh_from_db()
    assert (batch.checks_left_out, batch.checks) == (["disposable", "mailbox"], frozenset())
    assert batch.results.get().reason == "not_in_plan"
    assert (batch.unknown_count, batch.credits_used) == (1, 1)
    start_trial(organisation=fay.own_organisation)
    later = batches.start_list(organisation=fay.own_organisation, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)
    assert (Batch.objects.get(pk=later.pk).checks_left_out, later.results.get().category) == (None, "valid")
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("VAL-020")
@pytest.mark.parametrize(
    ("plan", "feature", "allowed"),
    [
        (Plan.FREE, Feature.SMTP, False),
        (Plan.STARTER, Feature.SMTP, True),
        (Plan.STARTER, Feature.ADVANCED_ANALYTICS, False),
        (Plan.GROWTH, Feature.ADVANCED_ANALYTICS, True),
        (Plan.ENTERPRISE, Feature.WEBHOOKS, True),
        (Plan.CUSTOM, Feature.INTEGRATIONS, True),
    ],
)
def test_one_function_answers_every_gate(fay: User, plan: Plan, feature: Feature, allowed: bool) -> None:
    Subscription.objects.filter(organisation=fay.own_organisation).update(plan=plan)
    assert entitlements.has_feature(fay.own_organisation, feature) is allowed


@pytest.fixture
def waiting(world: Sandbox, fay: User, settings: Any) -> Batch:
    """A list that began in a trial and waits for workers when that is over."""
    settings.IMMEDIATE_ADDRESSES = 0
    start_trial(organisation=fay.own_organisation)
    batch = batches.start_list(organisation=fay.own_organisation, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)
    Subscription.objects.filter(organisation=fay.own_organisation).update(
        trial_ends_at=timezone.now() - timedelta(seconds=1)
    )
    return batch


@pytest.mark.spec("VAL-046")
def test_a_list_pauses_when_the_plan_no_longer_includes_its_checks(
    waiting: Batch, fay: User, fay_api: APIClient
) -> None:
    tasks.sweep()
    waiting.refresh_from_db()
    assert (waiting.status, waiting.error) == ("paused", coverage.PLAN_OVER)
    assert entitlements.build_account_summary(fay.own_organisation)["held"] == 0
    resume = f"/api/validate/batch/{waiting.public_id}/resume"
    refused = fay_api.post(resume)
    assert (refused.status_code, refused.json()["code"]) == (403, "PLAN_REQUIRED")
    assert (
        Batch.objects.get(pk=waiting.pk).status,
        entitlements.build_account_summary(fay.own_organisation)["held"],
    ) == ("paused", 0)
    Subscription.objects.filter(organisation=fay.own_organisation).update(plan=Plan.STARTER, status="active")
    assert fay_api.post(resume).status_code == 200
    tasks.sweep()
    drain_queue()
    waiting.refresh_from_db()
    assert (waiting.status, waiting.valid_count, waiting.credits_used) == ("completed", 1, 1)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("VAL-046")
def test_a_list_goes_on_for_who_has_bought_credits(waiting: Batch, fay: User) -> None:
    ledger.grant_credits(organisation_id=fay.pk, kind=LotKind.PACK, amount=1, reason="Pack", key="pack")
    ledger.open_hold(
        organisation_id=fay.pk,
        amount=entitlements.build_account_summary(fay.own_organisation)["credits"],
        reason="Spent",
        key="spent",
    )
    assert entitlements.list_features(fay.own_organisation) == frozenset()
    tasks.sweep()
    waiting.refresh_from_db()
    assert waiting.status == "queued"


@pytest.mark.spec("VAL-021")
def test_the_last_pack_credits_bring_their_checks(world: Sandbox, fay: User, fay_api: APIClient) -> None:
    others = entitlements.build_account_summary(fay.own_organisation)["credits"]
    if others:
        ledger.open_hold(organisation_id=fay.pk, amount=others, reason="Spent", key="spent")
    ledger.grant_credits(organisation_id=fay.pk, kind=LotKind.PACK, amount=2, reason="Pack", key="pack")
    batch = batches.start_list(organisation=fay.own_organisation, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)
    assert batch.results.get().category == "valid"
    assert checked(fay_api, LIVING)["category"] == "valid"
    assert entitlements.build_account_summary(fay.own_organisation)["credits"] == 0
