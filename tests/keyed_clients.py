"""Clients of the API with keys of either edition of the contract."""

from rest_framework.test import APIClient

from accounts.access.models import FIRST_EDITION, ApiKey
from accounts.keys import services as keys
from accounts.users.models import User
from conftest import client_with

V1 = "/api/v1"
HISTORY = f"{V1}/validate/batches"


def client_of_key(user: User, *, early: bool = False, test: bool = False) -> APIClient:
    """A client with a key; `early`: one that was made before the rules of today."""
    key, text = keys.create_key(organisation=user.own_organisation, maker=user, name="Shop", test=test)
    if early:
        ApiKey.objects.filter(pk=key.pk).update(edition=FIRST_EDITION)
    return client_with(text)
