"""What an organisation asks of the people who work in it: to come from one of its networks, and a second factor."""

import ipaddress
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.organisations.models import Organisation
from emailcheck.common.errors import Refused

if TYPE_CHECKING:
    from accounts.users.models import User


def check_admission(*, user: "User", organisation: Organisation, address: str | None) -> None:
    """Raises `Refused` for a person who may not work in the organisation now: `IP_NOT_ALLOWED` from another network,
    `MFA_SETUP_REQUIRED` without the second factor that it requires."""
    if not is_address_allowed(address, organisation.networks):
        raise Refused(
            f"{organisation.title} may be used from its own networks only, and {address or 'yours'} is not one of "
            "their addresses.",
            code="IP_NOT_ALLOWED",
        )
    if is_second_factor_due(organisation) and not user.has_second_factor:
        raise Refused(
            f"{organisation.title} requires two-factor sign-in. Set it up under Security to go on.",
            code="MFA_SETUP_REQUIRED",
        )


def is_second_factor_due(organisation: Organisation) -> bool:
    """Whether its members need a second factor by now."""
    since = organisation.second_factor_from
    return since is not None and since <= timezone.now()


def is_address_allowed(address: str | None, allowed: Iterable[str]) -> bool:
    """Whether an address is one of these, or in one of these networks; without any, every address is."""
    places = [ipaddress.ip_network(place) for place in allowed]
    return not places or (address is not None and any(ipaddress.ip_address(address) in place for place in places))
