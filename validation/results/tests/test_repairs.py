"""What was handed in of a single check stands in its evidence."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.users.models import User
from validation.results.models import Result
from validation.results.repairs import Repair, load_repairs
from validation.tests.stored import single

pytestmark = pytest.mark.postgres


def test_of_a_check_whose_evidence_is_loaded_nothing_is_asked_again(alice: User) -> None:
    plain, repaired = single(alice, "a@b.com"), single(alice, "c@b.com")
    Result.objects.filter(pk=repaired.pk).update(
        details={**repaired.details, "repaired_from": "<c@b.com>", "repairs": ["brackets"]}
    )
    results = list(Result.objects.order_by("pk"))
    expected = {repaired.pk: Repair("<c@b.com>", ("brackets",))}
    with CaptureQueriesContext(connection) as asked:
        assert load_repairs(results) == expected
    assert len(asked) == 0
    listed = list(Result.objects.without_evidence().order_by("pk"))
    with CaptureQueriesContext(connection) as asked:
        assert load_repairs(listed) == expected
    assert len(asked) == 1
    assert load_repairs([plain]) == {}
