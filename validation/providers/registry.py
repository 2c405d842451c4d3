"""The providers that we have an account with."""

from functools import lru_cache

from validation.providers.base import Provider
from validation.providers.configuration import SERVICES, Access, access
from validation.providers.kickbox import Kickbox
from validation.providers.neverbounce import NeverBounce
from validation.providers.zerobounce import ZeroBounce

_ADAPTERS: dict[str, type[ZeroBounce] | type[NeverBounce] | type[Kickbox]] = {
    "zerobounce": ZeroBounce,
    "neverbounce": NeverBounce,
    "kickbox": Kickbox,
}


def providers() -> dict[str, Provider]:
    """Those that are configured, by name, in the order of the catalogue."""
    reached = [access(service) for service in SERVICES]
    return {found.service.name: _adapter(found) for found in reached if found.is_configured}


@lru_cache(maxsize=16)
def _adapter(found: Access) -> Provider:
    return _ADAPTERS[found.service.name](found)
