"""One-time tokens: made for an account and a purpose, used once."""

from datetime import timedelta
from typing import Final

from django.utils import timezone

from accounts.signin.models import OneTimeToken, Purpose
from accounts.users.models import User
from emailcheck.common import secrecy

LIFETIME: Final = {
    Purpose.VERIFY: timedelta(hours=24),
    Purpose.RESET: timedelta(hours=1),
    Purpose.MFA: timedelta(minutes=5),
    Purpose.TOTP_SETUP: timedelta(minutes=15),
    Purpose.SESSION: timedelta(seconds=60),
}
# Somebody may sign in on two devices at once, and two may register one address.
_NEWEST_ALONE: Final = {Purpose.RESET, Purpose.TOTP_SETUP}


def create_token(*, user: User, purpose: Purpose, sealed: str = "", bound_to: str = "") -> str:
    """A token for the account; `bound_to` is needed to use it. Of links that set a password the newest alone
    works."""
    now = timezone.now()
    secret = secrecy.generate_secret()
    if purpose in _NEWEST_ALONE:
        end_tokens(user=user, purpose=purpose)
    OneTimeToken.objects.create(
        user=user,
        purpose=purpose,
        digest=secrecy.hash_secret(secret + bound_to),
        sealed=sealed,
        expires_at=now + LIFETIME[purpose],
    )
    return secret


def end_tokens(*, user: User, purpose: Purpose) -> None:
    """From now on none of those that were handed out works."""
    OneTimeToken.objects.filter(user=user, purpose=purpose, ended_at=None).update(ended_at=timezone.now())


def end_all_tokens(*, user: User) -> None:
    """Invalidate all tokens of the account."""
    OneTimeToken.objects.filter(user=user, ended_at=None).update(ended_at=timezone.now())


def find_token(secret: str, purpose: Purpose) -> OneTimeToken | None:
    """The token, ended or not; None when it was never handed out."""
    return (
        OneTimeToken.objects.select_related("user").filter(digest=secrecy.hash_secret(secret), purpose=purpose).first()
    )


def find_usable_token(secret: str, purpose: Purpose) -> OneTimeToken | None:
    """The token, while it has neither been used nor expired."""
    token = find_token(secret, purpose)
    return token if token and token.ended_at is None and token.expires_at > timezone.now() else None


def consume_token(secret: str, purpose: Purpose, *, bound_to: str = "") -> OneTimeToken | None:
    """Use a token once, in time: the token, else None."""
    now, digest = timezone.now(), secrecy.hash_secret(secret + bound_to)
    mine = OneTimeToken.objects.filter(digest=digest, purpose=purpose, ended_at=None, expires_at__gt=now)
    if mine.update(ended_at=now) != 1:
        return None
    return OneTimeToken.objects.select_related("user").get(digest=digest)
