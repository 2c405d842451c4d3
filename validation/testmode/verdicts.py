"""Test mode: simulated verdicts for calls with a test key (ADR 23).

No mail server is contacted and no credit is used. Addresses of `addresses.DOMAIN` get the verdicts and behaviour that
`addresses` lists, always the same. The name may be followed by `+` and any tag, so that a list can hold many.
"""

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any

from billing.ledger.services import InsufficientCredits
from emailcheck.common.api import throttles
from emailcheck.common.errors import TooMany
from validation.engine import AddressSyntaxError, Category, Check, Flag, Outcome, Reason, Verdict, parse
from validation.engine.verdict.verdicts import build_bad_syntax_verdict, compute_confidence, is_safe_to_send
from validation.testmode.addresses import (
    DOMAIN,
    FAILING,
    NOBODY_ASKED,
    OUT_OF_CREDITS,
    RATE_LIMITED,
    RETRY_AFTER_S,
    SLOW,
    VERDICTS,
    AddressVerdict,
)
from validation.verifier.checker import Arrival, Run

FAILED = "This list was to fail: it holds a failing address of test mode."
KEEP_DAYS = 7
SLOW_S = 3.0
IMMEDIATE_S = 0.5
"""Seconds that the caller of a short list waits, so that a slow one gets 202."""
_SOURCE = "test mode"
_OUTCOMES = {Category.VALID: Outcome.PASS, Category.INVALID: Outcome.FAIL, Category.CATCH_ALL: Outcome.WARN}
_BY_NAME = {test_address.name: test_address for test_address in VERDICTS}
_BY_NAME |= {SLOW: _BY_NAME["valid"]}


class RequestedFailure(Exception):
    """The fault that the address requested."""


class WatchedChunks:
    """The chunks of a list before they are stored. Iterating raises as `check_refusals` does."""

    def __init__(self, chunks: Iterable[list[Any]]) -> None:
        self._chunks = chunks
        self.fails = False

    def __iter__(self) -> Iterator[list[Any]]:
        for chunk in self._chunks:
            names = {_parse_name(row[1]) for row in chunk}
            check_refusals(names)
            self.fails = self.fails or FAILING in names
            yield chunk


def check_refusals(names: Iterable[str]) -> None:
    """Raise the refusal that a name requests: `TooMany` or `Refused` (`QUOTA_EXCEEDED`)."""
    for name in names:
        if name == RATE_LIMITED:
            raise TooMany(throttles.EXCEEDED, retry_after=RETRY_AFTER_S)
        if name == OUT_OF_CREDITS:
            raise InsufficientCredits(needed=1, balance=0)


def check_address(address: str) -> Verdict:
    """The verdict on one address, after its delay. Raises the fault that the address requests."""
    name = _parse_name(address)
    check_refusals([name])
    if name == FAILING:
        raise RequestedFailure
    if name == SLOW:
        time.sleep(SLOW_S)
    return build_verdict(address)


def start_run(addresses: Sequence[str]) -> Run:
    """Start a list: all verdicts are there at once, and the run ends after the delay of the slow ones."""
    arrived: deque[Arrival] = deque(enumerate(map(build_verdict, addresses)))
    work: Future[None] = Future()
    if any(_parse_name(address) == SLOW for address in addresses):
        timer = threading.Timer(SLOW_S, _end_run, [work])
        timer.daemon = True
        timer.start()
    else:
        _end_run(work)
    return Run(arrived, work)


def _end_run(work: "Future[None]") -> None:
    if work.set_running_or_notify_cancel():
        work.set_result(None)


def build_verdict(address: str) -> Verdict:
    """The verdict on an address, always the same. Its syntax is checked as usual."""
    try:
        parsed = parse(address)
    except AddressSyntaxError as error:
        return build_bad_syntax_verdict(address, str(error), 0.0)
    return _build_named_verdict(address, parsed.domain, _BY_NAME.get(_parse_name(address), NOBODY_ASKED))


def _parse_name(address: str) -> str:
    """The name of an address of test mode, `""` for every other text."""
    local, _, domain = address.strip().lower().rpartition("@")
    return local.partition("+")[0] if domain == DOMAIN else ""


def _build_named_verdict(address: str, domain: str, test_address: AddressVerdict) -> Verdict:
    category = test_address.category
    is_dead = test_address.reason in (Reason.NO_DOMAIN, Reason.NO_MAIL_HOST)
    figure = compute_confidence(
        category,
        test_address.reason,
        mailbox="",
        is_role=test_address.is_role,
        is_free=test_address.is_free,
        is_catch_all=False,
    )
    flags = ((Flag.ROLE,) if test_address.is_role else ()) + ((Flag.FREE,) if test_address.is_free else ())
    asked = category in (Category.VALID, Category.CATCH_ALL, Category.INVALID) and not is_dead
    return Verdict(
        email=address,
        normalized=address,
        domain=domain,
        category=category,
        reason=test_address.reason,
        confidence=figure,
        safe_to_send=is_safe_to_send(category, figure),
        sentence=test_address.sentence,
        syntax_valid=True,
        domain_valid=None if test_address is NOBODY_ASKED else not is_dead,
        smtp_valid=category is not Category.INVALID if asked else None,
        is_disposable=category is Category.DISPOSABLE,
        is_catch_all=category is Category.CATCH_ALL if asked else None,
        is_spam_trap=True if category is Category.SPAM_TRAP else None,
        is_free=test_address.is_free,
        is_role=test_address.is_role,
        flags=flags,
        did_you_mean=test_address.did_you_mean,
        mx_hosts=() if is_dead or test_address is NOBODY_ASKED else (f"mx.{DOMAIN}",),
        checks=(Check("mailbox", _OUTCOMES.get(category, Outcome.UNKNOWN), test_address.sentence, _SOURCE),),
    )
