"""The audit of an organisation: whose acts it shows, to whom, and that nothing changes it."""

import csv
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.keys import services as keys
from accounts.organisations.models import Membership
from accounts.organisations.roles import OrganisationRole
from accounts.personal import detach_activity
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from conftest import PASSWORD, client_of, client_with

AUDIT = "/api/organisation/audit"


def lines(api: APIClient, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(AUDIT, query).json()["lines"]
    return found


def actions(api: APIClient, **query: str) -> list[str]:
    return [line["action"] for line in lines(api, **query)]


def join(user: User, owner: User, role: OrganisationRole) -> APIClient:
    Membership.objects.create(user=user, organisation=owner.own_organisation, role=role)
    User.objects.filter(pk=user.pk).update(current_organisation=owner.own_organisation)
    return client_of(User.objects.get(pk=user.pk))


@pytest.mark.spec("ORG-024")
def test_a_change_says_who_as_what_and_what_it_was(alice: User, bob: User) -> None:
    key, _ = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    of_bob = join(bob, alice, OrganisationRole.ADMIN)
    of_bob.put(f"/api/user/api-keys/{key.pk}", {"scopes": ["read"]}, format="json", REMOTE_ADDR="203.0.113.5")
    of_bob.put("/api/user/retention", {"uploads_days": 7}, format="json")
    settings, changed = lines(of_bob, kind="settings")[0], lines(of_bob, kind="key")[0]
    assert {name: changed[name] for name in ("who", "role", "via", "target", "ip", "changes")} == {
        "who": "Bob Birch",
        "role": "admin",
        "via": None,
        "target": key.prefix,
        "ip": "203.0.113.5",
        "changes": {"scopes": [["read", "write"], ["read"]]},
    }
    assert (settings["action"], settings["changes"]) == ("Retention changed", {"uploads_days": [30, 7]})


@pytest.mark.spec("ORG-024")
def test_who_comes_goes_and_changes_is_found_under_members(alice: User, bob: User, sam: User) -> None:
    api, path = client_of(alice), "/api/organisation"
    invited = api.post(f"{path}/invitations", {"email": "nora@quill.net", "role": "viewer"}, format="json").json()
    api.post(f"{path}/invitations/{invited['id']}/resend")
    api.delete(f"{path}/invitations/{api.get(f'{path}/members').json()['invitations'][0]['id']}")
    join(bob, alice, OrganisationRole.MEMBER)
    join(sam, alice, OrganisationRole.VIEWER)
    of_bob, of_sam = (Membership.objects.get(user=user, organisation=alice.pk).pk for user in (bob, sam))
    api.put(f"{path}/members/{of_bob}", {"role": "admin"}, format="json")
    api.put(f"{path}/members/{of_bob}/cap", {"monthly_cap": 50}, format="json")
    api.post(f"{path}/transfer", {"member_id": of_bob, "password": PASSWORD}, format="json")
    api.delete(f"{path}/transfer")
    api.delete(f"{path}/members/{of_sam}")
    client_of(bob).post(f"{path}/leave")
    assert actions(api, kind="member") == [
        "Left the organisation",
        "Member removed",
        "Ownership offer withdrawn",
        "Ownership offered",
        "Monthly cap changed",
        "Role of a member changed",
        "An invitation was revoked",
        "An invitation was sent again",
        "Somebody was invited",
    ]
    assert actions(api, kind="settings") == []


@pytest.mark.spec("ORG-024")
def test_staff_keys_and_the_product_have_names_of_their_own(alice: User, sam: User) -> None:
    organisation, api = alice.own_organisation, client_of(alice)
    _, text = keys.create_key(organisation=organisation, maker=alice, name="Shop")
    record = audit_log.record_activity
    record(
        organisation=organisation,
        kind=ActivityKind.STAFF,
        action="Credits changed",
        staff=sam,
        changes={"credits": [1, 2], "reason": "a note of ours"},
    )
    record(organisation=organisation, kind=ActivityKind.PURCHASE, action="Plan renewed")
    assert client_with(text).get("/api/v1/credits").status_code == 200
    found = {line["action"]: (line["who"], line["role"], line["ip"], line["changes"]) for line in lines(api)}
    assert found["Credits changed"] == ("EmailCheck staff", None, None, {"credits": [1, 2]})
    assert found["Plan renewed"] == ("EmailCheck", None, None, {})
    assert sam.email not in api.get(AUDIT).content.decode()
    assert actions(api, who="staff") == ["Credits changed"]
    assert actions(api, who="EmailCheck", kind="purchase") == ["Plan renewed"]


@pytest.mark.spec("ORG-024")
def test_what_a_key_does_is_not_laid_on_a_person(alice: User, world: Any) -> None:
    _, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    answer = client_with(text).post("/api/validate/bulk", {"emails": ["ida.holm@harborquill.com"]}, format="json")
    assert answer.status_code in (200, 201, 202)
    line = lines(client_of(alice), kind="validation")[0]
    assert (line["who"], line["role"], line["via"]) == ("API key", None, text[:16])


@pytest.mark.spec("ORG-024")
def test_sign_ins_of_members_show_from_when_they_joined(alice: User, bob: User, sam: User) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=1), tick=False) as clock:
        start_sign_in(user=bob, device="before")
        clock.shift(60)
        Membership.objects.create(user=bob, organisation=alice.own_organisation, role=OrganisationRole.VIEWER)
        clock.shift(60)
        start_sign_in(user=bob, device="after")
        start_sign_in(user=sam, device="of nobody")
        found = [line["who"] for line in lines(client_of(alice), kind="sign_in")]
    assert found == ["Alice Alder", "Bob Birch"]


