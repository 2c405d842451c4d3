"""A visitor tries the product: the same evidence, three an hour, and nothing stays."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.db import connection
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger.models import CreditEntry
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.daily.models import Day
from validation.results.models import Result
from validation.single import public_try
from validation.single.serializers import TriedSerializer
from validation.verifier.models import DomainMemory

LIVING = "ida.holm@harborquill.com"
HOUR = {"Retry-After": "3600", "RateLimit": '"try";r=0;t=3600'}


def ask(email: Any = LIVING, *, address: str = "203.0.113.7", client: APIClient | None = None) -> Any:
    return (client or APIClient()).post("/api/try", {"email": email}, format="json", REMOTE_ADDR=address)


@pytest.mark.django_db
@pytest.mark.spec("PUB-017")
def test_a_visitor_gets_the_evidence_that_a_customer_gets(world: Sandbox, alice_api: APIClient) -> None:
    tried = ask().json()
    kept = alice_api.post("/api/validate/single", {"email": LIVING}, format="json").json()
    assert sorted(tried) == sorted(TriedSerializer().fields)
    alike = set(tried) - {"remaining", "created_at", "evidence", "transcript"}
    assert {name: tried[name] for name in alike} == {name: kept[name] for name in alike}
    assert (tried["category"], tried["remaining"]) == ("valid", 2)
    assert [(one["check"], one["outcome"]) for one in tried["evidence"]] == [
        (one["check"], one["outcome"]) for one in kept["evidence"]
    ]
    assert any(line.startswith(f"C: RCPT TO:<{LIVING}>") for line in tried["transcript"])


@pytest.mark.django_db
@pytest.mark.spec("PUB-017")
def test_nothing_of_a_try_is_kept(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    entries = CreditEntry.objects.count()
    assert ask(client=alice_api).status_code == 200
    assert (Result.objects.count(), Batch.objects.count(), Day.objects.count()) == (0, 0, 0)
    assert CreditEntry.objects.count() == entries
    known = [f"{row.domain} {row.reply}" for row in DomainMemory.objects.all()]
    assert [text for text in known if "ida.holm" in text] == []


@pytest.mark.django_db
@pytest.mark.spec("PUB-017")
def test_three_an_hour_are_all_and_everybody_has_them(world: Sandbox) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        assert [ask().json()["remaining"] for _ in range(3)] == [2, 1, 0]
        refused = ask()
        assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMIT_EXCEEDED")
        assert refused.json()["detail"] == "Sign up to check more"
        assert {name: refused[name] for name in HOUR} == HOUR
        assert ask(address="198.51.100.9").json()["remaining"] == 2
        clock.shift(3_601)
        assert ask().json()["remaining"] == 2


@pytest.mark.django_db
@pytest.mark.spec("PUB-017")
@pytest.mark.parametrize("email", ["", "   ", "nobody", None, 7, ["a@b.com"], {"a": 1}])
def test_what_is_no_address_is_no_try(email: Any) -> None:
    for _ in range(4):
        answer = ask(email)
        assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_EMAIL")
        assert answer.json()["detail"] == "Please enter a valid email address"
    assert ask("a@b..com").json()["remaining"] == 2


@pytest.mark.django_db
@pytest.mark.spec("PUB-017")
def test_all_visitors_together_do_not_make_us_ask_mail_hosts_all_day() -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        statuses = [ask("a@b..com", address=f"198.51.100.{number}").status_code for number in range(61)]
        assert statuses == [200] * 60 + [429]
        clock.shift(61)
        assert ask("a@b..com", address="203.0.113.1").status_code == 200


@pytest.mark.django_db
@pytest.mark.spec("PUB-017")
def test_a_visitor_does_not_wait_for_a_slow_server(world: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_try, "DEADLINE_S", 0.2)
    tried = ask("grace.lowe@sleepyharbor.com").json()
    assert (tried["category"], tried["reason"], tried["safe_to_send"]) == ("unknown", "timeout", False)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("PUB-017")
def test_of_sixteen_at_once_three_pass() -> None:
    def try_once(_: int) -> int:
        try:
            status: int = ask("a@b..com").status_code
            return status
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        statuses = sorted(pool.map(try_once, range(16)))
    assert statuses == [200] * 3 + [429] * 13
