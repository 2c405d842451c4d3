"""How often calls may be made; those that take credentials or send mail are counted before they hash or send."""

from ipaddress import IPv6Network
from math import ceil

from django.conf import settings
from django.http import HttpRequest

from accounts import known_devices
from accounts.models import User
from emailcheck.common import proxies, registry, throttles
from emailcheck.common.throttles import Answer, Limit, Wanted

# Guesses of strangers at one account: from one address, and from everywhere together.
PASSWORDS_HERE = Limit("password", 10, 300)
PASSWORDS = Limit("passwords", 100, 3_600)
# From a browser in which the account was signed in to before: strangers use up nothing of it.
PASSWORDS_OF_DEVICE = Limit("device", 10, 300)
CODES = Limit("code", 10, 900)
MAILS = Limit("mail", 5, 3_600)
MESSAGES = Limit("message", 20, 3_600)
MINUTE_S = 60
PUBLIC = Limit("public", 120, MINUTE_S)
# A visitor's tries of the product; and those of all together, so that nobody with many addresses has us ask mail hosts.
TRIES = Limit("try", 3, 3_600)
ALL_TRIES = Limit("tries", 60, MINUTE_S)
RESET_LINK = "/?forgot=true"
SIGN_UP = "Sign up to check more"
_SUBNET_BITS = 64


def count_guarded() -> None:
    """Count a call that takes credentials or sends mail: by address, all such calls together. Raises `TooMany`."""
    throttles.tell(throttles.demand_all(_guarded())[0])


def count_sign_in(request: HttpRequest, *, email: str) -> None:
    """Count a call as guarded, and as a try at the account that it names, in the same step. Raises `TooMany`."""
    guesses = _guesses_at(request, email) if email else ()
    throttles.tell(_demand_guesses(_guarded(), *guesses)[0])


def count_message() -> None:
    """Count a message of a visitor, by address: with all guarded calls, and by itself. Raises `TooMany`."""
    throttles.tell(throttles.demand_all(_guarded(), (MESSAGES, _network()))[0])


def count_key(user: User) -> None:
    """Count a call with a key of the account: as many a minute as its plan says (LIM-018), those in test mode apart.

    Raises `TooMany`.
    """
    per_minute = registry.requests_per_minute(user)
    if per_minute is None:
        throttles.tell(throttles.unlimited(MINUTE_S))
    else:
        _count(Limit("test" if user.in_test_mode else "api", per_minute, MINUTE_S), str(user.pk))


def count_site(user_id: int) -> None:
    """Count a call that a signed-in page makes: by account, because many share an address. Raises `TooMany`."""
    _count(Limit("account", settings.SITE_REQUESTS_PER_MINUTE, MINUTE_S), str(user_id))


def count_public() -> None:
    """Count a call that is open to everybody and tells how we are, by address. Raises `TooMany`."""
    _count(PUBLIC, _network())


def count_try() -> int:
    """Count a visitor's try of the product, by address; answers how many are left. Raises `TooMany`."""
    answers = throttles.take_all((TRIES, _network()), (ALL_TRIES, ""))
    if not answers[-1].passed:
        raise throttles.refusal(answers[-1], SIGN_UP)
    throttles.tell(answers[0])
    return answers[0].remaining


def count_stranger() -> None:
    """Count a call without a credential that we know, by address. Raises `TooMany`."""
    _count(Limit("address", settings.SITE_REQUESTS_PER_MINUTE, MINUTE_S), _network())


def guess_password(request: HttpRequest, *, email: str) -> None:
    """Count a try at an account, as from a browser that it knows or from a stranger. Raises `TooMany`."""
    _demand_guesses(*_guesses_at(request, email))


def knew_password(request: HttpRequest, *, email: str) -> None:
    """A right password wipes out what was counted; on a device that is known nothing of what strangers tried."""
    throttles.forgive(*_guesses_at(request, email))


def guess_code(*, user_id: int) -> None:
    """Count a try at a code or a password of a signed-in account. Raises `TooMany`."""
    throttles.demand(CODES, str(user_id))


def knew_code(*, user_id: int) -> None:
    throttles.forgive((CODES, str(user_id)))


def ask_for_mail(*, email: str) -> None:
    """Count a mail to an address, whether it has an account or not. Raises `TooMany`."""
    throttles.demand(MAILS, _same(email))


def _count(limit: Limit, who: str) -> None:
    throttles.tell(throttles.demand(limit, who))


def _demand_guesses(*wanted: Wanted) -> list[Answer]:
    """As `throttles.demand_all`; whoever may try no more passwords is told when, and what else helps."""
    answers = throttles.take_all(*wanted)
    last = answers[-1]
    if last.passed:
        return answers
    if last.limit not in {PASSWORDS_HERE, PASSWORDS, PASSWORDS_OF_DEVICE}:
        raise throttles.refusal(last)
    minutes = ceil(last.reset_s / MINUTE_S)
    words = f"Too many wrong passwords. Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}"
    error = throttles.refusal(last, f"{words} or reset your password.")
    error.extra = {"reset_link": RESET_LINK}
    raise error


def _guarded() -> Wanted:
    return Limit("auth", settings.AUTH_REQUESTS_PER_MINUTE, MINUTE_S), _network()


def _guesses_at(request: HttpRequest, email: str) -> tuple[Wanted, ...]:
    if device := known_devices.device_of(request, email=email):
        return ((PASSWORDS_OF_DEVICE, f"{_same(email)} {device}"),)
    return (PASSWORDS_HERE, f"{_same(email)} {_network()}"), (PASSWORDS, _same(email))


def _network() -> str:
    """The caller's address, or the network of an IPv6 address that one subscriber has."""
    address = proxies.caller_address() or ""
    if ":" not in address:
        return address
    return str(IPv6Network((address, _SUBNET_BITS), strict=False))


def _same(email: str) -> str:
    return email.strip().lower().encode(errors="replace").decode()
