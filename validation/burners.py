"""Domains that give out throw-away mailboxes, for the apps below."""

from functools import cache

from validation.engine import Knowledge


def is_disposable(domain: str) -> bool:
    """Whether the engine's lists name a domain, or the one above it, as disposable."""
    return _knowledge().about(domain).is_burner is True


@cache
def _knowledge() -> Knowledge:
    return Knowledge()
