"""Secrets and signatures of Standard Webhooks 1.0: HMAC-SHA256 over id, time and body, one for each secret."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable

_PREFIX = "whsec_"
_SECRET_BYTES = 32


def new_secret() -> str:
    """`whsec_` and 256 random bits in base64."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def build_headers(*, message_id: str, at: int, body: str, keys: Iterable[str]) -> dict[str, str]:
    """The three headers of a message sent `at` seconds since 1970, signed with each secret."""
    signed = f"{message_id}.{at}.{body}".encode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(f"v1,{_sign_message(key, signed)}" for key in keys),
    }


def _sign_message(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
