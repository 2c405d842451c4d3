"""Ids for the API that tell neither how many rows there are nor in which order they came.

`res_…`: the row's number, enciphered as one block (AES-256, FIPS 197) with a key of its own. Nothing is stored, and a
text that was not made here is known without asking the database.
"""

import base64
import binascii
import threading
from functools import cache

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import ECB

from emailcheck.common import secrecy

_NUMBER_BYTES, _BLOCK_BYTES = 8, 16
_LETTERS = 26  # 128 bits in base 32 without padding
_PADDING = "======"
_of_thread = threading.local()


def encode_id(kind: str, number: int) -> str:
    """The id of the row of that number (64 bits, not negative) among those of a kind, such as `res`."""
    block = number.to_bytes(_NUMBER_BYTES) + _mark_kind(kind)
    return f"{kind}_{base64.b32encode(_encryptor().update(block))[:_LETTERS].decode().lower()}"


def decode_id(kind: str, text: str) -> int | None:
    """The number of the row that an id names; None for what is no id of that kind."""
    letters = text.removeprefix(f"{kind}_")
    if letters == text or len(letters) != _LETTERS or letters != letters.lower():
        return None
    try:
        block = base64.b32decode((letters + _PADDING).upper())
    except (binascii.Error, ValueError):
        return None
    plain = _decryptor().update(block)
    number = int.from_bytes(plain[:_NUMBER_BYTES])
    return number if plain[_NUMBER_BYTES:] == _mark_kind(kind) and encode_id(kind, number) == text else None


@cache
def _mark_kind(kind: str) -> bytes:
    """Fills the block: an id of one kind is none of another."""
    return secrecy.derive_key(f"kind of ids: {kind}")[: _BLOCK_BYTES - _NUMBER_BYTES]


def _encryptor() -> CipherContext:
    """One block at a time, and each stands alone: a context goes on for as long as its thread."""
    if not hasattr(_of_thread, "encryptor"):
        _of_thread.encryptor = _build_cipher().encryptor()
    context: CipherContext = _of_thread.encryptor
    return context


def _decryptor() -> CipherContext:
    if not hasattr(_of_thread, "decryptor"):
        _of_thread.decryptor = _build_cipher().decryptor()
    context: CipherContext = _of_thread.decryptor
    return context


def _build_cipher() -> Cipher[ECB]:
    return Cipher(AES256(secrecy.derive_key("opaque ids")), ECB())
