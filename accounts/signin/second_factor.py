"""The second factor: codes of an authenticator app (TOTP, RFC 6238) and ten recovery codes, each good once."""

import hashlib
import hmac
import secrets
import string
import time
from dataclasses import dataclass

import pyotp
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.signin import emails, one_time_tokens
from accounts.signin.models import OneTimeToken, Purpose
from accounts.users.models import User
from emailcheck.common import secrecy
from emailcheck.common.errors import BadInput, NotAuthenticated, Refused

WRONG_CODE = "That code is not right. Please try again."
SIGN_IN_AGAIN = "Please sign in again."
# Wrong codes after which a sign-in has to begin anew with the password.
TRIES = 5
_BY_GOOGLE = "google:"
_STEP_S, _RECOVERY_CODES = 30, 10
_WRITTEN_BETWEEN = str.maketrans("", "", string.punctuation + string.whitespace)


class SecondFactor(DefaultMFAAdapter):
    """Secrets are sealed; authenticator apps show the name of the site."""

    def encrypt(self, text: str) -> str:
        return secrecy.seal_text(text)

    def decrypt(self, encrypted_text: str) -> str:
        return secrecy.unseal_text(encrypted_text)

    def get_totp_issuer(self) -> str:
        return str(settings.SITE_NAME)


@dataclass(frozen=True, slots=True)
class TotpSetup:
    """What an authenticator app needs; nothing is on until a code of it was seen."""

    secret: str
    otpauth_url: str
    qr_svg: str


@dataclass(frozen=True, slots=True)
class SecondFactorState:
    totp: bool
    recovery_codes_left: int
    required: bool


class CodeRequired(NotAuthenticated):
    """The password was right; `mfa_token` and a code finish the sign-in."""

    def __init__(self, mfa_token: str) -> None:
        super().__init__("Enter the code from your authenticator app.", code="MFA_REQUIRED")
        self.extra = {"mfa_token": mfa_token}


def load_state(*, user: User) -> SecondFactorState:
    """The second factor: whether it is on, how many recovery codes are left, and whether a setting requires it."""
    codes = Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first()
    left = _RECOVERY_CODES - codes.data["used_mask"].bit_count() if codes else 0
    return SecondFactorState(user.has_second_factor, left, _is_enforced(user))


def require_code(*, user: User, google_sub: str | None = None) -> None:
    """Raises `CodeRequired` when signing in to the account takes a code. `google_sub` is linked after it; empty: who
    signs in came by Google and nothing is to be linked, None: they came by their password."""
    if user.has_second_factor:
        sealed = "" if google_sub is None else _BY_GOOGLE + google_sub
        raise CodeRequired(one_time_tokens.create_token(user=user, purpose=Purpose.MFA, sealed=sealed))


def verify_sign_in(*, mfa_token: str, code: str) -> tuple[User, str | None]:
    """The account whose code was right after the first step, and `google_sub` of that step (`require_code`).

    Raises `NotAuthenticated`: `INVALID_MFA_TOKEN` for a token that is unknown, used, expired, or had five wrong codes;
    `INVALID_CODE` for a wrong or used code.
    """
    token = one_time_tokens.find_usable_token(mfa_token, Purpose.MFA)
    if token is None or token.failures >= TRIES:
        raise NotAuthenticated(SIGN_IN_AGAIN, code="INVALID_MFA_TOKEN")
    with transaction.atomic():
        right = _consume_code(token.user, code, recovery=True)
        used = one_time_tokens.consume_token(mfa_token, Purpose.MFA) if right else None
    if not right:
        OneTimeToken.objects.filter(pk=token.pk).update(failures=F("failures") + 1)
        raise NotAuthenticated(WRONG_CODE, code="INVALID_CODE")
    if used is None:
        raise NotAuthenticated(SIGN_IN_AGAIN, code="INVALID_MFA_TOKEN")
    return used.user, used.sealed.removeprefix(_BY_GOOGLE) if used.sealed else None


def find_token_owner(mfa_token: str) -> int | None:
    """The id of the account that a token belongs to, ended or not."""
    token = one_time_tokens.find_token(mfa_token, Purpose.MFA)
    return token.user_id if token else None


@transaction.atomic
def start_setup(*, user: User) -> TotpSetup:
    """A new secret, good for 15 minutes. Raises `BadInput` (`MFA_ACTIVE`)."""
    if user.has_second_factor:
        raise BadInput("Two-factor sign-in is already on", code="MFA_ACTIVE")
    secret = pyotp.random_base32()
    one_time_tokens.create_token(user=user, purpose=Purpose.TOTP_SETUP, sealed=secrecy.seal_text(secret))
    url = get_adapter().build_totp_url(user, secret)
    return TotpSetup(secret, url, get_adapter().build_totp_svg(url))


