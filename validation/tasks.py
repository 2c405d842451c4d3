"""Wake-ups for the workers; each may come twice, late or not at all."""

from validation import pipeline, retention, services, stopping, webhook_sending


def work() -> None:
    """Check what waits to be checked."""
    pipeline.work()


def sweep() -> None:
    """Wake workers for what nobody works on, stop what may not go on, free the credits of checks that were cut off."""
    stopping.sweep()
    pipeline.sweep()
    services.release_cut_off_checks()


def purge(batch_id: int) -> None:
    """Remove the results of a batch that was deleted or has expired."""
    retention.purge(batch_id)


def send_webhooks() -> None:
    """Send news to the endpoints of customers."""
    webhook_sending.work()


def sweep_webhooks() -> None:
    """Wake workers for news that nobody sends."""
    webhook_sending.sweep()


def forget_old_webhooks() -> None:
    """Remove the log of webhooks that is old, and endpoints that were deleted."""
    webhook_sending.forget_old()


def purge_webhook(webhook_id: int) -> None:
    """Remove an endpoint that was deleted, with its log."""
    webhook_sending.purge(webhook_id)
