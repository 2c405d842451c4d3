"""Who may call what: every route of the API × every method × everybody.

The table is compared with the routes themselves, so that a route that is missing here fails.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.urls import URLResolver
from django.urls.resolvers import RegexPattern
from rest_framework.test import APIClient

from accounts.access.models import ApiKey, SignIn
from accounts.activity.models import Activity
from accounts.users.models import User
from billing.ledger.models import CreditAccount, CreditEntry
from billing.payments.models import PaymentMethod, Refund
from billing.subscriptions.models import Subscription
from emailcheck import api_urls
from tests.permission_table import (
    ANY_STAFF,
    BODIES,
    CAST,
    EXPECTED,
    FOR_KEYS,
    METHODS,
    ROUTES,
    WITHOUT_SIGN_IN,
    Table,
    file,
    table,
)
from validation.batches.models import Batch
from validation.batches.uploads import drafts
from validation.batches.uploads.models import Upload
from validation.results.models import Result
from validation.webhooks.models import Webhook, WebhookDelivery, WebhookSecret


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, here)
        else:
            yield here


def expected(method: str, route: str, who: str) -> int:
    return EXPECTED.get((method, route), not_a_method(method, route))[who]


def not_a_method(method: str, route: str) -> Table:
    """Everybody's status for a method that the route does not have."""
    if route in WITHOUT_SIGN_IN:
        return dict.fromkeys(CAST, 405)
    if "admin" in route or route.startswith("monitoring"):
        return table(alice=403, bob=403, staff=404 if route == ANY_STAFF else 405)
    refused = table(alice=405, bob=405, staff=405)
    if route in FOR_KEYS:
        of_scope = 403 if route.startswith("webhooks") and method != "GET" else 405  # neither key has that of webhooks
        refused |= {"writer": of_scope, "reader": 405 if method == "GET" else 403}
    return refused


def state() -> dict[str, Any]:
    """What a refused call must leave as it is."""
    balances = CreditAccount.objects.order_by("pk").values_list("balance", flat=True)
    tables = (
        Batch,
        Result,
        Upload,
        Upload.objects.open(),
        CreditEntry,
        Activity,
        ApiKey.objects.live(),
        PaymentMethod,
        Refund,
        Webhook.objects.filter(deleted_at=None),
        WebhookDelivery,
        WebhookSecret,
        SignIn.objects.filter(ended_at=None),
    )
    counts = [rows.count() if isinstance(rows, QuerySet) else rows._default_manager.count() for rows in tables]
    people = User.objects.order_by("pk").values_list("email", "name", "role", "is_active", "password")
    return {"balances": list(balances), "rows": counts, "people": list(people)}


# The methods that a route does not have are tried together, because they change nothing; every call by itself.
CALLS = [(route, (method,)) for method, route in EXPECTED]
LACKING = [
    (route, methods)
    for route in ROUTES
    if (methods := tuple(method for method in METHODS if (method, route) not in EXPECTED))
]
TOGETHER = 12
# Who may not do a thing is no matter of the database; what a call does is.
REFUSALS_TOO = connection.vendor == "sqlite"


def together(calls: list[Any]) -> list[list[Any]]:
    """Calls that share what is prepared for them; what each changes is undone before the next."""
    return [calls[start : start + TOGETHER] for start in range(0, len(calls), TOGETHER)]


def test_the_table_names_every_route() -> None:
    assert sorted(routes(URLResolver(RegexPattern(""), api_urls))) == ROUTES
    tried = [(method, route) for route, methods in (*CALLS, *LACKING) for method in methods]
    assert sorted(tried) == sorted(product(METHODS, ROUTES))


@pytest.mark.usefixtures("buyer")
@pytest.mark.spec("SEC-004", "SEC-005", "AUTH-016")
@pytest.mark.parametrize(
    "calls",
    [*(pytest.param(some, marks=pytest.mark.postgres) for some in together(CALLS)), *together(LACKING)],
    ids=lambda calls: f"from {'-'.join(calls[0][1])} {calls[0][0]}",
)
def test_everybody_gets_what_the_table_says(
    cast: dict[str, APIClient],
    alice: User,
    ids: dict[str, Any],
    undone: Callable[[], AbstractContextManager[None]],
    calls: list[tuple[str, tuple[str, ...]]],
) -> None:
    for route, methods in calls:
        with undone():
            if "upload_id" in route:  # reading a file takes a process of its own, and what became of it stays
                draft = drafts.inspect_upload(
                    organisation=alice.own_organisation, upload=file(), choices=drafts.UploadChoices()
                )
                ids["str:upload_id"] = draft.public_id
            assert_the_table_holds(cast, route, methods, ids, undone)


