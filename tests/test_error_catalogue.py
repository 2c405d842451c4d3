"""The catalogue of errors says what the code does, and the documents say what the catalogue does."""

import ast
from pathlib import Path

import pytest

from emailcheck import developer_docs
from emailcheck.common import api, errors
from emailcheck.common.errors import ProductError
from emailcheck.error_catalogue import CATALOGUE
from validation import uploads
from validation.listfiles.shape import ErrorCode

ROOT = Path(__file__).parent.parent
# What answers calls with keys.
MODULES = (
    "emailcheck/common/api.py", "emailcheck/common/idempotency.py", "emailcheck/common/limits.py",
    "emailcheck/common/paging.py", "accounts/auth.py", "billing/caps.py", "billing/services.py",
    "validation/api.py", "validation/batch_api.py", "validation/services.py", "validation/lookups.py",
    "validation/drafts.py", "validation/stopping.py", "validation/retention.py", "validation/history.py",
    "validation/downloads.py", "validation/originals.py", "validation/testmode.py",
)  # fmt: skip
# Calls that no key may make: signing in, going on with a list, views of staff.
NOT_FOR_KEYS = {"NOT_AUTHENTICATED", "NOT_PAUSED", "PLAN_REQUIRED", "VIEW_HIDDEN", "VIEW_READ_ONLY"}
KEY_REFUSALS = {("INVALID_API_KEY", 401), ("ACCOUNT_SUSPENDED", 403), ("IP_NOT_ALLOWED", 403)}


def kinds() -> dict[str, type[ProductError]]:
    """Every class of error that a module can raise by name, such as those of billing too."""
    found: dict[str, type[ProductError]] = {}
    waiting = [ProductError]
    while waiting:
        kind = waiting.pop()
        found[kind.__name__] = kind
        waiting += kind.__subclasses__()
    return found


def raised(path: Path) -> set[tuple[str, int]]:
    """The codes and statuses of the errors that a module makes."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and (kind := kinds().get(getattr(node.func, "id", ""))):
            codes = [word.value for word in node.keywords if word.arg == "code"]
            found.add((ast.literal_eval(codes[0]) if codes else kind.code, kind.status))
    return found


@pytest.mark.spec("DOC-025", "DOC-027", "DOC-031")
def test_the_catalogue_has_every_error_and_no_other() -> None:
    made = set().union(*(raised(ROOT / module) for module in MODULES)) | KEY_REFUSALS
    made |= {(code, status) for status, code in api._CODES.items() if status not in (401, 406)}
    translated = {code: uploads._CODES.get(code, (code.value, ""))[0] for code in ErrorCode}
    made |= {(code, 400) for code in translated.values()}
    made |= {(errors.TooLarge.code, errors.TooLarge.status), ("REQUEST_TOO_LARGE", 413), ("INTERNAL_ERROR", 500)}
    made = {one for one in made if one[0] not in NOT_FOR_KEYS}
    assert {(entry.code, entry.status) for entry in CATALOGUE} == made


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
    text = developer_docs.DOCUMENT.read_text()
    assert developer_docs.with_tables(text) == text, "run make api"
