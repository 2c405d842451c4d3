"""Making clients, acting in them, and what they may not do."""

import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.organisations.models import Organisation, OrganisationLogo
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.clients import services as clients
from billing.clients.tests.agencies import balance, client_in, join, make_client, picture, transfer
from billing.payments.models import Purchase
from billing.subscriptions.models import Subscription
from billing.subscriptions.services import renew_due_accounts
from conftest import client_of

pytestmark = pytest.mark.django_db
CLIENTS = "/api/organisation/clients"


def make(api: APIClient, name: str = "Cedar Books") -> object:
    answer = api.post(CLIENTS, {"name": name}, format="json")
    return answer.status_code, answer.json().get("code")


@pytest.mark.spec("ORG-031")
@pytest.mark.parametrize(
    ("plan", "wanted"),
    [
        (Plan.FREE, (403, "PLAN_REQUIRED")),
        (Plan.STARTER, (403, "PLAN_REQUIRED")),
        (Plan.GROWTH, (201, None)),
        (Plan.PRO, (201, None)),
        (Plan.ENTERPRISE, (201, None)),
        (Plan.CUSTOM, (201, None)),
    ],
)
def test_clients_come_with_growth(alice: User, alice_api: APIClient, plan: Plan, wanted: object) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=plan)
    assert make(alice_api) == wanted
    made = Organisation.objects.filter(agency=alice.own_organisation)
    assert made.count() == (1 if wanted == (201, None) else 0)


@pytest.mark.spec("ORG-031")
def test_a_client_has_a_name_and_no_free_credits(alice: User, alice_api: APIClient) -> None:
    assert make(alice_api) == (201, None)
    client = Organisation.objects.get(agency=alice.own_organisation)
    renew_due_accounts()
    subscription = Subscription.objects.get(organisation=client)
    assert (client.name, client.holder, balance(client), subscription.plan) == ("Cedar Books", None, 0, Plan.FREE)
    assert make(alice_api, "cedar books") == (400, "VALIDATION_ERROR")
    path = f"{CLIENTS}/{client.public_id}"
    assert alice_api.put(path, {"name": "Cedar Press"}, format="json").json()["name"] == "Cedar Press"
    client.refresh_from_db()
    assert client.name == "Cedar Press"


@pytest.mark.spec("ORG-031")
@pytest.mark.parametrize(("role", "made", "listed"), [("admin", 403, 200), ("member", 403, 403), ("billing", 403, 403)])
def test_owners_make_clients_and_admins_manage_them(alice: User, bob: User, role: str, made: int, listed: int) -> None:
    make_client(alice)
    join(bob, alice.own_organisation, role)
    api = client_in(bob, alice.own_organisation)
    assert api.post(CLIENTS, {"name": "Another"}, format="json").status_code == made
    assert api.get(CLIENTS).status_code == listed
    assert Organisation.objects.filter(agency=alice.own_organisation).count() == 1


@pytest.mark.spec("ORG-032")
def test_leaders_of_the_agency_act_in_a_client_as_admin(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, alice.own_organisation, "admin")
    me = client_in(bob, client).get("/api/auth/me").json()
    assert (me["organisation"]["id"], me["organisation"]["role"], me["organisation"]["via"]) == (
        client.public_id, "admin", "Alice Alder",
    )  # fmt: skip
    assert [(one["name"], one["role"], one["via"]) for one in me["organisations"]] == [
        ("Bob Birch", "owner", None), ("Alice Alder", "admin", None), ("Cedar Books", "admin", "Alice Alder"),
    ]  # fmt: skip
    assert client_in(bob, client).put("/api/user/retention", {"results_days": 30}, format="json").status_code == 200
    line = Activity.objects.get(organisation=client, action="Retention changed")
    assert (line.user, line.role, line.via) == (bob, "admin", "Alice Alder")


