"""Who of the staff did it stays readable when the account of whoever did it is gone."""

from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse

from accounts.activity.actors import StaffAct
from accounts.activity.models import Activity
from accounts.privacy import services as privacy
from accounts.staff.models import ColleagueDeletion
from accounts.users.models import User
from adminpanel.tests.rows import make_rows
from conftest import browser_of, client_of, make_user
from emailcheck.common.testing import drain_queue

GONE = "Sam Staff (sam@emailcheck.app), deleted"
ACTS = [model for model in apps.get_models() if issubclass(model, StaffAct)]


@pytest.fixture
def rosa(db: None) -> User:
    return make_user("rosa@emailcheck.app", "Rosa Ruiz", role="admin")


def delete_user(user: User) -> None:
    privacy.close_account(user=user)
    drain_queue()
    assert not User.objects.filter(pk=user.pk).exists()


@pytest.mark.finding("F1")
def test_audit_activity_and_ledger_name_a_colleague_who_is_gone(sam: User, rosa: User, alice: User) -> None:
    path, credits = f"/api/admin/users/{alice.pk}", {"credits": 150, "credits_read": 100, "reason": "Outage"}
    assert client_of(sam).put(path, credits, format="json").status_code == 200
    delete_user(sam)
    api = client_of(rosa)
    said = api.get(f"{path}/activity").json()["activity"]
    assert [line["staff"] for line in said if line["action"] == "Credits changed from 100 to 150"] == [GONE]
    moved = api.get(f"{path}/ledger").json()["entries"]
    assert [(entry["amount"], entry["staff"]) for entry in moved] == [(50, GONE), (100, None)]
    for asked in ({}, {"user": "sam@emailcheck"}, {"user": "sam staff"}):
        audit = api.get("/api/admin/audit", asked).json()["entries"]
        assert [line["user"] for line in audit if line["action"] == "Credits changed from 100 to 150"] == [GONE]
    assert api.get("/api/admin/audit", {"user": "nobody"}).json()["entries"] == []


@pytest.mark.finding("F1")
def test_the_name_is_that_of_the_moment(sam: User, rosa: User, alice: User) -> None:
    client_of(sam).post(f"/api/admin/users/{alice.pk}/sign-out")
    User.objects.filter(pk=sam.pk).update(name="Someone Else", email="someone@emailcheck.app")
    line = Activity.objects.get(staff_id=sam.pk)
    assert (line.staff_name, line.staff_email) == ("Sam Staff", "sam@emailcheck.app")
    audit = client_of(rosa).get("/api/admin/audit").json()["entries"]
    assert audit[0]["user"] == "Sam Staff (sam@emailcheck.app)"


@pytest.mark.finding("F1")
def test_a_deal_keeps_who_wrote_its_notes(sam: User, rosa: User) -> None:
    api = client_of(sam)
    fields = {
        "companyName": "Elm Inc",
        "contactName": "Eve",
        "contactEmail": "eve@elm.com",
        "dealValue": 12,
        "expectedCloseDate": "2032-06-30",
    }
    deal = api.post("/api/admin/deals", fields, format="json")
    path = f"/api/admin/deals/{deal.json()['deal']['id']}"
    assert api.post(f"{path}/notes", {"text": "Call in May"}, format="json").status_code == 201
    delete_user(sam)
    history = client_of(rosa).get(path).json()["history"]
    assert (history[0]["text"], {line["user"] for line in history}) == ("Call in May", {GONE})


@pytest.mark.finding("F1")
@pytest.mark.parametrize("model", ACTS, ids=[model._meta.label for model in ACTS])
def test_tables_show_who_did_it(sam: User, rosa: User, model: Any) -> None:
    make_rows(model, 1)
    model.objects.update(staff_id=sam.pk, staff_name=sam.name, staff_email=sam.email)
    delete_user(sam)
    browser, page = browser_of(rosa), f"admin:{model._meta.app_label}_{model._meta.model_name}"
    row = model.objects.get(staff_email="sam@emailcheck.app", staff_id=sam.pk)
    for shown in (reverse(f"{page}_changelist"), reverse(f"{page}_change", args=[row.pk])):
        assert GONE in browser.get(shown).content.decode(), shown


def test_whatever_names_staff_by_number_names_them_in_words_too() -> None:
    numbered = {model for model in apps.get_models() if any(f.name == "staff_id" for f in model._meta.fields)}
    assert numbered == set(ACTS)
    assert ColleagueDeletion in numbered