@pytest.mark.spec("ORG-024")
@pytest.mark.parametrize("role", sorted(set(OrganisationRole) - {OrganisationRole.OWNER, OrganisationRole.ADMIN}))
def test_others_do_not_see_it(alice: User, bob: User, role: OrganisationRole) -> None:
    api = join(bob, alice, role)
    before = Activity.objects.count()
    assert [api.get(path).status_code for path in (AUDIT, f"{AUDIT}/export")] == [403, 403]
    assert Activity.objects.count() == before


@pytest.mark.spec("ORG-024")
def test_it_is_filtered_paged_and_ends_after_twelve_months(alice: User, bob: User) -> None:
    organisation = alice.own_organisation
    with time_machine.travel("2025-11-25 12:00:00+00:00", tick=False) as clock:
        audit_log.record_activity(organisation=organisation, kind=ActivityKind.MEMBER, action="Long ago")
        clock.move_to("2025-12-01 12:00:00+00:00")
        audit_log.record_activity(organisation=organisation, kind=ActivityKind.MEMBER, action="Last year")
        audit_log.record_activity(organisation=bob.own_organisation, kind=ActivityKind.MEMBER, action="Of Bob")
        clock.move_to("2026-11-26 12:00:00+00:00")
        for number in range(51):
            audit_log.record_activity(organisation=organisation, kind=ActivityKind.MEMBER, action=f"Step {number}")
        api = client_of(alice)
        first = api.get(AUDIT, {"kind": "member"}).json()
        second = api.get(AUDIT, {"kind": "member", "cursor": first["next_cursor"]}).json()
        assert [len(first["lines"]), first["lines"][0]["action"]] == [50, "Step 50"]
        assert [line["action"] for line in second["lines"]] == ["Step 0", "Last year"]
        assert second["next_cursor"] is None
        assert actions(api, since="2025-12-01", to="2025-12-31") == ["Last year"]
        assert actions(api, action="step 17") == ["Step 17"]
        assert api.get(AUDIT, {"cursor": "nonsense"}).status_code == 400


@pytest.mark.spec("ORG-024")
def test_the_file_has_the_same_lines_and_notes_itself(alice: User) -> None:
    api = client_of(alice)
    Activity.objects.all().delete()
    audit_log.record_activity(
        organisation=alice.own_organisation,
        kind=ActivityKind.MEMBER,
        action="=HYPERLINK(1)",
        changes={"role": ["a", "b"]},
    )
    answer = api.get(f"{AUDIT}/export")
    rows = list(csv.reader(answer.getvalue().decode().splitlines()))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert rows[0] == ["Time (UTC)", "Who", "Role", "Via", "Kind", "Action", "Target", "Changes", "IP"]
    assert [row[1:8] for row in rows[1:]] == [
        ["Alice Alder", "owner", "", "export", "Audit log exported", "", ""],
        ["EmailCheck", "", "", "member", "'=HYPERLINK(1)", "", "role: a → b"],
    ]


@pytest.mark.spec("ORG-024")
def test_no_call_changes_a_line(alice: User) -> None:
    api = client_of(alice)
    before = list(Activity.objects.order_by("pk").values())
    for path in (AUDIT, f"{AUDIT}/export"):
        for method in (api.post, api.put, api.patch, api.delete):
            assert method(path).status_code == 405
    assert list(Activity.objects.order_by("pk").values()) == before


@pytest.mark.spec("ORG-024")
def test_lines_outlive_the_account_of_a_member(alice: User, bob: User) -> None:
    of_bob = join(bob, alice, OrganisationRole.ADMIN)
    of_bob.put("/api/user/retention", {"uploads_days": 7}, format="json")
    audit_log.record_activity(organisation=bob.own_organisation, kind=ActivityKind.KEY, action="Of Bob alone")
    detach_activity(bob.pk)
    line = lines(client_of(alice), action="Retention")[0]
    assert (line["who"], line["role"], line["ip"]) == ("Deleted account", "admin", None)
    assert actions(client_of(alice), who="deleted account", kind="settings") == ["Retention changed"]
    assert not Activity.objects.filter(action="Of Bob alone").exists()


@pytest.mark.spec("ORG-024")
@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("/api/user/export-data", "Data exported"),
        ("/api/credits/statement/export", "Credit statement exported"),
    ],
)
def test_exports_stand_in_it(alice: User, path: str, action: str) -> None:
    api = client_of(alice)
    answer = api.get(path)
    assert answer.status_code == 200
    answer.getvalue()
    line = lines(api, kind="export")[0]
    assert (line["who"], line["role"], line["action"]) == ("Alice Alder", "owner", action)
