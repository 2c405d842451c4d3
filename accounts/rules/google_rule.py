"""Whose password no longer signs in, because their organisation asks for Google."""

from django.conf import settings

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.rules.models import OwnedDomain
from accounts.users.models import User, domain_of
from emailcheck.common.errors import Refused


def is_google_set_up() -> bool:
    """Whether people can sign in with Google at all."""
    return bool(settings.GOOGLE_CLIENT_ID and settings.GOOGLE_CLIENT_SECRET)


def find_requiring_organisation(user: User) -> Organisation | None:
    """The organisation that has proved the domain of a person's confirmed address, requires Google there, and has the
    person as a member. Owners may always use their password: a lost Google account locks no organisation out."""
    if not user.email_verified or not is_google_set_up():
        return None
    member_of = Membership.objects.filter(user=user).exclude(role=OrganisationRole.OWNER).values("organisation")
    rules = OwnedDomain.objects.filter(
        name=domain_of(user.email), google_required=True, organisation__in=member_of, organisation__deleted_at=None
    )
    rule = rules.exclude(proved_at=None).select_related("organisation__holder").first()
    return rule.organisation if rule else None


def check_password_signs_in(user: User) -> None:
    """Raises `Refused` (`GOOGLE_REQUIRED`) for a person who signs in by Google alone; after the right password, or by a
    link from their mailbox."""
    organisation = find_requiring_organisation(user)
    if organisation is not None:
        raise Refused(f"{organisation.title} requires you to sign in with Google.", code="GOOGLE_REQUIRED")
