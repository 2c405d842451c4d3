"""How many calls with API keys the plan of an account includes a minute."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.db import connection

from accounts.keys import services as keys
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger.models import CreditAccount, CreditEntry
from billing.subscriptions.models import Subscription
from conftest import client_of, client_with
from tests.world import Sandbox
from validation.batches.models import Batch

NOW = "2026-03-01 12:00:00+00:00"
HEADERS = ("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def on(plan: Plan, user: User) -> None:
    Subscription.objects.filter(organisation=user.own_organisation).update(plan=plan)


def said(answer: Any) -> tuple[str, ...]:
    return tuple(answer[name] for name in HEADERS)


@pytest.mark.spec("LIM-018", "DOC-032", "DOC-036")
@pytest.mark.parametrize(("plan", "most"), [("free", 10), ("starter", 50), ("growth", 100), ("pro", 200)])
def test_as_many_calls_a_minute_as_the_plan_says(alice: User, plan: Plan, most: int) -> None:
    on(plan, alice)
    one, other = (
        client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name=name)[1])
        for name in ("one", "other")
    )
    with time_machine.travel(NOW, tick=False) as clock:
        first = one.get("/api/v1/validate/batches")
        assert said(first) == (f'"api";q={most};w=60', f'"api";r={most - 1};t=60', str(most), str(most - 1), "60")
        clock.shift(30)
        for left in range(most - 2, -1, -1):
            answer = (one if left % 2 else other).get("/api/v1/validate/batches")
            assert (answer.status_code, answer["X-RateLimit-Remaining"]) == (200, str(left))
        for key in (one, other):
            refused = key.get("/api/v1/validate/batches")
            assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMIT_EXCEEDED")
            assert refused["Retry-After"] == "30"
            assert said(refused) == (f'"api";q={most};w=60', '"api";r=0;t=30', str(most), "0", "30")
        clock.shift(31)
        assert [one.get("/api/v1/validate/batches").status_code for _ in range(2)] == [200, 429]


@pytest.mark.spec("LIM-018", "DOC-032", "DOC-036")
def test_enterprise_has_no_limit_and_every_answer_says_so(alice: User) -> None:
    on(Plan.ENTERPRISE, alice)
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="many")[1])
    with time_machine.travel(NOW, tick=False):
        answers = [api.get("/api/v1/validate/batches") for _ in range(250)]
    assert {answer.status_code for answer in answers} == {200}
    most = "2147483647"
    assert {said(answer) for answer in answers} == {
        (f'"unlimited";q={most};w=60', f'"unlimited";r={most};t=60', most, most, "60")
    }


@pytest.mark.spec("LIM-018", "DOC-036")
def test_a_refused_call_costs_nothing_and_the_site_goes_on(alice: User) -> None:
    on(Plan.FREE, alice)
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="busy")[1])
    with time_machine.travel(NOW, tick=False):
        for _ in range(10):
            api.get("/api/v1/validate/batches")
        before = (
            CreditAccount.objects.values("balance", "held").get(organisation=alice.own_organisation),
            CreditEntry.objects.count(),
        )
        answer = api.post("/api/v1/validate/single", {"email": "ida.holm@harborquill.com"}, format="json")
        assert answer.status_code == 429
        answer = client_of(alice).get("/api/credits")
        assert (answer.status_code, answer["RateLimit-Policy"]) == (200, '"account";q=600;w=60')
    assert (
        CreditAccount.objects.values("balance", "held").get(organisation=alice.own_organisation),
        CreditEntry.objects.count(),
    ) == before
    assert not Batch.objects.exists()


@pytest.mark.spec("DOC-036")
def test_refusals_say_how_many_more_there_may_be(alice: User) -> None:
    reader = client_with(
        keys.create_key(organisation=alice.own_organisation, maker=alice, name="reader", scopes=["read"])[1]
    )
    answers = [
        reader.post("/api/v1/validate/single", {"email": "x@y.com"}, format="json"),
        reader.get("/api/v1/validate/batch/bat_unknown"),
        reader.get("/api/user/api-keys"),
        reader.patch("/api/v1/credits"),
    ]
    assert [answer.status_code for answer in answers] == [403, 404, 403, 403]
    assert [answer["X-RateLimit-Remaining"] for answer in answers] == ["99", "98", "97", "96"]


@pytest.mark.spec("LIM-018")
def test_a_better_plan_counts_from_the_next_call(alice: User) -> None:
    on(Plan.FREE, alice)
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="grows")[1])
    with time_machine.travel(NOW, tick=False):
        assert [api.get("/api/v1/validate/batches").status_code for _ in range(11)] == [200] * 10 + [429]
        on(Plan.STARTER, alice)
        assert api.get("/api/v1/validate/batches")["X-RateLimit-Remaining"] == "39"


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("LIM-018")
def test_of_sixteen_calls_at_once_ten_pass(alice: User) -> None:
    on(Plan.FREE, alice)
    text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="busy")[1]

    def call(_: int) -> int:
        try:
            return int(client_with(text).get("/api/v1/validate/batches").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(call, range(16))) == [200] * 10 + [429] * 6


@pytest.mark.spec("DOC-036")
def test_what_spends_says_what_is_left(world: Sandbox, alice: User) -> None:
    api = client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1])
    address = {"email": "ida.holm@harborquill.com"}
    lists = {"emails": ["ida.holm@harborquill.com", "noor.haddad@harborquill.com"]}
    answers = [
        api.post("/api/v1/validate/single", address, format="json", headers={"Idempotency-Key": "k1"}),
        api.post("/api/v1/validate/single", address, format="json", headers={"Idempotency-Key": "k1"}),
        api.post("/api/v1/validate/bulk", lists, format="json"),
        api.post("/api/v1/validate/single", {"email": 1}, format="json"),
    ]
    told = [(answer.status_code, answer["X-Credits-Remaining"]) for answer in answers]
    left = CreditAccount.objects.get(organisation=alice.own_organisation).balance
    assert told == [(200, "99"), (200, "99"), (200, str(left)), (400, str(left))]
    assert left < 99
    assert not client_with("ec_live_x").post("/api/v1/validate/single", address).has_header("X-Credits-Remaining")
    assert not api.get("/api/v1/credits").has_header("X-Credits-Remaining")
