"""One bill to the agency: its clients buy nothing."""

from accounts.organisations.models import Organisation
from emailcheck.common.errors import Refused


def require_own_bill(organisation: Organisation) -> Organisation:
    """The organisation, which pays for itself. Raises `Refused` for a client of an agency."""
    agency = organisation.paying_agency
    if agency is not None:
        raise Refused(f"{agency.title} pays for {organisation.title}: one bill to the agency. Ask it for credits.")
    return organisation
