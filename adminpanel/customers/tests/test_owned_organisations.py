"""Organisations that people own without holding them: those handed over, and the clients of agencies."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.activity.models import Activity, ActivityKind
from accounts.activity.organisation_audit import list_audit
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.team import members, transfers
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.clients import services as clients
from billing.invoices import services as invoices
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount
from billing.subscriptions.models import Subscription
from billing.tests.paid import captured
from conftest import client_of, make_user
from emailcheck.common.testing import run_sixteen
from quotes.requests import services as requests

pytestmark = pytest.mark.postgres

USERS, GRANT = "/api/admin/users", "/api/admin/credits/bulk-grant"
CHANGE = {"credits": 150, "credits_read": 100, "reason": "A gift", "plan": "pro"}


def hand_over(giver: User, receiver: User, name: str) -> Organisation:
    """What came with the giver's account is the receiver's afterwards, and held by nobody."""
    shared = Organisation.objects.get(pk=giver.pk)
    Organisation.objects.filter(pk=shared.pk).update(name=name)
    member = Membership.objects.create(organisation=shared, user=receiver, role=OrganisationRole.ADMIN)
    transfers.offer_organisation(organisation=shared, giver=giver, member_id=member.pk)
    transfers.accept_transfer(organisation=shared, receiver=receiver)
    found = Organisation.objects.get(pk=shared.pk)
    assert found.holder is None
    return found


@pytest.fixture
def works(alice: User, bob: User) -> Organisation:
    """Alice's until Bob, who holds one of his own, became its owner."""
    return hand_over(alice, bob, "Alder works")


def put(sam: User, user: User, **change: Any) -> Any:
    return client_of(sam).put(f"{USERS}/{user.pk}", change, format="json")


def list_money() -> list[tuple[str, str, int]]:
    """Every organisation with its plan and balance, and how much was ever said about them but for sign-ins."""
    plans = dict(Subscription.objects.values_list("organisation", "plan"))
    found = CreditAccount.objects.order_by("organisation").values_list("organisation", "balance")
    noted = Activity.objects.exclude(organisation=None).exclude(kind=ActivityKind.SIGN_IN).count()
    return [*((str(pk), plans.get(pk, ""), balance) for pk, balance in found), ("noted", "", noted)]


def search(sam: User, text: str) -> list[str]:
    answer = client_of(sam).get(f"{USERS}/authenticated", {"search": text}).json()
    assert answer["total"] == len(answer["users"])
    return [user["name"] for user in answer["users"]]


def figures(plan: str | None = None, credits: int | None = None, usage: int | None = None) -> dict[str, Any]:
    return {"subscription_plan": plan, "credits": credits, "monthly_usage": usage}


@pytest.mark.spec("ORG-035", "ORG-015")
def test_what_was_handed_over_is_shown_with_plan_and_credits_at_its_new_owner(
    sam: User, alice: User, bob: User, works: Organisation
) -> None:
    ledger.close_hold(
        hold=ledger.open_hold(organisation_id=works.pk, amount=30, reason="A list", key="list:1"), captured=20
    )
    captured(alice, "CAP-1", amount="59.00")  # paid by what had been hers
    his = {"id": bob.own_organisation.public_id, "name": "Bob Birch"}
    handed = {"id": works.public_id, "name": "Alder works"}
    found = client_of(sam).get(f"{USERS}/{bob.pk}").json()
    assert found["organisations"] == [
        his | {"role": "owner", "via": None} | figures("growth", 100, 0),
        handed | {"role": "owner", "via": None} | figures("growth", 80, 20),
    ]  # fmt: skip
    owned = [his | figures("growth", 100, 0), handed | figures("growth", 80, 20)]
    assert (found["user"]["own_organisation"], found["user"]["owned_organisations"]) == (his, owned)
    assert [(paid["organisation"], paid["amount"]) for paid in found["payments"]] == [("Alder works", 59.0)]
    listed = client_of(sam).get(f"{USERS}/authenticated", {"search": "birch.net"}).json()["users"]
    assert [user["owned_organisations"] for user in listed] == [owned]
    hers = client_of(sam).get(f"{USERS}/{alice.pk}").json()
    assert {line["name"]: (line["role"], line["credits"]) for line in hers["organisations"]} == {
        "Alder works": ("admin", None), "Alice Alder": ("owner", 0),
    }  # fmt: skip
    assert hers["payments"] == []


