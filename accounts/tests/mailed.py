"""What the product mailed, read as its recipients read it."""

import re
from typing import Any

from django.core import mail
from django.test import Client

from emailcheck.common.testing import drain_queue


def post_auth(client: Client, path: str, **body: Any) -> Any:
    return client.post(f"/api/auth/{path}", body, content_type="application/json")


def read_mails() -> list[tuple[str, str]]:
    """To whom, and the subject, of each mail that goes out now."""
    mail.outbox.clear()
    drain_queue()
    return [(message.to[0], str(message.subject)) for message in mail.outbox]


def find_mailed_token(page: str) -> str:
    """The token of the link to a page in the newest mail."""
    found = re.search(rf"http://127\.0\.0\.1:8000/{page}\?token=([\w-]+)\s", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]
