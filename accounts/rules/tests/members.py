"""Members of an organisation, and calls in it."""

from typing import Any

from rest_framework.test import APIClient

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from conftest import client_of


def join(user: User, organisation: Organisation, role: OrganisationRole = OrganisationRole.MEMBER) -> APIClient:
    """Make the person a member who works there."""
    Membership.objects.create(user=user, organisation=organisation, role=role)
    User.objects.filter(pk=user.pk).update(current_organisation=organisation)
    return client_of(User.objects.get(pk=user.pk))


def refusal(answer: Any) -> tuple[int, str]:
    """The status and code of a refusal."""
    return answer.status_code, answer.json()["code"]
