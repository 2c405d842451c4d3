"""Days as people read them."""

from datetime import UTC, date, datetime


def on_day(moment: date) -> str:
    """Such as `31 January 2030`, of a moment in UTC."""
    day = moment.astimezone(UTC) if isinstance(moment, datetime) else moment
    return f"{day.day} {day:%B %Y}"
