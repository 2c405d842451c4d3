"""The addresses of customers' lists stand in no table of Django's admin, and are found by no search."""

import json
import zlib
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import models
from django.test import Client
from django.urls import reverse

from accounts.users.models import User
from adminpanel.tests.rows import make_rows
from conftest import browser_of
from validation.results.fields import PackedJSONField

LOCAL_PART = "mila.marker"
ADDRESS = f"{LOCAL_PART}@quillharbor.com"
REGISTERED = sorted(admin.site._registry, key=lambda model: model._meta.label)
# Where an address of a list, or what was said of it, is stored.
HOLDERS = {
    "accounts.ApiRequest": ("request_body", "response_body"),
    "common.IdempotentCall": ("body",),
    "common.OutgoingMail": ("sealed",),
    "django_q.Failure": ("args", "kwargs", "result"),
    "django_q.Success": ("args", "kwargs", "result"),
    "django_q.OrmQ": ("payload",),
    "validation.Chunk": ("rows", "engine_verdicts", "latest_replies"),
    "validation.Evidence": ("rows",),
    "validation.Question": ("answer", "error"),
    "validation.RepairedAddress": ("source", "source_key"),
    "validation.Result": ("email", "address", "domain", "sentence", "details"),
    "validation.Sample": ("verdicts",),
    "validation.Upload": ("options", "shape"),
    "validation.WebhookAttempt": ("response_body", "error"),
    "validation.WebhookDelivery": ("body", "request_headers"),
}
NUMBERS = {label: 10 * number for number, label in enumerate(HOLDERS)}
# Texts of the same tables that we write ourselves, or that the customer writes about a list: its name, its webhook.
OUR_OWN = {
    "validation.Batch": {
        "public_id", "batch_type", "filename", "file", "status", "checks_left_out", "error", "address_location",
        "operators", "rankings", "repair_choices", "content_hash", "rest", "overfull",
    },
    "validation.Chunk": {"state", "lease", "waits_for", "wait_cause"},
    "validation.Day": {"source"},
    "validation.DomainMemory": {"domain", "reply"},  # of a mailbox that nobody has
    "validation.EgressAddress": {"staff_name", "staff_email", "key", "name", "helo", "state", "note"},
    "validation.ProviderDay": {"provider"},
    "validation.ProviderState": {"name", "breaker_reason", "balance_error"},
    "validation.Question": {"subject", "provider", "state", "lease"},
    "validation.RepairedAddress": {"kinds"},
    "validation.Result": {"category", "reason"},
    "validation.Sample": {"content_hash", "counts", "lease"},
    "validation.Upload": {
        "public_id", "filename", "file", "sorted_file", "operators", "repair_choices", "findings", "content_hash",
        "known", "known_file", "rest",
    },
    "validation.Webhook": {"url", "events", "disabled_reason"},
    "validation.WebhookDelivery": {"public_id", "event", "message_id", "key", "status", "lease"},
    "validation.WebhookHost": {"name"},
    "validation.WebhookSecret": {"sealed"},
}  # fmt: skip


def held(field: Any) -> Any:
    """The address as this field stores it."""
    if isinstance(field, models.CharField | models.TextField):
        return ADDRESS
    rows = [{"email": ADDRESS}]
    return zlib.compress(json.dumps(rows).encode()) if isinstance(field, PackedJSONField) else rows


@pytest.fixture
def browser(sam: User) -> Client:
    for label, names in HOLDERS.items():
        model = apps.get_model(label)
        make_rows(model, 1, first=NUMBERS[label])
        row: Any = model._default_manager.order_by("pk").last()
        for name in names:
            setattr(row, name, held(model._meta.get_field(name)))
        row.save()
    return browser_of(sam)


@pytest.mark.finding("C5")
@pytest.mark.spec("ADM-230")
@pytest.mark.parametrize("model", REGISTERED, ids=[model._meta.label for model in REGISTERED])
def test_no_page_shows_the_address_of_a_list(browser: Client, model: Any) -> None:
    page = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    listed = reverse(f"{page}_changelist")
    shown = [browser.get(listed)]
    shown += [browser.get(reverse(f"{page}_change", args=[row.pk])) for row in model._default_manager.all()[:20]]
    for answer in shown:
        assert (answer.status_code, LOCAL_PART in answer.content.decode()) == (200, False), answer.request["PATH_INFO"]
    for words in (ADDRESS, LOCAL_PART, "quillharbor.com"):
        assert browser.get(listed, {"q": words}).context["cl"].result_count == 0, words


@pytest.mark.finding("C5")
def test_the_addresses_were_stored(browser: Client) -> None:
    for label, names in HOLDERS.items():
        row = apps.get_model(label)._default_manager.order_by("pk").values(*names).last()
        assert row is not None
        assert [name for name, value in row.items() if "quillharbor.com" not in str(value)] == [], label


def test_every_text_of_lists_is_decided() -> None:
    """A new one is an address of the customer's, or one that we write ourselves."""
    undecided = set()
    for model in apps.get_app_config("validation").get_models():
        decided = {*HOLDERS.get(model._meta.label, ()), *OUR_OWN.get(model._meta.label, ())}
        texts = {
            field.name
            for field in model._meta.concrete_fields
            if field.get_internal_type() in {"CharField", "TextField", "JSONField", "BinaryField"}
        }
        undecided |= {f"{model._meta.label}.{name}" for name in texts ^ decided}
    assert undecided == set()
