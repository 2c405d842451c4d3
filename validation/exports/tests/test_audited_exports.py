"""Who took the results of a list, and who deleted it, stands in the audit of the organisation."""

import pytest
from rest_framework.test import APIClient

from accounts.activity.models import Activity, ActivityKind
from accounts.keys import services as keys
from accounts.users.models import User
from conftest import client_with
from validation.tests import stored


@pytest.mark.spec("ORG-024")
def test_taking_and_deleting_a_list_are_noted_without_its_addresses(alice: User, alice_api: APIClient) -> None:
    batch = stored.finished(alice, [("ida@harborquill.com", "valid"), ("no@harborquill.com", "invalid")])
    path = f"/api/validate/batch/{batch.public_id}"
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    alice_api.get(f"{path}/export", {"format": "csv", "segment": "all"}).getvalue()
    client_with(text).get(f"{path}/results", headers={"accept": "application/x-ndjson"}).getvalue()
    found = Activity.objects.filter(kind=ActivityKind.EXPORT).order_by("pk")
    assert list(found.values_list("action", "target", "role", "via")) == [
        ("List of 2 addresses downloaded as csv: all", batch.public_id, "owner", ""),
        ("List of 2 addresses read as a stream of lines: all", batch.public_id, "key", text[:16]),
    ]
    for _ in range(2):
        alice_api.delete(path)
    deleted = Activity.objects.get(action="List of 2 addresses deleted")
    assert (deleted.organisation, deleted.role, deleted.target) == (alice.own_organisation, "owner", batch.public_id)
    assert not Activity.objects.filter(action__contains="harborquill").exists()


@pytest.mark.spec("ORG-024")
def test_a_refused_download_is_not_noted(alice: User, bob_api: APIClient, alice_api: APIClient) -> None:
    batch = stored.finished(alice, [("ida@harborquill.com", "valid")])
    path = f"/api/validate/batch/{batch.public_id}/export"
    assert bob_api.get(path, {"format": "csv", "segment": "all"}).status_code == 404
    assert alice_api.get(path, {"format": "original", "segment": "all"}).status_code >= 400
    assert not Activity.objects.filter(kind=ActivityKind.EXPORT).exists()
