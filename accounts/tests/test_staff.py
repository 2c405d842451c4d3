"""Django's own admin is for staff."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import User

OURS = sorted(
    f"{model._meta.app_label}_{model._meta.model_name}"
    for model in admin.site._registry
    if model._meta.app_label in {"accounts", "billing", "validation"}
)


@pytest.mark.parametrize("model", OURS)
def test_staff_see_every_table(sam: User, client: Client, model: str) -> None:
    client.force_login(sam)
    assert client.get(reverse(f"admin:{model}_changelist"), {"q": "x"}).status_code == 200


@pytest.mark.parametrize("change", [{"role": "user"}, {"email_verified_at": None}, {"is_active": False}])
def test_nobody_else_enters(sam: User, client: Client, change: dict[str, object]) -> None:
    client.force_login(sam)
    User.objects.filter(pk=sam.pk).update(**change)
    assert client.get("/django-admin/").status_code == 302


def test_the_ledger_is_read_only_even_for_staff(sam: User, client: Client) -> None:
    client.force_login(sam)
    account = reverse("admin:billing_creditaccount_change", args=[sam.pk])
    assert client.get(account).status_code == 200
    assert client.post(account, {"balance": 1_000_000}).status_code == 403
    assert client.get(reverse("admin:billing_creditentry_add")).status_code == 403
    sam.credit_account.refresh_from_db()
    assert sam.credit_account.balance == 100
