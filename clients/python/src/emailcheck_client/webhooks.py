"""Messages of webhooks, signed as Standard Webhooks 1.0 says: HMAC-SHA256 over id, time and body."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from emailcheck_client.answers import Event
from emailcheck_client.errors import BadSignature, BadUsage


def verify(body: bytes | str, headers: Mapping[str, str], secret: str, tolerance: float = 300) -> Event:
    """The event of a message that is fresh, and signed with the secret by at least one of its signatures. `body` is
    what came, byte for byte; `tolerance`: how many seconds its time may be from now. Raises `BadSignature`."""
    content = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not given.get(name)]
    if missing:
        raise BadSignature(f"Headers are missing: {', '.join(missing)}")
    message_id, sent_at = given["webhook-id"], given["webhook-timestamp"]
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > tolerance:
        raise BadSignature("The message is not of now, or its time is no time.")
    told = hmac.digest(_decode_secret(secret), f"{message_id}.{sent_at}.".encode() + content, hashlib.sha256)
    right = b"v1," + base64.b64encode(told)
    if not any(hmac.compare_digest(right, one.encode()) for one in given["webhook-signature"].split()):
        raise BadSignature("No signature is of this secret and this body.")
    try:
        return Event.parse(json.loads(content))
    except (ValueError, AttributeError) as error:
        raise BadSignature("The body is no event.") from error


def _decode_secret(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError as error:
        raise BadUsage("The secret of a webhook is `whsec_` and base64.") from error
