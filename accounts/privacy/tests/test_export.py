"""Everything about a person in one file, and no table forgotten."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model
from rest_framework.test import APIClient

from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.users.models import User
from emailcheck.common import personal

pytestmark = pytest.mark.postgres

EXPORT = "/api/user/export-data"
_SECRET_WORDS = ("hash", "secret", "password", "token", "digest", "sealed")


def points_at(model: type[Model], people: set[type[Model]]) -> bool:
    """Whether rows of the model belong to an account: by a foreign key to one, or to what does; or by a plain id."""
    to = {field.related_model for field in model._meta.concrete_fields if isinstance(field, ForeignKey)}
    return bool(to & people) or any(
        field.name in {"user_id", "organisation_id"} for field in model._meta.concrete_fields
    )


def models_about_people() -> set[type[Model]]:
    """Every model with a path to an account, found by following foreign keys until nothing new comes up."""
    people: set[type[Model]] = {User}
    models = apps.get_models(include_auto_created=True)
    while new := {model for model in models if model not in people and points_at(model, people)}:
        people |= new
    return people


@pytest.mark.spec("SET-057")
def test_every_table_about_people_is_exported_or_named_with_a_reason() -> None:
    tables = personal.list_tables()
    assert {table.model for table in tables if table.owner} == models_about_people()
    assert all(bool(table.name) is not bool(table.left_out) for table in tables)
    names = [table.name for table in tables if table.name]
    assert len(names) == len(set(names))


def exported_columns() -> Iterator[str]:
    for table in personal.list_tables():
        if table.name:
            yield from (f"{table.label}.{column}" for column in table.columns)


@pytest.mark.spec("SET-057")
def test_no_secret_is_exported() -> None:
    told = (column.replace("content_hash", "") for column in exported_columns())  # of a list's own addresses: no secret
    assert [column for column in told if any(word in column for word in _SECRET_WORDS)] == []


def read_export(api: APIClient) -> tuple[Any, dict[str, Any]]:
    answer: Any = api.get(EXPORT)
    return answer, json.loads(b"".join(answer.streaming_content))


@pytest.mark.spec("SET-052", "SET-055", "SET-057")
def test_the_export_holds_what_is_mine_and_nothing_else(alice: User, bob: User, alice_api: APIClient) -> None:
    key, text = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop ✓")
    keys.create_key(organisation=bob.own_organisation, maker=bob, name="Of Bob")
    answer, body = read_export(alice_api)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json; charset=utf-8"
    assert answer["Content-Disposition"].startswith('attachment; filename="emailcheck-data-')
    assert answer["Cache-Control"] == "no-store"
    data = body["data"]
    assert [row["email"] for row in data["account"]] == ["alice@alder.com"]
    assert [(row["name"], row["prefix"]) for row in data["api_keys"]] == [("Shop ✓", key.prefix)]
    assert [row["amount"] for row in data["credit_entries"]] == [100]
    own_doing = [row["action"] for row in data["activity"] if row["kind"] != "sign_in"]
    assert own_doing == [f"API key {key.prefix} was created", "Data exported"]
    whole = json.dumps(body)
    for secret in (text, key.key_hash, alice.password, "bob@birch.net", "Of Bob"):
        assert secret not in whole
    manifest = {entry["name"]: entry["rows"] for entry in body["manifest"]}
    assert manifest == {name: len(rows) for name, rows in data.items()}
    assert {entry["table"] for entry in body["left_out"]} >= {"common_idempotentcall", "validation_chunk"}


def test_a_long_export_is_read_in_slices(alice: User, alice_api: APIClient, django_assert_max_num_queries: Any) -> None:
    Activity.objects.bulk_create(Activity(user=alice, kind="key", action=str(number)) for number in range(5_000))
    with django_assert_max_num_queries(len(personal.list_tables()) + 15):
        _, body = read_export(alice_api)
    assert [row["action"] for row in body["data"]["activity"] if row["kind"] == "key"] == [
        str(number) for number in range(5_000)
    ]
