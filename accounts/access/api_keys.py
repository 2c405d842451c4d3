"""The text of an API key, and whether one may be used now.

A key is `ec_live_`, or `ec_test_` for test mode, 8 characters that name it, 43 random ones (256 bits) and 6 of a
checksum, by which a mistyped key is known without asking the database.
"""

import ipaddress
import secrets
import string
import zlib
from datetime import timedelta
from functools import cache

from django.db.models import Q
from django.utils import timezone

from accounts.access.models import ApiKey
from emailcheck.common import registry
from emailcheck.common.errors import NotAuthenticated, Refused
from emailcheck.common.sealing import hash_secret
from emailcheck.common.storage.prepared_reads import OneRow

LIVE_PREFIX = "ec_live_"
TEST_PREFIX = "ec_test_"
LAST_USED_EVERY = timedelta(minutes=1)
_ALPHABET = string.ascii_letters + string.digits
_NAME_LENGTH, _SECRET_LENGTH, _CHECKSUM_LENGTH = 8, 43, 6


def load_key(text: str) -> ApiKey:
    """The key of that text, with its account; it may have ended. Raises `NotAuthenticated` for any other text."""
    key = None
    if _is_well_formed(text):
        key = _key_by_hash().read(hash_secret(text))
    if key is None:
        raise build_invalid_key_error()
    return key


def admit_key(key: ApiKey, *, ip: str | None) -> ApiKey:
    """The key, if it may be used now, with a note that it was.

    Raises `NotAuthenticated` (`INVALID_API_KEY`) for one that has ended, `Refused` for an address that is not allowed
    or a suspended account.
    """
    if not key.is_live:
        raise build_invalid_key_error()
    if not key.user.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if not _is_address_allowed(ip, key.allowed_ips):
        raise Refused("This API key may not be used from this address.", code="IP_NOT_ALLOWED")
    _record_use(key)
    key.user.in_test_mode = is_test_key(key)
    return key


@cache
def _key_by_hash() -> OneRow[ApiKey]:
    return OneRow(ApiKey, "key_hash", "user", registry.rates_relation())


def is_test_key(key: ApiKey) -> bool:
    """Whether it is a key of test mode."""
    return key.prefix.startswith(TEST_PREFIX)


def build_invalid_key_error() -> NotAuthenticated:
    """The refusal of what is not a live key."""
    return NotAuthenticated("Invalid or missing API key", code="INVALID_API_KEY")


def normalize_network(text: str) -> str:
    """An address or a network in its one spelling. Raises `ValueError`."""
    return str(ipaddress.ip_network(text.strip(), strict=False)).removesuffix("/32").removesuffix("/128")


def cut_prefix(text: str) -> str:
    """The prefix by which owners tell keys apart."""
    return text[: len(LIVE_PREFIX) + _NAME_LENGTH]


def generate_key_text(kind: str) -> str:
    body = kind + "".join(secrets.choice(_ALPHABET) for _ in range(_NAME_LENGTH + _SECRET_LENGTH))
    return body + _compute_checksum(body)


def _is_well_formed(text: str) -> bool:
    body, checksum = text[:-_CHECKSUM_LENGTH], text[-_CHECKSUM_LENGTH:]
    return (
        body.startswith((LIVE_PREFIX, TEST_PREFIX))
        and text.isascii()
        and secrets.compare_digest(_compute_checksum(body), checksum)
    )


def _compute_checksum(body: str) -> str:
    number, digits = zlib.crc32(body.encode()), ""
    while len(digits) < _CHECKSUM_LENGTH:
        number, digit = divmod(number, len(_ALPHABET))
        digits += _ALPHABET[digit]
    return digits


def _is_address_allowed(ip: str | None, allowed: list[str]) -> bool:
    if not allowed:
        return True
    return ip is not None and any(ipaddress.ip_address(ip) in ipaddress.ip_network(place) for place in allowed)


def _record_use(key: ApiKey) -> None:
    now = timezone.now()
    if key.last_used_at is None or key.last_used_at <= now - LAST_USED_EVERY:
        long_ago = Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USED_EVERY)
        ApiKey.objects.filter(long_ago, pk=key.pk).update(last_used_at=now)
