"""One address, one verdict, one credit."""

import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditHold
from emailcheck.common.storage.statements import Statement
from tests.world import Sandbox
from validation.daily import rollups
from validation.results.ids import write_result_id
from validation.results.models import Result
from validation.single import services as single
from validation.tests.limited import LimitedEngine

SINGLE = "/api/validate/single"


def validate(api: APIClient, email: Any) -> Any:
    return api.post(SINGLE, {"email": email}, format="json")


@pytest.mark.spec("VAL-003", "VAL-015", "VAL-019")
def test_a_living_mailbox_is_valid_with_evidence_and_costs_one_credit(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    body = validate(alice_api, "ida.holm@harborquill.com").json()
    assert {name: body[name] for name in ("email", "category", "reason", "is_valid", "syntax_valid")} == {
        "email": "ida.holm@harborquill.com", "category": "valid", "reason": "mailbox_exists", "is_valid": True,
        "syntax_valid": True,
    }  # fmt: skip
    assert (body["domain_valid"], body["smtp_valid"], body["is_disposable"]) == (True, True, False)
    assert (body["is_catch_all"], body["is_spam_trap"]) == (False, None)
    assert body["validation_type"] == "comprehensive"
    assert body["details"]["domain"] == "harborquill.com"
    assert body["details"]["category_reason"].endswith(".")
    assert 0.9 <= body["confidence_score"] <= 1
    assert len(body["evidence"]) >= 15
    assert (body["credits_used"], body["validation_provider"]) == (1, "emailcheck")
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 99
    assert write_result_id(Result.objects.get(organisation=alice.own_organisation).pk) == body["id"]


@pytest.mark.spec("VAL-026")
def test_both_sets_of_names_carry_equal_values(world: Sandbox, alice_api: APIClient) -> None:
    body = validate(alice_api, "anna_dawson@yopmail.com").json()
    assert (body["category"], body["is_valid"], body["valid"]) == ("disposable", False, False)
    assert (body["is_disposable"], body["disposable"]) == (True, True)
    assert body["created_at"] == body["validated_at"]


@pytest.mark.parametrize(
    ("address", "category", "charged"),
    [
        ("gone.hannah.park@twolines.net", "invalid", 1),
        ("someone@not-in-this-world.com", "unknown", 0),
        ("not an address", "invalid", 0),
        ("a@b@c.com", "invalid", 0),
    ],
)
def test_only_a_conclusive_verdict_costs(
    world: Sandbox, alice: User, alice_api: APIClient, address: str, category: str, charged: int
) -> None:
    body = validate(alice_api, address).json()
    assert (body["category"], body["credits_used"]) == (category, charged)
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 100 - charged
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("VAL-002", "VAL-025")
@pytest.mark.parametrize("email", ["", "   ", None, 7, ["a@b.com"], {"a": 1}])
def test_an_empty_or_wrong_value_is_refused_and_nothing_is_kept(
    alice: User, alice_api: APIClient, email: object
) -> None:
    answer = validate(alice_api, email)
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["detail"]) == ("INVALID_EMAIL", "Please enter a valid email address")
    assert not Result.objects.exists()
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 100


@pytest.mark.spec("VAL-022")
def test_without_a_credit_nothing_is_asked_and_nothing_is_charged(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    ledger.open_hold(organisation_id=alice.pk, amount=100, reason="Other", key="other")
    answer = validate(alice_api, "ida.holm@harborquill.com")
    assert (answer.status_code, answer.json()["code"]) == (403, "QUOTA_EXCEEDED")
    assert answer.json()["detail"] == "Insufficient credits. You need 1 but have 0."
    assert not Result.objects.exists()
    assert CreditHold.objects.count() == 1
    assert world.simulation.stats.report()["connections"] == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_a_result_that_cannot_be_kept_costs_nothing(
    world: Sandbox, alice: User, alice_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollups, "build_counting", lambda counts, **day: [Statement("INSERT INTO nowhere DEFAULT", [])])
    alice_api.raise_request_exception = False
    assert validate(alice_api, "ida.holm@harborquill.com").status_code == 500
    account = CreditAccount.objects.get(organisation=alice.own_organisation)
    assert (account.balance, account.held, Result.objects.count()) == (100, 0, 0)


def test_no_login_is_401(db: None, anonymous_api: APIClient) -> None:
    answer = validate(anonymous_api, "ida.holm@harborquill.com")
    assert (answer.status_code, answer.json()["code"]) == (401, "INVALID_API_KEY")
    assert not Result.objects.exists()


@pytest.mark.spec("VAL-040")
def test_the_evidence_is_for_its_owner_alone(world: Sandbox, alice_api: APIClient, bob_api: APIClient) -> None:
    number = validate(alice_api, "ida.holm@harborquill.com").json()["id"]
    assert alice_api.get(f"/api/validate/result/{number}").json()["email"] == "ida.holm@harborquill.com"
    answer = bob_api.get(f"/api/validate/result/{number}")
    assert (answer.status_code, answer.json()["detail"]) == (404, "Result not found")


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> LimitedEngine:
    """An engine that has reached its own limit at Yahoo."""
    engine = LimitedEngine({"yahoo": 0})
    monkeypatch.setattr(single, "checker", lambda: engine)
    return engine


@pytest.mark.finding("A1")
@pytest.mark.spec("VAL-043")
def test_who_was_not_asked_about_costs_nothing_and_says_when(
    alice: User, alice_api: APIClient, limited: LimitedEngine
) -> None:
    answer = alice_api.post("/api/validate/single", {"email": "ida@yahoo.com"}, format="json").json()
    assert (answer["category"], answer["reason"], answer["retry_after"]) == ("unknown", "not_asked", 60.0)
    assert answer["sentence"] == "We have reached our own limit at Yahoo; ask again in 60 s."
    assert (
        answer["credits_used"],
        CreditAccount.objects.get(organisation=alice.own_organisation).balance,
        ledger.reconcile_ledger(),
    ) == (
        0,
        100,
        [],
    )
    stored = alice_api.get(f"/api/validate/result/{answer['id']}").json()
    assert stored["retry_after"] == 60.0
    assert (
        alice_api.post("/api/validate/single", {"email": "ida@harborquill.com"}, format="json").json()["retry_after"]
        is None
    )


@pytest.mark.finding("A1")
def test_a_try_says_when_to_ask_again(anonymous_api: APIClient, limited: LimitedEngine) -> None:
    answer = anonymous_api.post("/api/try", {"email": "ida@yahoo.com"}, format="json").json()
    assert (answer["reason"], answer["retry_after"]) == ("not_asked", 60.0)


def test_no_engine_runs_on_in_a_process_that_ends() -> None:
    """What was registered first is called last: the world as it is when the interpreter goes."""
    program = """
import atexit, threading
def tell(): print([thread.name for thread in threading.enumerate()])
atexit.register(tell)
import django
django.setup()
from validation.verifier.checker import Checker, engine_config
print(Checker(engine_config()).check("ann@no-such-thing.invalid").category.value)
tell()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()) == (0, ["invalid", "['MainThread', 'engine']", "['MainThread']"])
