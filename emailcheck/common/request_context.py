"""What is known of the request that is being answered: its id, the caller's address, the API key, and what it sent.

Each is a context variable; anything may read them, so this module imports nothing but ids.
"""

import ipaddress
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from emailcheck.common import secrecy
from emailcheck.common.ip_addresses import unmap_address

_ACCEPTED = re.compile(r"[A-Za-z0-9_.-]{8,64}")


@dataclass(frozen=True, slots=True)
class KeyCall:
    """A call with an API key, whether it was let in or not; `request` is the framework's. `is_early`: the key was made
    under the first edition of the contract."""

    request: object
    organisation_id: int
    key_id: int
    is_test: bool
    prefix: str = ""
    is_early: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """Who calls, in which organisation and as what there; `via` names the agency for which they act in a client, and
    `monthly_cap` is how many credits they may use in a credit month there, None for any number."""

    user_id: int | None
    organisation_id: int
    role: str
    via: str = ""
    monthly_cap: int | None = None


_person: ContextVar[Person | None] = ContextVar("person", default=None)
_request_id: ContextVar[str] = ContextVar("request_id", default="-")
_caller: ContextVar[str | None] = ContextVar("caller", default=None)
_key_call: ContextVar[KeyCall | None] = ContextVar("call", default=None)
_is_contract_call: ContextVar[bool] = ContextVar("contract", default=False)


def current_request_id() -> str:
    """The id of the request being answered, `-` outside of one."""
    return _request_id.get()


class RequestIdMiddleware:
    """Takes a well-formed `X-Request-Id` from the caller, or makes one, and returns it on the answer.

    The id stays set until the next request of the thread, because refusals are logged after the last middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        offered = request.headers.get("X-Request-Id", "")
        _request_id.set(offered if _ACCEPTED.fullmatch(offered) else secrecy.generate_id("req"))
        response = self.get_response(request)
        response["X-Request-Id"] = current_request_id()
        return response


class RequestIdFilter(logging.Filter):
    """Puts the request id on log records."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id()
        return True


def caller_address() -> str | None:
    """The address that the request being answered came from; None outside of one."""
    return _caller.get()


@contextmanager
def hiding_caller() -> Iterator[None]:
    """Around what concerns others, to whom the address of whoever calls is not told."""
    token = _caller.set(None)
    try:
        yield
    finally:
        _caller.reset(token)


class TrustedProxyMiddleware:
    """For requests through our own proxy, which ends TLS and knows the caller's address.

    Takes scheme and address of the caller from the headers of proxies in `TRUSTED_PROXIES`, and of no one else.

    Of a chain in `X-Forwarded-For` the last address that is not itself a trusted proxy counts: what stands before it
    was sent by the caller. An IPv4 address that a socket for both kinds writes as IPv6 is read as what it is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        address = _read_address(request.META.get("REMOTE_ADDR", ""))
        if address is not None and _is_trusted(address):
            chain = map(_read_address, request.headers.get("X-Forwarded-For", "").split(","))
            callers = [hop for hop in chain if hop is not None and not _is_trusted(hop)]
            address = callers[-1] if callers else address
        else:
            request.META.pop("HTTP_X_FORWARDED_PROTO", None)
        if address is not None:
            request.META["REMOTE_ADDR"] = address
        token = _caller.set(address)
        try:
            return self.get_response(request)
        finally:
            _caller.reset(token)


def _is_trusted(address: str) -> bool:
    return any(ipaddress.ip_address(address) in network for network in settings.TRUSTED_PROXIES)


def _read_address(text: str) -> str | None:
    """An address as `unmap_address` has it; None for anything else."""
    try:
        return unmap_address(text)
    except ValueError:
        return None


def current_key_call() -> KeyCall | None:
    """The call with a key that is being answered, None for every other one."""
    return _key_call.get()


def is_test_call() -> bool:
    """Whether the call is one of test mode."""
    call = _key_call.get()
    return call is not None and call.is_test


def set_key_call(call: KeyCall) -> None:
    """Say with which key the call is made, as soon as that is known."""
    _key_call.set(call)


def current_person() -> Person | None:
    """Who calls in an organisation, None outside of such a call."""
    return _person.get()


def set_person(person: Person) -> None:
    """Say who calls in an organisation, as soon as that is known."""
    _person.set(person)


def is_contract_call() -> bool:
    """Whether the call is one of those that the contract describes: of these nothing unknown is taken."""
    return _is_contract_call.get()


def set_contract_call() -> None:
    """Say that the call is one of the contract."""
    _is_contract_call.set(True)


@contextmanager
def answering_request() -> Iterator[None]:
    """Around one request."""
    token, of_person, of_contract = _key_call.set(None), _person.set(None), _is_contract_call.set(False)
    try:
        yield
    finally:
        _key_call.reset(token)
        _person.reset(of_person)
        _is_contract_call.reset(of_contract)
