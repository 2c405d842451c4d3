"""`/api-docs` and the texts for language models: made from the description, with examples that are true."""

import html
import json
import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from accounts.access.models import Scope
from accounts.keys import services as keys
from accounts.users.models import User
from conftest import PASSWORD, client_with
from emailcheck.contract import groups
from emailcheck.contract.description import load_internal
from emailcheck.contract.marks import KEY as TAKES_KEYS
from emailcheck.public.documentation.error_catalogue import CATALOGUE
from emailcheck.public.reference.fields import Shapes
from emailcheck.public.reference.layout import load_reference
from tests import reference_calls
from tests.world import Sandbox
from validation.testmode import addresses

TRY = re.compile(r'data-opens="try-it" data-call="(\w+)"')


def operations() -> dict[str, dict[str, Any]]:
    """The calls of the description by operation id, each with its method and path."""
    paths = json.loads(load_internal()[0])["paths"]
    return {
        one["operationId"]: one | {"method": method.upper(), "path": path}
        for path, methods in paths.items()
        for method, one in methods.items()
    }


def page_of(client: Client, path: str = "/api-docs") -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


@pytest.mark.spec("DOC-007", "DOC-012")
def test_each_call_that_takes_a_key_is_shown_once_and_can_be_tried(db: None, client: Client) -> None:
    taking = {name for name, one in operations().items() if one.get(TAKES_KEYS)}
    page = page_of(client)
    assert Counter(TRY.findall(page)) == Counter(taking)
    for name in taking:
        one = operations()[name]
        assert f">{one['method']}</span> <code>{one['path'].replace('/api/', '/api/v1/')}</code>" in page
    listed = [name for group in groups.WITH_A_SIGN_IN for name in group.calls]
    assert len(set(listed)) == len(listed)
    assert not taking & set(listed)
    assert 'href="/documentation#endpoints"' in page


@pytest.mark.spec("DOC-021", "DOC-022", "DOC-024")
def test_fields_are_those_of_the_description(db: None, client: Client) -> None:
    page, known = page_of(client), json.loads(load_internal()[0])["components"]["schemas"]
    calls = {call.id: call for group in load_reference().groups for call in group.calls}
    single = {field.name: field.kind.word for field in calls["validate_single"].answers[0].fields}
    assert single.keys() == known["Result"]["properties"].keys()
    assert single["smtp_valid"] == "boolean or null"
    assert (single["evidence"], single["category"]) == ("array of Check", "string")
    assert [(one.statuses, len(one.fields)) for one in calls["validate_upload"].answers] == [
        ("200, 202", len(known["ListAnswer"]["properties"]))
    ]
    limits_of = {field.name: field.limits for field in calls["validate_batch_results"].parameters}
    assert limits_of["limit"] == "1 to 1,000"
    described_names = {name: [one["name"] for one in operations()[name].get("parameters", ())] for name in calls}
    assert {name: [field.name for field in call.parameters] for name, call in calls.items()} == described_names
    assert all(f'id="object-{shape.name}"' in page for shape in load_reference().shapes)
    assert {"ResultRow", "Check", "Batch", "CreditLot"} <= {shape.name for shape in load_reference().shapes}


@pytest.mark.spec("DOC-025", "DOC-026", "DOC-031")
def test_errors_limits_and_test_addresses_are_told(db: None, client: Client) -> None:
    page = page_of(client)
    assert all(f'<tr id="{one.code}"><td data-label="Status">{one.status}</td>' in page for one in CATALOGUE)
    assert all(f"<code>{one.address}</code>" in page for one in (*addresses.VERDICTS, *addresses.BEHAVIOURS))
    limits = re.findall(r"<tr><td>([\w ]+)</td><td>(\d+|no limit)</td></tr>", page)
    assert [most for _, most in limits] == ["10", "50", "100", "200", "no limit"]


@pytest.mark.spec("DOC-012", "DOC-034")
def test_examples_are_what_test_mode_answers(world: Sandbox, alice: User, client: Client) -> None:
    home, scopes = alice.own_organisation, tuple(Scope)
    _, text = keys.create_key(organisation=home, maker=alice, name="Trial", scopes=scopes, test=True)
    found = reference_calls.made(client_with(text))
    shown = reference_calls.shown(found)
    assert reference_calls.comparable(shown) == reference_calls.comparable(found)
    assert "curl http" in page_of(client)


@pytest.mark.spec("DOC-012")
def test_the_console_knows_whether_somebody_is_signed_in(alice: User, client: Client) -> None:
    assert '"signedIn": false' in page_of(client)
    assert '"path": "/api/v1/validate/single"' in page_of(client)
    client.post("/api/auth/login", {"email": alice.email, "password": PASSWORD}, "application/json")
    assert '"signedIn": true' in page_of(client)


@pytest.mark.spec("DOC-012")
@pytest.mark.parametrize("path", ["/llms.txt", "/llms-full.txt"])
def test_language_models_get_the_same_as_text(db: None, client: Client, path: str) -> None:
    answer = client.get(path)
    text = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert "max-age=3600" in answer["Cache-Control"]
    assert text.startswith("# EmailCheck")
    assert not re.search(r"\n{3}|&\w+;|&#", text)
    calls = [call for group in load_reference().groups for call in group.calls]
    assert all(f"{call.method} {call.path}" in text for call in calls)


@pytest.mark.parametrize(
    ("schema", "word", "values"),
    [
        ({"type": ["string", "null"], "format": "date-time"}, "date-time or null", ()),
        ({"oneOf": [{"enum": [1, 7], "type": "integer"}, {"type": "null"}]}, "integer or null", ("1", "7")),
        ({"enum": [",", "\t", ""], "type": "string"}, "string", (",", "tab", "(empty)")),
        ({"type": "string", "format": "binary"}, "file", ()),
        ({}, "any value", ()),
    ],
)
def test_types_are_told_in_words(schema: dict[str, Any], word: str, values: tuple[str, ...]) -> None:
    kind = Shapes({}).kind(schema)
    assert (kind.word, kind.values) == (word, values)
