"""Lists that are for their makers, owners and admins alone, and files that viewers may not have."""

import csv
import io
from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import QuerySet
from rest_framework.test import APIClient

from accounts.access.models import ApiKey, Scope
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from billing.ledger.models import CreditEntry, EntryKind
from conftest import browser_of, client_with
from emailcheck.common.testing import drain_queue, run_sixteen
from tests.world import Sandbox
from validation.access.readers import Reader
from validation.batches.models import Batch
from validation.batches.retention import services as retention
from validation.batches.retention.services import NOT_TO_SHARE
from validation.results.models import Result
from validation.tests import stored
from validation.tests.team import add_member, client_in

LIST = ["ida.holm@harborquill.com", "rosa.kent@harborquill.com"]
ROLES = [role for role in OrganisationRole if role != OrganisationRole.BILLING]
OTHERS = [OrganisationRole.DEVELOPER, OrganisationRole.MEMBER, OrganisationRole.VIEWER]
Json = dict[str, Any]


@pytest.fixture
def org(alice: User) -> Organisation:
    return alice.own_organisation


@pytest.fixture
def maker(org: Organisation) -> User:
    return add_member(org, OrganisationRole.MEMBER, "maker")


@pytest.fixture
def batch(alice: User, maker: User) -> Batch:
    """A private list of the maker beside an open one."""
    stored.finished(alice, [("open@harborquill.com", "valid")], filename="open.csv")
    made = stored.finished(alice, [("hidden@harborquill.com", "valid"), ("b@x.org", "invalid")], filename="hidden.csv")
    Batch.objects.filter(pk=made.pk).update(private=True, maker=maker)
    made.refresh_from_db()
    return made


def reads(batch: Batch) -> list[str]:
    """Every call that reads the list, or its first result."""
    result = Result.objects.filter(batch=batch).order_by("position")[0]
    base = f"validate/batch/{batch.public_id}"
    return [base, f"{base}/status", f"{base}/results", f"{base}/export", f"validate/result/{result.pk}"]


def statuses(client: APIClient, batch: Batch) -> list[int]:
    return [client.get(f"/api/{path}").status_code for path in reads(batch)]


def history(client: APIClient, **query: str) -> Json:
    answer: Json = client.get("/api/validate/batches", query).json()
    lists = [one["filename"] for one in answer["batches"]]
    return {"lists": lists, "of": answer["batches_total"], "found": len(answer["validations"]), "all": answer["total"]}


@pytest.mark.spec("ORG-022")
@pytest.mark.parametrize("role", OTHERS)
def test_a_private_list_is_not_found_by_others(org: Organisation, batch: Batch, role: OrganisationRole) -> None:
    client = client_in(org, add_member(org, role))
    assert statuses(client, batch) == [404] * 5
    assert history(client, search="hidden") == {"lists": [], "of": 0, "found": 0, "all": 0}
    shown = history(client)
    assert (shown["lists"], shown["of"], shown["found"]) == (["open.csv"], 1, 1)
    recent = client.get("/api/analytics/dashboard").json()
    assert "hidden@harborquill.com" not in str(recent)
    assert "open@harborquill.com" in str(recent)


@pytest.mark.spec("ORG-022")
@pytest.mark.parametrize("who", ["maker", "owner", "admin", "key"])
def test_its_maker_leaders_and_their_keys_see_a_private_list(
    org: Organisation, maker: User, batch: Batch, who: str
) -> None:
    clients = {
        "maker": lambda: client_in(org, maker),
        "owner": lambda: client_in(org, add_member(org, OrganisationRole.OWNER)),
        "admin": lambda: client_in(org, add_member(org, OrganisationRole.ADMIN)),
        "key": lambda: client_with(make_key(org, org.contact)[1]),
    }
    client = clients[who]()
    assert statuses(client, batch) == [200] * 5
    shown = history(client)
    assert (shown["lists"], shown["found"]) == (["hidden.csv", "open.csv"], 3)
    assert client.get(f"/api/validate/batch/{batch.public_id}").json()["may_share"] is (who != "key")


def make_key(org: Organisation, maker: User) -> tuple[ApiKey, str]:
    return keys.create_key(organisation=org, maker=maker, name="Shop", scopes=[Scope.READ, Scope.WRITE])


