"""The log of calls with API keys, for the account that owns the key (DOC-035), without personal data.

A call adds a line to a list in memory; a thread of the process writes the list every second, in one statement for many.
So nobody waits for the database, and a process that ends, stopped or killed, loses what it has not written: at most the
last second. When the list is full, lines are dropped and counted in the server's log.

Of requests and answers the structure stays, addresses and texts are removed. Numbers, booleans and the API's own words
stay; every other text is replaced, so that what is added to an answer is hidden until it is named here.
"""

import json
import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from time import perf_counter
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.serializers.json import DjangoJSONEncoder
from django.db import Error, close_old_connections
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.request import Empty

from accounts.keys.models import ApiRequest
from accounts.organisations.models import Organisation
from emailcheck.common import request_context
from emailcheck.common.api import deprecations, pagination
from emailcheck.common.errors import NotFound
from emailcheck.common.personal import delete_in_slices
from emailcheck.common.request_context import KeyCall
from emailcheck.common.text.cleaning import redact_text

log = logging.getLogger(__name__)
RETENTION = timedelta(days=30)
PAGE_ROWS = 50
WRITE_EVERY_S = 1.0
"""Zero: lines are written when somebody reads them or calls `write_waiting`."""
_MAX_WAITING = 5_000
# Of throttled calls, so many rows of an account are stored each time the list is written.
_MAX_REFUSED = 20
_ROWS_A_STATEMENT = 200
HIDDEN = "[redacted]"
MOST_CHARACTERS = 4_000
_TEXTS, _OBJECTS, _KEYS, _DEPTH = 3, 1, 60, 8
# Their texts are words of the API, ids and times.
_SHOWN = frozenset({
    "batch_id", "batch_type", "category", "check", "code", "completed_at", "created_at", "current_plan", "encoding",
    "error", "expired_at", "expires_at", "field", "flags", "format", "id", "label", "outcome", "processing_status",
    "reason", "rechecked_at", "request_id", "retention_days", "segment", "status", "subscription_plan",
    "validated_at", "validation_provider", "validation_type", "waiting_until",
})  # fmt: skip
# Our sentences, which may repeat what was sent.
_SENTENCES = frozenset({"detail", "message"})


class RequestLogMiddleware:
    """Notes calls with API keys after they are answered, and says in the answer what one used that is deprecated."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with request_context.answering_request(), deprecations.noting_uses() as uses:
            came, begun = timezone.now(), perf_counter()
            response = self.get_response(request)
            for name, value in uses.headers.items():
                response[name] = value
            call = request_context.current_key_call()
            if call is not None:
                line = _build_line(call, request, response, came, 1_000 * (perf_counter() - begun))
                line.deprecated = " ".join(one.anchor for one in uses.used)[:200]
                _waiting.add(line)
        return response


def _build_line(
    call: KeyCall, request: HttpRequest, response: HttpResponseBase, came: datetime, took_ms: float
) -> ApiRequest:
    data = getattr(response, "data", None)
    return ApiRequest(
        organisation_id=call.organisation_id,
        key_id=call.key_id,
        test=call.is_test,
        request_id=request_context.current_request_id(),
        time=came,
        method=(request.method or "")[:10],
        path=redact_text(request.path)[:300],
        status=response.status_code,
        duration_ms=round(took_ms, 1),
        error_code=str(data.get("code") or "")[:40] if isinstance(data, dict) and response.status_code >= 400 else "",
        request_body=redact_body(_read_sent_body(call)),
        response_body="[file]" if response.streaming else redact_body(data),
    )


def _read_sent_body(call: KeyCall) -> Any:
    """The body as the call read it, if it did and could."""
    body = getattr(call.request, "_full_data", None)
    return None if body is Empty else body


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
            self._refused[line.organisation_id] += 1
            return self._refused[line.organisation_id] <= _MAX_REFUSED
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
    organisation: Organisation,
    *,
    status: str = "",
    key: int | None = None,
    path: str = "",
    request_id: str = "",
    cursor: str = "",
) -> tuple[list[ApiRequest], str | None]:
    """A page of the account's calls, newest first, and the cursor of the next one.

    `status` is a number, or `4xx` for all that begin so. Raises `BadInput` for a cursor that is not ours.
    """
    found = _own_requests(organisation)
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


def load_request(organisation: Organisation, request_id: str) -> ApiRequest:
    """The account's newest call of that id. Raises `NotFound` for unknown and foreign ones alike."""
    found = _own_requests(organisation).filter(request_id=request_id).order_by("-pk").first()
    if found is None:
        raise NotFound("Request not found")
    return found


def _own_requests(organisation: Organisation) -> QuerySet[ApiRequest]:
    write_waiting()
    return ApiRequest.objects.for_org(organisation).filter(time__gt=timezone.now() - RETENTION).select_related("key")


def delete_old_requests() -> None:
    """Delete what is older than 30 days."""
    delete_in_slices(ApiRequest.objects.filter(time__lte=timezone.now() - RETENTION))


def redact_body(value: Any) -> str:
    """A body as JSON with nothing personal in it, of at most `MOST_CHARACTERS`; `""` where there is none."""
    if value is None or value == "" or (isinstance(value, Mapping) and not value):
        return ""
    text = json.dumps(_redact_value(value, "", 0), cls=DjangoJSONEncoder, ensure_ascii=False)
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"


def _redact_value(value: Any, name: str, depth: int) -> Any:
    if value is None or isinstance(value, (int, float)):
        return value
    if depth >= _DEPTH:
        return "…"
    if isinstance(value, str):
        return _redact_text(value, name)
    if isinstance(value, QueryDict):
        value = value.dict()
    if isinstance(value, Mapping):
        return _redact_mapping(value, depth)
    if isinstance(value, list | tuple):
        return _redact_sequence(value, name, depth)
    if isinstance(value, UploadedFile):
        return f"[file of {value.size:,} bytes]"
    return _redact_text(value, name)


def _redact_mapping(value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    shown = {
        _redact_name(name): _redact_value(item, str(name), depth + 1) for name, item in list(value.items())[:_KEYS]
    }
    return shown if len(value) <= _KEYS else {**shown, "…": f"{len(value) - _KEYS} more"}


@lru_cache(maxsize=1_024)
def _redact_name(name: Any) -> str:
    """A caller chooses names too."""
    return redact_text(str(name)[:60])


def _redact_sequence(value: Sequence[Any], name: str, depth: int) -> list[Any]:
    most = _OBJECTS if value and isinstance(value[0], Mapping) else _TEXTS
    shown = [_redact_value(item, name, depth + 1) for item in value[:most]]
    return shown if len(value) <= most else [*shown, f"… {len(value) - most} more"]


def _redact_text(value: Any, name: str) -> Any:
    """Texts, and what becomes one in JSON, such as times."""
    if name in _SENTENCES:
        return redact_text(str(value)[:300])
    if name not in _SHOWN:
        return HIDDEN
    text = str(value)
    return value if len(text) <= 100 and "@" not in text else HIDDEN
