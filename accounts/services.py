"""Making accounts, signing in and out."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken

from accounts import activity, devices, emails, keys, known_devices, mfa, passwords, tokens
from accounts.models import ActivityKind, Purpose, Role, SignIn, User
from accounts.signals import user_registered, user_verified
from emailcheck.common import proxies, registry
from emailcheck.common.errors import BadInput, NotAuthenticated, NotFound, Refused
from emailcheck.common.sealing import digest

SESSION_ENDED = "Your session has ended. Please sign in again."
INVALID_RESET = "Invalid or expired reset link"
CHOOSE_OWN = "Choose your own password to go on."
MOST_SESSIONS_SHOWN = 100
ONE_TIME_ENDED = "This one-time password has ended. Use “Forgot password” to choose your own."


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a sign-in hands out: the access token and, for the cookie only, the refresh secret."""

    access: str
    refresh: str
    sign_in_id: int


@transaction.atomic
def register(
    *, email: str, password: str, name: str, company: str = "", role: str = Role.USER, referral_code: str = ""
) -> User:
    """Make an unverified account.

    Raises `BadInput` (`WEAK_PASSWORD`) for a weak password, `IntegrityError` for a taken address.
    """
    passwords.check(password, email=email, name=name)
    user = User.objects.create_user(email, password, name=name, company=company, role=role)
    user_registered.send(sender=User, user=user, referral_code=referral_code)
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


@transaction.atomic
def empty(*, user: User) -> None:
    """Leave whoever registered an address without proving to own it no way in, and nothing that leads out: password,
    sessions, keys, webhooks, codes, links.

    For an unverified account, before it is given to the owner of its address.
    """
    user.set_unusable_password()
    user.save(update_fields=["password"])
    end_all_sign_ins(user=user)
    keys.revoke_all(user=user)
    registry.switch_webhooks_off(user)
    mfa.remove(user=user, who="the owner of the address")
    tokens.end_all(user=user)


def greet(*, user: User) -> None:
    """Write to an account whose address was verified just now."""
    emails.send_welcome(user=user)


def check_reset_token(*, token: str) -> User:
    """The account whose password a link sets. Raises `BadInput` (`INVALID_TOKEN`) for one that sets none any more."""
    found = tokens.usable(token, Purpose.RESET)
    if found is None or not found.user.is_active:
        raise BadInput(INVALID_RESET, code="INVALID_TOKEN")
    return found.user


@transaction.atomic
def reset_password(*, token: str, password: str, revoke_keys: bool = False, switch_webhooks_off: bool = False) -> None:
    """Set a new password by a mailed link, once, and end every session; on request also what programs get in by.

    The mail about it names the keys and webhooks that go on working.

    The link proves that the mailbox is read, so it verifies the address too, and ends what others made of an account
    that nobody had confirmed. Raises `BadInput`: `INVALID_TOKEN`, or
    `WEAK_PASSWORD`, after which the link still works.
    """
    owner = check_reset_token(token=token)
    passwords.check(password, email=owner.email, name=owner.name)
    user = User.objects.select_for_update().get(pk=owner.pk)  # before the token, as a verification link does
    reset = tokens.use(token, Purpose.RESET)
    if reset is None:
        raise BadInput(INVALID_RESET, code="INVALID_TOKEN")
    if not user.email_verified:
        empty(user=user)
    user.set_password(password)
    user.password_ends_at = None
    user.save(update_fields=["password", "password_ends_at"])
    activity.record(user=user, kind=ActivityKind.SIGN_IN, action="Password changed")
    end_all_sign_ins(user=user)
    if revoke_keys:
        keys.revoke_all(user=user)
    if switch_webhooks_off:
        registry.switch_webhooks_off(user)
    tokens.end(user=user, purpose=Purpose.MFA)
    if verify_address(user=user):
        greet(user=user)
    emails.send_password_changed(user=user, token=reset, now=timezone.now())


