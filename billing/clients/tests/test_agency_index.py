"""How the clients of an agency are found among many organisations that have none."""

import pytest
from django.db import connection

from accounts.organisations.models import Organisation, list_clients
from accounts.users.models import User
from accounts.users.ownership import list_clients_without_owner
from billing.clients.tests.agencies import make_client


@pytest.mark.spec("ORG-031")
@pytest.mark.skipif(connection.vendor != "sqlite", reason="the plans of SQLite")
def test_clients_are_found_without_reading_all_organisations(alice: User) -> None:
    client = make_client(alice)
    Organisation.objects.bulk_create([Organisation(name=f"Company {n}") for n in range(2_000)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE accounts_organisation")
    for found in (list_clients(alice.own_organisation), list_clients_without_owner([alice.own_organisation])):
        assert "USING INDEX organisation_of_agency (agency_id=?)" in found.explain()
        assert list(found) == [client]