def assert_the_table_holds(
    cast: dict[str, APIClient],
    route: str,
    methods: tuple[str, ...],
    ids: dict[str, Any],
    undone: Callable[[], AbstractContextManager[None]],
) -> None:
    path = "/api/" + re.sub("<(.*?)>", lambda found: str(ids.get(found[1], "unknown")), route)
    path = path.replace(ANY_STAFF, "admin/nothing")
    body = BODIES.get(route, dict)
    before = state()
    wanted = {(method, route, who): expected(method, route, who) for method in methods for who in CAST}
    refused = {one: status for one, status in wanted.items() if status >= 400 and REFUSALS_TOO}
    answers = {one: send(cast[one[2]], one[0], path, body()) for one in refused}
    assert {one: answer.status_code for one, answer in answers.items()} == refused
    assert all(set(answer.json()) >= {"detail", "code", "request_id"} for answer in answers.values())
    assert state() == before
    allowed = {one: status for one, status in wanted.items() if status < 400}
    statuses = {}
    for one in allowed:
        with undone() if one[0] == "DELETE" else nullcontext():  # the next one finds it too
            statuses[one] = send(cast[one[2]], one[0], path, body()).status_code
    assert statuses == allowed


def send(api: APIClient, method: str, path: str, body: dict[str, Any]) -> Any:
    """What is read takes no body: of one for another method nothing is sent."""
    no_query = method in {"GET", "HEAD"} and "format" in body
    sent = {name: value for name, value in body.items() if not (no_query and name in {"data", "format"})}
    return getattr(api, method.lower())(path, **sent)


# What an attacker would like to set (mass assignment); no call takes any of it.
COVETED: dict[str, Any] = {
    "role": "admin", "is_staff": True, "is_superuser": True, "is_active": True, "email_verified_at": "2001-01-01",
    "email_verified": True, "credits": 1_000_000, "balance": 1_000_000, "plan": "enterprise",
    "subscription_plan": "enterprise", "price": 0, "user": 1, "user_id": 1, "owner": 1, "charged": False, "id": 1,
}  # fmt: skip
WRITING = sorted(
    (method, route) for method, route in EXPECTED if method in {"POST", "PUT", "PATCH"} and "upload" not in route
)


@pytest.mark.usefixtures("buyer")
@pytest.mark.parametrize("calls", together(WRITING), ids=lambda calls: f"from {calls[0][0]} {calls[0][1]}")
def test_fields_that_a_call_does_not_know_change_nothing(
    cast: dict[str, APIClient],
    batch: Batch,
    key: ApiKey,
    bob: User,
    undone: Callable[[], AbstractContextManager[None]],
    calls: list[tuple[str, str]],
) -> None:
    coveted = COVETED | {"user": bob.pk, "user_id": bob.pk, "owner": bob.pk}
    before = privileges()
    for method, route in calls:
        path = "/api/" + route.replace("<str:batch_id>", batch.public_id).replace("<int:key_id>", str(key.pk))
        body = BODIES.get(route, lambda: {"data": {}, "format": "json"})()
        with undone():
            for who in ("alice", "suspended", "anonymous"):
                answer = send(cast[who], method, path, {"data": coveted | body["data"], "format": "json"})
                assert (method, route, who, answer.status_code < 500) == (method, route, who, True)
            assert (method, route, privileges()) == (method, route, before)


def privileges() -> list[Any]:
    """Who may do what, on which plan, who owns what, and that nobody has more credits than were granted."""
    people = User.objects.order_by("pk").values_list("pk", "role", "is_superuser", "is_active", "email_verified_at")
    plans = Subscription.objects.exclude(organisation__holder=None).order_by("pk").values_list("organisation", "plan")
    granted = (
        CreditEntry.objects.filter(amount__gt=0, kind="grant").order_by("pk").values_list("organisation", "amount")
    )
    keys_of = ApiKey.objects.filter(organisation__holder__email="bob@birch.net").count()
    lists_of = Batch.objects.exclude(organisation__holder__email="alice@alder.com").count()
    return [*people, *plans, *granted, keys_of, lists_of]
