"""Test mode: what answers in the engine's place to calls with a test key (ADR 23).

Nobody is asked and nothing costs anything. Addresses of `magic.DOMAIN` get the verdicts and do what `magic` says, the
same every time; a `+` and anything may follow the name, so that a list can hold many.
"""

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any

from billing.services import InsufficientCredits
from emailcheck.common import throttles
from emailcheck.common.errors import TooMany
from validation.checker import Arrival, Run
from validation.engine import AddressSyntaxError, Category, Check, Flag, Outcome, Reason, Verdict, parse
from validation.engine.verdict.confidence import confidence, is_safe_to_send
from validation.engine.verdict.verdicts import of_bad_syntax
from validation.magic import (
    DOMAIN,
    FAILING,
    NOBODY_ASKED,
    OUT_OF_CREDITS,
    RATE_LIMITED,
    RETRY_AFTER_S,
    SLOW,
    VERDICTS,
    Magic,
)

FAILED = "This list was to fail: it holds a failing address of test mode."
KEPT_DAYS = 7
SLOW_S = 3.0
IMMEDIATE_S = 0.5
"""How long the caller of a short list waits, so that a slow one is answered with 202."""
_SOURCE = "test mode"
_OUTCOMES = {Category.VALID: Outcome.PASS, Category.INVALID: Outcome.FAIL, Category.CATCH_ALL: Outcome.WARN}
_BY_NAME = {magic.name: magic for magic in VERDICTS}
_BY_NAME |= {SLOW: _BY_NAME["valid"]}


class Failure(Exception):
    """The fault that was asked for."""


class Watched:
    """The chunks of a list on their way into the database. Iterating raises as `refuse` does."""

    def __init__(self, chunks: Iterable[list[Any]]) -> None:
        self._chunks = chunks
        self.fails = False

    def __iter__(self) -> Iterator[list[Any]]:
        for chunk in self._chunks:
            names = {_name(row[1]) for row in chunk}
            refuse(names)
            self.fails = self.fails or FAILING in names
            yield chunk


def refuse(names: Iterable[str]) -> None:
    """Refuse as the names ask for. Raises `TooMany` and `Refused` (`QUOTA_EXCEEDED`)."""
    for name in names:
        if name == RATE_LIMITED:
            raise TooMany(throttles.EXCEEDED, retry_after=RETRY_AFTER_S)
        if name == OUT_OF_CREDITS:
            raise InsufficientCredits(needed=1, balance=0)


def check(address: str) -> Verdict:
    """The verdict on one address, in its time. Raises what the address asks for."""
    name = _name(address)
    refuse([name])
    if name == FAILING:
        raise Failure
    if name == SLOW:
        time.sleep(SLOW_S)
    return verdict(address)


def start(addresses: Sequence[str]) -> Run:
    """Begin with a list: all verdicts are there at once, and it ends when the slow ones have had their time."""
    arrived: deque[Arrival] = deque(enumerate(map(verdict, addresses)))
    work: Future[None] = Future()
    if any(_name(address) == SLOW for address in addresses):
        timer = threading.Timer(SLOW_S, _end, [work])
        timer.daemon = True
        timer.start()
    else:
        _end(work)
    return Run(arrived, work)


def _end(work: "Future[None]") -> None:
    if work.set_running_or_notify_cancel():
        work.set_result(None)


def verdict(address: str) -> Verdict:
    """The verdict on an address, the same every time; its syntax is judged as always."""
    try:
        parsed = parse(address)
    except AddressSyntaxError as error:
        return of_bad_syntax(address, str(error), 0.0)
    return _made(address, parsed.domain, _BY_NAME.get(_name(address), NOBODY_ASKED))


def _name(address: str) -> str:
    """The name of an address of test mode, `""` for every other text."""
    local, _, domain = address.strip().lower().rpartition("@")
    return local.partition("+")[0] if domain == DOMAIN else ""


def _made(address: str, domain: str, magic: Magic) -> Verdict:
    category = magic.category
    is_dead = magic.reason in (Reason.NO_DOMAIN, Reason.NO_MAIL_HOST)
    figure = confidence(
        category, magic.reason, mailbox="", is_role=magic.is_role, is_free=magic.is_free, is_catch_all=False
    )
    flags = ((Flag.ROLE,) if magic.is_role else ()) + ((Flag.FREE,) if magic.is_free else ())
    asked = category in (Category.VALID, Category.CATCH_ALL, Category.INVALID) and not is_dead
    return Verdict(
        email=address,
        normalized=address,
        domain=domain,
        category=category,
        reason=magic.reason,
        confidence=figure,
        safe_to_send=is_safe_to_send(category, figure),
        sentence=magic.sentence,
        syntax_valid=True,
        domain_valid=None if magic is NOBODY_ASKED else not is_dead,
        smtp_valid=category is not Category.INVALID if asked else None,
        is_disposable=category is Category.DISPOSABLE,
        is_catch_all=category is Category.CATCH_ALL if asked else None,
        is_spam_trap=True if category is Category.SPAM_TRAP else None,
        is_free=magic.is_free,
        is_role=magic.is_role,
        flags=flags,
        did_you_mean=magic.did_you_mean,
        mx_hosts=() if is_dead or magic is NOBODY_ASKED else (f"mx.{DOMAIN}",),
        checks=(Check("mailbox", _OUTCOMES.get(category, Outcome.UNKNOWN), magic.sentence, _SOURCE),),
        transcript=(),
        retry_after=None,
        follow_up=None,
        duration_ms=0.0,
    )
