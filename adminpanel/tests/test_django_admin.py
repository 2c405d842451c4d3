"""Django's admin: every table, found, searched and opened, in as many queries as for one row, and by nobody else."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.users.models import User
from adminpanel.tests.rows import make_rows
from conftest import browser_of
from emailcheck.common.admin import ReadOnlyAdmin

# Other people's tables that we do not use, or that hold nothing but secrets or names of tables.
NOT_SHOWN = {
    "auth.Permission", "auth.Group", "contenttypes.ContentType", "django_q.Task", "account.EmailAddress",
    "account.EmailConfirmation", "mfa.Authenticator", "socialaccount.SocialApp", "socialaccount.SocialAccount",
    "socialaccount.SocialToken",
}  # fmt: skip
# Staff change these here; all others are written by services alone.
WRITABLE = {"accounts.User"}
REGISTERED = sorted(admin.site._registry.items(), key=lambda pair: pair[0]._meta.label)
LABELS = [model._meta.label for model, _ in REGISTERED]
SECRETS = ("password", "secret", "sealed", "digest", "_hash", "lease", "refresh", "family")
SHOWN_ALL_THE_SAME = {"billing.CreditedMailbox.digest"}  # a keyed hash, by which the row is found


@pytest.fixture
def browser(sam: User) -> Client:
    return browser_of(sam)


def queries(browser: Client, address: str, **query: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        answer = browser.get(address, query)
    assert answer.status_code == 200
    return len(seen)


def test_every_table_is_registered() -> None:
    missing = {model._meta.label for model in apps.get_models()} - set(LABELS)
    assert missing == NOT_SHOWN


@pytest.mark.parametrize(("model", "its"), REGISTERED, ids=LABELS)
def test_a_table_says_what_it_shows_and_how_it_is_found(model: type[Model], its: ModelAdmin[Any]) -> None:
    assert its.list_display != ("__str__",)
    assert its.search_fields or model._meta.label.startswith("monitoring.")


@pytest.mark.parametrize(("model", "its"), REGISTERED, ids=LABELS)
def test_nobody_writes_what_only_services_write(model: type[Model], its: ModelAdmin[Any], sam: User) -> None:
    request = RequestFactory().get("/")
    request.user = sam
    assert isinstance(its, ReadOnlyAdmin) == (model._meta.label not in WRITABLE)
    may = [its.has_add_permission(request), its.has_delete_permission(request), its.has_change_permission(request)]
    assert may == [False, False, model._meta.label in WRITABLE]


@pytest.mark.parametrize(("model", "its"), REGISTERED, ids=LABELS)
def test_no_secret_is_on_a_page(model: type[Model], its: ModelAdmin[Any], sam: User) -> None:
    request = RequestFactory().get("/")
    request.user = sam
    shown = (
        {*its.get_fields(request), *its.list_display}
        if its.fields or its.exclude
        else {*(field.name for field in model._meta.concrete_fields), *map(str, its.list_display)}
    )
    named = {f"{model._meta.label}.{name}" for name in shown if any(word in str(name) for word in SECRETS)}
    assert named - SHOWN_ALL_THE_SAME <= {f"{model._meta.label}.lease_until"}


@pytest.fixture
def without_the_list_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which takes longer than the page beside it, and is the same on each."""
    monkeypatch.setattr(admin.site, "enable_nav_sidebar", False)


@pytest.mark.usefixtures("without_the_list_of_tables")
@pytest.mark.parametrize(("model", "its"), REGISTERED, ids=LABELS)
def test_lists_searches_and_rows_cost_the_same_however_many_there_are(
    model: type[Model], its: ModelAdmin[Any], browser: Client
) -> None:
    base = f"admin:{model._meta.app_label}_{model._meta.model_name}"

    def costs() -> tuple[int, ...]:
        row: Any = model._default_manager.order_by("pk").last()
        listed = queries(browser, reverse(f"{base}_changelist"))
        found = queries(browser, reverse(f"{base}_changelist"), q="1") if its.search_fields else 0
        return listed, found, queries(browser, reverse(f"{base}_change", args=[row.pk]))

    # What is read once for each process.
    ContentType.objects.get_for_models(*apps.get_models(), for_concrete_models=False)
    make_rows(model, 3)
    few = costs()
    make_rows(model, 9, first=3)
    assert costs() == few


def test_a_customer_is_sent_away(alice: User) -> None:
    answer = browser_of(alice).get(reverse("admin:billing_creditentry_changelist"))
    assert answer.status_code == 302