@pytest.mark.spec("ORG-022")
def test_pages_and_changes_of_a_private_list_are_not_found_either(org: Organisation, batch: Batch) -> None:
    other = add_member(org, OrganisationRole.MEMBER, "other")
    User.objects.filter(pk=other.pk).update(current_organisation=org)
    browser, client = browser_of(other), client_in(org, other)
    path = f"/api/validate/batch/{batch.public_id}"
    result = Result.objects.filter(batch=batch)[0]
    own = f"/dashboard/batch/{batch.public_id}"
    pages = (own, f"{own}/next-steps", f"/dashboard/result/{result.pk}")
    assert [browser.get(page).status_code for page in pages] == [404, 404, 404]
    changes = [
        client.put(path, {"name": "mine.csv"}, format="json"),
        client.put(path, {"private": False}, format="json"),
        client.delete(path),
        client.post(f"{path}/cancel"),
        client.post(f"{path}/recheck"),
        client.post(f"{path}/check-in-full"),
    ]
    assert [answer.status_code for answer in changes] == [404] * 6
    kept = Batch.objects.get(pk=batch.pk)
    assert (kept.filename, kept.private, kept.deleted_at, kept.status) == ("hidden.csv", True, None, "completed")


@pytest.mark.spec("ORG-022")
def test_a_list_is_made_private_at_its_start_and_names_its_maker(world: Sandbox, org: Organisation) -> None:
    client = client_in(org, add_member(org, OrganisationRole.MEMBER))
    pasted = client.post("/api/validate/bulk", {"emails": LIST, "private": True}, format="json").json()
    file = SimpleUploadedFile("a.csv", "\n".join(LIST).encode())
    uploaded = client.post("/api/validate/upload", {"file": file, "private": "true"}, format="multipart").json()
    file = SimpleUploadedFile("b.csv", "\n".join(LIST).encode())
    draft = client.post("/api/validate/upload/inspect", {"file": file}, format="multipart").json()
    path = f"/api/validate/upload/{draft['upload_id']}/start"
    reviewed = client.post(path, {"private": True}, format="json").json()
    plain = client.post("/api/validate/bulk", {"emails": LIST}, format="json").json()
    made = {row["batch_id"]: None for row in (pasted, uploaded, reviewed, plain)}
    found = Batch.objects.filter(public_id__in=made).order_by("pk").values_list("private", "maker__name")
    assert list(found) == [(True, "Member"), (True, "Member"), (True, "Member"), (False, "Member")]


def test_a_list_of_a_key_is_of_who_made_the_key(world: Sandbox, org: Organisation) -> None:
    developer = add_member(org, OrganisationRole.DEVELOPER)
    _, text = make_key(org, developer)
    answer = client_with(text).post("/api/validate/bulk", {"emails": LIST, "private": True}, format="json")
    assert answer.status_code == 200
    made = Batch.objects.get(public_id=answer.json()["batch_id"])
    assert (made.maker, made.private) == (developer, True)
    assert statuses(client_in(org, developer), made) == [200] * 5


@pytest.mark.spec("ORG-022")
@pytest.mark.parametrize("role", OTHERS)
def test_only_makers_and_leaders_say_who_sees_a_list(org: Organisation, maker: User, role: OrganisationRole) -> None:
    made = stored.finished(org.contact, [("a@harborquill.com", "valid")])
    Batch.objects.filter(pk=made.pk).update(maker=maker)
    path = f"/api/validate/batch/{made.public_id}"
    refused = client_in(org, add_member(org, role)).put(path, {"private": True}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "PERMISSION_DENIED")
    assert not Batch.objects.get(pk=made.pk).private
    for who in (maker, org.contact, add_member(org, OrganisationRole.ADMIN)):
        for private in (True, True, False):
            answer = client_in(org, who).put(path, {"private": private}, format="json")
            assert (answer.status_code, answer.json()["private"]) == (200, private)
            assert Batch.objects.get(pk=made.pk).private is private


def test_a_member_is_told_whose_choice_it_is(org: Organisation, maker: User) -> None:
    made = stored.finished(org.contact, [("a@harborquill.com", "valid")])
    body = {"private": True, "name": "b.csv"}
    refused = client_in(org, maker).put(f"/api/validate/batch/{made.public_id}", body, format="json")
    assert (refused.status_code, refused.json()["message"]) == (403, NOT_TO_SHARE)
    kept = Batch.objects.get(pk=made.pk)
    assert (kept.private, kept.filename) == (False, "list.csv")


