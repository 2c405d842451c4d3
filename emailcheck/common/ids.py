"""Public ids: a prefix that says what it is, then 22 random letters and digits (about 130 bits)."""

import secrets

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def new(prefix: str) -> str:
    """A fresh id such as `bat_4f…`; unguessable, safe in addresses and file names."""
    return f"{prefix}_{''.join(secrets.choice(_ALPHABET) for _ in range(22))}"
