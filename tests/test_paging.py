"""Cursors that nobody was given."""

import pytest

from accounts.models import User
from emailcheck.common import paging
from emailcheck.common.errors import BadInput
from emailcheck.common.paging import Order


@pytest.mark.postgres
@pytest.mark.parametrize("text", ["a\x00", "a\ud800"])
def test_a_cursor_with_what_no_column_takes_is_not_valid(alice: User, bob: User, text: str) -> None:
    rows, after = paging.arranged(User.objects.all(), Order("name"), size=1)
    assert (rows, after) == ([bob], paging.encode(["name True", bob.name, bob.pk]))
    with pytest.raises(BadInput, match="This cursor is not valid"):
        paging.arranged(User.objects.all(), Order("name"), size=1, cursor=paging.encode(["name True", text, bob.pk]))