@pytest.mark.spec("ORG-022")
def test_a_developer_shares_the_own_list_and_renames_none(org: Organisation) -> None:
    developer = add_member(org, OrganisationRole.DEVELOPER)
    made = stored.finished(org.contact, [("a@harborquill.com", "valid")])
    Batch.objects.filter(pk=made.pk).update(maker=developer)
    client, path = client_in(org, developer), f"/api/validate/batch/{made.public_id}"
    assert client.put(path, {"private": True}, format="json").status_code == 200
    assert client.put(path, {"private": False, "name": "b.csv"}, format="json").status_code == 403
    kept = Batch.objects.get(pk=made.pk)
    assert (kept.private, kept.filename) == (True, "list.csv")


@pytest.mark.spec("ORG-022", "ORG-005")
def test_downloads_of_viewers_can_be_switched_off(org: Organisation, alice_api: APIClient, batch: Batch) -> None:
    Batch.objects.update(private=False)
    setting = "/api/organisation/downloads"
    viewer = client_in(org, add_member(org, OrganisationRole.VIEWER))
    member = client_in(org, add_member(org, OrganisationRole.MEMBER))
    base = f"/api/validate/batch/{batch.public_id}"
    assert viewer.get(f"{base}/export").status_code == 200
    assert viewer.put(setting, {"viewers_may_download": False}, format="json").status_code == 403
    allowed = {"viewers_may_download": True, "may_download": True, "is_shared": True}
    assert [one.get(setting).json() for one in (viewer, member)] == [allowed, allowed]
    changed = alice_api.put(setting, {"viewers_may_download": False}, format="json")
    assert (changed.status_code, changed.json()) == (200, allowed | {"viewers_may_download": False})
    assert viewer.get(setting).json() == {"viewers_may_download": False, "may_download": False, "is_shared": True}
    for refused in (
        viewer.get(f"{base}/export"),
        viewer.get(f"{base}/export?format=original"),
        viewer.get(f"{base}/results", headers={"Accept": "application/x-ndjson"}),
    ):
        sentence = f"Your role (viewer) does not allow this. Ask an owner or admin of {org.title}."
        body = refused.json()
        assert (refused.status_code, body["code"], body["message"]) == (403, "PERMISSION_DENIED", sentence)
    assert viewer.get(f"{base}/results").status_code == 200
    assert member.get(f"{base}/export").status_code == 200


@pytest.mark.spec("ORG-022")
def test_the_totals_of_others_do_not_count_private_lists(world: Sandbox, org: Organisation) -> None:
    client = client_in(org, add_member(org, OrganisationRole.MEMBER))
    client.post("/api/validate/bulk", {"emails": LIST, "private": True}, format="json")
    other = client_in(org, add_member(org, OrganisationRole.VIEWER))
    assert [history(one)["all"] for one in (client, other)] == [2, 0]
    assert other.get("/api/analytics/dashboard").json()["total_validations"] == 2


@pytest.mark.spec("ORG-022", "ORG-004")
def test_the_statement_names_no_list_to_who_sees_none(world: Sandbox, org: Organisation) -> None:
    for name, private in (("secret layoffs ida@x.org.csv", "true"), ("open.csv", "false")):
        file = SimpleUploadedFile(name, "\n".join(LIST).encode())
        client_in(org, org.contact).post("/api/validate/upload", {"file": file, "private": private}, format="multipart")
    entries = CreditEntry.objects.filter(organisation=org, kind=EntryKind.HOLD).order_by("pk")
    before = list(entries.values())
    named = ["Batch: secret layoffs ida@x.org.csv", "Batch: open.csv"]
    for role in (OrganisationRole.BILLING, OrganisationRole.ADMIN, OrganisationRole.OWNER):
        client = client_in(org, add_member(org, role))
        wanted = ["Batch: a list"] * 2 if role == OrganisationRole.BILLING else named
        pages = [client.get("/api/credits/statement").json()["entries"] for _ in range(2)]
        assert [[line["reason"] for line in page if line["amount"] < 0] for page in pages] == [wanted] * 2
        text = client.get("/api/credits/statement/export").getvalue().decode()
        lines = csv.DictReader(io.StringIO(text))
        assert [line["Reason"] for line in lines if int(line["Amount"]) < 0] == wanted
        assert ("layoffs" in text, "layoffs" in str(pages)) == (wanted == named, wanted == named)
    assert list(entries.values()) == before
    assert [one["reason"] for one in before] == named


