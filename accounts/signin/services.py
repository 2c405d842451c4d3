"""Accounts on their way in: registered, verified, the password checked and reset."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.keys import services as keys
from accounts.rules.google_rule import check_password_signs_in
from accounts.signals import account_reclaimed, user_registered, user_verified
from accounts.signin import emails, one_time_tokens, second_factor
from accounts.signin.models import Purpose
from accounts.signin.sessions import end_all_sign_ins
from accounts.users import password_rules
from accounts.users.models import Role, User
from emailcheck.common import registry
from emailcheck.common.errors import BadInput, NotAuthenticated, Refused

INVALID_RESET = "Invalid or expired reset link"
CHOOSE_OWN = "Choose your own password to go on."
ONE_TIME_PASSWORD_ENDED = "This one-time password has ended. Use “Forgot password” to choose your own."


@transaction.atomic
def register_account(
    *, email: str, password: str, name: str, company: str = "", role: str = Role.USER, referral_code: str = ""
) -> User:
    """Make an unverified account.

    Raises `BadInput` (`WEAK_PASSWORD`) for a weak password, `IntegrityError` for a taken address.
    """
    password_rules.check_password_rules(password, email=email, name=name)
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
def clear_unverified_account(*, user: User) -> None:
    """Leave whoever registered an address without proving to own it no way in, and nothing that leads out: password,
    sessions, keys, webhooks, codes, links, and the people whom they let in.

    For an unverified account, before it is given to the owner of its address.
    """
    user.set_unusable_password()
    user.save(update_fields=["password"])
    end_all_sign_ins(user=user)
    keys.revoke_all_keys(organisation=user.own_organisation)
    registry.above.switch_webhooks_off(user.own_organisation)
    second_factor.remove_factors(user=user, who="the owner of the address")
    one_time_tokens.end_all_tokens(user=user)
    account_reclaimed.send(sender=User, user=user)


def send_welcome(*, user: User) -> None:
    """Write to an account whose address was verified just now."""
    emails.send_welcome(user=user)


def check_reset_token(*, token: str) -> User:
    """The account whose password a link sets. Raises `BadInput` (`INVALID_TOKEN`) for a used or expired one."""
    found = one_time_tokens.find_usable_token(token, Purpose.RESET)
    if found is None or not found.user.is_active:
        raise BadInput(INVALID_RESET, code="INVALID_TOKEN")
    return found.user


@transaction.atomic
def reset_password(*, token: str, password: str, revoke_keys: bool = False, switch_webhooks_off: bool = False) -> None:
    """Set a new password by a mailed link, once, and end every session; on request also keys and webhooks.

    The mail about it names the keys and webhooks that go on working.

    The link proves that the mailbox is read, so it verifies the address too, and ends what others made of an account
    that nobody had confirmed. Raises `BadInput`: `INVALID_TOKEN`, or
    `WEAK_PASSWORD`, after which the link still works; `Refused` for a person who signs in by Google alone.
    """
    owner = check_reset_token(token=token)
    check_password_signs_in(owner)
    password_rules.check_password_rules(password, email=owner.email, name=owner.name)
    user = User.objects.select_for_update().get(pk=owner.pk)  # before the token, as a verification link does
    reset = one_time_tokens.consume_token(token, Purpose.RESET)
    if reset is None:
        raise BadInput(INVALID_RESET, code="INVALID_TOKEN")
    if not user.email_verified:
        clear_unverified_account(user=user)
    user.set_password(password)
    user.password_ends_at = None
    user.save(update_fields=["password", "password_ends_at"])
    audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action="Password changed")
    end_all_sign_ins(user=user)
    if revoke_keys:
        keys.revoke_all_keys(organisation=user.own_organisation)
    if switch_webhooks_off:
        registry.above.switch_webhooks_off(user.own_organisation)
    one_time_tokens.end_tokens(user=user, purpose=Purpose.MFA)
    if verify_address(user=user):
        send_welcome(user=user)
    emails.send_password_changed(user=user, token=reset, now=timezone.now())


def check_password(*, email: str, password: str) -> User:
    """The account of an address and its password.

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
        _require_own_password(user, user.password_ends_at)
    return user


def _require_own_password(user: User, ends_at: datetime) -> None:
    """Whoever was handed the password goes no further than to choose another."""
    if ends_at <= timezone.now():
        raise Refused(ONE_TIME_PASSWORD_ENDED, code="PASSWORD_EXPIRED")
    demand = Refused(CHOOSE_OWN, code="PASSWORD_CHANGE_REQUIRED")
    demand.extra = {"reset_token": one_time_tokens.create_token(user=user, purpose=Purpose.RESET)}
    raise demand


def check_may_enter(user: User) -> None:
    """Raises `Refused` for a suspended account, or one whose address must be verified first."""
    if not user.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if settings.REQUIRE_EMAIL_VERIFICATION and not user.email_verified:
        raise Refused("Please verify your email before logging in.", code="EMAIL_NOT_VERIFIED")


def is_address_taken(email: str) -> bool:
    """Whether an address has an account. Only its owner may learn this."""
    return User.objects.filter(email=email.strip().lower()).exists()
