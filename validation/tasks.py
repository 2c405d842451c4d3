"""Wake-ups for the workers; each may come twice, late or not at all."""

from validation import pipeline, services


def run_chunk(batch_id: int) -> None:
    """Check one chunk of a batch and wake a successor, so that a long list never starves a short one."""
    if pipeline.run_chunk(batch_id):
        pipeline.wake_if_work_left(batch_id)


def sweep() -> None:
    """Wake what nobody works on, and free the credits of single checks that were cut off."""
    pipeline.sweep()
    services.release_cut_off_checks()
