"""What the database keeps but must not tell: encrypted with `FIELD_ENCRYPTION_KEY`, or hashed with it.

Changing that key makes what was sealed unreadable: second factors have to be set up again.
"""

import base64
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class Unreadable(Exception):
    """The text was sealed with another key, or is damaged."""


def seal(text: str) -> str:
    """The text encrypted (Fernet: AES-128-CBC with HMAC-SHA256)."""
    return _fernet().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """What `seal` was given. Raises `Unreadable`."""
    try:
        return _fernet().decrypt(sealed).decode()
    except InvalidToken as error:
        raise Unreadable from error


def keyed_hash(text: str, *, purpose: str) -> str:
    """The same text always gives the same 64 hexadecimal digits, which tell nothing without the key."""
    return hmac.new(_key(purpose), text.encode(), hashlib.sha256).hexdigest()


def new_secret() -> str:
    """A token of 256 random bits, safe in addresses."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The hash under which a random secret is kept: SHA-256 is enough for what cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _fernet() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_key("sealing")))


def _key(purpose: str) -> bytes:
    return hmac.new(settings.FIELD_ENCRYPTION_KEY.encode(), purpose.encode(), hashlib.sha256).digest()
