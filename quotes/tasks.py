"""What the scheduler calls; each may run twice, late or at once with itself."""

from quotes import activation, reminders


def keep_time() -> None:
    """Send the reminders that are due, delete what expired unpaid long ago."""
    reminders.clean_up(unattended=True)


def approve_due() -> None:
    """Approve the paid plan requests whose time has come."""
    activation.approve_due()
