"""Credits between an agency and its clients."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.users.models import User
from billing.clients.tests.agencies import balance, client_in, join, make_client, transfer
from billing.ledger import services as ledger
from billing.ledger.models import CreditEntry, CreditLot, CreditTransfer, Direction, EntryKind, LotKind
from billing.ledger.transfers import transfer_credits
from billing.subscriptions import entitlements
from conftest import make_user
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.django_db


def entries() -> list[tuple[int, int, str]]:
    moved = CreditEntry.objects.filter(kind=EntryKind.TRANSFER).order_by("pk")
    return list(moved.values_list("organisation_id", "amount", "reason"))


@pytest.mark.spec("ORG-031")
def test_credits_go_to_a_client_and_back_in_entries_of_sum_nought(alice: User, alice_api: APIClient) -> None:
    agency, client = alice.own_organisation, make_client(alice)
    answer = transfer(alice_api, client, credits=40)
    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in ("agency", "client", "direction", "credits")} == {
        "agency": "Alice Alder", "client": "Cedar Books", "direction": "to_client", "credits": 40,
    }  # fmt: skip
    assert (balance(agency), balance(client)) == (60, 40)
    assert transfer(alice_api, client, credits=15, direction="to_agency", key="transfer-2").status_code == 200
    assert (balance(agency), balance(client)) == (75, 25)
    assert entries() == [
        (agency.pk, -40, "Credits to Cedar Books"), (client.pk, 40, "Credits from Alice Alder"),
        (client.pk, -15, "Credits to Alice Alder"), (agency.pk, 15, "Credits from Cedar Books"),
    ]  # fmt: skip
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ORG-031")
def test_a_transfer_that_is_sent_again_moves_once(alice: User, alice_api: APIClient) -> None:
    client = make_client(alice)
    first, again = transfer(alice_api, client, credits=40), transfer(alice_api, client, credits=40)
    assert (first.status_code, again.status_code, first.json()) == (200, 200, again.json())
    other = transfer(alice_api, client, credits=41)
    assert (other.status_code, other.json()["code"]) == (422, "IDEMPOTENCY_MISMATCH")
    assert (balance(alice.own_organisation), balance(client), CreditTransfer.objects.count()) == (60, 40, 1)
    assert Activity.objects.filter(action="40 credits went from Alice Alder to Cedar Books").count() == 2


@pytest.mark.spec("ORG-031")
def test_more_than_can_be_moved_is_refused(alice: User, alice_api: APIClient) -> None:
    client = make_client(alice)
    answer = transfer(alice_api, client, credits=101)
    assert (answer.status_code, answer.json()["code"]) == (403, "QUOTA_EXCEEDED")
    assert answer.json()["detail"] == "100 credits can be moved; you asked for 101."
    assert transfer(alice_api, client, credits=1, direction="to_agency").status_code == 403
    assert [transfer(alice_api, client, credits=wrong).status_code for wrong in (0, -5, "many", None)] == [400] * 4
    assert (balance(alice.own_organisation), balance(client), CreditTransfer.objects.count()) == (100, 0, 0)


@pytest.mark.spec("ORG-031")
@pytest.mark.parametrize("kind", [LotKind.WELCOME, LotKind.TRIAL])
def test_welcome_and_trial_credits_stay(alice: User, alice_api: APIClient, kind: LotKind) -> None:
    client = make_client(alice)
    CreditLot.objects.filter(organisation=alice.own_organisation).update(kind=kind)
    ledger.grant_credits(
        organisation_id=alice.pk, kind=LotKind.BONUS, amount=7, reason="Bonus", key="bonus", expires_at=None
    )
    assert alice_api.get("/api/organisation/clients").json()["movable"] == 7
    assert transfer(alice_api, client, credits=8).status_code == 403
    assert transfer(alice_api, client, credits=7).status_code == 200
    assert (balance(alice.own_organisation), balance(client)) == (100, 7)


@pytest.mark.spec("ORG-031")
def test_only_what_the_client_has_not_used_can_be_taken_back(alice: User, alice_api: APIClient) -> None:
    client = make_client(alice)
    transfer(alice_api, client, credits=40)
    ledger.grant_credits(organisation_id=client.pk, kind=LotKind.BONUS, amount=5, reason="Bonus", key="b")
    hold = ledger.open_hold(organisation_id=client.pk, amount=30, reason="List", key="list")
    assert alice_api.get("/api/organisation/clients").json()["clients"][0] | {"created_at": ""} == {
        "id": client.public_id, "name": "Cedar Books", "credits": 15, "returnable": 10, "members": 0,
        "has_logo": False, "created_at": "",
    }  # fmt: skip
    assert transfer(alice_api, client, credits=11, direction="to_agency", key="transfer-2").status_code == 403
    assert transfer(alice_api, client, credits=10, direction="to_agency", key="transfer-2").status_code == 200
    ledger.close_hold(hold=hold, captured=0)
    assert (balance(alice.own_organisation), balance(client)) == (70, 35)
    assert transfer(alice_api, client, credits=30, direction="to_agency", key="transfer-3").status_code == 200
    assert (balance(alice.own_organisation), balance(client), ledger.reconcile_ledger()) == (100, 5, [])


@pytest.mark.spec("ORG-031")
def test_credits_end_when_they_would_have_ended(alice: User, alice_api: APIClient) -> None:
    client, agency = make_client(alice), alice.own_organisation
    ends = CreditLot.objects.get(organisation=agency).expires_at
    assert ends is not None
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=50, reason="Pack", key="pack")
    transfer(alice_api, client, credits=120)
    lots = CreditLot.objects.filter(organisation=client).order_by("pk")
    assert list(lots.values_list("kind", "remaining", "expires_at")) == [
        ("transfer", 100, ends), ("transfer", 20, None),
    ]  # fmt: skip
    assert entitlements.has_full_checks(client)
    with time_machine.travel(ends + timedelta(seconds=1), tick=False):
        ledger.write_off_expired(organisation_id=client.pk)
        assert balance(client) == 20
        transfer_credits(agency=agency, client=client, credits=20, direction=Direction.TO_AGENCY, key="back-back")
    pack = CreditLot.objects.get(organisation=agency, kind=LotKind.PACK)
    assert (pack.remaining, balance(client), ledger.reconcile_ledger()) == (50, 0, [])


def test_what_comes_back_to_a_plan_that_rests_rests_with_it(alice: User) -> None:
    client, agency = make_client(alice), alice.own_organisation
    transfer_credits(agency=agency, client=client, credits=40, direction=Direction.TO_CLIENT, key="give-some")
    ledger.freeze_credits(organisation_id=agency.pk)
    transfer_credits(agency=agency, client=client, credits=40, direction=Direction.TO_AGENCY, key="take-some")
    lot = CreditLot.objects.get(organisation=agency)
    assert (lot.remaining, lot.frozen, balance(agency), balance(client)) == (0, 100, 0, 0)
    assert ledger.reconcile_ledger() == []


def test_what_came_from_a_lot_that_has_lapsed_stays(alice: User, alice_api: APIClient) -> None:
    client = make_client(alice)
    transfer(alice_api, client, credits=40)
    CreditLot.objects.filter(organisation=alice.own_organisation).update(expires_at=timezone.now())
    assert transfer(alice_api, client, credits=1, direction="to_agency", key="transfer-2").status_code == 403
    assert balance(client) == 40


@pytest.mark.spec("ORG-031")
def test_a_client_sees_its_transfers_and_both_their_statements(alice: User, bob: User, alice_api: APIClient) -> None:
    client = make_client(alice)
    join(bob, client, "viewer")
    transfer(alice_api, client, credits=40)
    seen = client_in(bob, client).get("/api/organisation/transfers").json()
    assert (seen["agency"], [(one["direction"], one["credits"]) for one in seen["transfers"]]) == (
        "Alice Alder", [("to_client", 40)],
    )  # fmt: skip
    assert client_in(bob, alice.own_organisation).get("/api/organisation/transfers").status_code == 404
    mine = alice_api.get("/api/credits/statement").json()["entries"][-1]
    theirs = client_in(alice, client).get("/api/credits/statement").json()["entries"]
    assert (mine["reason"], mine["amount"]) == ("Credits to Cedar Books", -40)
    assert [(one["reason"], one["amount"], one["lot"]) for one in theirs] == [
        ("Credits from Alice Alder", 40, "transfer")
    ]


@pytest.mark.spec("ORG-031")
def test_clients_of_others_are_not_found(alice: User, bob: User, bob_api: APIClient) -> None:
    client = make_client(alice)
    path = f"/api/organisation/clients/{client.public_id}"
    answers = [
        transfer(bob_api, client, credits=1),
        bob_api.get(f"{path}/transfers"),
        bob_api.put(path, {"name": "Mine"}, format="json"),
        bob_api.delete(f"{path}/logo"),
    ]
    assert [answer.status_code for answer in answers] == [404] * 4
    client.refresh_from_db()
    assert (client.name, CreditTransfer.objects.count()) == ("Cedar Books", 0)


@pytest.mark.spec("ORG-031")
@pytest.mark.django_db(transaction=True)
def test_of_sixteen_at_once_no_credit_is_made_or_lost(alice: User) -> None:
    agency, client = alice.own_organisation, make_client(alice)

    def move(number: int) -> Any:
        way = Direction.TO_CLIENT if number % 3 else Direction.TO_AGENCY
        return transfer_credits(agency=agency, client=client, credits=15, direction=way, key=f"number-{number}").credits

    answers = run_sixteen(move)
    gone = [number for number, answer in enumerate(answers) if answer == 15]
    there = sum(15 if number % 3 else -15 for number in gone)
    assert set(answers) <= {15, "QUOTA_EXCEEDED"}
    assert (balance(agency), balance(client), ledger.reconcile_ledger()) == (100 - there, there, [])


@pytest.mark.spec("ORG-031")
@pytest.mark.django_db(transaction=True)
def test_of_sixteen_with_one_key_one_moves(alice: User) -> None:
    client = make_client(alice)

    def move(_: int) -> str:
        agency, way = alice.own_organisation, Direction.TO_CLIENT
        return transfer_credits(agency=agency, client=client, credits=30, direction=way, key="the-same").public_id

    assert len(set(run_sixteen(move))) == 1
    assert (balance(alice.own_organisation), balance(client), ledger.reconcile_ledger()) == (70, 30, [])


@pytest.mark.spec("ORG-031")
@pytest.mark.django_db(transaction=True)
def test_sixteen_to_and_from_two_clients_end(alice: User) -> None:
    one, two = make_client(alice, "One"), make_client(alice, "Two")
    make_user("carol@cedar.org", "Carol Cedar")

    def move(number: int) -> Any:
        client = one if number % 2 else two
        way = Direction.TO_CLIENT if number < 12 else Direction.TO_AGENCY
        key = f"number-{number}"
        transfer_credits(agency=alice.own_organisation, client=client, credits=5, direction=way, key=key)
        return "moved"

    assert set(run_sixteen(move)) <= {"moved", "QUOTA_EXCEEDED"}
    assert balance(alice.own_organisation) + balance(one) + balance(two) == 100
    assert ledger.reconcile_ledger() == []