def test_mails_about_a_list_go_to_its_maker_while_they_are_a_member(
    world: Sandbox, org: Organisation, settings: Any
) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    member = add_member(org, OrganisationRole.MEMBER)
    drain_queue()
    mail.outbox.clear()
    for leave in (False, True):
        client_in(org, member).post("/api/validate/bulk", {"emails": LIST}, format="json")
        if leave:
            Membership.objects.filter(organisation=org, user=member).delete()
        drain_queue()
    assert [message.to for message in mail.outbox] == [["member@team.org"], ["alice@alder.com"]]


def test_who_is_alone_shares_with_nobody(alice_api: APIClient) -> None:
    answer = alice_api.get("/api/organisation/downloads").json()
    assert answer == {"viewers_may_download": True, "may_download": True, "is_shared": False}


@pytest.mark.spec("ORG-022", "ORG-024")
def test_the_audit_says_once_who_hid_a_list_and_names_no_address(org: Organisation, maker: User) -> None:
    made = stored.finished(org.contact, [("a@harborquill.com", "valid")], filename="spring.csv")
    Batch.objects.filter(pk=made.pk).update(maker=maker)
    client, path = client_in(org, maker), f"/api/validate/batch/{made.public_id}"
    for private in (False, True, True, False):
        assert client.put(path, {"private": private}, format="json").status_code == 200
    assert list(visibility_lines().values_list("action", "target", "user", "role", "changes")) == [
        (
            "A list was kept to its maker, owners and admins",
            made.public_id,
            maker.pk,
            "member",
            {"private": [False, True]},
        ),
        ("A list was shown to all members", made.public_id, maker.pk, "member", {"private": [True, False]}),
    ]


def visibility_lines() -> QuerySet[Activity]:
    return Activity.objects.filter(changes__has_key="private").order_by("pk")


@pytest.mark.spec("ORG-022")
def test_whoever_read_a_list_before_it_was_hidden_or_deleted_changes_their_part_alone(org: Organisation) -> None:
    made = stored.finished(org.contact, [("a@harborquill.com", "valid")])
    reader = Reader(org, Membership.objects.get(organisation=org, user=org.contact))
    before = [Batch.objects.get(pk=made.pk) for _ in range(2)]
    retention.update_batch(batch=made, reader=reader, private=True)
    retention.update_batch(batch=before[0], reader=reader, name="b.csv")
    kept = Batch.objects.get(pk=made.pk)
    assert (kept.private, kept.filename) == (True, "b.csv")
    retention.delete_batch(batch=made)
    retention.update_batch(batch=before[1], reader=reader, name="c.csv", private=False)
    gone = Batch.objects.get(pk=made.pk)
    assert (gone.private, gone.filename) == (True, "")


@pytest.mark.spec("ORG-022")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_sixteen_changes_at_once_none_shows_a_list_that_was_hidden(org: Organisation, maker: User) -> None:
    made = stored.finished(org.contact, [("a@harborquill.com", "valid")])
    path, other = f"/api/validate/batch/{made.public_id}", add_member(org, OrganisationRole.VIEWER)
    owners, readers = ([client_in(org, user) for _ in range(16)] for user in (org.contact, other))

    def change(number: int) -> int:
        body = {"name": f"{number}.csv"} if number % 4 else {"private": True}
        assert owners[number].put(path, body, format="json").status_code == 200
        return 404 if number % 4 else readers[number].get(path).status_code

    assert run_sixteen(change) == [404] * 16
    assert statuses(readers[0], made) == [404] * 5
    assert [line.changes for line in visibility_lines()] == [{"private": [False, True]}]


@pytest.mark.spec("ORG-022")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_sixteen_who_hide_and_show_a_list_at_once_leave_what_the_audit_says(org: Organisation, maker: User) -> None:
    made = stored.finished(org.contact, [("a@harborquill.com", "valid")])
    path, other = f"/api/validate/batch/{made.public_id}", add_member(org, OrganisationRole.VIEWER)
    owners, readers = ([client_in(org, user) for _ in range(16)] for user in (org.contact, other))

    def change(number: int) -> tuple[int, bool]:
        read = readers[number].get(path).status_code
        answer = owners[number].put(path, {"private": number % 2 == 0}, format="json")
        return answer.status_code, read in (200, 404)

    assert run_sixteen(change) == [(200, True)] * 16
    hidden = Batch.objects.get(pk=made.pk).private
    told = [line.changes["private"] for line in visibility_lines()]
    assert told == [[number % 2 == 1, number % 2 == 0] for number in range(len(told))]
    assert (len(told) > 0, len(told) % 2 == 1) == (True, hidden)
    assert statuses(readers[0], made) == [404 if hidden else 200] * 5
