"""The outside providers that are connected, in their order."""

from validation.providers.base import Provider
from validation.providers.registry import providers


def connected() -> tuple[Provider, ...]:
    """Those that have a key."""
    return tuple(providers().values())
