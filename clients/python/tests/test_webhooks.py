"""Signed messages: accepted as the product signs them, refused in every other form."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from validation.webhooks import signing

from emailcheck_client import BadSignature, BadUsage, EmailCheck, webhooks

OLD, NEW = (signing.new_secret() for _ in range(2))
BODY = '{"event":"batch.completed","timestamp":"2026-11-28T10:00:00.000Z","data":{"batch_id":"bat_1","name":"Zoë"}}'


def sign(*secrets: str, at: float = 0, body: str = BODY) -> dict[str, str]:
    """The headers of the product, `at` seconds from now."""
    return signing.build_headers(message_id="msg_1", at=int(time.time() + at), body=body, keys=secrets)


@pytest.mark.spec("SDK-012")
@pytest.mark.parametrize("secret", [OLD, NEW], ids=["old", "new"])
def test_either_secret_accepts_a_message_while_one_replaces_the_other(secret: str) -> None:
    with EmailCheck("ec_test_any") as client:
        event = client.webhooks.verify(BODY.encode(), sign(OLD, NEW), secret)
    assert (event.event, event.data["name"], event.raw["data"]["batch_id"]) == ("batch.completed", "Zoë", "bat_1")
    assert event.timestamp == datetime(2026, 11, 28, 10, tzinfo=UTC)
    upper = {name.title(): value for name, value in sign(OLD, NEW).items()}
    assert webhooks.verify(BODY, upper, secret) == event


@pytest.mark.spec("SDK-012")
@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (BODY.replace("bat_1", "bat_2"), sign(NEW)),
        (BODY + " ", sign(NEW)),
        (BODY, sign(OLD)),
        (BODY, sign(NEW) | {"webhook-id": "msg_2"}),
        (BODY, sign(NEW) | {"webhook-signature": "v1,"}),
        (BODY, sign(NEW) | {"webhook-signature": "v2" + sign(NEW)["webhook-signature"][2:]}),
        (BODY, sign(NEW) | {"webhook-signature": "é"}),
        (BODY, sign(NEW) | {"webhook-timestamp": "now"}),
        (BODY, sign(NEW) | {"webhook-timestamp": str(int(time.time()) + 1)}),
        (BODY, sign(NEW, at=-3_600)),
        (BODY, sign(NEW, at=3_600)),
        (BODY, {}),
        *((BODY, {name: value for name, value in sign(NEW).items() if name != left}) for left in sign(NEW)),
        ("[1]", sign(NEW, body="[1]")),
        ("no json", sign(NEW, body="no json")),
    ],
)
def test_what_is_changed_old_or_unsigned_is_refused(body: str, headers: dict[str, Any]) -> None:
    with pytest.raises(BadSignature):
        webhooks.verify(body, headers, NEW)


@pytest.mark.spec("SDK-012")
def test_tolerance_is_what_the_caller_says_and_a_secret_is_one() -> None:
    assert webhooks.verify(BODY, sign(NEW, at=-330), NEW, tolerance=400).event == "batch.completed"
    with pytest.raises(BadSignature):
        webhooks.verify(BODY, sign(NEW, at=-30), NEW, tolerance=10)
    with pytest.raises(BadUsage) as raised:
        webhooks.verify(BODY, sign(NEW), "whsec_no-base64!")
    assert "no-base64" not in str(raised.value)