@transaction.atomic
def confirm_setup(*, user: User, code: str) -> list[str]:
    """Turn the second factor on and mail the owner. Returns ten recovery codes. Raises `BadInput` (`INVALID_CODE`)."""
    _lock_account(user)
    setup = OneTimeToken.objects.filter(
        user=user, purpose=Purpose.TOTP_SETUP, ended_at=None, expires_at__gt=timezone.now()
    ).first()
    secret = secrecy.unseal_text(setup.sealed) if setup else ""
    counter = _find_counter(secret, code) if secret and not user.has_second_factor else None
    if counter is None:
        raise BadInput(WRONG_CODE, code="INVALID_CODE", field="code")
    OneTimeToken.objects.filter(user=user, purpose=Purpose.TOTP_SETUP).delete()
    data = {"secret": get_adapter().encrypt(secret), "last_counter": counter}
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data)
    audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action="Two-factor sign-in turned on")
    emails.send_second_factor_added(user=user, now=timezone.now())
    return _create_recovery_codes(user)


@transaction.atomic
def renew_recovery_codes(*, user: User, code: str) -> list[str]:
    """Ten new recovery codes; the old ones end, and the owner gets a mail. Raises `BadInput` (`INVALID_CODE`)."""
    if not _consume_code(user, code, recovery=False):
        raise BadInput(WRONG_CODE, code="INVALID_CODE", field="code")
    audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action="New recovery codes were made")
    emails.send_recovery_codes_renewed(user=user, now=timezone.now())
    return _create_recovery_codes(user)


@transaction.atomic
def turn_off(*, user: User, code: str) -> None:
    """Turn the second factor off. Raises `BadInput` (`INVALID_CODE`), `Refused` (`MFA_ENFORCED`)."""
    if _is_enforced(user):
        raise Refused("Two-factor sign-in is required for staff", code="MFA_ENFORCED")
    if not _consume_code(user, code, recovery=True):
        raise BadInput(WRONG_CODE, code="INVALID_CODE", field="code")
    remove_factors(user=user, who="you")


@transaction.atomic
def remove_factors(*, user: User, who: str) -> bool:
    """Remove the second factor of an account and mail its owner; `who` did it. False when there was none."""
    removed, _ = Authenticator.objects.filter(user=user).delete()
    if removed:
        audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action="Two-factor sign-in turned off")
        emails.send_second_factor_removed(user=user, who=who, now=timezone.now())
    return removed > 0


@transaction.atomic
def is_valid_code(*, user: User, code: str) -> bool:
    """Whether a code of the authenticator app is right; it is used by that."""
    return _consume_code(user, code, recovery=False)


def _consume_code(user: User, code: str, *, recovery: bool) -> bool:
    """Whether a code is right and unused. Codes of one account are checked one after another."""
    _lock_account(user)
    ways = {way.type: way for way in Authenticator.objects.filter(user=user)}
    totp, codes = ways.get(Authenticator.Type.TOTP), ways.get(Authenticator.Type.RECOVERY_CODES)
    if totp is None:
        return False
    counter = _find_counter(get_adapter().decrypt(totp.data["secret"]), code)
    if counter is not None:
        if counter <= totp.data["last_counter"]:
            return False
        totp.data["last_counter"] = counter
        totp.last_used_at = timezone.now()
        totp.save(update_fields=["data", "last_used_at"])
        return True
    return recovery and codes is not None and _use_recovery_code(codes, code)


def _find_counter(secret: str, code: str) -> int | None:
    """The time step that a code belongs to: now, the one before or the one after."""
    app, now = pyotp.HOTP(secret), int(time.time()) // _STEP_S
    return next((step for step in (now - 1, now, now + 1) if _is_same(code, app.at(step))), None)


def _use_recovery_code(codes: Authenticator, code: str) -> bool:
    """Whether the code is one of those that were not used; it is used by that."""
    used = codes.data["used_mask"]
    for number, known in enumerate(_recovery_codes(get_adapter().decrypt(codes.data["seed"]))):
        if not used >> number & 1 and _is_same(code, known):
            codes.data["used_mask"] = used | 1 << number
            codes.save(update_fields=["data"])
            return True
    return False


def _is_same(code: str, known: str) -> bool:
    """Whether it is the known code, which people may write with spaces or dashes in it."""
    return hmac.compare_digest(code.translate(_WRITTEN_BETWEEN).encode(errors="replace"), known.encode())


def _create_recovery_codes(user: User) -> list[str]:
    Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).delete()
    seed = secrets.token_hex(40)
    data = {"seed": get_adapter().encrypt(seed), "used_mask": 0}
    Authenticator.objects.create(user=user, type=Authenticator.Type.RECOVERY_CODES, data=data)
    return _recovery_codes(seed)


def _recovery_codes(seed: str) -> list[str]:
    """The ten codes of a seed, made as allauth makes them, since its rows hold nothing else."""
    mac = hmac.new(seed.encode(), digestmod=hashlib.sha1)
    codes = []
    for number in range(_RECOVERY_CODES):
        mac.update(f"{number:3},".encode())
        codes.append(f"{int.from_bytes(mac.digest()[:4], 'big') % 10**8:08}")
    return codes


def _is_enforced(user: User) -> bool:
    return bool(settings.STAFF_MFA_REQUIRED) and user.has_staff_role


def _lock_account(user: User) -> None:
    User.objects.select_for_update().get(pk=user.pk)
