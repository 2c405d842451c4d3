"""API keys: made, changed, revoked, recognised.

A key is `ec_live_`, or `ec_test_` for test mode, 8 characters that name it, 43 random ones (256 bits) and 6 of a
checksum, by which a mistyped key is known without asking the database.
"""

import ipaddress
import secrets
import string
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import activity, emails
from accounts.models import ActivityKind, ApiKey, ApiKeyQuerySet, Scope, User
from emailcheck.common import registry
from emailcheck.common.errors import BadInput, NotAuthenticated, NotFound, Refused
from emailcheck.common.prepared import OneRow
from emailcheck.common.sealing import digest

LIVE = "ec_live_"
TEST = "ec_test_"
MOST_KEYS = 50
LAST_USED_EVERY = timedelta(minutes=1)
_ALPHABET = string.ascii_letters + string.digits
_NAME_LENGTH, _SECRET_LENGTH, _CHECKSUM_LENGTH = 8, 43, 6


@transaction.atomic
def create(
    *,
    user: User,
    name: str,
    scopes: Sequence[str] = (Scope.READ, Scope.WRITE),
    expires_at: datetime | None = None,
    daily_credit_cap: int | None = None,
    allowed_ips: Sequence[str] = (),
    test: bool = False,
) -> tuple[ApiKey, str]:
    """Make a key. Answers it with its full text, which is not kept.

    Raises `BadInput` for an end in the past or beyond `MOST_KEYS` live keys.
    """
    User.objects.select_for_update().get(pk=user.pk)  # keys of one account are counted and made one after another
    if ApiKey.objects.for_user(user).live().count() >= MOST_KEYS:
        raise BadInput(f"You have {MOST_KEYS} API keys. Revoke one before you create another.", code="TOO_MANY_KEYS")
    _check_end(expires_at)
    text = _new_text(TEST if test else LIVE)
    key = ApiKey.objects.create(
        user=user,
        name=name,
        prefix=text[: len(LIVE) + _NAME_LENGTH],
        key_hash=digest(text),
        scopes=list(scopes),
        expires_at=expires_at,
        daily_credit_cap=daily_credit_cap,
        allowed_ips=list(allowed_ips),
    )
    activity.record(user=user, kind=ActivityKind.KEY, action=f"API key {key.prefix} was created")
    emails.send_key_created(key=key)
    return key, text


@transaction.atomic
def update(*, user: User, key_id: int, **changes: Any) -> ApiKey:
    """Change name, scopes, end, daily cap or addresses of a key; what is not named stays.

    Raises `NotFound` for an unknown, foreign or revoked key, `BadInput` for an end in the past.
    """
    key = _mine(user, key_id)
    if "expires_at" in changes:
        _check_end(changes["expires_at"])
    for field, value in changes.items():
        setattr(key, field, value)
    if changes:
        key.save(update_fields=list(changes))
        what = ", ".join(sorted(changes)).replace("_", " ")
        activity.record(user=user, kind=ActivityKind.KEY, action=f"API key {key.prefix} was changed: {what}")
    return key


@transaction.atomic
def revoke(*, user: User, key_id: int) -> None:
    """End a key: from now on it is refused everywhere. Raises `NotFound` for an unknown, foreign or revoked key."""
    key = _mine(user, key_id)
    ended = ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now())
    if ended != 1:
        raise NotFound("API key not found")
    activity.record(user=user, kind=ActivityKind.KEY, action=f"API key {key.prefix} was revoked")


@transaction.atomic
def revoke_all(*, user: User) -> None:
    """End every key of an account."""
    for key in of_account(user):
        revoke(user=user, key_id=key.pk)


def of_account(user: User) -> ApiKeyQuerySet:
    """The keys of an account that were not revoked, newest first; an expired one says so by its end."""
    return ApiKey.objects.for_user(user).filter(revoked_at=None).order_by("-pk")


def find(text: str) -> ApiKey:
    """The key of that text, with its account; it may have ended. Raises `NotAuthenticated` for any other text."""
    key = None
    if _is_well_formed(text):
        key = _of_hash().read(digest(text))
    if key is None:
        raise not_a_key()
    return key


def let_in(key: ApiKey, *, ip: str | None) -> ApiKey:
    """The key, if it may be used now, with a note that it was.

    Raises `NotAuthenticated` (`INVALID_API_KEY`) for one that has ended, `Refused` for an address that is not allowed
    or a suspended account.
    """
    if not key.is_live:
        raise not_a_key()
    if not key.user.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if not _may_come_from(ip, key.allowed_ips):
        raise Refused("This API key may not be used from this address.", code="IP_NOT_ALLOWED")
    _note_use(key)
    key.user.in_test_mode = is_test(key)
    return key


@cache
def _of_hash() -> OneRow[ApiKey]:
    return OneRow(ApiKey, "key_hash", "user", registry.read_for_rates())


def is_test(key: ApiKey) -> bool:
    """Whether it is a key of test mode."""
    return key.prefix.startswith(TEST)


def not_a_key() -> NotAuthenticated:
    """The refusal of what is not a live key."""
    return NotAuthenticated("Invalid or missing API key", code="INVALID_API_KEY")


def network(text: str) -> str:
    """An address or a network in its one spelling. Raises `ValueError`."""
    return str(ipaddress.ip_network(text.strip(), strict=False)).removesuffix("/32").removesuffix("/128")


def _mine(user: User, key_id: int) -> ApiKey:
    key = ApiKey.objects.for_user(user).filter(pk=key_id, revoked_at=None).first()
    if key is None:
        raise NotFound("API key not found")
    return key


def _check_end(expires_at: datetime | None) -> None:
    if expires_at is not None and expires_at <= timezone.now():
        raise BadInput("The end must be in the future.", field="expires_at", value=expires_at.isoformat())


def _new_text(kind: str) -> str:
    body = kind + "".join(secrets.choice(_ALPHABET) for _ in range(_NAME_LENGTH + _SECRET_LENGTH))
    return body + _checksum(body)


def _is_well_formed(text: str) -> bool:
    body, checksum = text[:-_CHECKSUM_LENGTH], text[-_CHECKSUM_LENGTH:]
    return body.startswith((LIVE, TEST)) and text.isascii() and secrets.compare_digest(_checksum(body), checksum)


def _checksum(body: str) -> str:
    number, digits = zlib.crc32(body.encode()), ""
    while len(digits) < _CHECKSUM_LENGTH:
        number, digit = divmod(number, len(_ALPHABET))
        digits += _ALPHABET[digit]
    return digits


def _may_come_from(ip: str | None, allowed: list[str]) -> bool:
    if not allowed:
        return True
    return ip is not None and any(ipaddress.ip_address(ip) in ipaddress.ip_network(place) for place in allowed)


def _note_use(key: ApiKey) -> None:
    now = timezone.now()
    if key.last_used_at is None or key.last_used_at <= now - LAST_USED_EVERY:
        long_ago = Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USED_EVERY)
        ApiKey.objects.filter(long_ago, pk=key.pk).update(last_used_at=now)
