"""Making accounts, signing in and out."""

import hashlib
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken

from accounts.models import Role, SignIn, User
from accounts.signals import user_registered, user_verified
from emailcheck.common.errors import BadInput, NotAuthenticated, Refused

SESSION_ENDED = "Your session has ended. Please sign in again."


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a sign-in hands out: the access token and, for the cookie only, the refresh secret."""

    access: str
    refresh: str
    sign_in_id: int


@transaction.atomic
def register(*, email: str, password: str, name: str, company: str = "", role: str = Role.USER) -> User:
    """Make an unverified account.

    Raises `BadInput` (`WEAK_PASSWORD`) for a weak password, `IntegrityError` for a taken address.
    """
    try:
        password_validation.validate_password(password)
    except ValidationError as error:
        raise BadInput(error.messages[0], code="WEAK_PASSWORD", field="password") from error
    user = User.objects.create_user(email, password, name=name, company=company, role=role)
    user_registered.send(sender=User, user=user)
    return user


@transaction.atomic
def verify_address(*, user: User) -> bool:
    """Note that the owner of the account reads its mailbox. True only the first time."""
    now = timezone.now()
    first = User.objects.filter(pk=user.pk, email_verified_at=None).update(email_verified_at=now) == 1
    if first:
        user.email_verified_at = now
        user_verified.send(sender=User, user=user)
    return first


def check_password(*, email: str, password: str) -> User:
    """The account of a right pair.

    Raises `NotAuthenticated` for a wrong pair, in the same time whether the address is known or not; `Refused`
    for an unverified or suspended account, after the right password only.
    """
    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None:
        User().set_password(password)
        raise NotAuthenticated("Invalid email or password", code="INVALID_CREDENTIALS")
    if not user.check_password(password):
        raise NotAuthenticated("Invalid email or password", code="INVALID_CREDENTIALS")
    if not user.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if not user.email_verified:
        raise Refused("Please verify your email before logging in.", code="EMAIL_NOT_VERIFIED")
    return user


def start_sign_in(*, user: User, device: str) -> Tokens:
    """Open a sign-in on a device (`device`: its user agent) and hand out its tokens."""
    family = secrets.token_urlsafe(16)
    refresh = _secret_of(family)
    sign_in = SignIn.objects.create(
        user=user,
        refresh_hash=_digest(refresh),
        family_hash=_digest(family),
        device=device[:200],
        expires_at=timezone.now() + settings.REFRESH_LIFETIME,
    )
    return Tokens(access=_access(sign_in), refresh=refresh, sign_in_id=sign_in.pk)


def rotate(*, refresh: str) -> Tokens:
    """New tokens for a refresh secret.

    Raises `NotAuthenticated` (`SESSION_ENDED`) when the secret is unknown, old or ended; one that was ever handed out
    and is no longer the newest also ends its sign-in. Of callers with the same secret at once exactly one succeeds.
    """
    now, family = timezone.now(), refresh.partition(".")[0]
    fresh = _secret_of(family)
    rotated = SignIn.objects.filter(
        refresh_hash=_digest(refresh), ended_at=None, expires_at__gt=now, user__is_active=True
    ).update(refresh_hash=_digest(fresh), used_at=now)
    if rotated != 1:
        SignIn.objects.filter(family_hash=_digest(family), ended_at=None).update(ended_at=now)
        raise NotAuthenticated(SESSION_ENDED, code="SESSION_ENDED")
    sign_in = SignIn.objects.select_related("user").get(refresh_hash=_digest(fresh))
    return Tokens(access=_access(sign_in), refresh=fresh, sign_in_id=sign_in.pk)


def end_sign_in(*, sign_in_id: int) -> None:
    """End a sign-in: its tokens answer 401 from now on. Harmless when it has ended already."""
    SignIn.objects.filter(pk=sign_in_id, ended_at=None).update(ended_at=timezone.now())


def _access(sign_in: SignIn) -> str:
    token = AccessToken.for_user(sign_in.user)
    token["sid"] = sign_in.pk
    return str(token)


def _secret_of(family: str) -> str:
    return f"{family}.{secrets.token_urlsafe(32)}"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
