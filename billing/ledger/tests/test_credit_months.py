"""Credit months: month ends, leap days, the share of what is left."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from billing.ledger.credit_months import Month, add_months, month_at, prorate_amount

pytestmark = pytest.mark.postgres


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.spec("PRC-032")
@pytest.mark.parametrize(
    ("anchor", "bounds"),
    [
        ("2025-10-31 09:30", ["2025-11-30", "2025-12-31", "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]),
        ("2027-12-30 09:30", ["2028-01-30", "2028-02-29", "2028-03-30"]),
        ("2028-02-29 09:30", ["2028-03-29", "2028-04-29"]),
    ],
)
def test_month_ends_clamp_and_return(anchor: str, bounds: list[str]) -> None:
    start = at(anchor)
    assert [add_months(start, number) for number in range(1, len(bounds) + 1)] == [at(f"{day} 09:30") for day in bounds]


@pytest.mark.parametrize(
    ("now", "bounds"),
    [
        ("2026-01-31 09:29", ("2025-12-31", "2026-01-31")),
        ("2026-01-31 09:30", ("2026-01-31", "2026-02-28")),
        ("2026-02-28 09:29", ("2026-01-31", "2026-02-28")),
        ("2026-02-28 09:30", ("2026-02-28", "2026-03-31")),
        ("2025-09-01 00:00", ("2025-10-31", "2025-11-30")),
    ],
)
def test_the_month_of_a_moment(now: str, bounds: tuple[str, str]) -> None:
    starts, ends = (at(f"{day} 09:30") for day in bounds)
    assert month_at(at("2025-10-31 09:30"), at(now)) == Month(starts, ends)


@given(
    begun=st.timedeltas(timedelta(0), timedelta(days=3_000)),
    later=st.timedeltas(timedelta(0), timedelta(days=3_000)),
)
def test_months_follow_each_other_without_gaps(begun: timedelta, later: timedelta) -> None:
    anchor = at("2024-01-01") + begun
    now = anchor + later
    month = month_at(anchor, now)
    assert month.starts_at <= now < month.ends_at
    assert month_at(anchor, month.ends_at).starts_at == month.ends_at
    assert 28 <= (month.ends_at - month.starts_at).days <= 31


@pytest.mark.spec("SUB-050")
@pytest.mark.parametrize(
    ("now", "share"),
    [
        ("2026-04-01 00:00", 5_000),
        ("2026-04-16 00:00", 2_500),
        ("2026-04-16 23:59", 2_500),
        ("2026-04-21 08:00", 1_666),  # 10 of 30 days: 1,666.7
        ("2026-04-30 23:59", 166),
        ("2026-05-02 00:00", 0),
    ],
)
def test_the_share_of_what_is_left_is_rounded_down(now: str, share: int) -> None:
    assert prorate_amount(5_000, Month(at("2026-04-01"), at("2026-05-01")), min(at(now), at("2026-05-01"))) == share
