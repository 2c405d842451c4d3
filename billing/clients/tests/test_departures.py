"""What becomes of clients when their agency is suspended or deleted, or their own people go; and calls meanwhile."""

from typing import Any

import pytest
from django.core import mail

from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Organisation
from accounts.privacy import services as privacy
from accounts.staff import services as staff
from accounts.team import deletion
from accounts.team.models import Invitation
from accounts.tests.mailed import read_mails
from accounts.tests.team import roles_in
from accounts.users.models import User
from billing.clients import services as clients
from billing.clients.tests.agencies import balance, client_in, join, make_client, transfer
from billing.ledger.models import CreditTransfer, Direction
from billing.ledger.transfers import transfer_credits
from conftest import client_of, client_with
from emailcheck.common.errors import NotFound
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.django_db
DELETION = "/api/user/deletion"


def suspend(user: User, by: User) -> None:
    staff.change_account(user=user, by=by, is_active=False, suspension_reason="Spam")


def names(found: list[Organisation]) -> list[str]:
    return [one.title for one in found]


@pytest.mark.spec("ORG-035", "ORG-032")
def test_clients_without_people_are_suspended_and_readmitted_with_their_agency(
    alice: User, bob: User, sam: User
) -> None:
    lonely, peopled, left = (make_client(alice, name) for name in ("Lonely", "Peopled", "Left"))
    join(bob, peopled, "viewer")
    join(bob, left, "owner")
    clients.end_agency_access(organisation=left)
    texts = [keys.create_key(organisation=one, maker=alice, name="Shop")[1] for one in (lonely, peopled, left)]

    def statuses() -> list[int]:
        return [client_with(text).get("/api/credits").status_code for text in texts]

    assert statuses() == [200, 200, 200]
    for _ in range(2):
        suspend(alice, sam)
    assert statuses() == [403, 200, 200]
    lonely.refresh_from_db()
    assert lonely.is_active is False
    staff.change_account(user=alice, by=sam, is_active=True)
    assert statuses() == [200, 200, 200]


@pytest.mark.spec("ORG-035")
def test_an_agency_with_another_owner_goes_on_with_its_clients(alice: User, bob: User, sam: User) -> None:
    lonely = make_client(alice)
    join(bob, alice.own_organisation, "owner")
    suspend(alice, sam)
    lonely.refresh_from_db()
    assert (lonely.is_active, client_in(bob, lonely).get("/api/credits").status_code) == (True, 200)


@pytest.mark.spec("ORG-013", "ORG-034")
def test_the_heir_of_a_client_is_mailed(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "viewer")
    invited = client_in(alice, client).post(
        "/api/organisation/invitations", {"email": "carol@cedar.org", "role": "admin"}, format="json"
    )
    read_mails()
    wish = {"name": "Alice Alder", "password": "correct-horse-42"}
    assert client_of(alice).delete("/api/organisation", wish, format="json").status_code == 200
    assert ("bob@birch.net", "Your role in Cedar Books has changed") in read_mails()
    written = next(str(sent.body) for sent in mail.outbox if "Cedar Books" in str(sent.subject))
    assert "Before: Viewer\nNow: Owner\n" in written
    assert "By: Alice Alder\n" in written
    assert roles_in(client) == {"bob@birch.net": "owner"}
    line = Activity.objects.get(action="Became an owner, because the agency was deleted")
    assert (line.organisation, line.changes) == (client, {"role": ["viewer", "owner"]})
    assert line.target == f"user:{bob.pk}"
    assert Invitation.objects.get(public_id=invited.json()["id"]).state == "revoked"


