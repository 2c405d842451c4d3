"""How often calls may be made; those that take credentials or send mail are counted before they hash or send."""

from ipaddress import IPv6Network
from math import ceil

from django.conf import settings
from django.http import HttpRequest

from accounts.access import known_devices
from accounts.organisations.models import Organisation
from emailcheck.common import registry, request_context
from emailcheck.common.api import throttles
from emailcheck.common.api.throttles import Limit, LimitedCaller, LimitResult

# Guesses of strangers at one account: from one address, and from everywhere together.
PASSWORDS_HERE = Limit("password", 10, 300)
PASSWORDS = Limit("passwords", 100, 3_600)
# From a browser in which the account was signed in to before: strangers use up nothing of it.
PASSWORDS_OF_DEVICE = Limit("device", 10, 300)
CODES = Limit("code", 10, 900)
MAILS = Limit("mail", 5, 3_600)
MESSAGES = Limit("message", 20, 3_600)
MINUTE_S, DAY_S = 60, 86_400
POLLS_A_MINUTE = 120
PUBLIC = Limit("public", 120, MINUTE_S)
# A visitor's tries of the product; and those of all together, so that nobody with many addresses has us ask mail hosts.
TRIES = Limit("try", 3, 3_600)
ALL_TRIES = Limit("tries", 60, MINUTE_S)
LEAK_REPORTS = Limit("leaks", 100, MINUTE_S)
RESET_LINK = "/?forgot=true"
SIGN_UP = "Sign up to check more"
_SUBNET_BITS = 64


def count_guarded() -> None:
    """Count a call that takes credentials or sends mail: by address, all such calls together. Raises `TooMany`."""
    throttles.set_shown_limit(throttles.require_pass_all(_guarded_limit())[0])


def count_sign_in(request: HttpRequest, *, email: str) -> None:
    """Count a call as guarded, and as a try at the account that it names, in the same step. Raises `TooMany`."""
    guesses = _guess_limits(request, email) if email else ()
    throttles.set_shown_limit(_require_guesses(_guarded_limit(), *guesses)[0])


def count_message() -> None:
    """Count a message of a visitor, by address: with all guarded calls, and by itself. Raises `TooMany`."""
    throttles.set_shown_limit(throttles.require_pass_all(_guarded_limit(), (MESSAGES, _caller_network()))[0])


def count_key(organisation: Organisation, *, polls: bool = False) -> None:
    """Count a call with a key: as many a minute as the organisation's plan says (LIM-018), those in test mode apart.
    Calls that poll are counted apart from all others, and are the same number on every plan.

    Raises `TooMany`.
    """
    per_minute = registry.above.find_requests_per_minute(organisation)
    if per_minute is None:
        throttles.set_shown_limit(throttles.build_unlimited(MINUTE_S))
        return
    name = "test" if organisation.in_test_mode else "api"
    limit = Limit(f"{name}-status", POLLS_A_MINUTE, MINUTE_S) if polls else Limit(name, per_minute, MINUTE_S)
    _count_request(limit, str(organisation.pk))


def count_site(user_id: int) -> None:
    """Count a call that a signed-in page makes: by account, because many share an address. Raises `TooMany`."""
    _count_request(Limit("account", settings.SITE_REQUESTS_PER_MINUTE, MINUTE_S), str(user_id))


def count_public() -> None:
    """Count a public call by client address. Raises `TooMany`."""
    _count_request(PUBLIC, _caller_network())


def count_leak_report() -> None:
    """Count a report of keys that were found in public, by client address. Raises `TooMany`."""
    _count_request(LEAK_REPORTS, _caller_network())


def count_public_try() -> int:
    """Count a visitor's try of the product, by address; answers how many are left. Raises `TooMany`."""
    answers = throttles.count_under_all((TRIES, _caller_network()), (ALL_TRIES, ""))
    if not answers[-1].passed:
        raise throttles.build_refusal(answers[-1], SIGN_UP)
    throttles.set_shown_limit(answers[0])
    return answers[0].remaining


def count_stranger() -> None:
    """Count a call without a credential that we know, by address. Raises `TooMany`."""
    _count_request(Limit("address", settings.SITE_REQUESTS_PER_MINUTE, MINUTE_S), _caller_network())


def count_password_guess(request: HttpRequest, *, email: str) -> None:
    """Count a password guess, from a known or an unknown browser. Raises `TooMany`."""
    _require_guesses(*_guess_limits(request, email))


def reset_password_guesses(request: HttpRequest, *, email: str) -> None:
    """A right password wipes out what was counted; on a device that is known nothing of what strangers tried."""
    throttles.reset_counts(*_guess_limits(request, email))


def count_code_guess(*, user_id: int) -> None:
    """Count a try at a code or a password of a signed-in account. Raises `TooMany`."""
    throttles.require_pass(CODES, str(user_id))


def reset_code_guesses(*, user_id: int) -> None:
    throttles.reset_counts((CODES, str(user_id)))


def count_mail_request(*, email: str) -> None:
    """Count a mail to an address, whether it has an account or not. Raises `TooMany`."""
    throttles.require_pass(MAILS, _normalize_email(email))


def count_invitation(*, organisation: Organisation, email: str) -> None:
    """Count a mail that invites to an organisation: by address as any, and with all of the organisation in a day.

    Raises `TooMany`.
    """
    a_day = Limit("invitation", settings.ORGANISATION_INVITATIONS_A_DAY, DAY_S)
    throttles.require_pass_all((MAILS, _normalize_email(email)), (a_day, str(organisation.pk)))


def _count_request(limit: Limit, who: str) -> None:
    throttles.set_shown_limit(throttles.require_pass(limit, who))


def _require_guesses(*callers: LimitedCaller) -> list[LimitResult]:
    """As `throttles.require_pass_all`; the refusal says when to try again, and what else helps."""
    answers = throttles.count_under_all(*callers)
    last = answers[-1]
    if last.passed:
        return answers
    if last.limit not in {PASSWORDS_HERE, PASSWORDS, PASSWORDS_OF_DEVICE}:
        raise throttles.build_refusal(last)
    minutes = ceil(last.reset_s / MINUTE_S)
    words = f"Too many wrong passwords. Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}"
    error = throttles.build_refusal(last, f"{words} or reset your password.")
    error.extra = {"reset_link": RESET_LINK}
    raise error


def _guarded_limit() -> LimitedCaller:
    return Limit("auth", settings.AUTH_REQUESTS_PER_MINUTE, MINUTE_S), _caller_network()


def _guess_limits(request: HttpRequest, email: str) -> tuple[LimitedCaller, ...]:
    if device := known_devices.find_device(request, email=email):
        return ((PASSWORDS_OF_DEVICE, f"{_normalize_email(email)} {device}"),)
    return (PASSWORDS_HERE, f"{_normalize_email(email)} {_caller_network()}"), (PASSWORDS, _normalize_email(email))


def _caller_network() -> str:
    """The caller's address, or the network of an IPv6 address that one subscriber has."""
    address = request_context.caller_address() or ""
    if ":" not in address:
        return address
    return str(IPv6Network((address, _SUBNET_BITS), strict=False))


def _normalize_email(email: str) -> str:
    return email.strip().lower().encode(errors="replace").decode()
