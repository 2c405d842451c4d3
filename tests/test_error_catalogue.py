"""The catalogue of errors says what the code does, and the documents say what the catalogue does."""

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from emailcheck.common.api import error_responses
from emailcheck.common.errors import ProductError
from emailcheck.common.server.answers import Refusal
from emailcheck.public.documentation import generated_tables
from emailcheck.public.documentation.error_catalogue import CATALOGUE
from tests.reach import reachable, tree_of, value_of, views
from validation.batches.uploads import files
from validation.listfiles.shape import ErrorCode

# Which call they refuse is no call with a key: a view of staff.
# Calls with a sign-in alone raise them, and leave a decision to the caller.
FOR_SIGNED_IN = {("PAYMENT_PENDING", 409), ("LAST_OWNER", 400), ("MEMBER_CAP_EXCEEDED", 403)}
NOT_FOR_KEYS = {
    ("VIEW_HIDDEN", 403),
    ("VIEW_READ_ONLY", 403),
    ("NOT_AUTHENTICATED", 401),
    ("ORGANISATION_SUSPENDED", 403),
}


def roots() -> list[Any]:
    """What a call with a key goes through: the server, our middleware, what every call is given, and its view."""
    every_call: dict[str, Any] = settings.REST_FRAMEWORK
    given = [name for key, names in every_call.items() if key.endswith("_CLASSES") for name in names]
    return [
        Refusal,
        *map(import_string, [*settings.MIDDLEWARE, *given]),
        *(view for view in views() if getattr(view, "open_to_keys", False)),
    ]


def made(thing: Any) -> Iterator[tuple[str, int]]:
    """The codes and statuses of the errors that a function or class makes."""
    for node in ast.walk(tree_of(thing)):
        if not isinstance(node, ast.Call):
            continue
        kind = value_of(node.func, thing)
        if inspect.isclass(kind) and issubclass(kind, ProductError):
            code = next((word.value for word in node.keywords if word.arg == "code"), ast.Constant(kind.code))
            if isinstance(code, ast.Constant):
                yield str(code.value), kind.status


@pytest.mark.spec("DOC-025", "DOC-027", "DOC-031")
def test_the_catalogue_has_every_error_and_no_other() -> None:
    found = {error for thing in reachable(roots()) for error in made(thing)} - NOT_FOR_KEYS
    found |= {error for thing in reachable(list(views())) for error in made(thing)} & FOR_SIGNED_IN
    found |= {(code, status) for status, code in error_responses._CODES.items() if status not in (401, 406)}
    found |= {(files._CODES.get(code, (code.value, ""))[0], 400) for code in ErrorCode} | {("INTERNAL_ERROR", 500)}
    assert {(entry.code, entry.status) for entry in CATALOGUE} == found


@pytest.mark.spec("DOC-025", "DOC-027", "DOC-031")
def test_the_documented_codes_and_statuses_are_there() -> None:
    statuses = {entry.code: entry.status for entry in CATALOGUE}
    assert len(statuses) == len(CATALOGUE)
    documented = {
        "INVALID_API_KEY": 401, "QUOTA_EXCEEDED": 403, "RATE_LIMIT_EXCEEDED": 429, "INVALID_EMAIL": 400,
        "FILE_TOO_LARGE": 413,
    }  # fmt: skip
    assert {code: statuses[code] for code in documented} == documented
    assert {400, 401, 403, 404, 413, 429, 500} <= set(statuses.values())


def test_the_document_has_the_tables_of_the_code() -> None:
    text = generated_tables.DOCUMENT.read_text()
    assert generated_tables.replace_tables(text) == text, "run make api"
