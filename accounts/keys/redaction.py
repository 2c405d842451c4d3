"""Requests and answers without personal data: the structure stays, addresses and texts are removed.

Numbers, booleans and the API's own words stay; every other text is replaced, so that what is added to an answer
is hidden until it is named here.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.serializers.json import DjangoJSONEncoder
from django.http import QueryDict

from emailcheck.common.logs import redaction

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
    return redaction.redact_text(str(name)[:60])


def _redact_sequence(value: Sequence[Any], name: str, depth: int) -> list[Any]:
    most = _OBJECTS if value and isinstance(value[0], Mapping) else _TEXTS
    shown = [_redact_value(item, name, depth + 1) for item in value[:most]]
    return shown if len(value) <= most else [*shown, f"… {len(value) - most} more"]


def _redact_text(value: Any, name: str) -> Any:
    """Texts, and what becomes one in JSON, such as times."""
    if name in _SENTENCES:
        return redaction.redact_text(str(value)[:300])
    if name not in _SHOWN:
        return HIDDEN
    text = str(value)
    return value if len(text) <= 100 and "@" not in text else HIDDEN
