"""What the scheduler calls; each may run twice, late or at once with itself."""

from quotes.plan_requests import activation
from quotes.quotes import reminders


def sweep_quotes() -> None:
    """Send the reminders that are due, delete what expired unpaid long ago."""
    reminders.sweep_quotes(unattended=True)


def approve_due() -> None:
    """Approve the paid plan requests whose time has come."""
    activation.approve_due_requests()
