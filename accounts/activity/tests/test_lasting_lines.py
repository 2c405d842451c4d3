"""Lines of the audit stay when people come and go, and say whom they are about while that can be said."""

import csv
import json
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.privacy import services as privacy
from accounts.signin.sessions import start_sign_in
from accounts.team.members import end_membership
from accounts.tests.team import add_member
from accounts.users.models import User
from conftest import PASSWORD, client_of
from emailcheck.common.testing import drain_queue, run_sixteen

AUDIT, ACTIVITY, PATH = "/api/organisation/audit", "/api/user/activity", "/api/organisation"
BOB, NORA = "Bob Birch (bob@birch.net)", "nora@quill.net"


def lines(api: APIClient, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(AUDIT, query).json()["lines"]
    return found


def own_actions(api: APIClient, **query: str) -> list[str]:
    return [line["action"] for line in api.get(ACTIVITY, query).json()["activity"]]


@pytest.mark.spec("ORG-024")
def test_sign_ins_stay_when_the_membership_ends_and_count_for_its_time(alice: User, bob: User) -> None:
    organisation = alice.own_organisation
    with time_machine.travel(timezone.now() + timedelta(days=1), tick=False) as clock:
        start_sign_in(user=bob, device="before")
        member = add_member(organisation, bob, OrganisationRole.VIEWER)
        for _ in range(2):
            clock.shift(60)
            start_sign_in(user=bob, device="within")
        before = lines(client_of(alice), kind="sign_in", who="bob")
        assert [(line["who"], line["role"]) for line in before] == [("Bob Birch", "viewer")] * 2
        end_membership(member)
        clock.shift(60)
        start_sign_in(user=bob, device="after")
        assert lines(client_of(alice), kind="sign_in", who="bob") == before
        assert len(own_actions(client_of(bob), kind="sign_in")) == 4 + 1  # and that of `client_of`
        add_member(organisation, bob, OrganisationRole.VIEWER)
        assert lines(client_of(alice), kind="sign_in", who="bob") == before


@pytest.mark.spec("ORG-024")
def test_each_organisation_has_a_sign_in_once_and_the_person_too(alice: User, bob: User, sam: User) -> None:
    for owner in (alice, sam):
        add_member(owner.own_organisation, bob, OrganisationRole.MEMBER)
    Activity.objects.all().delete()
    start_sign_in(user=bob, device="")
    kept = Activity.objects.order_by("organisation_id").values_list("organisation_id", "is_copy", "role")
    copies = {(bob.pk, True, "owner"), (alice.pk, True, "member"), (sam.pk, True, "member")}
    assert (set(kept), len(kept)) == ({(None, False, ""), *copies}, 4)
    assert audit_log.list_account_activity(bob, organisations=[alice.pk, bob.pk, sam.pk])[0] == [
        Activity.objects.get(is_copy=False)
    ]
    assert audit_log.list_all_activity()[0] == [Activity.objects.get(is_copy=False)]


@pytest.mark.spec("ORG-024")
@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_sixteen_sign_ins_at_once_are_sixteen_lines(alice: User, bob: User) -> None:
    add_member(alice.own_organisation, bob, OrganisationRole.MEMBER)
    run_sixteen(lambda _: start_sign_in(user=bob, device=""))
    assert Activity.objects.filter(organisation=alice.pk, user=bob, kind="sign_in").count() == 16


@pytest.mark.spec("ORG-024", "ORG-035")
def test_what_staff_did_stands_where_it_stood(alice: User, bob: User, sam: User) -> None:
    organisation, api = alice.own_organisation, client_of(alice)
    for _ in range(2):
        audit_log.record_activity(
            user=alice, kind=ActivityKind.STAFF, action="Looked", staff=sam, target=f"account {alice.pk}"
        )
    told = [("EmailCheck staff", "Looked", "Alice Alder (alice@alder.com)")] * 2

    def read(api: APIClient) -> list[tuple[str, str, str]]:
        return [(line["who"], line["action"], line["target"]) for line in lines(api, kind="staff")]

    assert read(api) == told
    add_member(organisation, bob, OrganisationRole.OWNER)
    end_membership(Membership.objects.get(organisation=organisation, user=alice))
    of_bob = client_of(User.objects.get(pk=bob.pk))
    assert read(of_bob) == told
    assert Organisation.objects.get(holder=alice).pk != organisation.pk
    assert read(client_of(User.objects.get(pk=alice.pk))) == []
    assert own_actions(api, kind="staff") == ["Looked", "Looked"]


@pytest.mark.spec("ORG-024", "ADM-226")
def test_of_a_deleted_member_the_lines_stay_without_the_person(alice: User, bob: User) -> None:
    organisation, api = alice.own_organisation, client_of(alice)
    invited = api.post(f"{PATH}/invitations", {"email": bob.email, "role": "admin"}, format="json")
    assert invited.status_code == 201
    add_member(organisation, bob, OrganisationRole.ADMIN)
    organisation.invitations.update(accepted_at=timezone.now())
    of_bob = client_of(User.objects.get(pk=bob.pk))
    of_bob.put("/api/user/retention", {"uploads_days": 7}, format="json", REMOTE_ADDR="203.0.113.5")
    member = Membership.objects.get(user=bob, organisation=organisation)
    api.put(f"{PATH}/members/{member.pk}", {"role": "viewer"}, format="json")
    count = len(lines(api))
    closing = {"email": bob.email, "password": PASSWORD}
    assert of_bob.delete("/api/user", closing, format="json").status_code == 200
    for _ in range(2):
        drain_queue()
        told = lines(api)
        assert len(told) == count + 1  # and how all their sessions ended
        assert [(line["who"], line["role"], line["ip"]) for line in told if line["action"] == "Retention changed"] == [
            ("Deleted account", "admin", None)
        ]
        about = {line["action"]: line["target"] for line in told if line["target"]}
        assert about == dict.fromkeys(("Role of a member changed", "Somebody was invited"), "Deleted account")
        assert "birch" not in json.dumps(told).lower()
    assert not User.objects.filter(pk=bob.pk).exists()
    of_organisation = Activity.objects.filter(organisation=organisation)
    assert of_organisation.filter(user=None, ip=None).count() == 3  # a sign-in, its end and the retention
    assert "203.0.113.5" not in str(list(Activity.objects.values_list("ip", flat=True)))


@pytest.mark.spec("ORG-024", "ORG-013")
def test_lines_say_whom_they_are_about_on_the_page_and_in_the_file(alice: User, bob: User, sam: User) -> None:
    organisation, api = alice.own_organisation, client_of(alice)
    member = add_member(organisation, bob, OrganisationRole.MEMBER)
    api.post(f"{PATH}/invitations", {"email": NORA, "role": "viewer"}, format="json")
    api.put(f"{PATH}/members/{member.pk}/cap", {"monthly_cap": 50}, format="json")
    api.post(f"{PATH}/transfer", {"member_id": member.pk, "password": PASSWORD}, format="json")
    client_of(User.objects.get(pk=bob.pk)).post(f"{PATH}/transfer/accept")
    of_bob = client_of(User.objects.get(pk=bob.pk))
    mine = Membership.objects.get(user=alice, organisation=organisation)
    of_bob.delete(f"{PATH}/members/{mine.pk}")
    hers, his = "Alice Alder (alice@alder.com)", BOB
    told = [(line["action"], line["target"], line["changes"]) for line in lines(of_bob, kind="member")]
    assert told == [
        ("Member removed", hers, {"role": ["admin", None]}),
        (
            "Ownership accepted", his,
            {f"role of {his}": ["member", "owner"], f"role of {hers}": ["owner", "admin"]},
        ),
        ("Ownership offered", his, {"offered_to": [None, his]}),
        ("Monthly cap changed", his, {"monthly_cap": [None, 50]}),
        ("Somebody was invited", NORA, {"role": [None, "viewer"]}),
    ]  # fmt: skip
    rows = list(csv.reader(of_bob.get(f"{AUDIT}/export?kind=member").getvalue().decode().splitlines()))
    assert [row[6] for row in rows[1:]] == [hers, his, his, his, NORA]
    stored = str(list(Activity.objects.filter(kind="member").values_list("action", "target", "changes")))
    assert [name for name in ("Alice", "Bob", "birch", "alder", "nora") if name in stored] == []


@pytest.mark.spec("ORG-024")
def test_what_lines_named_before_is_still_found(alice: User, bob: User) -> None:
    organisation, api = alice.own_organisation, client_of(alice)
    member = add_member(organisation, bob, OrganisationRole.MEMBER)
    Activity.objects.all().delete()
    of_others = add_member(bob.own_organisation, alice, OrganisationRole.MEMBER)
    User.objects.filter(pk=alice.pk).update(current_organisation=organisation)
    targets = [f"membership {member.pk}", f"member:{member.pk}", f"membership {of_others.pk}", "", "user:99", "inv 7"]
    for target in targets:
        audit_log.record_activity(organisation=organisation, kind=ActivityKind.MEMBER, action="Did", target=target)
    paypal = {"method": [None, f"PayPal account {bob.pk}"]}
    audit_log.record_activity(organisation=organisation, kind=ActivityKind.PURCHASE, action="Paid", changes=paypal)
    found = lines(api)
    left = "Somebody who has left"
    assert [line["target"] for line in found[:0:-1]] == [BOB, BOB, left, "", "Deleted account", "inv 7"]
    assert found[0]["changes"] == paypal


@pytest.mark.spec("ORG-013", "ORG-034")
def test_who_is_removed_keeps_no_lines_of_the_organisation(alice: User, bob: User) -> None:
    organisation, secret = alice.own_organisation, "Domain alder-secret-project.com added"
    member = add_member(organisation, bob, OrganisationRole.ADMIN)
    of_bob = client_of(User.objects.get(pk=bob.pk))
    audit_log.record_activity(user=bob, organisation=organisation, kind=ActivityKind.SETTINGS, action=secret)
    audit_log.record_activity(user=bob, kind=ActivityKind.SETTINGS, action="Password changed")

    def found() -> tuple[list[str], bool]:
        text = of_bob.get("/api/user/export-data").getvalue().decode()
        return own_actions(of_bob, kind="settings"), secret in text

    both, alone = (["Password changed", secret], True), (["Password changed"], False)
    assert found() == both
    Organisation.objects.filter(pk=organisation.pk).update(networks=["203.0.113.0/24"])
    assert found() == alone
    Organisation.objects.filter(pk=organisation.pk).update(networks=[])
    assert found() == both
    end_membership(member)
    assert found() == alone
    assert secret in [line["action"] for line in lines(client_of(alice))]
    privacy.close_account(user=alice)
    drain_queue()
    assert (found(), Activity.objects.filter(action=secret).count()) == (alone, 0)


@pytest.mark.spec("ORG-024")
def test_the_migration_stamps_what_staff_did_and_unnames_caps(alice: User, bob: User, sam: User) -> None:
    Activity.objects.all().delete()
    cap: dict[str, Any] = {"action": "Bob Birch has a cap", "changes": {"monthly_cap": [None, 50]}}
    old = [
        Activity(user=alice, kind="staff", staff_id=sam.pk, action="Looked"),
        Activity(user=None, kind="staff", staff_id=sam.pk, action="Looked"),
        Activity(user=alice, kind="key", action="Made"),
        Activity(organisation_id=alice.pk, kind="member", target="user:2", **cap),
        Activity(organisation_id=alice.pk, kind="member", action="Joined", target="user:2"),
    ]
    Activity.objects.bulk_create(old)
    step = import_module("accounts.migrations.0008_stamp_staff_lines")
    for _ in range(2):
        for work in (step.stamp_staff_lines, step.unname_caps):
            work(apps, SimpleNamespace(connection=connection))
        assert list(Activity.objects.order_by("pk").values_list("organisation_id", "action")) == [
            (alice.pk, "Looked"), (None, "Looked"), (None, "Made"),
            (alice.pk, "Monthly cap changed"), (alice.pk, "Joined"),
        ]  # fmt: skip
