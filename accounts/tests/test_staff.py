"""Django's own admin is for staff."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

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


@pytest.mark.spec("SEC-009", "SEC-010")
@pytest.mark.parametrize(
    ("email", "domain", "is_staff"),
    [
        ("sam@emailcheck.app", "emailcheck.app", True),
        ("sam@emailcheck.app", "EmailCheck.App", True),
        ("sam@xn--bcher-kva.de", "bücher.de", True),
        ('"x@emailcheck.app"@evil.com', "emailcheck.app", False),
        ("sam@evil-emailcheck.app", "emailcheck.app", False),
        ("sam@mail.emailcheck.app", "emailcheck.app", False),
        ("sam@emailcheck.app.evil.com", "emailcheck.app", False),
        ("sam@emailcheck.app", "", False),
        ("sam", "", False),
        ("sam@" + "a" * 70 + ".app", "emailcheck.app", False),
    ],
)
def test_staff_have_an_address_in_the_admin_domain(settings: Any, email: str, domain: str, is_staff: bool) -> None:
    settings.ADMIN_EMAIL_DOMAIN = domain
    assert User(email=email, role="admin", email_verified_at=timezone.now()).is_staff is is_staff


def test_accounts_are_neither_made_nor_moved_in_the_admin(sam: User, alice: User, client: Client) -> None:
    client.force_login(sam)
    assert client.get(reverse("admin:accounts_user_add")).status_code == 403
    assert client.post(reverse("admin:accounts_user_delete", args=[alice.pk]), {"post": "yes"}).status_code == 403
    change = {"email": "x@evil.com", "name": "Alice", "role": "user", "is_active": "on", "is_superuser": "on"}
    assert client.post(reverse("admin:accounts_user_change", args=[alice.pk]), change).status_code == 302
    alice.refresh_from_db()
    assert (alice.email, alice.name, alice.is_superuser) == ("alice@alder.com", "Alice", False)


def test_the_ledger_is_read_only_even_for_staff(sam: User, client: Client) -> None:
    client.force_login(sam)
    account = reverse("admin:billing_creditaccount_change", args=[sam.pk])
    assert client.get(account).status_code == 200
    assert client.post(account, {"balance": 1_000_000}).status_code == 403
    assert client.get(reverse("admin:billing_creditentry_add")).status_code == 403
    sam.credit_account.refresh_from_db()
    assert sam.credit_account.balance == 100
