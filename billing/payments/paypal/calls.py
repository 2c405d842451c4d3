"""One call to PayPal: token, retries, time limits, and a name for every error."""

import base64
import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from billing.payments.paypal.errors import (
    BY_ISSUE,
    Missing,
    PayPalError,
    Rejected,
    UnexpectedAnswer,
    Unreachable,
    WrongKeys,
)
from billing.payments.paypal.strict_json import Node, parse_json
from emailcheck.common.outbound.http import Answer, Origin, OutboundError

logger = logging.getLogger(__name__)

_PAUSES = (0.4, 1.2)  # seconds before the second and the third try
_LONGEST_PAUSE = 5.0
_ATTEMPT_SECONDS = 10.0
_CALL_SECONDS = 25.0
_EARLY_SECONDS = 60  # a token is renewed this long before it ends
_LONGEST_TOKEN = 32_400


@dataclass(frozen=True, slots=True)
class Timing:
    """How time is read and spent; seconds."""

    now: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep
    attempt: float = _ATTEMPT_SECONDS
    call: float = _CALL_SECONDS


class Calls:
    """Calls with our keys. May be shared between threads."""

    def __init__(self, base: str, client_id: str, secret: str, timing: Timing) -> None:
        self._origin = Origin(base)
        self._timing = timing
        self._basic = base64.b64encode(f"{client_id}:{secret}".encode()).decode()
        self._lock = threading.Lock()
        self._token, self._ends = "", 0.0

    def request(self, method: str, path: str, body: Any = None, *, request_id: str = "") -> Node:
        """Send a request, again after a passing fault, and return the object of the answer; an empty one for none.

        Every request may be repeated: it reads, carries a request id, or is refused the second time.
        Raises `PayPalError`.
        """
        ends = self._timing.now() + self._timing.call
        headers = {"Content-Type": "application/json", "Prefer": "return=representation"}
        if request_id:
            headers["PayPal-Request-Id"] = request_id
        content = json.dumps(body).encode() if body is not None else b""
        answer = self._send_with_token(method, path, headers, content, ends)
        return parse_json(answer.body) if answer.body else Node({})

    def check_keys(self) -> None:
        """Fetch a new token with our keys. Raises `PayPalError`: `Unreachable`, or `WrongKeys`."""
        token, ends = self._fetch_token(self._timing.now() + self._timing.call)
        with self._lock:
            self._token, self._ends = token, ends

    def _send_with_token(self, method: str, path: str, headers: dict[str, str], content: bytes, ends: float) -> Answer:
        token = self._current_token(ends)
        answer = self._send_with_retries(method, path, {**headers, "Authorization": f"Bearer {token}"}, content, ends)
        if answer.status == 401:
            self._forget_token(token)
            token = self._current_token(ends)
            answer = self._send_with_retries(
                method, path, {**headers, "Authorization": f"Bearer {token}"}, content, ends
            )
        if answer.status >= 400:
            raise _build_error(answer)
        return answer

    def _send_with_retries(
        self, method: str, path: str, headers: dict[str, str], content: bytes, ends: float
    ) -> Answer:
        """Try up to three times; answers what is not a passing fault. Raises `Unreachable`."""
        for pause in _PAUSES:
            try:
                return self._send_once(method, path, headers, content, ends)
            except _PassingFault as fault:
                wait = max(pause, fault.wait)
                if self._timing.now() + wait >= ends:
                    raise Unreachable(fault.reason) from fault
                self._timing.pause(wait)
        try:
            return self._send_once(method, path, headers, content, ends)
        except _PassingFault as fault:
            raise Unreachable(fault.reason) from fault

    def _send_once(self, method: str, path: str, headers: dict[str, str], content: bytes, ends: float) -> Answer:
        left = min(self._timing.attempt, ends - self._timing.now())
        place = path.partition("?")[0]
        if left <= 0:
            raise Unreachable("the time is up")
        try:
            answer = self._origin.send(method, path, headers=headers, content=content, seconds=left)
        except OutboundError as error:
            logger.warning("PayPal %s %s failed: %s", method, place, error)
            raise _PassingFault(f"{type(error).__name__}: {error}") from error
        debug_id = _parse_debug_id(answer)
        # 409: PayPal is still working on the same request from another of our processes.
        if answer.status in {409, 429} or answer.status >= 500:
            logger.warning("PayPal %s %s failed: %s, debug id %s", method, place, answer.status, debug_id)
            raise _PassingFault(f"{answer.status}, debug id {debug_id}", wait=_parse_retry_after(answer))
        logger.info("PayPal %s %s: %s, debug id %s", method, place, answer.status, debug_id)
        return answer

    def _current_token(self, ends: float) -> str:
        """The token; one caller fetches a new one while the others wait for it."""
        if not self._lock.acquire(timeout=max(0.0, ends - self._timing.now())):
            raise Unreachable("another call waits too long for a token")
        try:
            if self._timing.now() >= self._ends:
                self._token, self._ends = self._fetch_token(ends)
            return self._token
        finally:
            self._lock.release()

    def _fetch_token(self, ends: float) -> tuple[str, float]:
        headers = {"Authorization": f"Basic {self._basic}", "Content-Type": "application/x-www-form-urlencoded"}
        requested_at = self._timing.now()
        answer = self._send_with_retries("POST", "/v1/oauth2/token", headers, b"grant_type=client_credentials", ends)
        if answer.status != 200:
            raise WrongKeys(f"no token: {answer.status}", debug_id=_parse_debug_id(answer))
        reply = parse_json(answer.body)
        life = min(reply.number("expires_in"), _LONGEST_TOKEN) - _EARLY_SECONDS
        return reply.text("access_token"), requested_at + life

    def _forget_token(self, token: str) -> None:
        with self._lock:
            if self._token == token:
                self._ends = 0.0


class _PassingFault(Exception):
    """Worth another try, after `wait` seconds at least."""

    def __init__(self, reason: str, *, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.reason, self.wait = reason, wait


def _build_error(answer: Answer) -> PayPalError:
    """The error that a refusal means."""
    debug_id = _parse_debug_id(answer)
    try:
        reply = parse_json(answer.body)
        name = reply.maybe_text("name") or reply.maybe_text("error")
        issue = next((detail.maybe_text("issue") for detail in reply.nodes("details")), "")
        link = reply.link("redirect", "payer-action")
    except UnexpectedAnswer as error:
        return UnexpectedAnswer(f"{answer.status} with {error.reason}", debug_id=debug_id)
    reason = f"{answer.status} {name} {issue}".strip()
    if answer.status in {401, 403}:
        return WrongKeys(reason, debug_id=debug_id)
    if answer.status == 404:
        return Missing(reason, debug_id=debug_id)
    return BY_ISSUE.get(issue, Rejected)(reason, issue=issue, link=link, debug_id=debug_id)


def _parse_debug_id(answer: Answer) -> str:
    found = answer.headers.get("paypal-debug-id", "")
    return found if found.isalnum() and len(found) <= 64 else ""


def _parse_retry_after(answer: Answer) -> float:
    seconds = answer.headers.get("retry-after", "")
    return min(float(seconds), _LONGEST_PAUSE) if seconds.isascii() and seconds.isdigit() else 0.0