@pytest.mark.spec("ORG-035", "ORG-024")
def test_credits_and_plan_of_the_organisation_that_is_named_change_and_stand_in_its_audit(
    sam: User, bob: User, works: Organisation
) -> None:
    assert put(sam, bob, organisation=works.public_id, **CHANGE).status_code == 200
    assert put(sam, bob, organisation=works.public_id, **CHANGE).json()["code"] == "BALANCE_CHANGED"
    assert CreditAccount.objects.get(organisation=works).balance == 20_150  # with the month's credits of Pro
    plans = dict(Subscription.objects.values_list("organisation", "plan"))
    assert (plans[works.pk], plans[bob.own_organisation.pk]) == ("pro", "growth")
    assert CreditAccount.objects.get(organisation=bob.own_organisation).balance == 100
    said = [(line.who, line.action) for line in list_audit(works, kind="staff")[0]]
    assert said == [
        ("EmailCheck staff", "Plan changed from Growth to Pro"),
        ("EmailCheck staff", "Credits changed from 100 to 150"),
    ]
    assert list_audit(bob.own_organisation, kind="staff")[0] == []
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ORG-035")
def test_without_a_name_it_is_the_one_that_the_person_holds(sam: User, bob: User, works: Organisation) -> None:
    assert put(sam, bob, **CHANGE).status_code == 200
    balances = dict(CreditAccount.objects.values_list("organisation", "balance"))
    assert (balances[bob.own_organisation.pk], balances[works.pk]) == (20_150, 100)


@pytest.mark.spec("ORG-035", "ORG-015")
def test_of_what_a_person_does_not_own_nothing_changes(sam: User, alice: User, bob: User, works: Organisation) -> None:
    alone = clients.make_client(agency=works, name="Cedar Books")
    before = list_money()
    for user, named in (
        (alice, works.public_id),  # an admin there now
        (alice, bob.own_organisation.public_id),
        (bob, alone.public_id),  # viewed at its agency's owner, and not theirs
        (bob, "org_unknown"),
    ):
        for change in (CHANGE, {"plan": "pro"}, {"status": "suspended", "suspension_reason": "Abuse"}):
            refused = put(sam, user, organisation=named, **change)
            assert (refused.status_code, refused.json()["detail"]) == (
                404, "This person owns no organisation with this id",
            )  # fmt: skip
    assert put(sam, bob, organisation="", **CHANGE).status_code == 400
    assert list_money() == before
    assert User.objects.filter(is_active=False).count() == 0


@pytest.mark.spec("ORG-035", "ORG-013")
def test_who_stops_being_an_owner_is_not_asked_about_it_any_more(sam: User, bob: User, works: Organisation) -> None:
    members.set_role(Membership.objects.get(organisation=works, role=OrganisationRole.ADMIN), OrganisationRole.OWNER)
    members.set_role(Membership.objects.get(organisation=works, user=bob), OrganisationRole.MEMBER)
    before = list_money()
    assert put(sam, bob, organisation=works.public_id, **CHANGE).status_code == 404
    assert list_money() == before
    assert [one["name"] for one in client_of(sam).get(f"{USERS}/{bob.pk}").json()["user"]["owned_organisations"]] == [
        "Bob Birch"
    ]


@pytest.mark.spec("ORG-035")
def test_the_ledger_of_each_owned_organisation_can_be_read(
    sam: User, alice: User, bob: User, works: Organisation
) -> None:
    put(sam, bob, organisation=works.public_id, credits=150, credits_read=100, reason="A gift")
    api, ledger_of = client_of(sam), f"{USERS}/{bob.pk}/ledger"
    read = api.get(ledger_of, {"organisation": works.public_id}).json()["entries"]
    assert (read[0]["reason"], read[0]["amount"], read[0]["balance"]) == ("A gift", 50, 150)
    assert "A gift" not in [entry["reason"] for entry in api.get(ledger_of).json()["entries"]]
    hers = api.get(f"{USERS}/{alice.pk}/ledger", {"organisation": works.public_id})
    assert (hers.status_code, hers.json()["detail"]) == (404, "This person owns no organisation with this id")


