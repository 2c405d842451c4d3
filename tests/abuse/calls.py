"""The calls that a full disk or a lost database must not answer with 500, and what they would have changed."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger.models import CreditEntry
from billing.payments.models import Purchase
from conftest import client_of
from emailcheck.common.api.models import IdempotentCall
from validation.batches.models import Batch
from validation.batches.uploads.models import Upload
from validation.results.models import Result

LIVING = "ida.holm@harborquill.com"
NAMES = ("single", "bulk", "upload", "create-order")
_BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "single": ("/api/validate/single", {"email": LIVING}),
    "bulk": ("/api/validate/bulk", {"emails": [LIVING]}),
    "create-order": ("/api/payments/paypal/create-order", {"package_id": "small"}),
}


def client_that_is_answered(user: User) -> APIClient:
    """What fails is answered, as by the server, and not raised in the test."""
    client = client_of(user)
    client.raise_request_exception = False
    return client


def call(api: APIClient, name: str) -> Any:
    """One of `NAMES`, always with the same key."""
    key = {"Idempotency-Key": f"key of {name}".replace(" ", "-")}
    if name == "upload":
        file = SimpleUploadedFile("list.csv", f"email\n{LIVING}\n".encode())
        return api.post("/api/validate/upload", {"file": file}, format="multipart", headers=key)
    path, body = _BODIES[name]
    return api.post(path, body, format="json", headers=key)


def told(answer: Any) -> tuple[int, str, str]:
    """Status, code, and when to come again."""
    return answer.status_code, answer.json()["code"], answer["Retry-After"]


def changed() -> dict[str, int]:
    """How much there is of what such calls make."""
    tables = (Batch, Upload, Result, CreditEntry, Purchase, IdempotentCall)
    return {table.__name__: table._default_manager.count() for table in tables}
