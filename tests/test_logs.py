"""No log line carries an address, a token, a key or a body (SEC-011)."""

import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from rest_framework.test import APIClient

from accounts.users.models import User
from conftest import PASSWORD
from emailcheck.common.logs.configuration import RedactingFormatter
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.results import storage

LIVING = "ida.holm@harborquill.com"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that any logger says, as the product writes it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(RedactingFormatter("%(levelname)s %(name)s %(message)s"))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.mark.spec("SEC-011")
def test_a_check_and_a_failed_login_leave_no_trace_of_who(
    world: Sandbox, alice: User, alice_api: APIClient, client: Client, log: io.StringIO
) -> None:
    assert alice_api.post("/api/validate/single", {"email": LIVING}, format="json").status_code == 200
    assert alice_api.post("/api/validate/bulk", {"emails": [LIVING]}, format="json").status_code == 200
    login = {"email": "alice@alder.com", "password": "wrong-horse-42"}
    assert client.post("/api/auth/login", login, content_type="application/json").status_code == 401
    login = {"email": "alice@alder.com", "password": PASSWORD}
    token = client.post("/api/auth/login", login, content_type="application/json").json()["token"]
    said = log.getvalue()
    assert "Unauthorized: /api/auth/login" in said
    for secret in ("ida.holm", "harborquill.com", "alice", "alder", "wrong-horse", PASSWORD, token):
        assert secret not in said


@pytest.mark.spec("SEC-011")
def test_the_trace_of_a_fault_names_nobody(alice: User, world: Sandbox, log: io.StringIO) -> None:
    """The message of a database error may quote the row."""
    lines = [LIVING]
    batch = batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    row = storage.build_unchecked_row(LIVING, position=1)._replace(confidence=7.0)
    try:
        storage.insert_results(storage.prepare_results([row]), organisation_id=alice.pk, batch_id=batch.pk)
    except Exception:
        logging.getLogger("test").exception("could not write %s", LIVING)
    said = log.getvalue()
    assert "could not write [address]" in said
    assert "IntegrityError" in said
    assert "ida.holm" not in said


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("to a.b+c@x-y.co.uk, again", "to [address], again"),
        ('key (email)=("odd name"@x.com) exists', "key (email)=([address]) exists"),
        ("ПОЧТА@пример.рф", "[address]"),
        ("Bearer eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl", "Bearer [token]"),
        ("got 'eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl'", "got '[token]'"),
        ("GET /api/validate/batches 200", "GET /api/validate/batches 200"),
        ("@decorator and a @ b", "@decorator and a @ b"),
    ],
)
def test_addresses_and_tokens_are_taken_out_of_every_line(said: str, kept: str) -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, said, None, None)
    assert RedactingFormatter("%(message)s").format(record) == kept


def test_the_product_logs_in_that_format() -> None:
    logging_settings: Any = settings.LOGGING
    formatters = {handler["formatter"] for handler in logging_settings["handlers"].values()}
    assert {logging_settings["formatters"][name]["()"] for name in formatters} == {
        "emailcheck.common.logs.configuration.RedactingFormatter"
    }
