"""A second person in an organisation, for tests."""

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User


def add_member(organisation: Organisation, user: User, role: OrganisationRole) -> Membership:
    """Make somebody a member, and let them work there."""
    User.objects.filter(pk=user.pk).update(current_organisation=organisation)
    return Membership.objects.create(organisation=organisation, user=user, role=role)


def roles_in(organisation: Organisation) -> dict[str, str]:
    """Who belongs to it, by address, and as what."""
    return dict(Membership.objects.filter(organisation=organisation).values_list("user__email", "role"))
