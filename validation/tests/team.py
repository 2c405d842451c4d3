"""People of an organisation, as calls see them."""

from rest_framework.test import APIClient

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from conftest import make_user


def add_member(organisation: Organisation, role: OrganisationRole, name: str = "") -> User:
    """A new person with an account of their own who is a member too."""
    user = make_user(f"{name or role.value}@team.org", (name or role.value).title())
    Membership.objects.create(organisation=organisation, user=user, role=role)
    return user


def client_in(organisation: Organisation, user: User) -> APIClient:
    """A client that names the organisation in which the person works."""
    client = APIClient()
    token = start_sign_in(user=user, device="test").access
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}", HTTP_X_ORGANISATION=organisation.public_id)
    return client
