"""The outside providers that are connected, in their order."""

from validation.providers.clients.base import Provider
from validation.providers.clients.registry import load_providers


def list_connected() -> tuple[Provider, ...]:
    """Those that have a key."""
    return tuple(load_providers().values())
