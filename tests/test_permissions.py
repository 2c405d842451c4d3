"""Who may call what: every route of the API × every method × everybody.

The table is compared with the routes themselves, so that a route that is missing here fails.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLResolver
from django.urls.resolvers import RegexPattern
from rest_framework.test import APIClient

from accounts.models import SignIn, User
from billing.models import CreditAccount, CreditEntry
from conftest import client_of
from emailcheck import api_urls
from tests.world import Sandbox
from validation import services
from validation.models import Batch, BatchType, Result

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
CAST = ("anonymous", "alice", "bob", "suspended")
OPEN = dict.fromkeys(CAST, 200)
SIGNED_IN = {"anonymous": 401, "alice": 200, "bob": 200, "suspended": 403}
OWNER = {"anonymous": 401, "alice": 200, "bob": 404, "suspended": 403}
BATCH = "validate/batch/<str:batch_id>"
LIVING = "ida.holm@harborquill.com"

# Who gets which status; a method that is not named is refused with 405, after the sign-in where one is needed.
EXPECTED: dict[tuple[str, str], dict[str, int]] = {
    ("POST", "auth/login"): dict.fromkeys(CAST, 400),  # anybody may try; an empty pair is no pair
    ("POST", "auth/refresh"): dict.fromkeys(CAST, 401),  # by its cookie alone, which no client here has
    ("POST", "auth/logout"): SIGNED_IN,
    ("GET", "auth/me"): SIGNED_IN,
    ("GET", "credits"): SIGNED_IN,
    ("GET", "analytics/dashboard"): SIGNED_IN,
    ("GET", "analytics/usage"): SIGNED_IN,
    ("GET", "analytics/advanced"): {**SIGNED_IN, "alice": 403, "bob": 403},  # their plan is Free
    ("POST", "validate/single"): SIGNED_IN,
    ("POST", "validate/bulk"): SIGNED_IN,
    ("POST", "validate/upload"): SIGNED_IN,
    ("GET", "validate/batches"): SIGNED_IN,
    ("GET", BATCH): OWNER,
    ("GET", f"{BATCH}/status"): OWNER,
    ("GET", f"{BATCH}/results"): OWNER,
    ("GET", f"{BATCH}/export"): OWNER,
    ("GET", "validate/result/<int:result_id>"): OWNER,
    ("GET", "schema"): OPEN,
}
ROUTES = sorted({route for _, route in EXPECTED})
WITHOUT_SIGN_IN = {"auth/login", "auth/refresh", "schema"}
BODIES: dict[str, Callable[[], dict[str, Any]]] = {
    "analytics/usage": lambda: {"QUERY_STRING": "range=30d"},
    "analytics/advanced": lambda: {"QUERY_STRING": "range=30d"},
    "validate/single": lambda: {"data": {"email": LIVING}, "format": "json"},
    "validate/bulk": lambda: {"data": {"emails": [LIVING]}, "format": "json"},
    "validate/upload": lambda: {"data": {"file": SimpleUploadedFile("a.csv", LIVING.encode())}, "format": "multipart"},
}


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, here)
        else:
            yield here


def expected(method: str, route: str, who: str) -> int:
    refused = dict.fromkeys(CAST, 405) if route in WITHOUT_SIGN_IN else {**SIGNED_IN, "alice": 405, "bob": 405}
    return EXPECTED.get((method, route), refused)[who]


@pytest.fixture
def batch(world: Sandbox, alice: User) -> Batch:
    return services.start_list(user=alice, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)


@pytest.fixture
def cast(alice: User, bob: User, anonymous_api: APIClient, batch: Batch) -> dict[str, APIClient]:
    """Alice owns the batch; the suspended account has a token from before."""
    carol = User.objects.create_user("carol@cedar.org", "correct-horse-42", name="Carol Cedar")
    suspended = client_of(carol)
    User.objects.filter(pk=carol.pk).update(is_active=False)
    return {"anonymous": anonymous_api, "alice": client_of(alice), "bob": client_of(bob), "suspended": suspended}


def state() -> tuple[int, ...]:
    """What a refused call must leave as it is."""
    balances = CreditAccount.objects.order_by("pk").values_list("balance", flat=True)
    open_sign_ins = SignIn.objects.filter(ended_at=None).count()
    return (*balances, Batch.objects.count(), Result.objects.count(), CreditEntry.objects.count(), open_sign_ins)


def test_the_table_names_every_route() -> None:
    assert sorted(routes(URLResolver(RegexPattern(""), api_urls))) == ROUTES


@pytest.mark.spec("VAL-040", "SEC-005", "AUTH-016")
@pytest.mark.parametrize(("method", "route"), list(product(METHODS, ROUTES)))
def test_everybody_gets_what_the_table_says(cast: dict[str, APIClient], batch: Batch, method: str, route: str) -> None:
    result = batch.results.get()
    path = "/api/" + route.replace("<str:batch_id>", batch.public_id).replace("<int:result_id>", str(result.pk))
    body = BODIES.get(route, dict)
    before = state()
    refused = [who for who in CAST if expected(method, route, who) >= 400]
    answers = {who: send(cast[who], method, path, body()) for who in refused}
    assert {who: answer.status_code for who, answer in answers.items()} == {
        who: expected(method, route, who) for who in refused
    }
    assert all(set(answer.json()) >= {"detail", "code", "request_id"} for answer in answers.values())
    assert state() == before
    allowed = {who: expected(method, route, who) for who in CAST if who not in refused}
    assert {who: send(cast[who], method, path, body()).status_code for who in allowed} == allowed


def send(api: APIClient, method: str, path: str, body: dict[str, Any]) -> Any:
    return getattr(api, method.lower())(path, **body)
