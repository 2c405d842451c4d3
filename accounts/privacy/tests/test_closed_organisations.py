"""Export and deletion of somebody whom an organisation does not admit now."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.tests.team import add_member
from accounts.users.models import User
from conftest import client_of, make_user

EXPORT, DELETION = "/api/user/export-data", "/api/user/deletion"
CLOSED = [
    ({"networks": ["203.0.113.0/24"]}, "IP_NOT_ALLOWED"),
    ({"second_factor_from": "2026-01-01T00:00:00Z"}, "MFA_SETUP_REQUIRED"),
    ({"is_active": False}, "ORGANISATION_SUSPENDED"),
]


def close(organisation: Organisation, rule: dict[str, Any]) -> None:
    Organisation.objects.filter(pk=organisation.pk).update(name="Alder & Ash", **rule)


def read_export(api: APIClient) -> Any:
    answer: Any = api.get(EXPORT)
    assert answer.status_code == 200
    return json.loads(b"".join(answer.streaming_content))


def count_exports() -> dict[int | None, int]:
    lines = Activity.objects.filter(action="Data exported").values_list("organisation_id", flat=True)
    return {organisation: list(lines).count(organisation) for organisation in lines}


@pytest.fixture
def of_bob(alice: User, bob: User) -> APIClient:
    """Bob, who owns Alice's organisation with her, and works there."""
    keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop of Alder")
    keys.create_key(organisation=bob.own_organisation, maker=bob, name="Shop of Birch")
    add_member(alice.own_organisation, bob, OrganisationRole.OWNER)
    return client_of(User.objects.get(pk=bob.pk))


@pytest.mark.spec("TEA-001", "ORG-023", "ORG-035")
@pytest.mark.parametrize(("rule", "code"), CLOSED)
def test_the_export_leaves_out_what_is_closed_and_says_why(
    of_bob: APIClient, alice: User, bob: User, rule: dict[str, Any], code: str
) -> None:
    close(alice.own_organisation, rule)
    refused = of_bob.get("/api/credits").json()
    body = read_export(of_bob)
    public_id = alice.own_organisation.public_id
    assert refused["code"] == code
    assert body["organisations_left_out"] == [{"id": public_id, "name": "Alder & Ash", "reason": refused["detail"]}]
    data = body["data"]
    assert [key["name"] for key in data["api_keys"]] == ["Shop of Birch"]
    assert [row["id"] for row in data["organisation"]] == [bob.pk]
    of_alice = {
        name
        for name, rows in data.items()
        for row in rows
        if name != "memberships" and alice.pk in (row.get("organisation_id"), row.get("user_id"))
    }
    assert of_alice == set()
    assert [row["role"] for row in data["memberships"]] == ["owner", "owner"]
    assert [row["email"] for row in data["account"]] == ["bob@birch.net"]
    assert {entry["name"]: entry["rows"] for entry in body["manifest"]} == {
        name: len(rows) for name, rows in data.items()
    }
    assert count_exports() == {None: 1, bob.pk: 1}


@pytest.mark.spec("ORG-024", "ORG-034")
def test_an_export_stands_in_each_organisation_whose_data_it_has(of_bob: APIClient, alice: User, bob: User) -> None:
    other = make_user("cleo@cedar.org", "Cleo Cedar")
    add_member(other.own_organisation, bob, OrganisationRole.ADMIN)
    for exports in (1, 2):
        body = read_export(of_bob)
        assert body["organisations_left_out"] == []
        assert sorted(key["name"] for key in body["data"]["api_keys"]) == ["Shop of Alder", "Shop of Birch"]
        assert count_exports() == {None: exports, alice.pk: exports, bob.pk: exports}
    told = client_of(alice).get("/api/organisation/audit", {"kind": "export"}).json()["lines"]
    assert [(line["who"], line["role"], line["action"]) for line in told] == [
        ("Bob Birch", "owner", "Data exported")
    ] * 2
    mine = of_bob.get("/api/user/activity", {"kind": "export"}).json()["activity"]
    assert [line["action"] for line in mine] == ["Data exported"] * 2


@pytest.mark.spec("TEA-001", "TEA-006", "ORG-034")
@pytest.mark.parametrize(("rule", "code"), CLOSED[:2])
def test_what_a_closed_organisation_holds_is_not_told_before_deletion(
    alice: User, alice_api: APIClient, rule: dict[str, Any], code: str
) -> None:
    public_id = alice.own_organisation.public_id
    lots = [{"kind": "plan", "remaining": 100}]
    told: dict[str, Any] = {"subscription_plan": "growth", "credits": 100, "lots": lots}
    named = {"id": public_id, "name": "Alder & Ash"}
    for values, wanted in ((rule, dict.fromkeys(told)), ({"networks": [], "second_factor_from": None}, told)):
        close(alice.own_organisation, values)
        assert alice_api.get(DELETION).json() == {"deleted": [named | wanted], "left": [], "in_the_way": []}
