"""Wake-ups for the workers; each may come twice, late or not at all."""

from validation.batches.chunks import pipeline
from validation.batches.control import stopping
from validation.batches.retention import services as retention
from validation.single.services import release_cut_off_checks
from validation.webhooks import worker


def work() -> None:
    """Check what waits to be checked."""
    pipeline.run_worker()


def sweep() -> None:
    """Wake workers for what nobody works on, stop what may not go on, free the credits of checks that were cut off."""
    stopping.sweep_running_batches()
    pipeline.sweep_batches()
    release_cut_off_checks()


def purge(batch_id: int) -> None:
    """Remove the results of a batch that was deleted or has expired."""
    retention.purge_results(batch_id)


def send_webhooks() -> None:
    """Send news to the endpoints of customers."""
    worker.run_worker()


def sweep_webhooks() -> None:
    """Wake workers for news that nobody sends."""
    worker.sweep_deliveries()


def forget_old_webhooks() -> None:
    """Remove the log of webhooks that is old, and endpoints that were deleted."""
    worker.delete_old_deliveries()


def purge_webhook(webhook_id: int) -> None:
    """Remove an endpoint that was deleted, with its log."""
    worker.purge_endpoint(webhook_id)
