"""The connected outside providers, in order."""

from validation.providers.clients.base import Provider
from validation.providers.clients.registry import load_providers


def list_connected() -> tuple[Provider, ...]:
    """The providers with a key."""
    return tuple(load_providers().values())
