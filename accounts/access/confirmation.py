"""A recent proof of the owner, which calls with large effects ask for (SEC-015)."""

from django.conf import settings
from django.utils import timezone

from accounts.access.models import SignIn
from emailcheck.common.errors import Refused


def is_recently_confirmed(sign_in: SignIn) -> bool:
    """Whether the owner of the session proved to be there not too long ago."""
    return sign_in.confirmed_at + settings.CONFIRMED_FOR > timezone.now()


def require_confirmed(sign_in: SignIn) -> None:
    """Raises `Refused` (`REAUTH_REQUIRED`) when the owner of the session last proved to be there too long ago."""
    if not is_recently_confirmed(sign_in):
        raise Refused("Please confirm your password or code to continue.", code="REAUTH_REQUIRED")
