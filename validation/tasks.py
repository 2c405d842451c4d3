"""Wake-ups for the workers; each may come twice, late or not at all."""

from validation import pipeline, retention, services, stopping


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
