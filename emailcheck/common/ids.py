"""Public ids: a prefix for the kind, then 22 random letters and digits (about 130 bits)."""

import secrets

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_LETTERS = 22


def generate_id(prefix: str) -> str:
    """A fresh id such as `bat_4f…`; unguessable, safe in addresses and file names."""
    drawn, letters = secrets.randbelow(len(_ALPHABET) ** _LETTERS), []
    for _ in range(_LETTERS):
        drawn, letter = divmod(drawn, len(_ALPHABET))
        letters.append(_ALPHABET[letter])
    return f"{prefix}_{''.join(letters)}"
