"""What nobody may guess or read: random ids and secrets, and how secrets are kept in the database.

They are encrypted with `FIELD_ENCRYPTION_KEY`, or hashed, with it or without.

Changing that key makes what was sealed unreadable: second factors have to be set up again; and ids of the API that
were given out name nothing any more.
"""

import base64
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LETTERS = 22


class UnreadableSecret(Exception):
    """The text was sealed with another key, or is damaged."""


def seal_text(text: str) -> str:
    """The text encrypted (Fernet: AES-128-CBC with HMAC-SHA256)."""
    return _build_fernet().encrypt(text.encode()).decode()


def unseal_text(sealed: str) -> str:
    """The text that `seal_text` encrypted. Raises `UnreadableSecret`."""
    try:
        return _build_fernet().decrypt(sealed).decode()
    except InvalidToken as error:
        raise UnreadableSecret from error


def keyed_hash(text: str, *, purpose: str) -> str:
    """64 hexadecimal digits, the same for the same text, which reveal nothing without the key."""
    return hmac.new(derive_key(purpose), text.encode(), hashlib.sha256).hexdigest()


def generate_id(prefix: str) -> str:
    """A public id such as `bat_4f…`: a prefix for the kind, then 22 random letters and digits (about 130 bits).

    Safe in addresses and file names.
    """
    drawn, letters = secrets.randbelow(len(_ALPHABET) ** _LETTERS), []
    for _ in range(_LETTERS):
        drawn, letter = divmod(drawn, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return f"{prefix}_{''.join(letters)}"


def generate_secret() -> str:
    """A token of 256 random bits, safe in addresses."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """The hash under which a random secret is stored: SHA-256 is enough for what cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _build_fernet() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(derive_key("sealing")))


def derive_key(purpose: str) -> bytes:
    """32 bytes for one purpose, always the same while `FIELD_ENCRYPTION_KEY` stays."""
    return hmac.new(settings.FIELD_ENCRYPTION_KEY.encode(), purpose.encode(), hashlib.sha256).digest()
