"""The providers with an account of ours."""

from functools import lru_cache

from validation.providers.clients.base import Provider
from validation.providers.clients.configuration import SERVICES, Access, read_access
from validation.providers.clients.kickbox import Kickbox
from validation.providers.clients.neverbounce import NeverBounce
from validation.providers.clients.zerobounce import ZeroBounce

_CLIENTS: dict[str, type[ZeroBounce] | type[NeverBounce] | type[Kickbox]] = {
    "zerobounce": ZeroBounce,
    "neverbounce": NeverBounce,
    "kickbox": Kickbox,
}


def load_providers() -> dict[str, Provider]:
    """The configured providers by name, in the order of the catalogue."""
    reached = [read_access(service) for service in SERVICES]
    return {found.service.name: _build_client(found) for found in reached if found.is_configured}


@lru_cache(maxsize=16)
def _build_client(found: Access) -> Provider:
    return _CLIENTS[found.service.name](found)
