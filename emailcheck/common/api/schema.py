"""What the API schema shows."""

from typing import Any

from emailcheck.common.api import idempotency

Endpoint = tuple[str, str, str, Any]
VERSIONED = "/api/v1/"
# Calls that are described for programs: whoever makes one without a credential is taken to lack a key.
FOR_PROGRAMS = (VERSIONED, "/api/validate/")
_HEADERS = {
    "X-Request-Id": "The id of this call, to quote to support and to find it in the request log.",
    "RateLimit": "How many calls are left, and in how many seconds one more is free.",
    "RateLimit-Policy": "How many calls there may be in how many seconds.",
}
_IDEMPOTENCY_KEY = {
    "in": "header",
    "name": idempotency.HEADER,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "description": "Within 24 hours the same key gets the first answer again; nothing is done twice.",
}


def drop_duplicate_paths(endpoints: list[Endpoint]) -> list[Endpoint]:
    """List each call once: `/api/…` answers under `/api/v1/…` too, as the schema's description says."""
    return [endpoint for endpoint in endpoints if not endpoint[0].startswith(VERSIONED)]


def describe_rate_limits(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe the 429 answer and the rate limit headers of every call."""
    headers = {name: {"schema": {"type": "string"}, "description": text} for name, text in _HEADERS.items()}
    result["components"]["headers"] = headers
    too_many = {
        "description": "Too many requests: `Retry-After` says in how many seconds one more will pass.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("429", too_many)
            operation["responses"].setdefault("default", {**too_many, "description": "Every other refusal."})
            for answer in operation["responses"].values():
                answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
    return result


def describe_idempotency(result: dict[str, Any], generator: Any, **_: Any) -> dict[str, Any]:
    """Says which calls may be repeated with an `Idempotency-Key`."""
    for path, _regex, method, callback in generator.endpoints:
        if idempotency.is_repeatable(getattr(callback.cls, method.lower())):
            result["paths"][path][method.lower()].setdefault("parameters", []).append(_IDEMPOTENCY_KEY)
    return result
