"""The log of calls with API keys, for the account that owns the key (DOC-035).

A call adds a line to a list in memory; a thread of the process writes the list every second, in one statement for many.
So nobody waits for the database, and a process that ends, stopped or killed, loses what it has not written: at most the
last second. When the list is full, lines are dropped and counted in the server's log.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

from django.db import Error, close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.keys import redaction
from accounts.keys.models import ApiRequest, ApiRequestQuerySet
from accounts.users.models import User
from emailcheck.common import request_context
from emailcheck.common.api import pagination
from emailcheck.common.errors import NotFound
from emailcheck.common.logs import redaction as log_redaction
from emailcheck.common.personal import delete_in_slices
from emailcheck.common.request_context import KeyCall

log = logging.getLogger(__name__)
RETENTION = timedelta(days=30)
PAGE_ROWS = 50
WRITE_EVERY_S = 1.0
"""Zero: lines are written when somebody reads them or calls `write_waiting`."""
_MAX_WAITING = 5_000
# Of throttled calls, so many rows of an account are stored each time the list is written.
_MAX_REFUSED = 20
_ROWS_A_STATEMENT = 200


class RequestLogMiddleware:
    """Notes calls with API keys after they are answered."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with request_context.answering_request():
            came, begun = timezone.now(), perf_counter()
            response = self.get_response(request)
            call = request_context.current_key_call()
            if call is not None:
                _waiting.add(_build_line(call, request, response, came, 1_000 * (perf_counter() - begun)))
        return response


def _build_line(
    call: KeyCall, request: HttpRequest, response: HttpResponseBase, came: datetime, took_ms: float
) -> ApiRequest:
    data = getattr(response, "data", None)
    return ApiRequest(
        user_id=call.user_id,
        key_id=call.key_id,
        test=call.is_test,
        request_id=request_context.current_request_id(),
        time=came,
        method=(request.method or "")[:10],
        path=log_redaction.redact_text(request.path)[:300],
        status=response.status_code,
        duration_ms=round(took_ms, 1),
        error_code=str(data.get("code") or "")[:40] if isinstance(data, dict) and response.status_code >= 400 else "",
        request_body=redaction.redact_body(_read_sent_body(call)),
        response_body="[file]" if response.streaming else redaction.redact_body(data),
    )


def _read_sent_body(call: KeyCall) -> Any:
    """The body as the call read it, if it did and could."""
    return getattr(call.request, "_full_data", None)


class _Waiting:
    """Lines that are not written yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: list[ApiRequest] = []
        self._refused: Counter[int] = Counter()
        self._dropped = 0
        self._writer: threading.Thread | None = None

    def add(self, line: ApiRequest) -> None:
        with self._lock:
            if not self._has_room(line):
                self._dropped += 1
                return
            self._lines.append(line)
            if WRITE_EVERY_S and self._writer is None:
                self._writer = threading.Thread(target=self._write_on, name="request log", daemon=True)
                self._writer.start()

    def _has_room(self, line: ApiRequest) -> bool:
        if line.status == 429:
            self._refused[line.user_id] += 1
            return self._refused[line.user_id] <= _MAX_REFUSED
        return len(self._lines) < _MAX_WAITING

    def take(self) -> list[ApiRequest]:
        with self._lock:
            lines, dropped = self._lines, self._dropped
            self._lines, self._dropped = [], 0
            self._refused.clear()
        if dropped:
            log.warning("%d lines of the request log were dropped", dropped)
        return lines

    def write(self) -> None:
        """Write what waits; what the database does not take is lost, with a line in the server's log."""
        lines = self.take()
        try:
            ApiRequest.objects.bulk_create(lines, batch_size=_ROWS_A_STATEMENT)
        except Error:
            log.exception("%d lines of the request log were lost", len(lines))

    def _write_on(self) -> None:
        pause = threading.Event()
        while not pause.wait(WRITE_EVERY_S):
            close_old_connections()
            self.write()


_waiting = _Waiting()


def write_waiting() -> None:
    """Write what waits in this process."""
    _waiting.write()


def discard_waiting() -> None:
    """Drop what waits in this process."""
    _waiting.take()


def list_requests(
    user: User, *, status: str = "", key: int | None = None, path: str = "", request_id: str = "", cursor: str = ""
) -> tuple[list[ApiRequest], str | None]:
    """A page of the account's calls, newest first, and the cursor of the next one.

    `status` is a number, or `4xx` for all that begin so. Raises `BadInput` for a cursor that is not ours.
    """
    found = _own_requests(user)
    if status:
        low = int(status.replace("xx", "00"))
        found = found.filter(status__gte=low, status__lte=low + 99) if "x" in status else found.filter(status=low)
    if key is not None:
        found = found.filter(key=key)
    if path:
        found = found.filter(path__icontains=path)
    if request_id:
        found = found.filter(request_id=request_id)
    return pagination.page_newest(found.defer("request_body", "response_body"), size=PAGE_ROWS, cursor=cursor)


def load_request(user: User, request_id: str) -> ApiRequest:
    """The account's newest call of that id. Raises `NotFound` for unknown and foreign ones alike."""
    found = _own_requests(user).filter(request_id=request_id).order_by("-pk").first()
    if found is None:
        raise NotFound("Request not found")
    return found


def _own_requests(user: User) -> ApiRequestQuerySet:
    write_waiting()
    return ApiRequest.objects.for_user(user).filter(time__gt=timezone.now() - RETENTION).select_related("key")


def delete_old_requests() -> None:
    """Delete what is older than 30 days."""
    delete_in_slices(ApiRequest.objects.filter(time__lte=timezone.now() - RETENTION))
