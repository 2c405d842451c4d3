"""What the API schema shows."""

from typing import Any

Endpoint = tuple[str, str, str, Any]
VERSIONED = "/api/v1/"


def without_second_names(endpoints: list[Endpoint]) -> list[Endpoint]:
    """Each call once: all of `/api/…` answers under `/api/v1/…` too, as the schema's description says."""
    return [endpoint for endpoint in endpoints if not endpoint[0].startswith(VERSIONED)]


def with_limits(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every call may come too often."""
    too_many = {
        "description": "Too many requests: `Retry-After` says in how many seconds one more will pass.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("429", too_many)
    return result
