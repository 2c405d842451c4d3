"""How much a member may use in a credit month."""

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.users.models import User
from billing.clients.tests.agencies import client_in, make_client
from billing.ledger import services as ledger
from billing.ledger.member_caps import Spender
from billing.ledger.models import CreditAccount, CreditHold
from billing.subscriptions.members import count_member_credits, find_spender
from conftest import client_of, client_with, make_user
from emailcheck.common import registry, request_context
from emailcheck.common.errors import Refused
from emailcheck.common.request_context import Person
from emailcheck.common.testing import run_sixteen
from tests.world import Sandbox

pytestmark = pytest.mark.django_db
LIVING = "ida.holm@harborquill.com"
DETAIL = "Your cap of 2 credits this month is used. Ask an owner or admin."


@pytest.fixture
def member(alice: User, bob: User) -> Membership:
    return Membership.objects.create(user=bob, organisation=alice.own_organisation, role="member", monthly_cap=2)


def in_alices(bob: User, alice: User) -> APIClient:
    return client_in(bob, alice.own_organisation)


def check(api: APIClient) -> Any:
    answer = api.post("/api/validate/single", {"email": LIVING}, format="json")
    return (200, None) if answer.status_code == 200 else (answer.status_code, answer.json()["code"])


def spend(organisation: Organisation, membership: Membership, amount: int, key: str) -> CreditHold:
    person = Person(membership.user_id, organisation.pk, membership.role, monthly_cap=membership.monthly_cap)
    with request_context.answering_request():
        request_context.set_person(person)
        return ledger.open_hold(
            organisation_id=organisation.pk, amount=amount, reason="Test", key=key, spender=find_spender(organisation)
        )


def begin_months(user: User) -> Organisation:
    """An organisation whose credit months begin on the 10th, at noon."""
    organisation = user.own_organisation
    Organisation.objects.filter(pk=organisation.pk).update(created_at=datetime(2026, 1, 10, 12, tzinfo=UTC))
    organisation.subscription.started_at = datetime(2026, 1, 10, 12, tzinfo=UTC)
    organisation.subscription.save()
    return organisation


