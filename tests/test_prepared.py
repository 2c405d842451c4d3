"""Reads whose statement is put together once."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import keys
from accounts.models import ApiKey, User
from emailcheck.common.prepared import OneRow


@pytest.mark.django_db
def test_a_row_is_what_the_model_would_give(alice: User) -> None:
    made, _ = keys.create(user=alice, name="Shop", allowed_ips=["192.0.2.0/24"], daily_credit_cap=5)
    rows = OneRow(lambda name: ApiKey.objects.select_related("user").filter(name=name), "-")
    wanted = ApiKey.objects.select_related("user").get(pk=made.pk)
    with CaptureQueriesContext(connection) as asked:
        found = rows.read("Shop")
        assert found is not None
        assert found.user == alice
    assert len(asked) == 1
    for one, other in ((found, wanted), (found.user, wanted.user)):
        names = [field.attname for field in one._meta.concrete_fields]
        assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]
    assert (rows.read("Another"), rows.read("Shop")) == (None, found)


def test_a_statement_with_more_values_is_refused() -> None:
    rows = OneRow(lambda name: ApiKey.objects.filter(name=name, prefix="ec_live_"), "-")
    with pytest.raises(ValueError, match="other values"):
        rows.read("Shop")
