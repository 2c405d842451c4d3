"""What the API schema shows."""

from typing import Any

Endpoint = tuple[str, str, str, Any]
VERSIONED = "/api/v1/"


def without_second_names(endpoints: list[Endpoint]) -> list[Endpoint]:
    """Each call once: all of `/api/…` answers under `/api/v1/…` too, as the schema's description says."""
    return [endpoint for endpoint in endpoints if not endpoint[0].startswith(VERSIONED)]
