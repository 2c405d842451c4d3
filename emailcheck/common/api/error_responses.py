"""The one error body of all calls, and what turns errors into it."""

import json
import logging
import re
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, JsonResponse
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from emailcheck.common import request_context
from emailcheck.common.errors import BadInput, ProductError, TooLarge
from emailcheck.common.storage import faults

log = logging.getLogger(__name__)
REQUEST_TOO_LARGE = "The request is too large. Maximum size is 10MB."
# What is sent under such a name is never repeated in an answer.
_SECRETS = ("password", "token", "secret", "code")
_HIDDEN = "[hidden]"
_KEYS = re.compile(r"ec_(?:live|test)_\w+")
_SHOWN_OF_KEY = 16  # by which owners tell keys apart
MOST_SHOWN = 200
_CODES = {
    400: "VALIDATION_ERROR",
    401: "NOT_AUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    406: "NOT_ACCEPTABLE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    429: "RATE_LIMIT_EXCEEDED",
}


def build_error_body(detail: str, code: str, *, field: str | None = None, value: object = None) -> dict[str, Any]:
    """The one error body. `value` is what the caller sent for `field`: cut to 200 characters, left out for secrets."""
    details: dict[str, Any] = {}
    if field is not None:
        details["field"] = field
        if not _is_secret(field):
            details["provided_value"] = _shorten_value(value)
    return {
        "detail": detail,
        "error": code.lower(),
        "message": detail,
        "code": code,
        "details": details,
        "request_id": request_context.current_request_id(),
    }


def _shorten_value(value: object, room: int = MOST_SHOWN) -> Any:
    """A short form of anything that JSON, or a form, can carry: of the same JSON type, in valid UTF-8, of `room`
    characters at most, without secrets."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and abs(value) < 2**53:  # neither infinite nor NaN
        return value
    if isinstance(value, list | dict):
        return _shorten_parts(value, room)
    return _KEYS.sub(lambda key: f"{key[0][:_SHOWN_OF_KEY]}…", str(value))[:room].encode(errors="replace").decode()


def _shorten_parts(value: list[Any] | dict[Any, Any], room: int) -> list[Any] | dict[str, Any]:
    """The first parts, as far as there is room for their JSON."""
    shown: list[tuple[str, Any]] = []
    for name, part in value.items() if isinstance(value, dict) else ((None, part) for part in value):
        label = "" if name is None else str(_shorten_value(str(name), room))
        room -= len(label) + 4
        if room <= 0:
            break
        short = _HIDDEN if _is_secret(label) else _shorten_value(part, room)
        room -= len(json.dumps(short, ensure_ascii=False))
        shown.append((label, short))
    return dict(shown) if isinstance(value, dict) else [part for _, part in shown]


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in _SECRETS)


def build_json_error(error: ProductError) -> JsonResponse:
    """The one error body outside of the API views."""
    return JsonResponse(_build_product_body(error), status=error.status, headers=dict(error.headers))


def _build_product_body(error: ProductError) -> dict[str, Any]:
    body = build_error_body(error.detail, error.code, field=error.field, value=error.value)
    body["details"] |= error.details
    return body | dict(error.extra)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn any expected error of a call into the one body; anything else goes on to the 500 page."""
    if isinstance(error, SuspiciousOperation):
        error = _build_malformed_error(error)
    error = _find_storage_refusal(error) or error
    if isinstance(error, ProductError):
        set_rollback()
        return Response(_build_product_body(error), status=error.status, headers=dict(error.headers))
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied("Permission denied")
    if not isinstance(error, exceptions.APIException):
        return None
    set_rollback()
    field, value, detail = _find_first_message(error.detail, _read_sent_data(context))
    if isinstance(error, exceptions.NotAuthenticated):
        detail = "Authentication required"
    body = build_error_body(detail, _CODES.get(error.status_code, "ERROR"), field=field, value=value)
    headers = {"WWW-Authenticate": "Bearer"} if error.status_code == status.HTTP_401_UNAUTHORIZED else None
    return Response(body, status=error.status_code, headers=headers)


def _find_storage_refusal(error: Exception) -> ProductError | None:
    refusal = None if isinstance(error, ProductError | exceptions.APIException) else faults.find_refusal(error)
    if refusal is not None:
        log.error("%s: %s: %s", refusal.code, type(error).__name__, error)
    return refusal


def _build_malformed_error(error: SuspiciousOperation) -> ProductError:
    """What Django refuses while it reads a form."""
    if isinstance(error, RequestDataTooBig):
        return TooLarge(REQUEST_TOO_LARGE, code="REQUEST_TOO_LARGE")
    return BadInput("The request could not be read.")


def _find_first_message(detail: Any, sent: Any) -> tuple[str | None, object, str]:
    """The first complaint: about which field of the call, what was sent there, and the sentence."""
    field: str | None = None
    while isinstance(detail, dict | list):
        key, detail = next(iter(detail.items())) if isinstance(detail, dict) else (None, detail[0])
        if key is None or key == "non_field_errors":
            continue
        field = field or str(key)
        sent = _descend_into(sent, key)
    return field, sent, str(detail)


def _descend_into(sent: Any, key: Any) -> Any:
    if isinstance(sent, dict):
        return sent.get(key)
    return sent[int(key)] if isinstance(sent, list) else None


def _read_sent_data(context: dict[str, Any]) -> Any:
    """What came with the call; nothing when that was what could not be read."""
    request = context["request"]
    if request.method == "GET":
        return request.query_params
    return request.data if isinstance(getattr(request, "_full_data", None), dict) else None
