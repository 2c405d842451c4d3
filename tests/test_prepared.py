"""Reads whose statement is put together once."""

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from accounts.access.models import ApiKey
from accounts.keys import services as keys
from accounts.organisations.models import Membership
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from billing.subscriptions.models import Subscription
from emailcheck.common.storage.prepared_reads import OneRow


def values_of(row: models.Model) -> list[tuple[str, type, object]]:
    values = [(field.attname, getattr(row, field.attname)) for field in row._meta.concrete_fields]
    return [(name, type(value), value) for name, value in values]


@pytest.mark.django_db
@pytest.mark.postgres
def test_a_row_is_what_the_model_would_give(alice: User) -> None:
    made, _ = keys.create_key(
        organisation=alice.own_organisation, maker=alice, name="Shop", allowed_ips=["192.0.2.0/24"], daily_credit_cap=5
    )
    rows = OneRow(ApiKey, "name", "organisation", "subscription")
    wanted = ApiKey.objects.select_related("organisation__subscription").get(pk=made.pk)
    with CaptureQueriesContext(connection) as asked:
        found = rows.read("Shop")
        assert found is not None
        assert (found.organisation, found.organisation.subscription.organisation) == (
            alice.own_organisation,
            alice.own_organisation,
        )
    assert len(asked) == 1
    for one, other in (
        (found, wanted),
        (found.organisation, wanted.organisation),
        (found.organisation.subscription, wanted.organisation.subscription),
    ):
        assert values_of(one) == values_of(other)
    assert (rows.read("Another"), rows.read("Shop")) == (None, found)


@pytest.mark.django_db
def test_a_row_that_leads_nowhere_comes_alone(alice: User) -> None:
    keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    Subscription.objects.all().delete()
    found = OneRow(ApiKey, "name", "organisation", "subscription").read("Shop")
    assert found is not None
    assert (found.organisation, hasattr(found.organisation, "subscription")) == (alice.own_organisation, False)


@pytest.mark.django_db
@pytest.mark.postgres
def test_a_row_is_found_by_a_number(alice: User) -> None:
    found = OneRow(Subscription, "organisation_id", "organisation").read(alice.pk)
    assert found is not None
    assert (found, found.organisation) == (
        Subscription.objects.get(organisation=alice.own_organisation),
        alice.own_organisation,
    )
    assert values_of(found) == values_of(Subscription.objects.get(organisation=alice.own_organisation))


def test_a_row_is_read_by_several_columns_in_the_order_in_which_they_are_named(alice: User, bob: User) -> None:
    Membership.objects.create(user=bob, organisation=alice.own_organisation, role=OrganisationRole.VIEWER)
    rows = OneRow(Membership, "user_id organisation_id", "organisation")
    found = rows.read(bob.pk, alice.own_organisation.pk)
    assert found is not None
    assert (found.role, found.user_id, found.organisation) == ("viewer", bob.pk, alice.own_organisation)
    assert rows.read(alice.pk, bob.own_organisation.pk) is None
