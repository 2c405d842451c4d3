"""What every API call shares: the one error body and its schema."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from emailcheck.common import request_id
from emailcheck.common.errors import ProductError

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


class ErrorDetailsSerializer(serializers.Serializer[dict[str, Any]]):
    field = serializers.CharField(required=False)
    provided_value = serializers.JSONField(required=False, allow_null=True)


class ErrorSerializer(serializers.Serializer[dict[str, Any]]):
    """The one error body: `detail` and `message` say the same sentence."""

    detail = serializers.CharField()
    error = serializers.CharField()
    message = serializers.CharField()
    code = serializers.CharField()
    details = ErrorDetailsSerializer()
    request_id = serializers.CharField()


def error_body(detail: str, code: str, *, field: str | None = None, value: object = None) -> dict[str, Any]:
    """The one error body. `value` is what the caller sent for `field`; it is cut to 200 characters."""
    details: dict[str, Any] = {}
    if field is not None:
        shown = value if isinstance(value, int | float | bool) or value is None else str(value)[:200]
        details = {"field": field, "provided_value": shown}
    return {
        "detail": detail,
        "error": code.lower(),
        "message": detail,
        "code": code,
        "details": details,
        "request_id": request_id.current(),
    }


def json_error(error: ProductError) -> JsonResponse:
    """The one error body outside of the API views."""
    body = error_body(error.detail, error.code, field=error.field, value=error.value)
    return JsonResponse(body, status=error.status)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn any expected error of a call into the one body; anything else goes on to the 500 page."""
    if isinstance(error, ProductError):
        set_rollback()
        body = error_body(error.detail, error.code, field=error.field, value=error.value)
        return Response(body, status=error.status)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied("Permission denied")
    if not isinstance(error, exceptions.APIException):
        return None
    set_rollback()
    field, detail = _first_message(error.detail)
    if isinstance(error, exceptions.NotAuthenticated):
        detail = "Authentication required"
    body = error_body(detail, _CODES.get(error.status_code, "ERROR"), field=field, value=_sent(field, context))
    headers = {"WWW-Authenticate": "Bearer"} if error.status_code == status.HTTP_401_UNAUTHORIZED else None
    return Response(body, status=error.status_code, headers=headers)


def _first_message(detail: Any) -> tuple[str | None, str]:
    field: str | None = None
    while isinstance(detail, dict | list):
        if isinstance(detail, dict):
            key = next(iter(detail))
            field, detail = (None if key == "non_field_errors" else str(key)), detail[key]
        else:
            detail = detail[0]
    return field, str(detail)


def _sent(field: str | None, context: dict[str, Any]) -> object:
    data = getattr(context.get("request"), "data", None)
    return data.get(field) if field and isinstance(data, dict) else None


def not_found(request: HttpRequest) -> JsonResponse:
    """JSON 404 for unknown API paths."""
    return JsonResponse(error_body("Not found.", "NOT_FOUND"), status=404)