@pytest.mark.spec("ORG-021")
def test_beyond_the_cap_nothing_is_charged(world: Sandbox, alice: User, bob: User, member: Membership) -> None:
    api = in_alices(bob, alice)
    assert [check(api), check(api), check(api)] == [(200, None), (200, None), (403, "MEMBER_CAP_EXCEEDED")]
    answer = api.post("/api/validate/bulk", {"emails": [LIVING]}, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (403, DETAIL)
    assert CreditAccount.objects.get(organisation=alice.own_organisation).balance == 98
    assert check(client_of(alice)) == (200, None)
    assert check(client_of(bob)) == (200, None)
    assert registry.above.count_member_credits(alice.own_organisation) == {bob.pk: 2, alice.pk: 1}


@pytest.mark.spec("ORG-021")
def test_keys_count_for_nobody(world: Sandbox, alice: User, bob: User, member: Membership) -> None:
    _, text = keys.create_key(organisation=alice.own_organisation, maker=bob, name="Shop")
    assert [check(client_with(text)) for _ in range(3)] == [(200, None)] * 3
    assert count_member_credits(alice.own_organisation) == {}
    assert check(in_alices(bob, alice)) == (200, None)
    assert count_member_credits(alice.own_organisation) == {bob.pk: 1}


@pytest.mark.spec("ORG-021")
def test_holds_count_until_they_are_given_back(alice: User, member: Membership) -> None:
    organisation = alice.own_organisation
    first = spend(organisation, member, 2, "first")
    with pytest.raises(Refused, match="Your cap of 2 credits"):
        spend(organisation, member, 1, "second")
    assert spend(organisation, member, 2, "first") == first
    ledger.close_hold(hold=first, captured=1)
    assert spend(organisation, member, 1, "third").member_id == member.user_id
    assert count_member_credits(organisation) == {member.user_id: 2}
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ORG-021")
def test_it_begins_anew_with_the_credit_month(alice: User, member: Membership) -> None:
    organisation = begin_months(alice)
    with time_machine.travel("2026-03-10 11:59:59+00:00", tick=False) as clock:
        ledger.close_hold(hold=spend(organisation, member, 2, "first"), captured=2)
        with pytest.raises(Refused):
            spend(organisation, member, 1, "second")
        clock.shift(1)
        assert count_member_credits(organisation) == {}
        assert spend(organisation, member, 2, "third").amount == 2


@pytest.mark.spec("ORG-021")
def test_what_runs_over_the_end_of_a_month_counts_in_the_one_in_which_it_began(alice: User, member: Membership) -> None:
    organisation = begin_months(alice)
    with time_machine.travel("2026-03-10 11:55:00+00:00", tick=False) as clock:
        ended, running = (spend(organisation, member, 1, key) for key in ("ended", "running"))
        clock.move_to("2026-03-10 11:59:59+00:00", tick=False)
        with pytest.raises(Refused):
            spend(organisation, member, 1, "too much")
        assert count_member_credits(organisation) == {member.user_id: 2}
        clock.move_to("2026-03-10 12:00:00+00:00", tick=False)
        assert count_member_credits(organisation) == {}
        clock.move_to("2026-03-10 12:05:00+00:00", tick=False)
        for _ in range(2):
            ledger.close_hold(hold=ended, captured=1)
            assert count_member_credits(organisation) == {}
        assert spend(organisation, member, 2, "all of it").amount == 2
        with pytest.raises(Refused, match="Your cap of 2 credits"):
            spend(organisation, member, 1, "too much now")
        ledger.close_hold(hold=running, captured=0)
        assert count_member_credits(organisation) == {member.user_id: 2}
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ORG-021")
def test_owners_and_admins_set_the_cap(alice: User, bob: User, alice_api: APIClient, member: Membership) -> None:
    path = f"/api/organisation/members/{member.pk}/cap"
    for _ in range(2):
        answer = alice_api.put(path, {"monthly_cap": 50}, format="json")
        assert (answer.status_code, answer.json()) == (200, {"monthly_cap": 50})
    line = Activity.objects.get(action="Monthly cap changed")
    changes = {"monthly_cap": [2, 50]}
    assert (line.organisation, line.target, line.changes) == (alice.own_organisation, f"user:{bob.pk}", changes)
    wrong = [alice_api.put(path, body, format="json").status_code for body in ({}, {"monthly_cap": -1})]
    refused = [in_alices(bob, alice).put(path, {"monthly_cap": None}, format="json").status_code]
    assert wrong + refused + [client_of(bob).put(path, {"monthly_cap": None}, format="json").status_code] == [
        400, 400, 403, 404,
    ]  # fmt: skip
    member.refresh_from_db()
    assert member.monthly_cap == 50
    assert alice_api.put(path, {"monthly_cap": None}, format="json").json() == {"monthly_cap": None}


@pytest.mark.spec("ORG-021", "ORG-004")
def test_owners_alone_set_the_caps_of_owners_and_nobody_else_their_own(
    alice: User, bob: User, alice_api: APIClient, member: Membership
) -> None:
    Membership.objects.filter(pk=member.pk).update(role="admin")
    owner, other = Membership.objects.get(user=alice), make_user("ivo@ivy.net", "Ivo Ivy")
    third = Membership.objects.create(user=other, organisation=alice.own_organisation, role="admin")

    def put(api: APIClient, of: Membership, cap: int | None) -> int:
        answer = api.put(f"/api/organisation/members/{of.pk}/cap", {"monthly_cap": cap}, format="json")
        if answer.status_code == 403:
            sentence = "Your role (admin) does not allow this. Ask an owner or admin of Alice Alder."
            assert answer.json()["detail"] == sentence
        return int(answer.status_code)

    api = in_alices(bob, alice)
    assert [put(api, owner, cap) for cap in (0, None)] == [403, 403]
    assert [put(api, member, cap) for cap in (None, 2)] == [403, 403]
    assert put(api, third, 7) == 200
    assert put(alice_api, owner, 9) == 200
    assert put(alice_api, member, 3) == 200
    caps = dict(Membership.objects.filter(organisation=alice.own_organisation).values_list("pk", "monthly_cap"))
    assert caps == {owner.pk: 9, member.pk: 3, third.pk: 7}


@pytest.mark.spec("ORG-021", "ORG-032")
def test_the_agency_sets_no_cap_of_a_client_s_owner(alice: User, bob: User) -> None:
    client = make_client(alice)
    owner = Membership.objects.create(user=bob, organisation=client, role="owner")
    path = f"/api/organisation/members/{owner.pk}/cap"
    assert client_in(alice, client).put(path, {"monthly_cap": 0}, format="json").status_code == 403
    owner.refresh_from_db()
    assert owner.monthly_cap is None


@pytest.mark.spec("ORG-021")
def test_who_has_no_cap_costs_no_statement_more(alice: User) -> None:
    def count(spender: Spender | None, key: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            ledger.open_hold(organisation_id=alice.pk, amount=1, reason="Test", key=key, spender=spender)
        return len(queries)

    assert count(None, "a") == count(Spender(alice.pk), "b")


@pytest.mark.spec("ORG-021")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_in_a_new_month_have_its_cap_whatever_still_runs(alice: User, member: Membership) -> None:
    organisation = begin_months(alice)
    with time_machine.travel("2026-03-10 11:55:00+00:00", tick=False) as clock:
        before = [spend(organisation, member, 1, f"before {number}") for number in range(2)]
        clock.move_to("2026-03-10 12:05:00+00:00", tick=False)

        def close_or_spend(number: int) -> int:
            if number < len(before):
                return ledger.close_hold(hold=before[number], captured=1)
            return spend(organisation, member, 1, f"call {number}").amount

        answers = run_sixteen(close_or_spend)
    assert (answers.count(0), answers.count(1), answers.count("MEMBER_CAP_EXCEEDED")) == (2, 2, 12)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ORG-021")
@pytest.mark.django_db(transaction=True)
def test_sixteen_at_once_never_exceed_the_cap(alice: User, member: Membership) -> None:
    Membership.objects.filter(pk=member.pk).update(monthly_cap=5)
    member.refresh_from_db()
    organisation = alice.own_organisation
    answers = run_sixteen(lambda number: spend(organisation, member, 1, f"call {number}").amount)
    assert (answers.count(1), answers.count("MEMBER_CAP_EXCEEDED")) == (5, 11)
    account = CreditAccount.objects.get(organisation=organisation)
    assert (account.balance, account.held, ledger.reconcile_ledger()) == (95, 5, [])
