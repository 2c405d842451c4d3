"""What the scheduler calls; each may run twice, late or at once with itself."""

from quotes import reminders


def keep_time() -> None:
    """Send the reminders that are due, delete what expired unpaid long ago."""
    reminders.clean_up(unattended=True)
