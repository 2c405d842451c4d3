"""Cursors that nobody was given."""

import pytest

from accounts.users.models import User
from emailcheck.common.api import pagination
from emailcheck.common.api.pagination import Order
from emailcheck.common.errors import BadInput


@pytest.mark.postgres
@pytest.mark.parametrize("text", ["a\x00", "a\ud800"])
def test_a_cursor_with_what_no_column_takes_is_not_valid(alice: User, bob: User, text: str) -> None:
    rows, after = pagination.page_ordered(User.objects.all(), Order("name"), size=1)
    assert (rows, after) == ([bob], pagination.encode_cursor("name True", bob.name, bob.pk))
    with pytest.raises(BadInput, match="This cursor is not valid"):
        pagination.page_ordered(User.objects.all(), Order("name"), size=1, cursor=f"{after}{text}")
