"""How often calls that take credentials or send mail may be made; counted before anything is hashed or sent."""

from ipaddress import IPv6Network
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from emailcheck.common import proxies, throttles
from emailcheck.common.throttles import Answer, Limit

# Guesses at one account: from one address, and from everywhere together.
PASSWORDS_HERE = Limit("password", 10, 300)
PASSWORDS = Limit("passwords", 100, 3_600)
# What the signed-in site may ask for.
SITE = Limit("account", 600, 60)
CODES = Limit("code", 10, 900)
MAILS = Limit("mail", 5, 3_600)
_SUBNET_BITS = 64


class Counted(APIView):
    """A call whose answer says how many more there may be."""

    rate: Answer | None = None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        for name, value in self.rate.headers.items() if self.rate else ():
            answer.setdefault(name, value)
        return answer


class Guarded(Counted):
    """A call without a sign-in: 100 a minute and client address, over all such calls together (LIM-032)."""

    authentication_classes: Any = ()
    permission_classes: Any = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        limit = Limit("auth", settings.AUTH_REQUESTS_PER_MINUTE, 60)
        self.rate = throttles.demand(limit, _network())


class OfAnAccount(Counted):
    """A call that a signed-in page makes by itself: counted by account, because many share an address (LIM-032)."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.rate = throttles.demand(SITE, self.who(request))

    def who(self, request: Request) -> str:
        return str(request.user.pk)


def guess_password(*, email: str) -> None:
    """Count a try at an account. Raises `TooMany`."""
    throttles.demand(PASSWORDS_HERE, f"{_same(email)} {_network()}")
    throttles.demand(PASSWORDS, _same(email))


def knew_password(*, email: str) -> None:
    """A right password wipes out what was counted."""
    throttles.forgive(PASSWORDS_HERE, f"{_same(email)} {_network()}")
    throttles.forgive(PASSWORDS, _same(email))


def guess_code(*, user_id: int) -> None:
    """Count a try at a code or a password of a signed-in account. Raises `TooMany`."""
    throttles.demand(CODES, str(user_id))


def knew_code(*, user_id: int) -> None:
    throttles.forgive(CODES, str(user_id))


def ask_for_mail(*, email: str) -> None:
    """Count a mail to an address, whether it has an account or not. Raises `TooMany`."""
    throttles.demand(MAILS, _same(email))


def _network() -> str:
    """The caller's address, or the network of an IPv6 address that one subscriber has."""
    address = proxies.caller_address() or ""
    if ":" not in address:
        return address
    return str(IPv6Network((address, _SUBNET_BITS), strict=False))


def _same(email: str) -> str:
    return email.strip().lower()
