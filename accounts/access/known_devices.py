"""Browsers that signed in to an account before: guesses from elsewhere do not lock them out (API-042).

The cookie names, for each account, the device and the generation of the account's devices that it belongs to;
`Sign out everywhere` begins the next generation. It opens nothing: whoever holds a copy has tries of his own to guess.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.db.models import F
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.users.models import User
from emailcheck.common import secrecy

COOKIE = "known_device"
PATH = "/api"
LASTS = timedelta(days=180)
MOST_ACCOUNTS = 5
_SALT = "accounts.known_devices"
Entry = tuple[int, int, str, int]
"""An account, the generation of its devices, the name of the device, and when it was signed in to, since 1970."""


def remember_device(answer: HttpResponseBase, request: HttpRequest, user: User) -> None:
    """Note in the browser that the account was signed in to there."""
    others = [entry for entry in _read_entries(request) if entry[0] != user.pk]
    here = next((name for pk, _, name, _ in _read_entries(request) if pk == user.pk), secrecy.generate_secret())
    mine: Entry = (user.pk, user.device_generation, here, int(timezone.now().timestamp()))
    answer.set_cookie(
        COOKIE,
        signing.dumps([mine, *others[: MOST_ACCOUNTS - 1]], salt=_SALT),
        max_age=int(LASTS.total_seconds()),
        path=PATH,
        secure=settings.SECURE,
        httponly=True,
        samesite="Strict",
    )


def find_device(request: HttpRequest, *, email: str) -> str:
    """The name of the browser as a device of the account with this address; empty where it was never signed in to.

    Without a cookie it takes no query, with one it takes one, whatever the address.
    """
    entries = _read_entries(request)
    if not entries:
        return ""
    spelled = email.strip().lower().replace("\x00", "").encode(errors="replace").decode()
    found = User.objects.filter(email=spelled).values_list("pk", "device_generation").first()
    return next((name for pk, generation, name, _ in entries if (pk, generation) == found), "")


def forget_devices(user: User) -> None:
    """From now on no browser is known to the account."""
    User.objects.filter(pk=user.pk).update(device_generation=F("device_generation") + 1)


def _read_entries(request: HttpRequest) -> list[Entry]:
    """What the browser brings, if we wrote it, without what was too long ago."""
    try:
        devices: list[Any] = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT)
    except signing.BadSignature:
        return []
    since = (timezone.now() - LASTS).timestamp()
    return [(pk, generation, name, at) for pk, generation, name, at in devices if at > since]
