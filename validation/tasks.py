"""Wake-ups for the workers; each may come twice, late or not at all."""

from validation import pipeline, services


def work() -> None:
    """Check what waits to be checked."""
    pipeline.work()


def sweep() -> None:
    """Wake workers for what nobody works on, and free the credits of single checks that were cut off."""
    pipeline.sweep()
    services.release_cut_off_checks()