@pytest.mark.spec("ORG-034", "ORG-032")
def test_a_client_whose_only_member_goes_goes_on_with_its_agency(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    transfer(client_of(alice), client, credits=40)
    planned = client_of(bob).get(DELETION).json()
    assert ([one["name"] for one in planned["deleted"]], [one["name"] for one in planned["left"]]) == (
        ["Bob Birch"], ["Cedar Books"],
    )  # fmt: skip
    for _ in range(2):
        privacy.close_account(user=bob)
    client.refresh_from_db()
    assert (client.deleted_at, client.is_active, client.title, roles_in(client)) == (None, True, "Cedar Books", {})
    assert (balance(client), client_in(alice, client).get("/api/credits").json()["credits"]) == (40, 40)
    assert transfer(client_of(alice), client, credits=40, direction="to_agency", key="transfer-2").status_code == 200


@pytest.mark.spec("ORG-034", "ORG-032")
@pytest.mark.parametrize("why", ["ended", "suspended"])
def test_without_an_agency_that_acts_it_is_closed(alice: User, bob: User, why: str) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    if why == "ended":
        clients.end_agency_access(organisation=client)
    else:
        Organisation.objects.filter(pk=alice.own_organisation.pk).update(is_active=False)
    assert names(deletion.plan_departure(bob).deleted) == ["Bob Birch", "Cedar Books"]
    privacy.close_account(user=bob)
    client.refresh_from_db()
    assert client.deleted_at is not None


@pytest.mark.spec("ORG-034", "ORG-032")
def test_who_owns_both_leaves_neither_behind(alice: User) -> None:
    client = make_client(alice)
    join(alice, client, "owner")
    planned = deletion.plan_departure(alice)
    assert (names(planned.deleted), names(planned.left)) == (["Alice Alder", "Cedar Books"], [])
    privacy.close_account(user=alice)
    assert not Organisation.objects.filter(deleted_at=None).exists()


@pytest.mark.spec("ORG-032", "ORG-031")
def test_a_call_that_was_under_way_takes_nothing_back_after_the_end(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    transfer(client_of(alice), client, credits=40)
    loaded = clients.load_client(alice.own_organisation, client.public_id)
    assert client_in(bob, client).post("/api/organisation/agency/end").status_code == 200
    for way in (Direction.TO_AGENCY, Direction.TO_CLIENT):
        with pytest.raises(NotFound):
            transfer_credits(agency=alice.own_organisation, client=loaded, credits=40, direction=way, key=way)
    assert (balance(client), balance(alice.own_organisation), CreditTransfer.objects.count()) == (40, 60, 1)


@pytest.mark.spec("ORG-032")
def test_a_call_that_was_under_way_renames_nothing_after_the_end(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    loaded = clients.load_client(alice.own_organisation, client.public_id)
    clients.end_agency_access(organisation=client)
    with pytest.raises(NotFound):
        clients.rename_client(agency=alice.own_organisation, client=loaded, name="Cedar Press")
    client.refresh_from_db()
    assert (client.name, Activity.objects.filter(action__contains="is called").count()) == ("Cedar Books", 0)


@pytest.mark.spec("ORG-032", "ORG-031")
@pytest.mark.django_db(transaction=True)
def test_of_sixteen_calls_none_moves_credits_after_the_end(alice: User, bob: User) -> None:
    agency, client = alice.own_organisation, make_client(alice)
    join(bob, client, "owner")
    transfer_credits(agency=agency, client=client, credits=60, direction=Direction.TO_CLIENT, key="first")
    found: list[int] = []

    def call(number: int) -> Any:
        if number == 7:
            clients.end_agency_access(organisation=Organisation.objects.get(pk=client.pk))
            found.append(balance(client))
            return "ended"
        way = Direction.TO_AGENCY
        transfer_credits(agency=agency, client=client, credits=1, direction=way, key=f"number-{number}")
        return "moved"

    answers = run_sixteen(call)
    moved = answers.count("moved")
    assert (answers.count("ended"), answers.count("NOT_FOUND")) == (1, 15 - moved)
    assert (found, balance(client), balance(agency)) == ([60 - moved], 60 - moved, 40 + moved)