@pytest.mark.spec("ORG-035")
@pytest.mark.parametrize("column", ["name", "company"])
def test_an_owner_is_found_by_what_they_own(sam: User, bob: User, works: Organisation, column: str) -> None:
    Organisation.objects.filter(pk=works.pk).update(name="", company="")
    Organisation.objects.filter(pk=works.pk).update(**{column: "Österreich Mills"})
    for text in ("österreich", "MILLS", " reich mi "):
        assert search(sam, text) == ["Bob Birch"]
    assert search(sam, "Mühle") == []
    assert search(sam, "alice@alder") == ["Alice Alder"]
    Organisation.objects.filter(holder=bob).update(company="Birch Ltd")
    assert search(sam, "Birch Ltd") == ["Bob Birch"]


@pytest.mark.spec("ORG-035", "INV-019")
def test_payments_and_open_invoices_are_found_by_the_owner_and_name_the_organisation(
    sam: User, alice: User, bob: User, works: Organisation
) -> None:
    captured(alice, "CAP-W")
    captured(bob, "CAP-B")
    invoices.issue_open_invoice(
        organisation=works, reference="QUO-1", amount=captured(bob, "X").amount, description="A"
    )
    api = client_of(sam)

    def found(text: str) -> list[tuple[str, str, str]]:
        rows = api.get("/api/admin/payments", {"search": text, "status": "captured"}).json()["payments"]
        return [(row["paypal_id"], row["customer_email"], row["organisation"]) for row in rows]

    def owed(text: str) -> list[tuple[str, str]]:
        rows = api.get("/api/admin/invoices/open", {"search": text}).json()["invoices"]
        return [(row["customer_email"], row["organisation"]) for row in rows]

    his = [("X", "bob@birch.net", "Bob Birch"), ("CAP-B", "bob@birch.net", "Bob Birch")]
    line = ("CAP-W", "bob@birch.net", "Alder works")
    for text in ("BOB@birch", "ob Bir"):
        assert (found(text), owed(text)) == ([*his, line], [("bob@birch.net", "Alder works")])
    assert (found("lder wor"), owed("lder wor")) == ([line], [("bob@birch.net", "Alder works")])
    assert (found("alice@alder.com"), owed("alice@alder.com")) == ([], [])


