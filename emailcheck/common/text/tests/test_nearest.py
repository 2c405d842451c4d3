"""The nearest of known names."""

import pytest

from emailcheck.common.text.nearest import count_edits, find_nearest

KNOWN = ("cursor", "limit", "category", "search", "to", "sort")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("cursr", "cursor"), ("curosr", "cursor"), ("limits", "limit"), ("Limit", "limit"), ("catgory", "category"),
     ("ctgoy", None), ("page", None), ("id", None), ("", None), ("t", None), ("l" * 65, None)],
)  # fmt: skip
def test_what_was_meant_is_two_edits_away_at_most(name: str, nearest: str | None) -> None:
    assert find_nearest(name, KNOWN) == nearest


def test_edits_are_counted() -> None:
    assert [count_edits("mode", one) for one in ("mode", "mod", "made", "omde", "code s", "")] == [0, 1, 1, 1, 3, 4]