@pytest.mark.spec("ORG-024", "ORG-032")
def test_the_audit_says_what_a_client_was_called_and_that_its_agency_could_act(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    clients.rename_client(agency=alice.own_organisation, client=client, name="Cedar Press")
    clients.end_agency_access(organisation=client)
    for organisation in (alice.own_organisation, client):
        found = Activity.objects.filter(organisation=organisation, target=f"organisation:{client.public_id}")
        assert list(found.order_by("pk").values_list("changes", flat=True))[-2:] == [
            {"name": ["Cedar Books", "Cedar Press"]}, {"agency_may_act": [True, False]},
        ]  # fmt: skip


@pytest.mark.spec("ORG-032")
@pytest.mark.parametrize("role", ["developer", "member", "viewer", "billing"])
def test_others_of_the_agency_do_not_know_its_clients(alice: User, bob: User, role: str) -> None:
    client = make_client(alice)
    join(bob, alice.own_organisation, role)
    assert client_in(bob, client).get("/api/credits").status_code == 404
    assert len(client_of(bob).get("/api/auth/me").json()["organisations"]) == 2


@pytest.mark.spec("ORG-032")
def test_who_belongs_to_the_client_calls_as_what_they_are_there(alice: User) -> None:
    client = make_client(alice)
    join(alice, client, "viewer")
    me = client_in(alice, client).get("/api/auth/me").json()
    assert (me["organisation"]["role"], me["organisation"]["via"]) == ("viewer", None)
    assert len(me["organisations"]) == 2


@pytest.mark.spec("ORG-032")
def test_the_owner_of_a_client_ends_the_access_and_keeps_the_credits(
    alice: User, bob: User, alice_api: APIClient
) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    transfer(alice_api, client, credits=40)
    assert client_in(alice, client).post("/api/organisation/agency/end").status_code == 403
    assert client_in(alice, client).get("/api/credits").json()["credits"] == 40
    ended, again = [client_in(bob, client).post("/api/organisation/agency/end") for _ in range(2)]
    assert (ended.status_code, again.status_code, again.json()["code"]) == (200, 400, "NO_AGENCY")
    path = f"{CLIENTS}/{client.public_id}"
    refused = [
        client_in(alice, client).get("/api/credits"),
        alice_api.get(f"{path}/transfers"),
        transfer(alice_api, client, credits=40, direction="to_agency", key="transfer-2"),
    ]
    assert [answer.status_code for answer in refused] == [404] * 3
    assert alice_api.get(CLIENTS).json()["clients"] == []
    assert (balance(client), balance(alice.own_organisation)) == (40, 60)


@pytest.mark.spec("ORG-032")
def test_a_suspended_agency_acts_nowhere(alice: User, alice_api: APIClient) -> None:
    client = make_client(alice)
    Organisation.objects.filter(pk=alice.own_organisation.pk).update(is_active=False)
    assert client_in(alice, client).get("/api/credits").status_code == 404


BUYING = [
    ("payments/paypal/create-order", {"package_id": "small"}),
    ("payments/paypal/create-billing-agreement", {"plan_id": "pro", "billing_cycle": "monthly"}),
    ("subscriptions/plan-change/create-payment", {"new_plan_id": "pro", "billing_cycle": "monthly"}),
    ("subscriptions/plan-change", {"new_plan_id": "pro", "billing_cycle": "monthly"}),
    ("subscriptions/reactivate", {}),
    ("trial/start", {}),
]


@pytest.mark.spec("ORG-031")
@pytest.mark.parametrize(("path", "body"), BUYING)
def test_the_agency_gets_the_one_bill(alice: User, bob: User, path: str, body: dict[str, str]) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    answer = client_in(bob, client).post(f"/api/{path}", body, format="json")
    detail = "Alice Alder pays for Cedar Books: one bill to the agency. Ask it for credits."
    assert (answer.status_code, answer.json()["detail"]) == (403, detail)
    assert (Purchase.objects.count(), balance(client)) == (0, 0)


@pytest.mark.spec("ORG-032")
@pytest.mark.usefixtures("buyer")
def test_without_an_agency_it_buys_for_itself(alice: User, bob: User) -> None:
    client = make_client(alice)
    join(bob, client, "owner")
    clients.end_agency_access(organisation=client)
    answer = client_in(bob, client).post("/api/payments/paypal/create-order", {"package_id": "small"}, format="json")
    assert (answer.status_code, Purchase.objects.get().organisation) == (200, client)


def put_logo(api: APIClient, client: Organisation, content: bytes, name: str = "logo.png") -> int:
    file = SimpleUploadedFile(name, content, content_type="image/png")
    answer = api.put(f"{CLIENTS}/{client.public_id}/logo", {"logo": file}, format="multipart")
    return int(answer.status_code)


@pytest.mark.spec("ORG-031")
@pytest.mark.parametrize(("kind", "media_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("MPO", "image/jpeg")])
def test_a_client_has_a_logo(alice: User, alice_api: APIClient, kind: str, media_type: str) -> None:
    client, content = make_client(alice), picture(kind)
    path = f"{CLIENTS}/{client.public_id}/logo"
    assert alice_api.get(path).status_code == 404
    assert [put_logo(alice_api, client, content, "a.gif") for _ in range(2)] == [200, 200]
    answer = alice_api.get(path)
    assert (answer.content, answer["Content-Type"]) == (content, media_type)
    assert (answer["X-Content-Type-Options"], answer["Content-Disposition"]) == ("nosniff", "inline")
    assert [alice_api.delete(path).status_code for _ in range(2)] == [200, 200]
    assert OrganisationLogo.objects.count() == 0


def with_side(pixels: int) -> bytes:
    """A small file that says to be a picture of so many pixels a side."""
    header = b"IHDR" + pixels.to_bytes(4) * 2 + bytes((8, 2, 0, 0, 0))
    return picture()[:12] + header + zlib.crc32(header).to_bytes(4) + picture()[33:]


@pytest.mark.spec("ORG-031")
def test_a_camera_picture_whose_second_part_is_missing_counts_by_its_first(alice: User, alice_api: APIClient) -> None:
    client, both = make_client(alice), picture("MPO")
    assert put_logo(alice_api, client, both[: both.rindex(b"\xff\xd8\xff")]) == 200
    assert alice_api.get(f"{CLIENTS}/{client.public_id}/logo")["Content-Type"] == "image/jpeg"


@pytest.mark.spec("ORG-024", "ORG-031")
def test_the_audit_says_what_logo_there_was_and_is(alice: User, alice_api: APIClient) -> None:
    client = make_client(alice)
    for content in (picture(), picture(), picture("MPO", (900, 900))):
        assert put_logo(alice_api, client, content) == 200
    for _ in range(2):
        assert alice_api.delete(f"{CLIENTS}/{client.public_id}/logo").status_code == 200
    lines = Activity.objects.filter(organisation=client, action__startswith="Logo").order_by("pk")
    assert list(lines.values_list("action", "via", "changes")) == [
        ("Logo changed", "Alice Alder", {"logo": [None, "PNG, 1 KB"]}),
        ("Logo changed", "Alice Alder", {"logo": ["PNG, 1 KB", "JPEG, 27 KB"]}),
        ("Logo removed", "Alice Alder", {"logo": ["JPEG, 27 KB", None]}),
    ]


@pytest.mark.spec("ORG-031")
@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", 400),
        (b"\x89PNG\r\n\x1a\n<script>alert(1)</script>", 400),
        (picture("GIF"), 400),
        (picture()[:-30], 400),
        (picture(size=(4001, 1)), 400),
        (with_side(20_000), 400),
        (picture("WEBP"), 400),
        (picture("TIFF"), 400),
        (picture("MPO")[:400], 400),
        (picture() + bytes(200 * 1024), 413),
    ],
)
def test_a_logo_is_a_small_png_or_jpeg(alice: User, alice_api: APIClient, content: bytes, status: int) -> None:
    assert put_logo(alice_api, make_client(alice), content) == status
    assert OrganisationLogo.objects.count() == 0


def test_many_clients_cost_no_more_queries(alice: User) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            clients.load_agency(alice.own_organisation)
        return len(queries)

    make_client(alice, "One")
    few = count()
    for number in range(5):
        make_client(alice, f"Client {number}")
    assert count() == few
    names = [client.name for client in clients.load_agency(alice.own_organisation).clients]
    assert names == ["One", *(f"Client {number}" for number in range(5))]
