"""Who reads in a call of the API."""

from rest_framework.request import Request

from accounts.access.authentication import api_key_of
from accounts.access.calling import build_role_error, calling_organisation, membership_of
from accounts.organisations.roles import OrganisationRole
from validation.access.readers import Reader


def calling_reader(request: Request) -> Reader:
    """The member who calls, or the key. Raises as `calling_organisation`."""
    organisation, key = calling_organisation(request), api_key_of(request)
    return Reader(organisation, None if key else membership_of(request), key)


def downloading_reader(request: Request) -> Reader:
    """As `calling_reader`, for files. Raises `Refused` (`PERMISSION_DENIED`) for viewers who may not download."""
    reader = calling_reader(request)
    member = reader.membership
    if member and member.role == OrganisationRole.VIEWER and not reader.organisation.viewers_may_download:
        raise build_role_error(member)
    return reader
