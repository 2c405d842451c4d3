"""Whether somebody may work in an organisation now: it is not suspended, they come from one of its networks, and have
the second factor that it requires."""

import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.organisations.models import Organisation
from emailcheck.common.errors import Refused
from emailcheck.common.ip_addresses import unmap_address, unmap_network

if TYPE_CHECKING:
    from accounts.users.models import User


def check_admission(*, user: "User", organisation: Organisation, address: str | None) -> None:
    """Raises what `find_closure` finds."""
    closure = find_closure(user=user, organisation=organisation, address=address)
    if closure is not None:
        raise closure


def find_closure(*, user: "User", organisation: Organisation, address: str | None) -> Refused | None:
    """Why a person may not work in the organisation now, or None: `ORGANISATION_SUSPENDED`, `IP_NOT_ALLOWED` from
    another network, `MFA_SETUP_REQUIRED` without the second factor that it requires."""
    if not organisation.is_active:
        return build_suspension()
    if not is_address_allowed(address, organisation.networks):
        return Refused(
            f"{organisation.title} may be used from its own networks only, and {address or 'yours'} is not one of "
            "their addresses.",
            code="IP_NOT_ALLOWED",
        )
    if is_second_factor_due(organisation) and not user.has_second_factor:
        return Refused(
            f"{organisation.title} requires two-factor sign-in. Set it up under Security to go on.",
            code="MFA_SETUP_REQUIRED",
        )
    return None


def check_suspension(organisation: Organisation) -> None:
    """Raises `Refused` for a suspended organisation."""
    if not organisation.is_active:
        raise build_suspension()


def build_suspension() -> Refused:
    """The refusal of whatever needs a suspended organisation (ORG-035)."""
    return Refused("This organisation is suspended.", code="ORGANISATION_SUSPENDED")


def is_second_factor_due(organisation: Organisation) -> bool:
    """Whether its members need a second factor by now."""
    since = organisation.second_factor_from
    return since is not None and since <= timezone.now()


def is_address_allowed(address: str | None, allowed: Iterable[str]) -> bool:
    """Whether an address is one of these, or in one of these networks; without any, every address is."""
    places = [unmap_network(ipaddress.ip_network(place)) for place in allowed]
    if not places or address is None:
        return not places
    there = ipaddress.ip_address(unmap_address(address))
    return any(there in place for place in places)
