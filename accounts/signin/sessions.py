"""Sign-ins: opened on a device, their tokens rotated, ended."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken

from accounts.access import known_devices, user_agents
from accounts.access.models import SignIn
from accounts.access.permissions import require_confirmed
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.signin import emails, second_factor
from accounts.users.models import User
from emailcheck.common import request_context
from emailcheck.common.errors import BadInput, NotAuthenticated, NotFound
from emailcheck.common.secrecy import hash_secret

SESSION_ENDED = "Your session has ended. Please sign in again."
MAX_SESSIONS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a sign-in hands out: the access token and, for the cookie only, the refresh secret."""

    access: str
    refresh: str
    sign_in_id: int


@transaction.atomic
def start_sign_in(*, user: User, device: str) -> Tokens:
    """Open a sign-in on a device (`device`: its user agent) and hand out its tokens."""
    ip = request_context.caller_address()
    family = secrets.token_urlsafe(16)
    refresh = _generate_refresh_secret(family)
    name = user_agents.describe_user_agent(device)
    is_new = _is_new_device(user, name, ip)
    sign_in = SignIn.objects.create(
        user=user,
        refresh_hash=hash_secret(refresh),
        family_hash=hash_secret(family),
        device=name,
        ip=ip,
        expires_at=timezone.now() + settings.REFRESH_LIFETIME,
    )
    audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action=f"Signed in with {name}")
    if is_new:
        emails.send_new_sign_in(sign_in=sign_in)
    return Tokens(access=_build_access_token(sign_in), refresh=refresh, sign_in_id=sign_in.pk)


def _is_new_device(user: User, name: str, ip: str | None) -> bool:
    """Whether the account was used before, but never from this device at this address."""
    earlier = SignIn.objects.filter(user=user)
    return not earlier.filter(device=name, ip=ip).exists() and earlier.exists()


def rotate_tokens(*, refresh: str) -> Tokens:
    """New tokens for a refresh secret.

    Raises `NotAuthenticated` (`SESSION_ENDED`) when the secret is unknown, old or ended; one that was ever handed out
    and is no longer the newest also ends its sign-in. Of callers with the same secret at once exactly one succeeds.
    """
    now, family = timezone.now(), refresh.partition(".")[0]
    fresh = _generate_refresh_secret(family)
    # No lookup across the relation: with one, Django asks for the secret in a subquery alone, and a caller that waited
    # for the row would find it still there.
    rotated = SignIn.objects.filter(
        refresh_hash=hash_secret(refresh),
        ended_at=None,
        expires_at__gt=now,
        user__in=User.objects.filter(is_active=True),
    ).update(refresh_hash=hash_secret(fresh), used_at=now)
    if rotated != 1:
        end_token_family(refresh=refresh)
        raise NotAuthenticated(SESSION_ENDED, code="SESSION_ENDED")
    sign_in = SignIn.objects.select_related("user").get(refresh_hash=hash_secret(fresh))
    return Tokens(access=_build_access_token(sign_in), refresh=fresh, sign_in_id=sign_in.pk)


def list_open_sign_ins(user: User) -> QuerySet[SignIn]:
    """The sessions of an account that have not ended, the one used last first."""
    return SignIn.objects.filter(user=user, ended_at=None, expires_at__gt=timezone.now()).order_by("-used_at", "-pk")


def list_shown_sign_ins(*, current: SignIn) -> list[SignIn]:
    """The current session, and those of its account that were used last: `MAX_SESSIONS_SHOWN` in all."""
    others = list_open_sign_ins(current.user).exclude(pk=current.pk)
    return [current, *others[: MAX_SESSIONS_SHOWN - 1]]


def end_sign_in(*, sign_in_id: int) -> None:
    """End a sign-in: its tokens answer 401 from now on. Harmless when it has ended already."""
    SignIn.objects.filter(pk=sign_in_id, ended_at=None).update(ended_at=timezone.now())


@transaction.atomic
def end_own_sign_in(*, user: User, session_id: str) -> None:
    """End one session of an account. Raises `NotFound` for one that is not open, or of another account."""
    is_number = session_id.isascii() and session_id.isdigit()
    found = list_open_sign_ins(user).filter(pk=session_id).first() if is_number else None
    if found is None:
        raise NotFound("Session not found")
    end_sign_in(sign_in_id=found.pk)
    audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action=f"Signed out {found.device}")


@transaction.atomic
def end_all_sign_ins(*, user: User) -> int:
    """End every session of an account, and forget its browsers. Returns the number of sessions."""
    known_devices.forget_devices(user)
    ended = list_open_sign_ins(user).order_by().update(ended_at=timezone.now())
    audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action="Signed out everywhere")
    return ended


def find_token_owner(*, refresh: str) -> int | None:
    """The id of the account that a refresh secret, old or new, belongs to."""
    family = hash_secret(refresh.partition(".")[0])
    return SignIn.objects.filter(family_hash=family).values_list("user_id", flat=True).first()


def end_token_family(*, refresh: str) -> bool:
    """End the sign-in that a refresh secret, old or new, belongs to. Whether there was one."""
    family = hash_secret(refresh.partition(".")[0])
    return SignIn.objects.filter(family_hash=family, ended_at=None).update(ended_at=timezone.now()) > 0


def confirm_owner(*, user: User, sign_in: SignIn, password: str = "", code: str = "") -> datetime:
    """Note that the owner is there, by password or by a code of the authenticator app. Answers until when that holds.

    Raises `BadInput` (`INVALID_CREDENTIALS`).
    """
    right = second_factor.is_valid_code(user=user, code=code) if code else user.check_password(password)
    if not right:
        raise BadInput("That password or code is not right.", code="INVALID_CREDENTIALS")
    now = timezone.now()
    SignIn.objects.filter(pk=sign_in.pk).update(confirmed_at=now)
    return now + settings.CONFIRMED_FOR


def proves_owner(*, user: User, sign_in: SignIn, password: str) -> bool:
    """Whether the password is right; a recent sign-in with Google replaces it. Raises `Refused` (`REAUTH_REQUIRED`)
    when that was too long ago."""
    if password:
        return user.check_password(password)
    if not SocialAccount.objects.filter(user=user).exists():
        return False
    require_confirmed(sign_in)
    return True


def _build_access_token(sign_in: SignIn) -> str:
    token = AccessToken.for_user(sign_in.user)
    token["sid"] = sign_in.pk
    del token["iat"]  # another machine, whose clock is behind, would not believe it yet
    return str(token)


def _generate_refresh_secret(family: str) -> str:
    return f"{family}.{secrets.token_urlsafe(32)}"
