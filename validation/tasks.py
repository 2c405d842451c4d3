"""Tasks that wake the workers. Each may run twice, late or not at all."""

from validation.batches import rankings, repairs
from validation.batches.chunks import pipeline
from validation.batches.control import stopping
from validation.batches.retention import services as retention
from validation.single.services import release_cut_off_checks
from validation.webhooks import worker


def work() -> None:
    """Check waiting lists."""
    pipeline.run_worker()


def sweep() -> None:
    """Wake workers for free chunks, stop lists that may not go on, release the credits of interrupted checks."""
    stopping.sweep_running_batches()
    pipeline.sweep_batches()
    release_cut_off_checks()


def rank_batch(batch_id: int) -> None:
    """Count for its report what a long list consists of."""
    rankings.rank_batch(batch_id)


def store_repairs(batch_id: int, sorted_file: str, start: int) -> None:
    """Store the repairs of a long list from a byte of the file on that has them."""
    repairs.store_more_repairs(batch_id, sorted_file, start)


def purge(batch_id: int) -> None:
    """Remove the results of a deleted or expired batch."""
    retention.purge_results(batch_id)


def send_webhooks() -> None:
    """Send due webhook deliveries."""
    worker.run_worker()


def sweep_webhooks() -> None:
    """Wake workers for webhook deliveries that are overdue."""
    worker.sweep_deliveries()


def forget_old_webhooks() -> None:
    """Remove old webhook logs, and deleted endpoints."""
    worker.delete_old_deliveries()


def purge_webhook(webhook_id: int) -> None:
    """Remove a deleted endpoint with its log."""
    worker.purge_endpoint(webhook_id)