def count_queries(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert call().status_code == 200
    return len(queries)


@pytest.mark.spec("ORG-035")
def test_many_handed_over_organisations_take_as_many_queries_as_one(
    sam: User, alice: User, bob: User, works: Organisation
) -> None:
    api = client_of(sam)
    calls: list[Callable[[], Any]] = [
        lambda: api.get("/api/admin/payments", {"search": "birch"}),
        lambda: api.get("/api/admin/invoices/open", {"search": "birch"}),
        lambda: api.get("/api/admin/revenue"),
        lambda: api.get(f"{USERS}/authenticated", {"search": "birch"}),
        lambda: api.get(f"{USERS}/{bob.pk}"),
        lambda: api.post(f"{GRANT}/preview", {"user_emails": ["bob@birch.net"], "credits": 5}, format="json"),
    ]

    def spend(organisation: Organisation, payer: User) -> None:
        paid = captured(payer, f"CAP-{payer.pk}", plan=Plan.GROWTH)
        invoices.issue_open_invoice(
            organisation=organisation, reference=f"QUO-{payer.pk}", amount=paid.amount, description="A year"
        )
        clients.make_client(agency=organisation, name=f"Client of {payer.pk}")

    spend(works, alice)
    before = [count_queries(call) for call in calls]
    for number in range(5):
        giver = make_user(f"giver{number}@oak.de", f"Giver {number}")
        spend(hand_over(giver, bob, f"Works {number}"), giver)
    assert [count_queries(call) for call in calls] == before


@pytest.mark.spec("ORG-035", "ADM-305")
def test_a_grant_by_address_says_which_organisation_gets_it_and_which_none(
    sam: User, alice: User, bob: User, works: Organisation
) -> None:
    body = {"user_emails": ["bob@birch.net", "alice@alder.com"], "credits": 5}
    preview = client_of(sam).post(f"{GRANT}/preview", body, format="json").json()
    assert sorted(preview["found"], key=lambda line: str(line["email"])) == [
        {"email": "alice@alder.com", "name": "Alice Alder", "organisation": "Alice Alder", "other_organisations": []},
        {"email": "bob@birch.net", "name": "Bob Birch", "organisation": "Bob Birch",
         "other_organisations": ["Alder works"]},
    ]  # fmt: skip
    assert client_of(sam).post(GRANT, body | {"reason": "promotional"}, format="json").status_code == 200
    balances = dict(CreditAccount.objects.values_list("organisation__name", "balance"))
    assert balances["Alder works"] == 100
    assert CreditAccount.objects.get(organisation__holder=bob).balance == 105
    assert CreditAccount.objects.get(organisation__holder=alice).balance == 5


@pytest.mark.spec("ORG-035", "ORG-031")
def test_a_client_without_an_owner_is_reached_through_the_owner_of_its_agency(
    sam: User, alice: User, bob: User
) -> None:
    alone = clients.make_client(agency=alice.own_organisation, name="Cedar Books")
    settled = clients.make_client(agency=alice.own_organisation, name="Dogwood Ltd")
    Membership.objects.create(organisation=settled, user=bob, role=OrganisationRole.OWNER)
    Membership.objects.create(organisation=alone, user=bob, role=OrganisationRole.VIEWER)
    Membership.objects.create(organisation=alice.own_organisation, user=bob, role=OrganisationRole.ADMIN)
    found = client_of(sam).get(f"{USERS}/{alice.pk}").json()
    assert found["organisations"][1:] == [
        {"id": alone.public_id, "name": "Cedar Books", "role": "admin", "via": "Alice Alder"} | figures("free", 0, 0)
    ]
    assert [one["name"] for one in found["user"]["owned_organisations"]] == ["Alice Alder"]
    his = {line["name"]: line for line in client_of(sam).get(f"{USERS}/{bob.pk}").json()["organisations"]}
    assert {name: (line["role"], line["via"], line["credits"]) for name, line in his.items()} == {
        "Bob Birch": ("owner", None, 100), "Dogwood Ltd": ("owner", None, 0), "Cedar Books": ("viewer", None, None),
        "Alice Alder": ("admin", None, None),
    }  # fmt: skip
    assert search(sam, "Cedar") == ["Alice Alder"]
    Membership.objects.filter(organisation=alone).update(user=alice)
    shown = client_of(sam).get(f"{USERS}/{alice.pk}").json()["organisations"][1:]
    assert [(line["role"], line["via"], line["credits"]) for line in shown] == [("viewer", "Alice Alder", 0)]


@pytest.mark.spec("ORG-035")
def test_requests_for_quotes_are_found_by_the_owner(sam: User, works: Organisation) -> None:
    requests.create_request(organisation=works, credits=50_000, company_name="Mills")

    def found(text: str) -> list[tuple[str, str]]:
        rows = client_of(sam).get("/api/admin/custom-quote-requests", {"search": text}).json()["requests"]
        return [(row["user_email"], row["company_name"]) for row in rows]

    line = [("bob@birch.net", "Mills")]
    assert [found(text) for text in ("birch.net", "Bob B", "alder works", "mills")] == [line] * 4
    assert found("alice@alder.com") == []


@pytest.mark.spec("ORG-035", "ADM-229")
def test_a_test_user_who_owns_what_has_paid_is_kept(sam: User, alice: User) -> None:
    tess = make_user("tess@test.org", "Tess Test", plan=Plan.FREE)
    captured(alice, "CAP-1")
    hand_over(alice, tess, "Alder works")
    found = client_of(sam).get(f"{USERS}/test-users").json()
    assert found["delete"] == []
    assert [(one["email"], one["why"].split(" on ")[0]) for one in found["kept"]] == [("tess@test.org", "Paid")]
    assert client_of(sam).delete(f"{USERS}/delete-test-users").json() == {"deleted_count": 0}
    assert User.objects.filter(pk=tess.pk, deleted_at=None).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ORG-035", "ADM-207")
def test_sixteen_changes_at_once_move_the_credits_once(sam: User, bob: User, works: Organisation) -> None:
    change = {"organisation": works.public_id, "credits": 150, "credits_read": 100, "reason": "A gift"}
    apis = [client_of(sam) for _ in range(16)]
    codes = run_sixteen(lambda number: apis[number].put(f"{USERS}/{bob.pk}", change, format="json").status_code)
    assert sorted(set(codes)) in ([200], [200, 409])
    assert CreditAccount.objects.get(organisation=works).balance == 150
    assert Activity.objects.filter(organisation=works, action="Credits changed from 100 to 150").count() == 1
    assert ledger.reconcile_ledger() == []
