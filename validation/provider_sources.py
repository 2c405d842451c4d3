"""The outside providers that are connected, in their order."""

from validation.providers.base import Provider


def connected() -> tuple[Provider, ...]:
    """Those that have a key."""
    return ()
