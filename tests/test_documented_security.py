"""What the API says of who may call without a credential, beside what its views really ask."""

import re
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from accounts.access.authentication import BearerAuthentication
from tests.permission_table import BODIES

ASKS_FOR_ONE = {"NOT_AUTHENTICATED", "INVALID_API_KEY"}
NOBODY: frozenset[str] = frozenset()
BEARER = frozenset({"bearer"})


def described() -> dict[tuple[str, str], tuple[set[frozenset[str]], Any]]:
    """By method and path: the sets of credentials that suffice, as described, and the view."""
    generator: Any = SchemaGenerator()
    paths = generator.get_schema(request=None, public=True)["paths"]
    found = {}
    for path, _, method, callback in generator.endpoints:
        ways = paths[path][method.lower()].get("security", [{}])
        found[method, path] = ({frozenset(way) for way in ways}, callback.cls)
    return found


def asked(api: APIClient, method: str, path: str, view: Any) -> set[frozenset[str]]:
    """The sets of credentials that suffice, as somebody without any finds out."""
    if BearerAuthentication not in view.authentication_classes:
        return {NOBODY}
    body = BODIES.get(path.removeprefix("/api/"), dict)()
    answer = getattr(api, method.lower())(re.sub(r"{\w+}", "1", path), **body)
    wants = answer.status_code == 401 and answer.json()["code"] in ASKS_FOR_ONE
    return {BEARER} if wants else {BEARER, NOBODY}


@pytest.mark.finding("C8")
@pytest.mark.spec("AUTH-016")
def test_every_call_is_described_with_the_credential_that_it_asks_for(
    db: None, anonymous_api: APIClient, settings: Any
) -> None:
    settings.SITE_REQUESTS_PER_MINUTE = 10_000
    table = described()
    assert len(table) > 150
    real = {one: asked(anonymous_api, *one, view) for one, (_, view) in table.items()}
    assert {one: ways for one, (ways, _) in table.items()} == real