def check_password(*, email: str, password: str) -> User:
    """The account of a right pair.

    Raises `NotAuthenticated` for a wrong pair, in the same time whether the address is known or not; `Refused`
    for an unverified or suspended account, after the right password only, and for a password that somebody else chose.
    """
    user = User.objects.filter(email=email.strip().lower()).first()
    if user is None or not user.has_usable_password():
        User().set_password(password)
        raise NotAuthenticated("Invalid email or password", code="INVALID_CREDENTIALS")
    if not user.check_password(password):
        raise NotAuthenticated("Invalid email or password", code="INVALID_CREDENTIALS")
    check_may_enter(user)
    if user.password_ends_at is not None:
        _demand_own_password(user, user.password_ends_at)
    return user


def _demand_own_password(user: User, ends_at: datetime) -> None:
    """Whoever was handed the password goes no further than to choose another."""
    if ends_at <= timezone.now():
        raise Refused(ONE_TIME_ENDED, code="PASSWORD_EXPIRED")
    demand = Refused(CHOOSE_OWN, code="PASSWORD_CHANGE_REQUIRED")
    demand.extra = {"reset_token": tokens.make(user=user, purpose=Purpose.RESET)}
    raise demand


def check_may_enter(user: User) -> None:
    """Raises `Refused` for a suspended account, or one whose address must be verified first."""
    if not user.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if settings.REQUIRE_EMAIL_VERIFICATION and not user.email_verified:
        raise Refused("Please verify your email before logging in.", code="EMAIL_NOT_VERIFIED")


@transaction.atomic
def start_sign_in(*, user: User, device: str) -> Tokens:
    """Open a sign-in on a device (`device`: its user agent) and hand out its tokens."""
    ip = proxies.caller_address()
    family = secrets.token_urlsafe(16)
    refresh = _secret_of(family)
    name = devices.name_of(device)
    is_new = _is_new_device(user, name, ip)
    sign_in = SignIn.objects.create(
        user=user,
        refresh_hash=digest(refresh),
        family_hash=digest(family),
        device=name,
        ip=ip,
        expires_at=timezone.now() + settings.REFRESH_LIFETIME,
    )
    activity.record(user=user, kind=ActivityKind.SIGN_IN, action=f"Signed in with {name}")
    if is_new:
        emails.send_new_sign_in(sign_in=sign_in)
    return Tokens(access=_access(sign_in), refresh=refresh, sign_in_id=sign_in.pk)


def _is_new_device(user: User, name: str, ip: str | None) -> bool:
    """Whether the account was used before, but never from this device at this address."""
    earlier = SignIn.objects.filter(user=user)
    return not earlier.filter(device=name, ip=ip).exists() and earlier.exists()


def rotate(*, refresh: str) -> Tokens:
    """New tokens for a refresh secret.

    Raises `NotAuthenticated` (`SESSION_ENDED`) when the secret is unknown, old or ended; one that was ever handed out
    and is no longer the newest also ends its sign-in. Of callers with the same secret at once exactly one succeeds.
    """
    now, family = timezone.now(), refresh.partition(".")[0]
    fresh = _secret_of(family)
    # No lookup across the relation: with one, Django asks for the secret in a subquery alone, and a caller that waited
    # for the row would find it still there.
    rotated = SignIn.objects.filter(
        refresh_hash=digest(refresh), ended_at=None, expires_at__gt=now, user__in=User.objects.filter(is_active=True)
    ).update(refresh_hash=digest(fresh), used_at=now)
    if rotated != 1:
        end_family(refresh=refresh)
        raise NotAuthenticated(SESSION_ENDED, code="SESSION_ENDED")
    sign_in = SignIn.objects.select_related("user").get(refresh_hash=digest(fresh))
    return Tokens(access=_access(sign_in), refresh=fresh, sign_in_id=sign_in.pk)


