"""What keys may be given, and that no scope opens what belongs to people."""

import re
from itertools import product

import pytest
from rest_framework.test import APIClient

from accounts.access.models import ApiKey, Scope
from accounts.keys import services as keys
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from conftest import client_with
from tests.permission_table import ANY_STAFF, FOR_KEYS, METHODS, ROUTES, WITHOUT_SIGN_IN

KEYS = "/api/user/api-keys"
WORDS = {"read", "write", "webhooks"}


@pytest.mark.spec("API-031")
def test_a_scope_is_given_by_name_and_only_when_asked_for(alice_api: APIClient) -> None:
    assert {scope.value for scope in Scope} == WORDS
    plain = alice_api.post(KEYS, {"name": "Shop"}, format="json").json()
    asked = {"name": "Deployer", "scopes": ["webhooks", "write", "read"]}
    wide = alice_api.post(KEYS, asked, format="json").json()
    assert (plain["scopes"], wide["scopes"]) == (["read", "write"], ["read", "write", "webhooks"])
    changed = alice_api.put(f"{KEYS}/{plain['id']}", {"scopes": ["webhooks"]}, format="json")
    assert changed.status_code == 200
    assert [key["scopes"] for key in alice_api.get(KEYS).json()["keys"]] == [wide["scopes"], ["webhooks"]]
    refused = alice_api.post(KEYS, {"name": "Shop", "scopes": ["monitors"]}, format="json")
    assert (refused.status_code, refused.json()["details"]["field"]) == (400, "scopes")
    assert ApiKey.objects.count() == 2


@pytest.mark.spec("API-031")
@pytest.mark.parametrize(
    ("scopes", "method", "path", "lacking"),
    [
        (["write"], "get", "/api/v1/credits", "read"),
        (["read", "webhooks"], "post", "/api/v1/validate/single", "write"),
        (["webhooks"], "get", "/api/v1/webhooks", "read"),
        (["read", "write"], "post", "/api/v1/webhooks", "webhooks"),
        (["read", "write"], "patch", "/api/v1/webhooks/whk_1", "webhooks"),
        (["read", "write"], "delete", "/api/v1/webhooks/whk_1", "webhooks"),
        (["read", "write"], "post", "/api/v1/webhooks/whk_1/test", "webhooks"),
    ],
)
def test_a_call_names_the_scope_that_is_missing(
    alice: User, scopes: list[str], method: str, path: str, lacking: str
) -> None:
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop", scopes=scopes)
    answer = getattr(client_with(text), method)(path, {"email": "a@b.com"})
    assert (answer.status_code, answer.json()["code"]) == (403, "PERMISSION_DENIED")
    assert answer.json()["detail"] == f"This API key may not do this: it lacks the scope {lacking}."


@pytest.mark.spec("API-031")
def test_members_money_profile_keys_and_sign_in_never_take_a_key(alice: User) -> None:
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="All", scopes=list(Scope))
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.ENTERPRISE)  # any number of calls
    program = client_with(text)
    closed = [route for route in ROUTES if route not in FOR_KEYS | WITHOUT_SIGN_IN]
    for room in ("auth/logout", "organisation/members", "invoices", "user/profile", "user/api-keys", "user/webhooks"):
        assert room in closed
    for route, method in product(closed, METHODS):
        path = "/api/" + re.sub("<.*?>", "1", route.replace(ANY_STAFF, "admin/nothing"))
        answer = getattr(program, method.lower())(path, {}, format="json")
        assert (method, route, answer.status_code in {401, 403, 405}) == (method, route, True)
    assert ApiKey.objects.live().count() == 1
