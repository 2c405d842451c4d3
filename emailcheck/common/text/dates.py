"""Days as people read them."""

from datetime import UTC, date, datetime


def format_day(moment: date) -> str:
    """Such as `31 January 2030`, of a moment in UTC."""
    day = moment.astimezone(UTC) if isinstance(moment, datetime) else moment
    return f"{day.day} {day:%B %Y}"


def format_moment(moment: datetime) -> str:
    """Such as `21 November 2026, 09:30 UTC`."""
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"