def open_sign_ins(user: User) -> QuerySet[SignIn]:
    """The sessions of an account that have not ended, the one used last first."""
    return SignIn.objects.filter(user=user, ended_at=None, expires_at__gt=timezone.now()).order_by("-used_at", "-pk")


def shown_sign_ins(*, current: SignIn) -> list[SignIn]:
    """The session that asks, and those of its account that were used last: `MOST_SESSIONS_SHOWN` in all."""
    others = open_sign_ins(current.user).exclude(pk=current.pk)
    return [current, *others[: MOST_SESSIONS_SHOWN - 1]]


def end_sign_in(*, sign_in_id: int) -> None:
    """End a sign-in: its tokens answer 401 from now on. Harmless when it has ended already."""
    SignIn.objects.filter(pk=sign_in_id, ended_at=None).update(ended_at=timezone.now())


@transaction.atomic
def end_own_sign_in(*, user: User, session_id: str) -> None:
    """End one session of an account. Raises `NotFound` for one that is not open, or somebody else's."""
    is_number = session_id.isascii() and session_id.isdigit()
    found = open_sign_ins(user).filter(pk=session_id).first() if is_number else None
    if found is None:
        raise NotFound("Session not found")
    end_sign_in(sign_in_id=found.pk)
    activity.record(user=user, kind=ActivityKind.SIGN_IN, action=f"Signed out {found.device}")


@transaction.atomic
def end_all_sign_ins(*, user: User) -> int:
    """End every session of an account, and know none of its browsers any more. Answers how many sessions there were."""
    known_devices.forget(user)
    ended = open_sign_ins(user).order_by().update(ended_at=timezone.now())
    activity.record(user=user, kind=ActivityKind.SIGN_IN, action="Signed out everywhere")
    return ended


def owner_of(*, refresh: str) -> int | None:
    """The id of the account that a refresh secret, old or new, belongs to."""
    family = digest(refresh.partition(".")[0])
    return SignIn.objects.filter(family_hash=family).values_list("user_id", flat=True).first()


def end_family(*, refresh: str) -> bool:
    """End the sign-in that a refresh secret, old or new, belongs to. Whether there was one."""
    family = digest(refresh.partition(".")[0])
    return SignIn.objects.filter(family_hash=family, ended_at=None).update(ended_at=timezone.now()) > 0


def confirm_owner(*, user: User, sign_in: SignIn, password: str = "", code: str = "") -> datetime:
    """Note that the owner is there, by password or by a code of the authenticator app. Answers until when that holds.

    Raises `BadInput` (`INVALID_CREDENTIALS`).
    """
    right = mfa.is_right(user=user, code=code) if code else user.check_password(password)
    if not right:
        raise BadInput("That password or code is not right.", code="INVALID_CREDENTIALS")
    now = timezone.now()
    SignIn.objects.filter(pk=sign_in.pk).update(confirmed_at=now)
    return now + settings.CONFIRMED_FOR


def is_confirmed(sign_in: SignIn) -> bool:
    """Whether the owner of the session proved to be there not too long ago."""
    return sign_in.confirmed_at + settings.CONFIRMED_FOR > timezone.now()


def check_confirmed(sign_in: SignIn) -> None:
    """Raises `Refused` (`REAUTH_REQUIRED`) when the owner of the session last proved to be there too long ago."""
    if not is_confirmed(sign_in):
        raise Refused("Please confirm your password or code to continue.", code="REAUTH_REQUIRED")


def is_taken(email: str) -> bool:
    """Whether an address has an account; never told to anybody but its owner."""
    return User.objects.filter(email=email.strip().lower()).exists()


def _access(sign_in: SignIn) -> str:
    token = AccessToken.for_user(sign_in.user)
    token["sid"] = sign_in.pk
    return str(token)


def _secret_of(family: str) -> str:
    return f"{family}.{secrets.token_urlsafe(32)}"
